"""Tests of the claims of pradel2012, measures in percent; the words are in claims.yaml."""

from itertools import pairwise

import numpy as np

from mnar.claims import (
    above,
    all_of,
    at_least,
    at_most,
    below,
    between,
    close,
    difference,
    identities,
    is_so,
    published,
    same,
    share_of_samples,
)
from mnar.claims.tidy_tables import numeric
from mnar.statistics.correlation import spearman

CLASSES = ("head", "middle", "tail")
STRATIFIED = ["recall@10(0)", "recall@10(0.2)", "recall@10(0.5)", "recall@10(1)"]
OBSERVED = ["auc", "auc_aman", *STRATIFIED]
HEADS = ["head_10", "head_20", "head_50"]
WEIGHTS = ("low_weight", "high_weight")
# τ = 1 up to rounding.
SAME_ORDER = 1 - 1e-12


def _fact(data, fact, **where):
    return data.pick("figure1", fact=fact, **where)


def _known(data, fact, **where):
    """A fact of the data themselves."""
    return data.pick("figure1", exact=True, fact=fact, **where)


def pra_01(data):
    return between(_known(data, "rating_share_of_top_30_percent_of_items"), 0.7, 0.9)


def pra_02(data):
    printed = {"head": 0.352, "tail": 0.330}
    shares = [(_known(data, "rating_share_of_class", class_=c), p) for c, p in printed.items()]
    return all_of(*(close(share, theirs, within=0.01) for share, theirs in shares))


def pra_03(data):
    return close(_known(data, "ratings_per_item_head_over_tail"), 17, within=2)


def pra_04(data):
    def share(source, name):
        return _known(data, "rating_share", source=source, class_=name, rating=5)

    return all_of(
        close(share("random", "tail"), 0.02, within=0.01),
        close(share("random", "head"), 0.09, within=0.015),
        above(share("user-selected", "tail"), 0.2),
        below(share("user-selected", "head"), 0.28),
    )


def pra_05(data):
    return all_of(*(above(_fact(data, "odds_ratio", class_=name), 1) for name in CLASSES))


def pra_06(data):
    return above(_fact(data, "odds_ratio_tail_over_head"), 1)


def pra_07(data):
    printed = {"tail": 0.14, "head": 0.36}
    found = [(_known(data, "beta_over_alpha", class_=name), p) for name, p in printed.items()]
    return all_of(*(close(ratio, theirs, within=0.03) for ratio, theirs in found))


def pra_07b(data):
    """The estimate's interval holds the truth, in three classes at once."""
    parts = []
    for name in CLASSES:
        truth = _known(data, "true_beta_over_alpha", class_=name)
        gap = difference(_fact(data, "beta_over_alpha", class_=name), truth)
        # Bonferroni for three classes makes an interval 1.22 times as wide.
        low, high = (gap.value + 1.22 * (end - gap.value) for end in (gap.low, gap.high))
        parts.append(is_so(low <= 0 <= high, str(gap), "the truth is in the interval of three"))
    return all_of(*parts)


def pra_08(data):
    return below(_fact(data, "positive_share_max_over_min_difference"), 0)


def _model(data, **where):
    return data.rows("user_model", **where)


def _never_wrong(tau):
    numbers = f"smallest Kendall τ with the truth {tau.min():.6g}, {len(tau)} settings"
    return is_so(bool((tau >= SAME_ORDER).all()), numbers, "the true order, up to rounding")


def pra_09(data):
    rows = _model(data, positivity=0, ranking="auc")
    off = ((rows["sampled_auc"] - rows["expected_auc"]).abs() / rows["sampled_sem"]).max()
    # The 95 % bound for seven strengths at once.
    drawn = is_so(off <= 2.69, f"drawn ratings off by {off:.3g} standard errors", "≤ 2.69")
    return all_of(_never_wrong(rows["tau"]), drawn)


def pra_10(data):
    rows = _model(data, positivity=0, ranking="auc_aman")
    rows = rows.assign(strength=numeric(rows["popularity"])).dropna(subset="strength")
    wrong = rows.loc[rows["strength"] > 0, "tau"]
    trend = spearman(rows["strength"].to_numpy(), rows["tau"].to_numpy())
    numbers = f"τ at most {wrong.max():.4g}, Spearman with the strength {trend:.4g}"
    return is_so(bool((wrong < SAME_ORDER).all() and trend <= -0.999), numbers, "< 1 and falling")


def pra_11(data):
    rows = _model(data, positivity="uniform", popularity=0, ranking=["auc", "auc_aman"])
    return _never_wrong(rows["tau"])


