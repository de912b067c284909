"""Tables of steck2010."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from mnar import measures, models
from mnar.core.files import read_csv
from mnar.experiments.steck2010 import (
    ALLRANK,
    ATOP_TUNED,
    BINARY,
    COMPARED,
    LISTS,
    LOGISTIC,
    REL4,
    STUDY,
    WEIGHTS,
)
from mnar.experiments.steck2010.differences import differences as all_differences
from mnar.experiments.steck2010.resampling import resampling_of
from mnar.experiments.steck2010.top_of_list import (
    DRAWN_PAIRS,
    DRAWS,
    SAMPLE_ATOP,
    SAMPLE_TOPK,
    TOPS,
    sampled,
    simulated,
    top_of_list,
)
from mnar.reporting.published import read_published
from mnar.reporting.results import Results, fold_values
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.tables import Table, number
from mnar.statistics.bootstrap import SAMPLES, interval
from mnar.statistics.comparison import mean_and_error
from mnar.statistics.correlation import kendall

SETTINGS = {"missing_weight": "w_m", "imputed": "r_m", "lambda": "lambda"}
# Measure, set, and the column of the published table.
SCORES = (
    ("rmse", "test", "rmse_test"),
    ("atop", "validation", "atop_xv"),
    ("atop", "test", "atop_test"),
)
SPREAD = (
    "Mean over the seeds of split and initial values, standard deviation over the seeds in brackets "
    "(the paper: all below 0.005)."
)
INTERVALS = (
    f"95 % intervals: bootstrap over users with all their held-out pairs ({SAMPLES} samples), the "
    "same in all rows, so that differences are paired."
)


def _about(results: Results, method: str) -> models.About:
    return models.about_entry(method, results.config["methods"])


def spread(values: Iterable[float]) -> dict[str, Any]:
    """Mean, standard deviation, standard error and number of values over seeds."""
    values = np.asarray(list(values), float)
    mean, sem = mean_and_error(values)
    return {"mean": mean, "sem": sem, "n": len(values), "sd": sem * np.sqrt(len(values))}


def table2(results: Results) -> Table:
    """ATOP and RMSE of every training objective, with the settings chosen on xv."""
    return _training_objectives(results, STUDY, results.published("steck2010_table2"))


def table2_rel4(results: Results) -> Table:
    """The same with 4 and 5 stars as relevant; the paper gives no numbers for it."""
    table = _training_objectives(results, REL4, results.published("steck2010_table2").iloc[:0])
    main, other = (
        frame[frame["measure"] == "atop"].groupby("method")["value"].mean()
        for frame in (results.chosen(STUDY), results.chosen(REL4))
    )
    order = kendall(*main.align(other, join="inner"))
    table.notes.append(f"Kendall's tau to the order by test ATOP of Table 2: {order:.2f}.")
    row = {"dataset": results.dataset, "method": "all", "minus": "", "measure": "kendall_tau"}
    tau = pd.DataFrame([{**row, "set": "test", "mean": order, "n": len(other)}])
    return Table(
        pd.concat([table.tidy, tau], ignore_index=True), table.shown, table.caption, table.notes
    )


def _training_objectives(results: Results, study: str, published: pd.DataFrame) -> Table:
    values = _values(results, study, published)
    differences = _differences(results, study)
    best = _best_of_the_grid(results, study)
    tidy = pd.concat([values, differences, best], ignore_index=True)
    lines = []
    for method in results.methods(study):
        mine = values[values["method"] == method]
        cells = [_setting(mine, name) for name in SETTINGS]
        lines.append([method, *cells, *(_score(mine, *score[:2]) for score in SCORES)])
        theirs = published[published["method"] == method]
        if len(theirs):
            row = theirs.iloc[0]
            cells = ["–" if pd.isna(row[key]) else f"{row[key]:g}" for key in SETTINGS.values()]
            scores = [number(row[column], 3) for _, _, column in SCORES]
            lines.append([f"{method}, published", *cells, *scores])
    columns = ["training objective", "w_m", "r_m", "λ", "RMSE (test)", "ATOP (xv)", "ATOP (test)"]
    relevant = results.view(results.config["studies"][study]["view"]).facts["relevant_from"]
    notes = [
        SPREAD,
        f"Relevant: rating ≥ {relevant:g}. Candidates: all items of the catalogue. Settings are chosen "
        "on xv in each seed; where seeds differ the smallest and largest are shown.",
        "RMSE is left out where scores are not on the scale of the ratings.",
    ]
    caption = f"Test results on {results.dataset} for different training objective functions."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def _values(results: Results, study: str, published: pd.DataFrame) -> pd.DataFrame:
    """Settings and scores of each method, one a row."""
    resampling = resampling_of(results, study)
    sets = {name: results.chosen(study, name) for name in ("validation", "test")}
    rows = []
    for method in results.methods(study):
        theirs = published[published["method"] == method]
        found = sets["test"].loc[sets["test"]["method"] == method].drop_duplicates("fold")
        about = _about(results, method)
        chosen = [{**about.by_nature, **json.loads(text)} for text in found["settings"]]
        facts = {
            (name, "", SETTINGS[name]): [float(one[name]) for one in chosen]
            for name in SETTINGS
            if chosen and name in chosen[0]
        }
        for measure, name, column in SCORES:
            if measure != "rmse" or about.predicts_ratings:
                facts[measure, name, column] = list(fold_values(sets[name], method, measure))
        for (measure, name, column), values in facts.items():
            value = float(theirs[column].iloc[0]) if len(theirs) else float("nan")
            row = {
                "dataset": results.dataset,
                "method": method,
                "minus": "",
                "measure": measure,
                "set": name,
                **spread(values),
                "published": value,
            }
            row["difference"] = row["mean"] - value
            row["low"], row["high"] = (
                interval(resampling.means(method, measure, name))
                if name
                else (min(values), max(values))
            )
            rows.append(row)
    return pd.DataFrame(rows)


def table2_published_settings(results: Results) -> Table:
    """The point of the grid with the settings of Table 2, where it was tried: no choice on xv."""
    everywhere = read_published("steck2010", "table2").set_index("method")
    known = len(results.published("steck2010_table2")) > 0
    scores = results.scores(STUDY)
    scores = scores[scores["candidates"] == results.config["studies"][STUDY]["candidates"][0]]
    rows, lines = [], []
    for method in results.methods(STUDY):
        theirs = everywhere.loc[method]
        mine = scores[scores["method"] == method]
        names = [name for name in SETTINGS if f"setting.{name}" in mine and not mine.empty]
        for name in names:
            values = mine[f"setting.{name}"]
            mine = mine[values.isna() | np.isclose(values.astype(float), theirs[SETTINGS[name]])]
        cells = []
        for measure, part, column in SCORES:
            asked = mine[(mine["measure"] == measure) & (mine["set"] == part)]
            if asked.empty or (measure == "rmse" and not _about(results, method).predicts_ratings):
                cells += ["–", "–"]
                continue
            value = float(theirs[column]) if known else np.nan
            ours = spread(asked.drop_duplicates("fold")["pair_mean"])
            row = {"dataset": results.dataset, "method": method, "measure": measure, "set": part}
            facts = {"published": value, "difference": ours["mean"] - value}
            rows.append({**row, **ours, **facts})
            cells += [_with_sd(ours), number(value, 3)]
        lines.append([method, *cells])
    titles = [
        text
        for name in ("RMSE (test)", "ATOP (xv)", "ATOP (test)")
        for text in (name, f"{name}, published")
    ]
    shown = pd.DataFrame(lines, columns=["training objective", *titles])
    columns = [
        "dataset",
        "method",
        "measure",
        "set",
        "mean",
        "sem",
        "n",
        "sd",
        "published",
        "difference",
    ]
    notes = [
        "The paper's own w_m, r_m and λ, where they are a point of the grid that was searched.",
        SPREAD,
    ]
    caption = f"Test results on {results.dataset} at the settings that the paper prints."
    return Table(pd.DataFrame(rows, columns=columns), shown, caption, notes)


def _setting(mine: pd.DataFrame, name: str) -> str:
    """The value chosen, or how far the choices of the seeds reach."""
    rows = mine[mine["measure"] == name]
    if rows.empty:
        return "–"
    low, high = rows.iloc[0][["low", "high"]]
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _score(mine: pd.DataFrame, measure: str, name: str) -> str:
    rows = mine[(mine["measure"] == measure) & (mine["set"] == name)]
    return "–" if rows.empty else _with_sd(rows.iloc[0])


def _with_sd(row: Any, digits: int = 4) -> str:
    text = number(row["mean"], digits)
    return text if pd.isna(row["sd"]) else f"{text} ({number(row['sd'], digits)})"


def _differences(results: Results, study: str) -> pd.DataFrame:
    """First minus second in test ATOP, with its interval and the published difference."""
    resampling = resampling_of(results, study)
    chosen = results.chosen(study)
    published = results.published("steck2010_table2")
    published = published if study == STUDY else published.iloc[:0]
    theirs = dict(zip(published["method"], published["atop_test"], strict=True))
    rows = []
    for first, second in COMPARED:
        gaps = fold_values(chosen, first, "atop") - fold_values(chosen, second, "atop")
        low, high = resampling.difference(first, second, "atop")
        row = {
            "dataset": results.dataset,
            "method": first,
            "minus": second,
            "measure": "atop",
            "set": "test",
            **spread(gaps),
            "published": theirs.get(first, np.nan) - theirs.get(second, np.nan),
            "low": low,
            "high": high,
        }
        rows.append({**row, "difference": row["mean"] - row["published"]})
    return pd.DataFrame(rows)


def table2_differences(results: Results) -> Table:
    """The comparisons of section 6.1."""
    tidy = _differences(results, STUDY)
    lines = [
        [
            row.method,
            row.minus,
            _with_sd(row._asdict()),
            f"{number(row.low)} to {number(row.high)}",
            number(row.published, 3),
        ]
        for row in tidy.itertuples()
    ]
    columns = ["method", "minus", "ATOP (test)", "95 % interval", "published"]
    caption = f"Differences in test ATOP on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, [SPREAD, INTERVALS])


def _best_of_the_grid(results: Results, study: str) -> pd.DataFrame:
    """Test ATOP of the model with the best RMSE on xv, and with the best ATOP on xv, of all tried."""
    scores = results.scores(study)
    first = results.config["studies"][study]["candidates"][0]
    rated = [m for m in results.methods(study) if _about(results, m).predicts_ratings]
    scores = scores[scores["method"].isin(rated) & (scores["candidates"] == first)]
    keys = ["fold", "method", "point"]
    wide = scores.pivot_table("pair_mean", keys, ["set", "measure"]).reset_index()
    rows = []
    for measure in ("rmse", "atop"):
        better = wide["validation", measure] * (1 if measures.higher_is_better(measure) else -1)
        best = wide.loc[better.groupby(wide["fold"]).idxmax()]
        for shown in ("rmse", "atop"):
            rows.append(
                {
                    "dataset": results.dataset,
                    "method": f"best {measure} of all settings tried",
                    "minus": "",
                    "measure": shown,
                    "set": "test",
                    **spread(best["test", shown]),
                }
            )
    return pd.DataFrame(rows)


def table3(results: Results) -> Table:
    """RMSE, ATOP and TOPK; TOPK as the paper has it (expected over samples of 1,000) and exact."""
    tops = top_of_list(results)
    chosen = results.chosen(STUDY)
    published = results.published("steck2010_table3")
    # The paper has one model that ignores missing ratings, tuned for ATOP.
    renamed = published.replace({"method": {"observed-only": ATOP_TUNED}}).set_index("method")
    names = [name for k in TOPS for name in (sampled(k, SAMPLE_TOPK), f"topk({k:g})")]
    columns = dict(zip(names[::2], ("topk_0pct", "topk_0.2pct", "topk_2pct"), strict=True))
    columns |= {"rmse": "rmse", "atop": "atop"}
    rows = []
    for method in results.methods(STUDY):
        for measure in ("rmse", "atop", *names):
            if measure == "rmse" and not _about(results, method).predicts_ratings:
                continue
            if measure in ("rmse", "atop"):
                values, lead, low, high = fold_values(chosen, method, measure), *(3 * [np.nan])
            else:
                values = tops.by_fold(method, measure)
                lead = float(np.mean(values - tops.by_fold(ATOP_TUNED, measure)))
                low, high = tops.difference(method, ATOP_TUNED, measure)
            theirs = np.nan
            if method in renamed.index and measure in columns:
                theirs = float(renamed.loc[method, columns[measure]])
            row = {
                "dataset": results.dataset,
                "method": method,
                "measure": measure,
                **spread(values),
                "published": theirs,
                "over_observed_only": lead,
                "over_observed_only_low": low,
                "over_observed_only_high": high,
            }
            rows.append({**row, "difference": row["mean"] - theirs})
    tidy = pd.DataFrame(rows)
    lines = []
    for method in results.methods(STUDY):
        mine = tidy[tidy["method"] == method].set_index("measure")
        cells = [
            _with_sd(mine.loc[m]) if m in mine.index else "–" for m in ("rmse", "atop", *names)
        ]
        lines.append([method, *cells])
    for method, row in renamed.iterrows():
        cells = [number(row[c], 3) for c in columns.values()][:3]
        exact = [cell for sampled in cells for cell in (sampled, "–")]
        lines.append(
            [f"{method}, published", number(row["rmse"], 3), number(row["atop"], 2), *exact]
        )
    titles = [
        t for k in TOPS for t in (f"TOPK {100 * k:g} %, Ñ = {SAMPLE_TOPK}", f"TOPK {100 * k:g} %")
    ]
    shown = pd.DataFrame(lines)
    shown.columns = ["method", "RMSE", "ATOP", *titles]
    factor = [m for m in results.methods(STUDY) if m not in LISTS]
    means = tidy[tidy["method"].isin(factor)].pivot(
        index="method", columns="measure", values="mean"
    )
    agreement = kendall(means["atop"], means[names[-1]])
    extra = {"dataset": results.dataset, "method": "factor models", "measure": "kendall_tau"}
    tidy = pd.concat([tidy, pd.DataFrame([{**extra, "mean": agreement, "n": len(factor)}])])
    notes = [
        SPREAD,
        f"Ñ = {SAMPLE_TOPK}: exact expectation when an item is ranked among {SAMPLE_TOPK - 1} others drawn "
        "at random, as the paper did; beside it the value among all items.",
        f"Kendall's tau between ATOP and TOPK(2 %) over the factor models: {agreement:.2f}.",
    ]
    caption = f"RMSE, ATOP and the top of the list on {results.dataset} (test)."
    return Table(tidy.reset_index(drop=True), shown, caption, notes)


def readings(results: Results) -> Table:
    """Test ATOP in every catalogue, with all or only unseen items as candidates, same settings."""
    tops = top_of_list(results)
    published = results.published("steck2010_table2").set_index("method")
    catalogues = results.config["studies"][STUDY]["catalogues"]
    rows, columns = [], []
    for candidates in ("all", "unseen"):
        for catalogue in catalogues:
            for name, column in (("validation", "atop_xv"), ("test", "atop_test")):
                for method in results.methods(STUDY):
                    values = tops.by_fold(method, "atop", catalogue, candidates, name)
                    theirs = float(published.loc[method, column]) if len(published) else np.nan
                    row = {
                        "dataset": results.dataset,
                        "method": method,
                        "candidates": candidates,
                        "catalogue": catalogue,
                        "items": tops.items(catalogue),
                        "measure": "atop",
                        "set": name,
                        **spread(values),
                        "published": theirs,
                    }
                    rows.append({**row, "difference": row["mean"] - theirs})
            columns.append((candidates, catalogue))
    tidy = pd.DataFrame(rows)
    test = tidy[tidy["set"] == "test"]
    lines = []
    for method in results.methods(STUDY):
        mine = test[test["method"] == method].set_index(["candidates", "catalogue"])
        line = [method, *(number(mine.loc[column, "mean"]) for column in columns)]
        lines.append(
            [*line, number(published.loc[method, "atop_test"], 3)] if len(published) else line
        )
    if len(published):
        away = tidy.groupby(["candidates", "catalogue", "method"])["difference"].mean().abs()
        for title, fold in (("mean deviation", "mean"), ("largest deviation", "max")):
            found = away.groupby(["candidates", "catalogue"]).agg(fold)
            lines.append([title, *(number(found[column]) for column in columns), ""])
    titles = [f"{candidates}, {tops.items(catalogue):,} items" for candidates, catalogue in columns]
    shown = pd.DataFrame(lines)
    shown.columns = ["method", *_distinct(titles), *(["published"] if len(published) else [])]
    notes = [
        "All six with the settings chosen in the main reading (all items that the catalogue lists), "
        "trained again in each catalogue, on the same split.",
        f"Catalogues: {', '.join(catalogues)} (rated items, listed items, all ids).",
        "The paper's words give the main reading; none is preferred for being nearer.",
    ]
    if len(published):
        notes.append(
            "Deviation: of the mean over xv and test from the published mean, over the rows."
        )
    caption = f"Test ATOP on {results.dataset} in six readings of what is ranked."
    return Table(tidy, shown, caption, notes)


def _distinct(titles: list[str]) -> list[str]:
    """Titles told apart where two catalogues have as many items."""
    return [
        title if titles.count(title) == 1 else f"{title} ({titles[:place].count(title) + 1})"
        for place, title in enumerate(titles)
    ]


def sampling(results: Results) -> Table:
    """What ranking against a random sample of the candidates does to ATOP and TOPK."""
    tops = top_of_list(results)
    rows = []
    for method in results.methods(STUDY):
        for sample in (SAMPLE_ATOP, SAMPLE_TOPK):
            drawn = simulated(tops, method, sample)
            for share in (None, *TOPS):
                name = sampled(share, sample)
                truth = tops.by_fold(method, "atop" if share is None else f"topk({share:g})")
                expected = tops.by_fold(method, name)
                rows.append(
                    {
                        "dataset": results.dataset,
                        "method": method,
                        "measure": name,
                        "sample": sample,
                        "items": tops.items(tops.view),
                        **spread(expected),
                        "exact": truth.mean(),
                        "bias": expected.mean() - truth.mean(),
                        "drawn": drawn[name].mean,
                        "drawn_sem": drawn[name].sem,
                        "drawn_expected": drawn[name].expected,
                        "published": np.nan,
                        "difference": np.nan,
                    }
                )
    tidy = pd.DataFrame(rows)
    lines = [
        [
            row.method,
            measures.label(row.measure),
            number(row.exact),
            number(row.mean),
            f"{row.bias:+.4f}".replace("-", "−"),
            f"{number(row.drawn)} ± {number(row.drawn_sem, 5)}",
            number(row.drawn_expected),
        ]
        for row in tidy.itertuples()
    ]
    columns = ["method", "measure", "exact", "expected", "bias", "drawn", "expected of these"]
    notes = [
        "exact: among all items; expected: exact expectation when each item is ranked among Ñ − 1 others "
        "drawn without replacement (hypergeometric).",
        f"drawn: mean and standard error of {DRAWS} samples really drawn for the pairs of the first seed "
        f"(at most {DRAWN_PAIRS:,} of them), beside the expectation for the same pairs.",
        "Sampled ATOP is unbiased; sampled TOPK is not: at small k it is too high.",
    ]
    caption = f"Ranking against a random sample of the candidates on {results.dataset} (test)."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def weights(results: Results) -> Table:
    """Gain of the best w(r) on xv over w(r) = 1, measured on test."""
    scores = results.scores(WEIGHTS)
    method = results.methods(WEIGHTS)[0]
    wide = scores[scores["measure"] == "atop"].pivot_table(
        "pair_mean", ["fold", "point", "settings"], "set"
    )
    wide = wide.reset_index()
    plain = wide[wide["settings"] == json.dumps({"weights": {}})].set_index("fold")
    best = wide.loc[wide.groupby("fold")["validation"].idxmax()].set_index("fold")
    resampling = resampling_of(results, WEIGHTS)
    ones, tuned = (
        resampling.means(method, "atop", "test", frame["point"].to_dict())
        for frame in (plain, best)
    )
    low, high = interval(tuned - ones)
    tidy = pd.DataFrame(
        [
            {"method": "w(r) = 1", **spread(plain["test"])},
            {"method": "w(r) tuned on xv", **spread(best["test"])},
            {"method": "gain", **spread(best["test"] - plain["test"]), "low": low, "high": high},
        ]
    )
    by_point = wide.groupby("settings", sort=False)[["validation", "test"]].mean().reset_index()
    tried = pd.DataFrame(
        [
            {"method": text, **spread(wide.loc[wide["settings"] == text, "test"])}
            for text in by_point["settings"]
        ]
    )
    tidy = pd.concat([tidy, tried], ignore_index=True)
    tidy.insert(0, "dataset", results.dataset)
    tidy.insert(2, "measure", "atop")
    tidy = tidy.assign(published=np.nan, difference=np.nan)
    lines = [
        [_weights_text(row.settings), number(row.validation), number(row.test)]
        for row in by_point.itertuples()
    ]
    gain = tidy[tidy["method"] == "gain"].iloc[0]
    notes = [
        f"Tuned on xv in each seed, w(r) gains {number(gain['mean'])} in test ATOP over w(r) = 1 (95 % "
        f"interval {number(low)} to {number(high)}); the paper found no significant gain.",
        INTERVALS,
    ]
    shown = pd.DataFrame(lines, columns=["w(r) of observed ratings", "ATOP (xv)", "ATOP (test)"])
    caption = f"A weight for each observed rating value on {results.dataset}, {ALLRANK}."
    return Table(tidy, shown, caption, notes)


def _weights_text(settings: str) -> str:
    levels = json.loads(settings)["weights"]
    return ", ".join(f"w({level}) = {weight:g}" for level, weight in levels.items()) or "all 1"


def foldin(results: Results) -> Table:
    """ATOP of users and items that were folded in, against the model trained on all."""
    scores = read_csv(results.file("analyses", STUDY, results.dataset, "fold_in_loss.csv"))
    rows, lines = [], []
    for (method, new), group in scores.groupby(["method", "new"], sort=False):
        wide = group.pivot(index="fold", columns="model", values="atop")
        gap = wide["folded in"] - wide["trained"]
        parts = {"trained": wide["trained"], "folded in": wide["folded in"], "gap": gap}
        pairs = int(group.groupby("fold")["pairs"].first().sum())
        for model, values in parts.items():
            head = {"dataset": results.dataset, "method": method, "new": new, "model": model}
            rows.append({**head, "measure": "atop", **spread(values), "pairs": pairs})
        lines.append([method, new, f"{pairs:,}", *(_with_sd(row) for row in rows[-3:])])
    columns = ["method", "new", "pairs", "trained on all", "folded in", "difference"]
    notes = [
        "A tenth of the users (or items) is left out of training, then folded in by one solve with the "
        "other side fixed; ATOP of their test pairs, beside that of the model trained on all.",
        SPREAD,
    ]
    tidy = pd.DataFrame(rows).assign(published=np.nan, difference=np.nan)
    caption = f"Fold-in of new users and items on {results.dataset} (section 4.1)."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


# Trained until the objective is this near to where it ends.
NEAR = 0.005


def cost(results: Results) -> Table:
    """Sweeps and arithmetic until the objective has nearly converged."""
    curves = read_csv(results.file("analyses", STUDY, results.dataset, "convergence.csv"))
    rows = []
    for method, curve in curves.groupby("method", sort=False):
        end = curve["objective"].iloc[-1]
        near = curve["objective"] - end <= NEAR * abs(end)
        falls = bool((curve["objective"].diff().dropna() <= 1e-6 * abs(end)).all())
        sweeps, work = int(curve.loc[near, "sweep"].iloc[0]), int(curve["operations"].iloc[0])
        facts = {"sweeps": sweeps, "operations_per_sweep": work, "operations": sweeps * work}
        facts |= {"objective_never_rises": int(falls)}
        rows += [(results.dataset, method, name, value) for name, value in facts.items()]
    tidy = pd.DataFrame(rows, columns=["dataset", "method", "measure", "mean"])
    wide = tidy.pivot(index="method", columns="measure", values="mean")
    ratios = {
        "logistic over least squares, to convergence": (LOGISTIC, BINARY, "operations"),
        "w_m > 0 over w_m = 0, a sweep": (ALLRANK, ATOP_TUNED, "operations_per_sweep"),
    }
    found = {
        title: wide.loc[above, name] / wide.loc[below, name]
        for title, (above, below, name) in ratios.items()
    }
    extra = [(results.dataset, title, "ratio", value) for title, value in found.items()]
    tidy = pd.concat([tidy, pd.DataFrame(extra, columns=tidy.columns)], ignore_index=True)
    tidy = tidy.assign(sem=np.nan, n=1, published=np.nan, difference=np.nan)
    lines = [
        [
            method,
            f"{wide.loc[method, 'sweeps']:.0f}",
            f"{wide.loc[method, 'operations_per_sweep'] / 1e9:.3g}",
            f"{wide.loc[method, 'operations'] / 1e9:.3g}",
            "yes" if wide.loc[method, "objective_never_rises"] else "no",
        ]
        for method in dict.fromkeys(curves["method"])
    ]
    columns = ["method", "sweeps", "10⁹ operations a sweep", "10⁹ in all", "objective never rises"]
    notes = [
        f"Until the objective is within {100 * NEAR:g} % of its value after twice the sweeps of training; "
        "first seed, chosen settings. Operations are counted, not timed: seconds are in logs/benchmarks.",
        *(f"{title}: {value:.3g}." for title, value in found.items()),
    ]
    caption = f"Work of training on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def differences(results: Results) -> Table:
    """The comparisons of sections 6.1 and 6.2, with intervals over users."""
    return all_differences(results)


def chosen(results: Results) -> Table:
    """The setting chosen with each seed; an optimum at the edge of its grid is flagged."""
    return chosen_table(results, STUDY)


def chosen_rel4(results: Results) -> Table:
    """The same for 4 and 5 stars as relevant."""
    return chosen_table(results, REL4)


def grid(results: Results) -> Table:
    """Every setting tried, with its score on xv."""
    return grid_table(results, STUDY)
