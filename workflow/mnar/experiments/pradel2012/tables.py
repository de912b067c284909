"""Tables of pradel2012. Measures are in percent, as the paper prints them."""

from typing import Any

import numpy as np
import pandas as pd

from mnar.experiments.pradel2012 import BINARY, METHOD, MODELS, STUDY
from mnar.experiments.pradel2012.differences import differences as all_differences
from mnar.experiments.pradel2012.facts import gains, orders, tendencies
from mnar.experiments.pradel2012.facts import optima as find_optima
from mnar.experiments.pradel2012.grid import (
    GOALS,
    HEADS,
    PENALTY,
    SAMPLES,
    STRATIFIED,
    WEIGHT,
    Grid,
    grid_of,
    label,
)
from mnar.reporting.results import Results
from mnar.reporting.search_tables import chosen_table
from mnar.reporting.tables import Table, number, with_error
from mnar.statistics.bootstrap import interval
from mnar.statistics.comparison import mean_and_error
from mnar.statistics.correlation import kendall
from mnar.tuning import choice as selection

FIXED_WEIGHTS = (0.001, 0.1)
SHOWN = ("auc", "auc_aman", "auc_rand", "auc_complete", *STRATIFIED)
OVER_USERS = f"95 % intervals: bootstrap over users, {SAMPLES} samples, runs averaged in each."


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
    rows = [_row(results, "", name, value, published.get(name)) for name, value in ours.items()]
    tidy = pd.DataFrame(rows)
    shown = pd.DataFrame(
        {
            "": [name.replace("_", " ") for name in ours],
            "obtained": [f"{value:,}" for value in ours.values()],
            "published": [f"{published[m]:,.0f}" if m in published else "–" for m in ours],
        }
    )
    notes = [f"Recipe: {view.facts['recipe'] or 'none, every rating is kept'}."]
    if "ratings" in published:
        notes.append("The paper counts 250,000 ratings where the file has 311,704.")
    return Table(tidy, shown, f"Size of {results.dataset} as pradel2012 sees it.", notes)


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


def _row(
    results: Results, method: str, measure: str, mean: float, published: float | None, **more: Any
) -> dict[str, Any]:
    theirs = float("nan") if published is None else published
    row = {"dataset": results.dataset, "method": method, "measure": measure, "mean": mean}
    row |= {"sem": float("nan"), "n": 1, "published": theirs, "difference": mean - theirs}
    return row | more


def _model_row(grid: Grid, results: Results, point: int, measure: str, **more: Any) -> dict:
    row = _row(
        results, grid.method, measure, grid.means.loc[point, measure], more.pop("theirs", None)
    )
    row |= {"sem": grid.sems.loc[point, measure], "n": grid.n_runs}
    return row | {WEIGHT: grid.weight_of(point), PENALTY: grid.points.loc[point, PENALTY]} | more


def _difference_row(
    grid: Grid, results: Results, measure: str, first: int, second: int, **more: Any
) -> dict[str, Any]:
    """First minus second model, paired over runs and users."""
    paired = grid.by_run(measure)
    mean, sem = mean_and_error((paired[first] - paired[second]).to_numpy())
    samples = grid.samples(measure, [first, second])
    low, high = interval(samples[:, 0] - samples[:, 1])
    row = _row(results, grid.method, measure, mean, None) | {"sem": sem, "n": grid.n_runs}
    return (
        row
        | {WEIGHT: grid.weight_of(first), "other_weight": grid.weight_of(second)}
        | {
            "low": low,
            "high": high,
            **more,
        }
    )


def _with_interval(row: Any) -> str:
    """A difference with its interval, in percent points."""
    return f"{row['mean']:+.2f} [{row['low']:+.2f}, {row['high']:+.2f}]".replace("-", "−")