def pra_12(data):
    return _never_wrong(_model(data, ranking="auc")["tau_unchanged"].dropna())


def pra_13(data):
    rows = _model(data, ranking="auc")
    lift = rows.loc[numeric(rows["positivity"]) > 0, "tail_lift"]
    heads = [
        _model(data, positivity=1, ranking=name).set_index("popularity")["head_10"]
        for name in ("true", "auc")
    ]
    lost = (heads[0] - heads[1]).dropna().min()
    numbers = f"tail items lifted by at least {lift.min():.3g}, head items lost at least {lost:.3g}"
    return is_so(bool(lift.min() > 0 and lost > 0), numbers, "> 0")


def pra_14(data):
    still = _never_wrong(_model(data, ranking="auc_aman")["tau_unchanged"].dropna())
    tau = [
        float(_model(data, popularity="yahoo", ranking=name)["tau"].iloc[0])
        for name in ("auc_aman", "auc")
    ]
    numbers = f"τ under Yahoo's effects: AUC-AMAN {tau[0]:.4g}, AUC {tau[1]:.4g}"
    return all_of(still, is_so(tau[0] < tau[1], numbers, "AUC-AMAN further from the truth"))


def pra_15(data):
    def best(popularity, positivity):
        rows = _model(data, ranking="weighted", popularity=popularity, positivity=positivity)
        return float(rows.loc[rows["true_auc"].idxmax(), "weight"])

    both, popularity, positivity = best(0.8, 1), best(0.8, 0), best(0, 1)
    right = 0 < both < 1 and popularity <= 0 and positivity > both
    numbers = (
        f"best weight {both:g}; popularity alone {popularity:g}, positivity alone {positivity:g}"
    )
    return is_so(right, numbers, "between 0 and 1; 0; above the first")


def _order(data, which):
    taus = data.each("differences", fact=f"Kendall with AUC-rand, {which}", measure=OBSERVED)
    return below(taus, SAME_ORDER)


def pra_16(data):
    return _order(data, "models")


pra_16_readings = {"over the whole grid": lambda data: _order(data, "grid")}


def _models(data, first, second, measure):
    """The model of one w_m − that of another, in Table 1."""
    low, high = sorted((first, second))
    where = {"measure": measure, "missing_weight": low, "other_weight": high}
    gap = data.pick("differences", fact="model − model", **where)
    return gap if first == low else -gap


def _prefers_large(data, small):
    measures = ["auc_aman", *STRATIFIED[:3]]
    return [above(_models(data, 0.5, small, measure), 0) for measure in measures]


def pra_17(data):
    worse = _models(data, 0.5, 0.001, "auc_rand")
    return all_of(*_prefers_large(data, 0.001), between(worse, -3, -1))


pra_17_readings = {
    "0.5 against 0.1, as the text prints": lambda data: all_of(
        *_prefers_large(data, 0.1), below(_models(data, 0.5, 0.1, "auc_rand"), 0)
    )
}


def pra_18(data):
    worst = [below(_models(data, 0, other, "auc_rand"), 0) for other in (0.001, 0.1, 0.5)]
    return all_of(*worst, *(above(_models(data, 0, other, "auc"), 0) for other in (0.1, 0.5)))


def pra_19(data):
    slightly = _models(data, 0.001, 0.1, "auc_rand")
    far = below(_models(data, 0.001, 0.1, "recall@10(1)"), 0)
    return all_of(far, above(slightly, 0), at_most(slightly, 1.5))


def pra_20(data):
    fact = "Spearman with AUC-AMAN over the grid"
    return all_of(at_least(data.each("differences", fact=fact, measure=STRATIFIED[:3]), 0.8))


def _same_lambda(data, reference, **where):
    """The loss of a measure with the λ of the reference instead of its own."""
    gaps = data.each("table2", kind="agreement", reference=reference, measure=OBSERVED, **where)
    return at_most(gaps, 0.5)


def pra_21(data):
    return _same_lambda(data, "auc_rand")


pra_21_readings = {
    "at w_m = 0.1, as the text says": lambda data: _same_lambda(
        data, "auc_rand", missing_weight=0.1
    ),
    "at w_m = 0.001, as the caption says": lambda data: _same_lambda(
        data, "auc_rand", missing_weight=0.001
    ),
}


def pra_22(data):
    return _same_lambda(data, "auc")


def pra_23(data):
    gains = data.each("differences", fact="w_m − w_m 0", measure=["auc_aman", "recall@10"])
    short = data.pick("differences", fact="best − w_m 0", measure="auc")
    return all_of(above(gains, 0), at_most(short, 2.5))


