"""Table 2 of steck2010: every training objective, its settings and differences."""

import json

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.steck2010 import COMPARED, REL4, STUDY
from mnar.experiments.steck2010.cells import INTERVALS, SPREAD, about_method, spread, with_sd
from mnar.experiments.steck2010.resampling import resampling_of
from mnar.reporting.edges import edge_notes, marked, marked_methods
from mnar.reporting.method_rows import merged
from mnar.reporting.published_numbers import read_published
from mnar.reporting.results import Results, fold_values
from mnar.reporting.table_format import Table, number
from mnar.statistics.bootstrap import interval
from mnar.statistics.correlation import kendall

SETTINGS = {"missing_weight": "w_m", "imputed": "r_m", "lambda": "lambda"}
# Measure, set, and the column of the published table.
SCORES = (
    ("rmse", "test", "rmse_test"),
    ("atop", "validation", "atop_xv"),
    ("atop", "test", "atop_test"),
)
NOT_TRIED = (
    "The search tried none of the paper's settings of methods that train on missing ratings: its grids "
    "here have other values."
)


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
    caption = f"Table 2 on {results.dataset} with ratings of 4 and more as relevant."
    return Table(pd.concat([table.tidy, tau], ignore_index=True), table.shown, caption, table.notes)


def _training_objectives(results: Results, study: str, published: pd.DataFrame) -> Table:
    values = _values(results, study, published)
    differences = _differences(results, study)
    best = _best_of_the_grid(results, study)
    tidy = pd.concat([values, differences, best], ignore_index=True)
    lines = []
    for method in results.methods(study):
        mine = values[values["method"] == method]
        cells = [setting_text(mine, name) for name in SETTINGS]
        name = marked(results, study, method)
        lines.append([name, *cells, *(_score(mine, *score[:2]) for score in SCORES)])
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
        *edge_notes(results, study),
    ]
    caption = f"Test results on {results.dataset} for different training objective functions."
    return merged(Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes))


def _values(results: Results, study: str, published: pd.DataFrame) -> pd.DataFrame:
    """Settings and scores of each method, one a row."""
    resampling = resampling_of(results, study)
    sets = {name: results.chosen(study, name) for name in ("validation", "test")}
    rows = []
    for method in results.methods(study):
        theirs = published[published["method"] == method]
        found = sets["test"].loc[sets["test"]["method"] == method].drop_duplicates("fold")
        about = about_method(results, method)
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
        if method not in everywhere.index:
            continue
        theirs = everywhere.loc[method]
        mine = scores[scores["method"] == method]
        names = [name for name in SETTINGS if f"setting.{name}" in mine and not mine.empty]
        for name in names:
            values = mine[f"setting.{name}"]
            mine = mine[values.isna() | np.isclose(values.astype(float), theirs[SETTINGS[name]])]
        cells = []
        for measure, part, column in SCORES:
            asked = mine[(mine["measure"] == measure) & (mine["set"] == part)]
            if asked.empty or (
                measure == "rmse" and not about_method(results, method).predicts_ratings
            ):
                cells += ["–", "–"]
                continue
            value = float(theirs[column]) if known else np.nan
            ours = spread(asked.drop_duplicates("fold")["pair_mean"])
            row = {"dataset": results.dataset, "method": method, "measure": measure, "set": part}
            facts = {"published": value, "difference": ours["mean"] - value}
            rows.append({**row, **ours, **facts})
            cells += [with_sd(ours), number(value, 3)]
        lines.append([method, *cells])
    untried = [line[0] for line in lines if set(line[1:]) == {"–"}]
    lines = [line for line in lines if line[0] not in untried]
    titles = [
        text
        for name in ("RMSE (test)", "ATOP (xv)", "ATOP (test)")
        for text in (name, f"{name}, published")
    ]
    shown = pd.DataFrame(lines, columns=["training objective", *titles])
    columns = ["dataset", "method", "measure", "set", "mean", "sem", "n", "sd"]
    columns += ["published", "difference"]
    notes = [
        "The paper's own w_m, r_m and λ, where they are a point of the grid that was searched.",
        SPREAD,
    ]
    caption = f"Test results on {results.dataset} at the settings that the paper prints."
    tidy = pd.DataFrame(rows, columns=columns)
    if {*everywhere.index[everywhere["w_m"] > 0]} <= {*untried}:
        # Lists and observed ratings alone would compare nothing.
        return Table(tidy, pd.DataFrame(), caption, [NOT_TRIED])
    if untried:
        notes.append(f"The paper's settings are not in the grid of: {', '.join(untried)}.")
    return Table(tidy, shown, caption, notes)


def setting_text(mine: pd.DataFrame, name: str) -> str:
    """The value chosen, or how far the choices of the seeds reach."""
    rows = mine[mine["measure"] == name]
    if rows.empty:
        return "–"
    low, high = rows.iloc[0][["low", "high"]]
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _score(mine: pd.DataFrame, measure: str, name: str) -> str:
    rows = mine[(mine["measure"] == measure) & (mine["set"] == name)]
    return "–" if rows.empty else with_sd(rows.iloc[0])


def _differences(results: Results, study: str) -> pd.DataFrame:
    """First minus second in test ATOP, with its interval and the published difference."""
    resampling = resampling_of(results, study)
    chosen = results.chosen(study)
    published = results.published("steck2010_table2")
    published = published if study == STUDY else published.iloc[:0]
    theirs = dict(zip(published["method"], published["atop_test"], strict=True))
    rows = []
    there = results.methods(study)
    for first, second in (pair for pair in COMPARED if set(pair) <= set(there)):
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
            with_sd(row._asdict()),
            f"{number(row.low)} to {number(row.high)}",
            number(row.published, 3),
        ]
        for row in tidy.itertuples()
    ]
    columns = ["method", "minus", "ATOP (test)", "95 % interval", "published"]
    caption = f"Differences in test ATOP on {results.dataset}."
    shown = marked_methods(pd.DataFrame(lines, columns=columns), results, STUDY)
    there = {*tidy["method"], *tidy["minus"]} if len(tidy) else set()
    return Table(tidy, shown, caption, [SPREAD, INTERVALS, *edge_notes(results, STUDY, there)])


def _best_of_the_grid(results: Results, study: str) -> pd.DataFrame:
    """Test ATOP of the model with the best RMSE on xv, and with the best ATOP on xv, of all tried."""
    scores = results.scores(study)
    first = results.config["studies"][study]["candidates"][0]
    rated = [m for m in results.methods(study) if about_method(results, m).predicts_ratings]
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