def table1(results: Results) -> Table:
    """The four models of the paper: no measure orders them as AUC_rand does."""
    grid = grid_of(results, METHOD)
    published = results.published("pradel2012_table1")
    points = list(dict.fromkeys(grid.nearest(*model) for model in MODELS))
    names = grid.known(*SHOWN)
    rows = []
    for point in points:
        theirs = published[
            (published["w_m"] == grid.weight_of(point))
            & (published["lambda"] == grid.points.loc[point, PENALTY])
        ]
        for measure in names:
            value = float(theirs[measure].iloc[0]) if measure in theirs and len(theirs) else None
            rows.append(_model_row(grid, results, point, measure, kind="model", theirs=value))
    if len(points) == len(MODELS):
        nothing, small, large, largest = points
        for measure in names:
            for first, second in ((largest, small), (small, large), (nothing, large)):
                rows.append(
                    _difference_row(grid, results, measure, first, second, kind="difference")
                )
    for measure in names:
        if grid.truth and measure != grid.truth:
            truth = grid.means[grid.truth]
            for kind, which in (("kendall_models", points), ("kendall_grid", list(truth.index))):
                values = grid.means.loc[which, measure].to_numpy()
                tau = kendall(truth[which].to_numpy(), values)
                rows.append(_row(results, grid.method, measure, tau, None, kind=kind))
    tidy = pd.DataFrame(rows)
    lines: list[list[str]] = []
    bold = set()
    for measure in names:
        mine = tidy[(tidy["measure"] == measure) & (tidy["kind"] == "model")]
        bold.add((len(lines), 1 + int(mine["mean"].to_numpy().argmax())))
        taus = [
            tidy[(tidy["measure"] == measure) & (tidy["kind"] == kind)]["mean"]
            for kind in ("kendall_models", "kendall_grid")
        ]
        cells = [with_error(m, e, 2) for m, e in zip(mine["mean"], mine["sem"], strict=True)]
        lines.append(
            [label(measure), *cells, *(number(t.iloc[0], 2) if len(t) else "–" for t in taus)]
        )
        if mine["published"].notna().any():
            theirs = [number(value, 2) for value in mine["published"]]
            lines.append([f"{label(measure)}, published", *theirs, "", ""])
    columns = ["measure, %", *(grid.name_of(p) for p in points), "τ, models", "τ, grid"]
    notes = [
        f"Mean over {grid.n_runs} runs, standard error in brackets; bold: the model a measure "
        "prefers. τ: Kendall's rank correlation with AUC-rand, over these models and over the "
        "whole grid.",
        "The paper's text says w_m = 0.1 where its numbers (89.00 against 83.88, 72.92 against "
        "74.90) fit 0.001 only.",
    ]
    if not _exact(grid, points):
        notes.append("The nearest models of this grid are shown where it lacks the paper's own.")
    notes += _differences_in_words(tidy)
    caption = f"Four models by every measure on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes, frozenset(bold))


def _exact(grid: Grid, points: list[int]) -> bool:
    ours = {(grid.weight_of(p), float(grid.points.loc[p, PENALTY])) for p in points}
    return ours == {(float(weight), float(penalty)) for weight, penalty in MODELS}


def _differences_in_words(tidy: pd.DataFrame) -> list[str]:
    found = tidy[tidy["kind"] == "difference"]
    notes: list[str] = []
    if found.empty:
        return notes
    for (first, second), rows in found.groupby([WEIGHT, "other_weight"], sort=False):
        cells = [f"{label(row['measure'])} {_with_interval(row)}" for _, row in rows.iterrows()]
        notes.append(f"w_m {first:g} − w_m {second:g}: {'; '.join(cells)}.")
    return [*notes, OVER_USERS]


def table2(results: Results) -> Table:
    """λ at fixed w_m: do all measures, AUC_rand included, agree on the best one?"""
    grid = grid_of(results, METHOD)
    names = grid.known(*SHOWN)
    reference = grid.truth or "auc"
    rows = []
    for weight in dict.fromkeys(grid.weight_of(grid.nearest(w, 0.01)) for w in FIXED_WEIGHTS):
        for point in grid.points.index[grid.points[WEIGHT] == weight]:
            for measure in names:
                rows.append(_model_row(grid, results, point, measure, kind="model"))
    sweeps = {measure: grid.sweep(measure) for measure in names}
    for place, best in enumerate(sweeps[reference]):
        for measure in names:
            own = sweeps[measure][place]
            penalties = [float(grid.points.loc[p, PENALTY]) for p in (own, best)]
            steps = abs(grid.penalties.index(penalties[0]) - grid.penalties.index(penalties[1]))
            row = _difference_row(grid, results, measure, own, best, kind="agreement")
            agrees = steps <= 1 or row["low"] <= 0
            row |= {PENALTY: penalties[0], "reference": reference, "agrees": agrees}
            rows.append(row | {"reference_lambda": penalties[1], "steps": steps})
    tidy = pd.DataFrame(rows)
    models = tidy[tidy["kind"] == "model"]
    lines: list[list[str]] = []
    bold = set()
    for weight, group in models.groupby(WEIGHT, sort=True):
        block = group.pivot_table(index=PENALTY, columns="measure", values="mean")
        for penalty, values in block.iterrows():
            for column, measure in enumerate(names):
                if values[measure] == block[measure].max():
                    bold.add((len(lines), column + 2))
            cells = [number(values[m], 2) for m in names]
            lines.append([f"{weight:g}", f"{penalty:g}", *cells])
    agreement = tidy[tidy["kind"] == "agreement"]
    share = agreement.groupby("measure", sort=False)["agrees"].mean()
    words = ", ".join(f"{label(m)} {100 * share[m]:.0f} %" for m in names if m != reference)
    notes = [
        f"Mean over {grid.n_runs} runs; bold: the best λ by that measure.",
        f"Share of all {len(grid.weights)} values of w_m at which the best λ is within one step of "
        f"that of {label(reference)}, or not significantly better: {words}.",
        "The paper gives w_m = 0.001 in the caption and 0.1 in the text: both are shown.",
        OVER_USERS,
    ]
    columns = ["w_m", "λ", *(label(m) for m in names)]
    caption = f"λ at fixed weight of missing ratings on {results.dataset}, percent."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes, frozenset(bold))