def _optimum(data, measure):
    return data.pick("optima", "missing_weight", interval=WEIGHTS, kind="optimum", measure=measure)


def pra_24(data):
    best = _optimum(data, "auc")
    gain = data.pick("optima", fact="best w_m above 0 − w_m 0", measure="auc")
    return all_of(above(best, 0), at_most(best, 0.01), above(gain, 0))


def _rises_beyond(data, measure):
    rise = data.pick(
        "differences", fact="Spearman of w_m and measure up to its optimum", measure=measure
    )
    ratio = data.pick("differences", fact="best w_m / best w_m for AUC", measure=measure)
    return all_of(at_least(rise, 0.9), at_least(ratio, 10))


def pra_25(data):
    return all_of(_rises_beyond(data, "auc_aman"), _rises_beyond(data, "recall@10"))


def pra_26(data):
    where = {"kind": "order", "measure": "auc auc_rand auc_aman"}
    return share_of_samples(data.pick("optima", "share_of_samples", **where))


def pra_27(data):
    return between(_optimum(data, "auc_rand"), 0.005, 0.01)


def pra_28(data):
    gaps = data.each("table3", kind="head_difference", measure=HEADS)
    return above(gaps, 0)


def pra_29(data):
    return at_least(data.pick("differences", fact="Spearman of w_m and head_10"), 0.9)


def pra_30(data):
    losses = data.each("table3", kind="loss", best_for=["auc", "auc_aman", "recall@10"])
    order = data.each("differences", fact="loss − loss")
    return above([*losses, *order], 0)


def pra_31(data):
    """Within half a power of ten of the printed optimum."""
    printed = {"auc": 1e-4, "auc_aman": 0.1}
    half = 10**0.5
    found = [(_optimum(data, measure), theirs) for measure, theirs in printed.items()]
    return all_of(*(between(best, theirs / half, theirs * half) for best, theirs in found))


def pra_32(data):
    where = {"measure": "auc_rand"}
    near = at_most(data.pick("interval_rule", "loss", rule="interval", **where), 1)
    rules = ("auc", "auc_aman", "recall@10")
    gains = [data.pick("interval_rule", "gain", rule=rule, **where) for rule in rules]
    return all_of(near, above(gains, 0))


def _full_over_none(data, *measures):
    return [data.pick("optima", fact="largest w_m − w_m 0", measure=m) for m in measures]


def pra_33(data):
    good = above(_full_over_none(data, "auc_aman", "recall@10"), 0)
    worse = data.pick("optima", fact="best − largest w_m", measure="auc_rand")
    return all_of(good, above(worse, 0))


def _no_better_than_none(data):
    good = above(_full_over_none(data, "auc_aman", "recall@10"), 0)
    return all_of(good, at_most(_full_over_none(data, "auc_rand"), 0))


pra_33_readings = {
    "not better than ignoring missing ratings, as the text says": _no_better_than_none
}


def pra_34(data):
    return above(data.pick("optima", fact="best w_m above 0 − w_m 0", measure="auc_rand"), 0)


def pra_35(data):
    facts = ["w_m of the best model", "head_10 of the best model"]
    return at_most(data.each("differences", fact=facts), 0)


def _bias(data, among_all):
    rows = data.rows("theorems/random_auc")
    bias = rows["bias"] + (rows["selection"] if among_all else 0)
    z = (bias / rows["sem"]).abs()
    worst = z.idxmax()
    numbers = (
        f"largest |z| {z.max():.3g}, bound {rows['bound'].iloc[0]:.3g}; with "
        f"{rows.loc[worst, 'ratings']} ratings {bias[worst]:+.4f} of {rows.loc[worst, 'complete']:.4f}"
    )
    return is_so(bool((z < rows["bound"]).all()), numbers, "|z| below its simultaneous 99 % bound")


def pra_36(data):
    return _bias(data, among_all=True)


pra_36_readings = {
    "against the complete data of the users that have both classes": lambda data: _bias(data, False)
}


def pra_37(data):
    return is_so(*identities.auc_near_atop())


def pra_38(data):
    steps = data.each("differences", fact="steps between best w_m")
    ways = [
        same(f"pra-25 at {k}", _rises_beyond(data, f"recall@{k}"), _rises_beyond(data, "recall@10"))
        for k in (5, 20, 50)
    ]
    return all_of(at_most(steps, 1), *ways)


def pra_39(data):
    gaps = data.each("values_vs_binary", kind="difference", measure=["auc_rand", "auc_aman"])
    return at_least(gaps, -0.2)


