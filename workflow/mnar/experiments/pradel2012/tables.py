"""Tables of pradel2012. Measures are in percent, as the paper prints them."""

import numpy as np
import pandas as pd

from mnar.experiments.pradel2012 import BINARY, GOALS, METHOD, STUDY
from mnar.experiments.pradel2012.all_models import PENALTY, STRATIFIED, WEIGHT, grid_of, label
from mnar.experiments.pradel2012.cells import OVER_USERS, model_row, table_row, with_interval
from mnar.experiments.pradel2012.curve_facts import gains, orders, tendencies
from mnar.experiments.pradel2012.curve_facts import optima as find_optima
from mnar.experiments.pradel2012.differences import differences
from mnar.experiments.pradel2012.interval_rule import interval_rule
from mnar.experiments.pradel2012.paper_tables import table1, table2, table3
from mnar.reporting.edges import joined, note, only, with_mark
from mnar.reporting.recipe_words import kept
from mnar.reporting.results import Results
from mnar.reporting.search_tables import chosen_table
from mnar.reporting.table_format import Table, with_error
from mnar.statistics.bootstrap import interval

__all__ = [
    "chosen",
    "datasets",
    "differences",
    "interval_rule",
    "optima",
    "table1",
    "table2",
    "table3",
    "values_vs_binary",
]


def datasets(results: Results) -> Table:
    """Sizes as pradel2012 sees them (section 4.2)."""
    view = results.view(STUDY)
    per_user = np.bincount(view.ratings.user, minlength=view.shape[0])
    ours = {
        "users": view.shape[0],
        "items": view.shape[1],
        "ratings": len(view.ratings),
        "min_ratings_per_user": int(per_user.min()),
        "random_users": len(np.unique(view.random.user)),
        "random_ratings": len(view.random),
    }
    published = _anchors(
        results,
        users=("users", "user-selected"),
        ratings=("ratings", "user-selected"),
        random_users=("users", "random"),
        items=("items_min20", None),
        min_ratings_per_user=("min_ratings_per_user", None),
    )
    rows = [
        table_row(results, "", name, value, published.get(name)) for name, value in ours.items()
    ]
    tidy = pd.DataFrame(rows)
    shown = pd.DataFrame(
        {
            "": [name.replace("_", " ") for name in ours],
            "obtained": [f"{value:,}" for value in ours.values()],
            "published": [f"{published[m]:,.0f}" if m in published else "–" for m in ours],
        }
    )
    notes = [kept(view.facts["recipe"], "every rating")]
    if "ratings" in published:
        notes.append("The paper counts 250,000 ratings where the file has 311,704.")
    beside = ", beside the published one" if published else ""
    return Table(tidy, shown, f"Size of {results.dataset} as pradel2012 sees it{beside}.", notes)


def _anchors(results: Results, **wanted: tuple[str, str | None]) -> dict[str, float]:
    """Single numbers that the paper prints, by our name: (quantity, condition)."""
    table = results.published("pradel2012_anchors")
    found = {}
    for name, (quantity, condition) in wanted.items():
        rows = table[table["quantity"] == quantity]
        if condition is not None:
            rows = rows[rows["condition"] == condition]
        if len(rows):
            found[name] = float(rows["value"].iloc[0])
    return found