def table3(results: Results) -> Table:
    """The model that is best for each measure, what it costs, and how many head items it shows."""
    grid = grid_of(results, METHOD)
    published = results.published("pradel2012_table3").set_index("model_best_for")
    goals = grid.known("auc", "auc_rand", "auc_complete", "auc_aman", "recall@10")
    names = [*grid.known("auc", "auc_aman", "auc_rand", "auc_complete", "recall@10"), *HEADS]
    points = {goal: grid.best(goal) for goal in goals}
    rows = []
    for goal, point in points.items():
        for measure in names:
            column = measure.replace("_", "") + "_percent" if measure in HEADS else measure
            theirs = published[column].get(goal) if column in published else None
            value = None if theirs is None else float(theirs)
            row = _model_row(grid, results, point, measure, kind="model", theirs=value)
            rows.append(row | {"best_for": goal})
    order = [goal for goal in goals if goal != "auc_complete"]
    for first, second in zip(order[1:], order, strict=False):
        for measure in HEADS:
            row = _difference_row(
                grid, results, measure, points[first], points[second], kind="head_difference"
            )
            rows.append(row | {"best_for": first, "against": second})
    if grid.truth:
        for goal in order:
            if goal != grid.truth:
                row = _difference_row(
                    grid, results, grid.truth, points[grid.truth], points[goal], kind="loss"
                )
                rows.append(row | {"best_for": goal})
    tidy = pd.DataFrame(rows)
    models = tidy[tidy["kind"] == "model"]
    lines = []
    for measure in names:
        mine = models[models["measure"] == measure]
        cells = [with_error(m, e, 2) for m, e in zip(mine["mean"], mine["sem"], strict=True)]
        lines.append([label(measure), *cells])
        if mine["published"].notna().any():
            lines.append(
                [f"{label(measure)}, published", *(number(v, 2) for v in mine["published"])]
            )
    columns = ["percent", *(f"best for {label(g)} ({grid.name_of(p)})" for g, p in points.items())]
    notes = [
        f"Mean over {grid.n_runs} runs, standard error in brackets. The best model is that with the "
        "largest mean over runs in the whole grid. Head items: the 4.7 % most rated.",
    ]
    for kind, words in (("loss", "What choosing by a measure costs in AUC-rand"),):
        found = tidy[tidy["kind"] == kind]
        if len(found):
            cells = [
                f"{label(row['best_for'])} {_with_interval(row)}" for _, row in found.iterrows()
            ]
            notes.append(f"{words}: {'; '.join(cells)}.")
    heads = tidy[(tidy["kind"] == "head_difference") & (tidy["measure"] == "head_10")]
    cells = [
        f"{label(row['best_for'])} over {label(row['against'])} {_with_interval(row)}"
        for _, row in heads.iterrows()
    ]
    notes += [f"Head items in the top 10, more of: {'; '.join(cells)}.", OVER_USERS]
    caption = f"The best model for each measure on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


RULES = (selection.INTERVAL, "auc", "auc_aman", "recall@10")


