"""The effect of the weight of missing ratings on every measure (pradel2012 section 5)."""

from typing import Any

import numpy as np

from mnar import splits
from mnar.data.complete import Complete
from mnar.data.synthetic import Synthetic
from mnar.estimators.of_fold import fold_of
from mnar.simulations.generators import SEARCHES
from mnar.simulations.generators.trained import Floats, Row, Trained, at_edges, view_of
from mnar.splits.fold import Fold
from mnar.statistics.correlation import kendall, spearman
from mnar.tuning import choice as selection

RELEVANT = 4
[ALLRANK] = SEARCHES["allrank"]
STRATIFIED = ["recall@10(0)", "recall@10(0.2)", "recall@10(0.5)", "recall@10(1)"]
CUT_OFFS = ["recall@5", "recall@20", "recall@50"]
STUDY = {
    "candidates": ["unseen"],
    "average": "user",
    "sets": ["validation", "random", "complete"],
    "measures": ["auc", "auc_aman", "atop", "recall@10", "head_10", *CUT_OFFS, *STRATIFIED],
    "set_measures": {"random": ["auc"], "complete": ["auc"]},
    "sweeps": ["missing_weight"],
}
# Where the best w_m is looked for.
GOALS = {
    "auc": ("validation", "auc"),
    "auc_aman": ("validation", "auc_aman"),
    "recall@10": ("validation", "recall@10"),
    "atop": ("validation", "atop"),
    "auc_rand": ("random", "auc"),
    "auc_complete": ("complete", "auc"),
}
# The four models of Table 1: w_m and λ, of which the grid's nearest is taken.
TABLE1 = ((0.0, 0.1), (0.001, 0.01), (0.1, 0.01), (0.5, 0.01))
SELECTED = ["auc", "auc_aman", *STRATIFIED]


def measured(data: Synthetic, entry: dict[str, Any], seed: int, threads: int) -> Row:
    """The optimum of each measure over w_m, the value there, and the shape of its curve."""
    view = view_of(data, RELEVANT)
    split = splits.split("strong", view, {"evaluation_users": "random", "validation": 0.2}, 0, seed)
    seen = Fold.of(view, split).seen
    # Every third user is enough: all their items are compared.
    users = np.unique(data.random_user)[::3]
    rows = [data.truth.block(user, user + 1)[0] >= RELEVANT for user in users]
    complete = Complete(users.astype(np.int32), np.array(rows)).matrix(seen, users, seed)
    method = {"module": ALLRANK, "select_by": selection.INTERVAL} | entry
    trained = Trained.on(fold_of(view, split, complete), method, STUDY, seed, threads)
    sources = GOALS | {name: ("validation", name) for name in (*CUT_OFFS, *STRATIFIED)}
    values = {goal: trained.scores(*source) for goal, source in sources.items()}
    heads = trained.scores("validation", "head_10")
    weights = trained.setting(selection.WEIGHT)
    found: Row = {**_optima(values, heads, weights)}
    for judge in ("auc_rand", "auc_complete"):
        found[f"{judge}_if_chosen_by_interval"] = values[judge][trained.outcome.chosen]
    found["w_m_interval"] = weights[trained.outcome.chosen]
    found["spearman_w_m_head_10"] = spearman(weights, heads)
    found |= _along_the_curves(values, weights)
    together = [spearman(values["auc_aman"], values[recall]) for recall in STRATIFIED[:3]]
    found["smallest_spearman_auc_aman_recall"] = min(together)
    found |= _table1(values, weights, trained.setting("lambda"))
    chosen = {goal: (trained, int(values[goal].argmax())) for goal in GOALS}
    return found | {
        "edges_pradel2012": at_edges(chosen | {"interval": (trained, trained.outcome.chosen)})
    }


def _optima(values: dict[str, Floats], heads: Floats, weights: Floats) -> dict[str, float]:
    found: dict[str, float] = {}
    for goal, curve in values.items():
        best = int(curve.argmax())
        found[f"best_w_m_{goal}"] = weights[best]
        found[f"head_10_best_for_{goal}"] = heads[best]
        if goal not in GOALS:
            continue
        found[f"{goal}_best"] = curve[best]
        found[f"{goal}_at_0"] = curve[weights == 0].max()
        found[f"{goal}_at_1"] = curve[weights == 1].max()
        for judge in ("auc_rand", "auc_complete"):
            found[f"{judge}_if_chosen_by_{goal}"] = values[judge][best]
    return found


def _along_the_curves(values: dict[str, Floats], weights: Floats) -> dict[str, float]:
    """The curve over w_m, λ the best for each: where it is lowest, whether it rises and falls."""
    tried = np.unique(weights)
    found: dict[str, float] = {}
    for goal in ("auc_aman", "recall@10", "atop", *CUT_OFFS):
        curve = np.array([values[goal][weights == weight].max() for weight in tried])
        top = int(curve.argmax())
        found[f"worst_w_m_{goal}"] = tried[int(curve.argmin())]
        rising = curve[: top + 1]
        # An optimum at the first weight leaves nothing to rise.
        found[f"rise_of_{goal}"] = spearman(rising, np.arange(float(top + 1))) if top else 0.0
        found[f"rise_after_best_{goal}"] = max(_rise(curve[top:]), _rise(rising[::-1]))
    steps = {goal: int(np.searchsorted(tried, weights[values[goal].argmax()])) for goal in values}
    found["recall_steps_apart"] = max(abs(steps[k] - steps["recall@10"]) for k in CUT_OFFS)
    return found


def _rise(curve: Floats) -> float:
    return float(np.max(curve - np.minimum.accumulate(curve)))


def _table1(values: dict[str, Floats], weights: Floats, penalties: Floats) -> dict[str, float]:
    """The four models of Table 1."""
    tiny = 1e-9
    models = [
        int(
            (
                np.abs(np.log((weights + tiny) / (weight + tiny)))
                + np.abs(np.log(penalties / penalty))
            ).argmin()
        )
        for weight, penalty in TABLE1
    ]
    found = {
        f"{goal}_in_table1_{weight:g}": values[goal][model]
        for goal in (*SELECTED, "auc_rand")
        for (weight, _), model in zip(TABLE1, models, strict=True)
    }
    truth = values["auc_rand"][models]
    found["largest_kendall_in_table1"] = max(kendall(truth, values[m][models]) for m in SELECTED)
    return found
