"""Tables of the theorems: results of the simulations beside the expected values."""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mnar import measures
from mnar.experiments.theorems import STUDY
from mnar.experiments.theorems.cells import (
    found,
    ranged,
    signed,
    taken_as_complete,
    with_usual_columns,
)
from mnar.experiments.theorems.truth_tables import random_auc, unseen
from mnar.reporting.method_rows import without_twins
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, number
from mnar.simulations.theorems.holdout import MEASURES as HELD_OUT
from mnar.statistics.bootstrap import SAMPLES, user_samples
from mnar.statistics.paired import Paired
from mnar.tuning.fold_bootstrap import among, number_of_users

__all__ = [
    "auc_atop",
    "bias",
    "holdout",
    "irrelevant",
    "ndcg_factor",
    "random_auc",
    "train_vs_test",
    "unseen",
]

# Smaller ones are shown as such: a normal tail is not to be trusted so far out.
SMALLEST_P = 1e-12


def bias(results: Results) -> Table:
    """(observed − complete) in standard errors, beside the bound that none should exceed."""
    tidy = found(results, "bias")
    tidy["inside"] = tidy["z"].abs() < tidy["bound"]
    tidy["inside_expected"] = tidy["z_expected"].abs() < tidy["bound"]
    bound, repetitions, users = (tidy[name].iloc[0] for name in ("bound", "n", "users"))
    lines: list[list[str]] = []
    bold = set()
    blocks = [(m, "z", measures.label(m)) for m in dict.fromkeys(tidy["measure"])]
    blocks += [
        (m, "z_expected", f"{measures.label(m)}, from its expectation")
        for m, _, _ in blocks
        if not measures.unbiased(m)
    ]
    shares = sorted(share for share in tidy["share"].unique() if share < 1)
    for measure, column, label in blocks:
        mine = tidy[tidy["measure"] == measure].set_index("share")
        for position, share in enumerate(shares):
            if abs(mine.loc[share, column]) >= bound:
                bold.add((len(lines), position + 2))
        cells = [signed(mine.loc[share, column]) for share in shares]
        lines.append([label, number(mine["complete"].iloc[0]), *cells])
    shown = pd.DataFrame(lines, columns=["measure", "complete", *(f"{s:.0%}" for s in shares)])
    largest = tidy[tidy["share"] == 1]["bias"].abs().max()
    notes = [
        f"Bias in standard errors when a share of each of {users:,} users' relevant items is "
        f"observed, drawn without replacement, at least one; {repetitions} repetitions, mean over "
        "users, every item is a candidate.",
        f"Bold: beyond {bound:.2f} standard errors, the simultaneous 99 % bound over all shares and "
        "measures (Bonferroni, Student's t).",
        "The last rows compare with the expectation under random sampling: NDCG from Theorem 2, AUC from "
        "ATOP, MAP in closed form.",
        f"At share 1 the largest bias of any measure is {largest:.1e}.",
        taken_as_complete(results),
    ]
    caption = f"Bias of each measure by observed share on {results.dataset}, in standard errors."
    return Table(tidy, shown, caption, notes, frozenset(bold))


def ndcg_factor(results: Results) -> Table:
    """Measured and predicted factor for users with similarly many relevant items."""
    tidy = found(results, "ndcg_factor").assign(measure="ndcg")
    lines = []
    for share, rows in tidy.groupby("share"):
        cells = [f"{r.factor:.4f} / {r.predicted:.4f}" for r in rows.itertuples()]
        worst = rows["error"].abs().max()
        lines.append([f"{share:.0%}", *cells, f"{100 * worst:.2f}"])
    classes = tidy.drop_duplicates(["least", "most"]).sort_values("least")
    names = [f"{r.least} to {r.most} items" for r in classes.itertuples()]
    shown = pd.DataFrame(lines, columns=["observed", *names, "largest error, %"])
    notes = [
        "Measured / predicted factor E[NDCG observed] / NDCG complete, by how many relevant items "
        "a user has; predicted is |O|·IDCG(|P|) / (|P|·IDCG(|O|)).",
        taken_as_complete(results),
    ]
    return Table(tidy, shown, f"NDCG on observed items of {results.dataset} is too low.", notes)