def pra_40(data):
    printed = {"items": 3043, "min_ratings_per_user": 16}
    found = {name: data.number("datasets", measure=name) for name in printed}
    return is_so(found == printed, f"{found['items']:.0f} items, {found['min_ratings_per_user']:.0f} "
                 "ratings of the smallest user", "exactly")  # fmt: skip


def pra_41(data):
    areas = ["auc", "auc_aman", "auc_rand"]
    return all_of(
        published(data.rows("table1", kind="model", measure=areas), within=1),
        published(data.rows("table3", kind="model", measure=areas), within=1),
        published(data.rows("table3", kind="model", measure=HEADS), within=5),
    )


def _all(*conditions):
    return np.logical_and.reduce(conditions)


def _falls(grid, *names):
    """Each column is below the one before it, or equal."""
    return _all(*(grid[b] <= grid[a] for a, b in pairwise(names)))


def _is_far_beyond(grid, measure):
    """The measure rises, up to ten times the best weight for AUC or more."""
    far = 10 * grid["best_w_m_auc"] <= grid[f"best_w_m_{measure}"]
    return far & (grid[f"rise_of_{measure}"] >= 0.9)


# In which settings of the grid of generators a statement is true.
GRID = {
    "pra-15": lambda g: g["truth_strictly_between"],
    "pra-16": lambda g: g["largest_kendall_in_table1"] < 1,
    "pra-17": lambda g: _all(
        *(
            g[f"{m}_in_table1_0.5"] > g[f"{m}_in_table1_0.001"]
            for m in ("auc_aman", *STRATIFIED[:3])
        ),
        (g["auc_rand_in_table1_0.001"] - g["auc_rand_in_table1_0.5"]).between(1, 3),
    ),
    "pra-18": lambda g: _all(
        *(g["auc_rand_in_table1_0"] < g[f"auc_rand_in_table1_{w}"] for w in (0.001, 0.1, 0.5)),
        *(g["auc_in_table1_0"] > g[f"auc_in_table1_{w}"] for w in (0.1, 0.5)),
    ),
    "pra-19": lambda g: _all(
        g["recall@10(1)_in_table1_0.001"] < g["recall@10(1)_in_table1_0.1"],
        (g["auc_rand_in_table1_0.001"] - g["auc_rand_in_table1_0.1"]).between(
            0, 1.5, inclusive="right"
        ),
    ),
    "pra-20": lambda g: g["smallest_spearman_auc_aman_recall"] >= 0.8,
    "pra-23": lambda g: _all(
        g["worst_w_m_auc_aman"] <= 0,
        g["worst_w_m_recall@10"] <= 0,
        g["auc_best"] - g["auc_at_0"] <= 2.5,
    ),
    "pra-24": lambda g: (g["best_w_m_auc"] > 0) & (g["best_w_m_auc"] <= 0.01),
    "pra-25": lambda g: _all(
        g["best_w_m_auc"] < g["best_w_m_auc_aman"],
        *(_is_far_beyond(g, measure) for measure in ("auc_aman", "recall@10")),
    ),
    "pra-26": lambda g: g["auc_rand_between"],
    "pra-28": lambda g: g["heads_rise"],
    "pra-29": lambda g: g["spearman_w_m_head_10"] >= 0.9,
    "pra-30": lambda g: _all(
        *(
            g[a] < g[b]
            for a, b in pairwise(
                [
                    *(f"auc_rand_if_chosen_by_{goal}" for goal in ("recall@10", "auc", "auc_aman")),
                    "auc_rand_best",
                ]
            )
        )
    ),
    "pra-32": lambda g: _all(
        g["interval_near"], *(g[f"interval_beats_{m}"] for m in ("auc", "aman", "recall"))
    ),
    "pra-33": lambda g: _all(
        *(g[f"{m}_at_1"] > g[f"{m}_at_0"] for m in ("auc_aman", "recall@10")),
        g["auc_complete_best"] > g["auc_complete_at_1"],
    ),
    "pra-34": lambda g: g["missing_helps_truth"],
    "pra-35": lambda g: _all(
        _falls(g, *(f"best_w_m_{m}" for m in STRATIFIED)),
        _falls(g, *(f"head_10_best_for_{m}" for m in STRATIFIED)),
    ),
    "pra-38": lambda g: _all(
        g["recall_steps_apart"] <= 1,
        *(_is_far_beyond(g, f"recall@{k}") == _is_far_beyond(g, "recall@10") for k in (5, 20, 50)),
    ),
}