def interval_rule(results: Results) -> Table:
    """Each rule chooses in each run from user-selected ratings; AUC_rand says what that is worth."""
    grid = grid_of(results, METHOD)
    judges = grid.known("auc_rand", "auc_complete") or grid.known("auc", "auc_aman", "recall@10")
    chosen = {rule: _chosen_by(grid, rule) for rule in RULES}
    rows = []
    for judge in judges:
        rows += _judged(grid, results, judge, chosen)
    tidy = pd.DataFrame(rows)
    lines = []
    for row in tidy.itertuples():
        weights = f"{row.missing_weight:g} ({row.smallest_weight:g} to {row.largest_weight:g})"
        lost = f"{row.loss:.2f} [{row.loss_low:.2f}, {row.loss_high:.2f}]"
        more = f"{row.gain:+.2f} [{row.gain_low:+.2f}, {row.gain_high:+.2f}]"
        numbers = [text.replace("-", "−") for text in (lost, more)]
        reached = with_error(row.mean, row.sem, 2)
        lines.append([label(row.measure), _rule_name(row.rule), weights, reached, *numbers])
    columns = ["judged by", "chosen by", "w_m", "reached, %", "loss to the best", "interval − this"]
    notes = [
        "Each rule chooses per run from the validation ratings alone; w_m: median and range over "
        f"{grid.n_runs} runs. Loss: against the model with the best mean in the whole grid.",
        "Interval: w_m at the geometric middle of the optima by AUC and by AUC-AMAN, λ best there by "
        "their sum.",
        OVER_USERS,
    ]
    if not grid.truth:
        notes.append("No randomly selected ratings here: what is right cannot be told.")
    caption = f"Choosing the model from user-selected ratings on {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def _judged(
    grid: Grid, results: Results, judge: str, chosen: dict[str, dict[int, int]]
) -> list[dict[str, Any]]:
    """What the choice of each rule is worth by one measure, against the best and the interval rule."""
    best = grid.best(judge)
    by_run = grid.by_run(judge)
    reached = {
        rule: np.array([by_run.loc[run, point] for run, point in points.items()])
        for rule, points in chosen.items()
    }
    sampled = {rule: grid.samples_by_run(judge, points) for rule, points in chosen.items()}
    rows = []
    for rule, points in chosen.items():
        mean, sem = mean_and_error(reached[rule])
        loss = interval(grid.samples(judge, [best])[:, 0] - sampled[rule])
        gain = interval(sampled[selection.INTERVAL] - sampled[rule])
        weights = [grid.weight_of(point) for point in points.values()]
        row = _row(results, grid.method, judge, mean, None) | {"sem": sem, "n": grid.n_runs}
        row |= {
            "rule": rule,
            WEIGHT: float(np.median(weights)),
            "smallest_weight": min(weights),
            "largest_weight": max(weights),
            "best_weight": grid.weight_of(best),
            "loss": grid.means.loc[best, judge] - mean,
            "loss_low": loss[0],
            "loss_high": loss[1],
            # Of the interval rule over this one.
            "gain": float(reached[selection.INTERVAL].mean() - mean),
            "gain_low": gain[0],
            "gain_high": gain[1],
        }
        rows.append(row)
    return rows


def _rule_name(rule: str) -> str:
    return "interval" if rule == selection.INTERVAL else label(rule)


def _chosen_by(grid: Grid, rule: str) -> dict[int, int]:
    """The point that a rule takes in each run."""
    points = list(grid.points.index)
    settings = grid.points.to_dict("records")
    found = {}
    for run, table in grid.runs.groupby("fold"):
        values = table.droplevel("fold").loc[points]
        scores = {m: values[m].to_numpy() for m in selection.needed(rule)}
        found[int(run)] = points[selection.choose(settings, scores, rule)]
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
                f"{row.missing_weight:g}",
                f"{tidy.loc[row.Index, PENALTY]:g}",
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
        notes.append(f"{label(row['measure'])}, {row['fact']}: {_with_interval(row)}.")
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
            rows.append(_model_row(grid, results, point, measure, kind="best"))
        difference = values.means.loc[first, measure] - binary.means.loc[second, measure]
        row = _row(results, "values − binary", measure, difference, None, kind="difference")
        rows.append(row | {"low": low, "high": high, "n": values.n_runs})
    tidy = pd.DataFrame(rows)
    lines = []
    for measure, group in tidy.groupby("measure", sort=False):
        with_values, with_binary, difference = (row for _, row in group.iterrows())
        lines.append(
            [
                label(str(measure)),
                with_error(with_values["mean"], with_values["sem"], 2),
                with_error(with_binary["mean"], with_binary["sem"], 2),
                _with_interval(difference),
            ]
        )
    columns = ["percent", "rating values", "binary ratings", "difference"]
    notes = [
        "The best model of each, over the settings that both have tried; mean over runs, standard "
        "error in brackets. Binary: 1 where relevant, else 0, as are the missing ones.",
        OVER_USERS,
    ]
    caption = f"Training on rating values or on binary ratings, {results.dataset}."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def differences(results: Results) -> Table:
    """The comparisons of section 5, with intervals over users."""
    return all_differences(results)


def chosen(results: Results) -> Table:
    """What the interval rule chose in each run."""
    return chosen_table(results, STUDY)
