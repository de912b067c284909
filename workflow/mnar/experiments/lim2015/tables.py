"""Tables of lim2015."""

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.lim2015 import MEASURES, STUDY
from mnar.experiments.lim2015.differences import differences
from mnar.experiments.lim2015.table1 import table1, table1_candidates
from mnar.reporting.edges import edge_notes, marked
from mnar.reporting.method_rows import without_twins
from mnar.reporting.recipe_words import kept
from mnar.reporting.results import Results
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.table_format import Table, number
from mnar.statistics.bootstrap import SAMPLES, interval, user_samples
from mnar.statistics.comparison import mean_and_error
from mnar.statistics.user_values import resampled
from mnar.tuning.fold_bootstrap import among, number_of_users

__all__ = ["chosen", "datasets", "differences", "grid", "table1", "table1_candidates", "table2"]


def datasets(results: Results) -> Table:
    """Users, items, interactions and density after densifying (dataset table of section 6)."""

    facts = results.view(STUDY).facts
    ours = {name: facts[name] for name in ("users", "items", "interactions")}
    ours["density_percent"] = 100 * facts["density"]
    published = results.published("lim2015_datasets")
    rows = []
    for name, value in ours.items():
        theirs = float(published[name].iloc[0]) if len(published) else None
        rows.append((name, value, theirs, None if theirs is None else value - theirs))
    tidy = pd.DataFrame(rows, columns=["measure", "mean", "published", "difference"])
    tidy.insert(0, "method", "")
    tidy.insert(0, "dataset", results.dataset)
    tidy.insert(4, "sem", float("nan"))
    tidy.insert(5, "n", 1)
    shown = pd.DataFrame(
        {
            "": ["users", "items", "relevant interactions", "density (%)"],
            "obtained": [_count(value) for value in tidy["mean"]],
            "published": [_count(value) for value in tidy["published"]],
        }
    )
    notes = [kept(facts["recipe"], "every relevant interaction")]
    beside = ", beside the published one" if len(published) else ""
    return Table(tidy, shown, f"Size of {results.dataset} as lim2015 sees it{beside}.", notes)


def _count(value: float) -> str:

    if pd.isna(value):
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3f}"


def table2(results: Results) -> Table:
    """(validation − test) / test, over users that have both, with an interval over users."""

    published = results.published("lim2015_table2")
    rows = []
    for method in results.methods(STUDY):
        for measure, facts in _validation_against_test(results, method).items():
            theirs = published[(published["method"] == method) & (published["measure"] == measure)]
            value = float(theirs["diff_percent"].iloc[0]) if len(theirs) else float("nan")
            rows.append(
                {
                    "dataset": results.dataset,
                    "method": method,
                    "measure": measure,
                    **facts,
                    "published": value,
                    "difference": facts["mean"] - value,
                }
            )
    tidy = pd.DataFrame(rows)
    lines = []
    names = {method: marked(results, STUDY, method) for method in results.methods(STUDY)}
    for row in tidy.itertuples():
        interval = f"{number(row.low, 2)} to {number(row.high, 2)}"
        cells = [number(row.test), number(row.valid), number(row.mean, 2), interval]
        line = [names[row.method], measures.label(row.measure), *cells]
        lines.append([*line, number(row.published, 2)] if len(published) else line)
    columns = ["method", "measure", "test", "valid", "Diff %", "95 % interval"]
    if len(published):
        columns.append("Diff %, published")
    notes = [
        "Diff % = (valid − test) / test, over users that have both sets; the interval is a bootstrap "
        f"over users, all folds together ({SAMPLES} samples).",
        "UBM measures (ATOP, ADG, Recall@k) are unbiased to missing data and should agree; MAP and "
        "NDCG depend on how many items are held out.",
        *edge_notes(results, STUDY),
    ]
    if len(published):
        notes.append("The paper prints −20.42 for NDCG of MF-ADG; its own numbers give −20.26.")
    shown = pd.DataFrame(lines, columns=columns)
    caption = f"Validation against test on {results.dataset}."
    return without_twins(results, STUDY, Table(tidy, shown, caption, notes))


def _validation_against_test(results: Results, method: str) -> dict[str, dict[str, float]]:
    candidates = results.config["studies"][STUDY]["candidates"][0]
    per_user = results.users(STUDY, method)
    folds = sorted({fold for fold, kind, name in per_user if (kind, name) == (candidates, "test")})
    parts = {
        name: [per_user[fold, candidates, name] for fold in folds]
        for name in ("test", "validation")
    }
    users = number_of_users(parts["test"] + parts["validation"])
    samples = user_samples(users, SAMPLES, results.dataset, "table2")
    facts = {}
    for measure in MEASURES:
        sides = {name: [among(part, measure, users) for part in parts[name]] for name in parts}
        # Only users that have both sets.
        for test, valid in zip(sides["test"], sides["validation"], strict=True):
            both = (test.weight > 0) & (valid.weight > 0)
            test.weight[~both], valid.weight[~both] = 0, 0
        means = {name: np.array([v.mean("user") for v in side]) for name, side in sides.items()}
        differences = 100 * (means["validation"] / means["test"] - 1)
        test, valid = means["test"].mean(), means["validation"].mean()
        spread = {name: resampled(side, "user", samples) for name, side in sides.items()}
        low, high = interval(100 * (spread["validation"] / spread["test"] - 1))
        facts[measure] = {
            "mean": 100 * (valid - test) / test,
            "sem": mean_and_error(differences)[1],
            "n": len(folds),
            "test": test,
            "valid": valid,
            "low": low,
            "high": high,
        }
    return facts


def chosen(results: Results) -> Table:
    """The setting chosen in each fold; an optimum at the edge of its grid is flagged."""

    return chosen_table(results, STUDY)


def grid(results: Results) -> Table:
    """Every setting tried, with its score on validation."""

    return grid_table(results, STUDY)