def optima(results: Results) -> Table:
    """The best w_m for each measure, its order among them, and the tendencies along the curves."""
    grid = grid_of(results, METHOD)
    names = grid.known(*GOALS, "atop", "recall@5", "recall@20", "recall@50", *STRATIFIED[1:])
    best = find_optima(grid, names)
    kinds = {"order": orders, "gain": gains, "tendency": tendencies}
    facts = pd.concat([find(grid).assign(kind=kind) for kind, find in kinds.items()])
    tidy = pd.concat([best.assign(kind="optimum"), facts], ignore_index=True)
    tidy.insert(0, "method", grid.method)
    tidy.insert(0, "dataset", results.dataset)
    tidy = tidy.assign(n=grid.n_runs, published=float("nan"), difference=float("nan"))
    anchors = results.published("pradel2012_anchors")
    for row in anchors[anchors["quantity"] == "best_w_m"].itertuples():
        mine = (tidy["measure"] == row.condition) & (tidy["kind"] == "optimum")
        tidy.loc[mine, "published"] = row.value
    lines = []
    for row in best.itertuples():
        theirs = tidy[(tidy["measure"] == row.measure) & (tidy["kind"] == "optimum")]["published"]
        lines.append(
            [
                label(row.measure),
                with_mark(f"{row.missing_weight:g}", only(row.edge, WEIGHT)),
                with_mark(f"{tidy.loc[row.Index, PENALTY]:g}", only(row.edge, PENALTY)),
                with_error(row.mean, row.sem, 2),
                f"{row.low_weight:g} to {row.high_weight:g}",
                f"{100 * row.share_of_samples:.0f} %",
                f"{100 * row.share_of_runs:.0f} %",
                "–" if theirs.isna().all() else f"{theirs.iloc[0]:g}",
            ]
        )
    columns = ["measure", "best w_m", "λ", "there, %", "95 % of samples"]
    columns += ["samples that agree", "runs that agree", "published w_m"]
    notes = [f"Mean over {grid.n_runs} runs, standard error in brackets.", OVER_USERS]
    for row in facts[facts["kind"] == "order"].itertuples():
        verdict = "holds" if row.mean else "does not hold"
        notes.append(
            f"{row.fact[0].upper()}{row.fact[1:]}: {verdict}; in {100 * row.share_of_samples:.0f} % of "
            f"the samples of users, in {100 * row.share_of_runs:.0f} % of the runs."
        )
    for _, row in facts[facts["kind"] == "gain"].iterrows():
        notes.append(f"{label(row['measure'])}, {row['fact']}: {with_interval(row)}.")
    notes += note(f"{label(row.measure)}: {row.edge}" for row in best.itertuples() if row.edge)
    caption = f"The best weight of missing ratings for each measure on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def values_vs_binary(results: Results) -> Table:
    """Footnote 4: training on rating values seemed to do better than on binary ratings."""
    values, binary = grid_of(results, METHOD), grid_of(results, BINARY)
    shared = values.points.merge(binary.points.drop_duplicates(), how="inner")
    rows = []
    for measure in values.known("auc_rand", "auc_complete", "auc_aman", "auc", "recall@10"):
        # On the models that both have tried: a finer grid is no merit.
        common = values.points.reset_index().merge(shared)["point"]
        first = int(values.means.loc[common, measure].idxmax())
        second = binary.best(measure)
        samples = values.samples(measure, [first])[:, 0] - binary.samples(measure, [second])[:, 0]
        low, high = interval(samples)
        for grid, point in ((values, first), (binary, second)):
            rows.append(model_row(grid, results, point, measure, kind="best"))
        difference = values.means.loc[first, measure] - binary.means.loc[second, measure]
        row = table_row(results, "values − binary", measure, difference, None, kind="difference")
        edge = joined([values.edge_of(first), binary.edge_of(second)])
        rows.append(row | {"low": low, "high": high, "n": values.n_runs, "edge": edge})
    tidy = pd.DataFrame(rows)
    lines = []
    for measure, group in tidy.groupby("measure", sort=False):
        *sides, difference = (row for _, row in group.iterrows())
        cells = [with_mark(with_error(row["mean"], row["sem"], 2), row["edge"]) for row in sides]
        lines.append([label(str(measure)), *cells, with_interval(difference)])
    columns = ["percent", "rating values", "binary ratings", "difference"]
    notes = [
        "The best model of each, over the settings that both have tried; mean over runs, standard "
        "error in brackets. Binary: 1 where relevant, else 0, as are the missing ones.",
        OVER_USERS,
        *note(
            f"{label(row.measure)} by {row.method}: {row.edge}"
            for row in tidy[(tidy["kind"] == "best") & (tidy["edge"] != "")].itertuples()
        ),
    ]
    caption = f"Training on rating values or on binary ratings, {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def chosen(results: Results) -> Table:
    """The choice of the interval rule in each run."""
    return chosen_table(results, STUDY)