def auc_atop(results: Results) -> Table:
    """The difference falls with N+/N− (steck2010 section 2.4)."""
    rows = found(results, "bias")
    sides = {m: rows[rows["measure"] == m].set_index("share") for m in ("auc_aman", "atop")}
    tidy = sides["auc_aman"][["dataset", "method", "n", "relevant_over_rest"]].reset_index()
    auc, atop = (sides[m]["mean"].to_numpy() for m in ("auc_aman", "atop"))
    tidy = tidy.assign(measure="auc_aman − atop", auc=auc, atop=atop, mean=auc - atop)
    # The standard error of a difference of two means that move together is not kept.
    tidy = tidy.assign(sem=np.nan, published=np.nan, difference=np.nan)
    tidy["per_ratio"] = tidy["mean"] / tidy["relevant_over_rest"]
    shown = pd.DataFrame(
        {
            "observed": [f"{share:.0%}" for share in tidy["share"]],
            "N+ / N−": [number(value) for value in tidy["relevant_over_rest"]],
            "ATOP": [number(value) for value in tidy["atop"]],
            "AUC": [number(value) for value in tidy["auc"]],
            "AUC − ATOP": [number(value) for value in tidy["mean"]],
            "over N+ / N−": [number(value) for value in tidy["per_ratio"]],
        }
    )
    notes = [
        "AUC = (1 + (N+ − 1)/N−)·ATOP − (N+ − 1)/(2 N−), so the difference is "
        "(ATOP − ½)·(N+ − 1)/N−; the paper's + signs in Eqs. 8 and 9 are slips.",
    ]
    return Table(tidy, shown, f"AUC and ATOP by observed share on {results.dataset}.", notes)


def irrelevant(results: Results) -> Table:
    """The largest change of any user's value when other ratings are removed."""
    tidy = found(results, "irrelevant").assign(sem=np.nan)
    lines = []
    for removal, rows in tidy.groupby("removal", sort=False):
        mine = rows.set_index("measure")
        ranking = mine.drop(index="auc")["largest_change"].max()
        auc = mine.loc["auc"]
        change = number(auc["largest_change"], 3) if auc["n"] else "–"
        lines.append(
            [removal, f"{mine['kept'].iloc[0]:.0%}", f"{ranking:.1g}", change, number(auc["mean"])]
        )
    columns = [
        "removed",
        "others kept",
        "largest change, ranking measures",
        "largest change, AUC on observed ratings",
        "AUC on observed ratings",
    ]
    notes = [
        "Largest change of any user's value; ranking measures: "
        + ", ".join(measures.label(m) for m in dict.fromkeys(tidy["measure"]) if m != "auc")
        + ", every item a candidate.",
        "AUC on observed ratings compares relevant ratings with the others, so it does change.",
    ]
    caption = f"Ratings that are not relevant, removed from {results.dataset} in several ways."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def holdout(results: Results) -> Table:
    """Validation − test in per cent of test, by the share held out for validation, and the slope."""
    tidy = found(results, "holdout")
    shares = sorted(tidy["share"].unique())
    lines = []
    for measure, rows in tidy.groupby("measure", sort=False):
        mine = rows.set_index("share")
        cells = [signed(mine.loc[share, "percent"]) for share in shares]
        one = rows.iloc[0]
        slope = [signed(one["slope"], 4), ranged(one["slope_low"], one["slope_high"], 4)]
        lines.append([measures.label(measure), *cells, *slope])
    columns = ["measure", *(f"{s:.0%}" for s in shares), "slope", "95 % interval"]
    notes = [
        "(validation − test) / test in % when this share of each user's relevant items is held out for "
        "validation (test is the same throughout), over users that have both.",
        "Slope of validation − test over the share, least squares. Intervals hold for all measures at "
        f"once (Bonferroni), standard errors by bootstrap over users ({SAMPLES} samples).",
    ]
    caption = f"Validation against test by held-out share on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def train_vs_test(results: Results) -> Table:
    """Training items of the chosen models against their test items, every item a candidate."""
    rows = []
    for method in results.methods(STUDY):
        per_user = results.users(STUDY, method)
        folds = sorted({fold for fold, kind, name in per_user if (kind, name) == ("all", "train")})
        sides = [[per_user[fold, "all", name] for fold in folds] for name in ("train", "test")]
        users = number_of_users([*sides[0], *sides[1]])
        samples = user_samples(users, SAMPLES, results.dataset, "train_vs_test")
        for measure in HELD_OUT:
            pair = Paired.of(*([among(part, measure, users) for part in side] for side in sides))
            facts = pair.facts(samples, len(HELD_OUT))
            named = {"train": facts.pop("first"), "test": facts.pop("second")}
            p = float(ndtr(-facts["z"]))
            rows.append({"method": method, "measure": measure, **named, **facts, "p": p})
    tidy = with_usual_columns(pd.DataFrame(rows), results)
    lines = []
    for method, mine in tidy.groupby("method", sort=False):
        cells = [f"{r.train:.3f} / {r.test:.3f}" for r in mine.itertuples()]
        worst = mine[mine["measure"].isin(["adg", "atop"])]["p"].max()
        lines.append([method, *cells, f"{worst:.1g}" if worst > SMALLEST_P else f"<{SMALLEST_P:g}"])
    labels = [measures.label(m) for m in HELD_OUT]
    shown = pd.DataFrame(lines, columns=["method", *labels, "p (ATOP, ADG)"])
    notes = [
        "Training / test items of the models that lim2015 chooses, every item a candidate, over "
        "users that have both.",
        "p: larger of ATOP and ADG, one-sided, that training items score no higher; standard errors "
        f"by bootstrap over users ({SAMPLES} samples).",
    ]
    caption = f"A model's own training items against test on {results.dataset}."
    return without_twins(results, STUDY, Table(tidy, shown, caption, notes))
