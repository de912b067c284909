"""Training objectives and bestseller lists, tuned on xv and measured on test (steck2010 section 6)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar import splits
from mnar.data.synthetic import Synthetic
from mnar.simulations.generators import BINARY, LISTS, OBJECTIVES
from mnar.simulations.generators.trained import Row, Trained, at_edges, view_of
from mnar.splits.fold import Fold
from mnar.statistics.correlation import kendall

RELEVANT = 5
TOPS = ["topk(0)", "topk(0.02)", "topk(0.1)", "topk(0.2)", "topk(0.5)"]
STUDY = {
    "candidates": ["all"],
    "average": "pair",
    "sets": ["validation", "test"],
    "measures": ["atop", "rmse", *TOPS],
    "sweeps": ["missing_weight", "imputed"],
}
WEIGHT, IMPUTED = "missing_weight", "imputed"
# The imputed rating of Table 2, and the curve over it.
USUAL = 2


def measured(data: Synthetic, entry: dict[str, Any], seed: int, threads: int) -> Row:
    """Rows of Table 2 and 3, and what Figure 1 shows; measures in percent, RMSE in stars."""
    view = view_of(data, RELEVANT)
    fold = Fold.of(view, splits.split("last-five", view, {}, 0, seed))

    def tried(module: str, settings: dict[str, Any], select_by: str = "atop") -> Trained:
        method = {"module": module, "select_by": select_by} | settings
        return Trained.on(fold, method, STUDY, seed, threads)

    allrank = tried(OBJECTIVES["allrank"], entry["allrank"])
    observed = tried(OBJECTIVES["observed"], entry["observed"])
    by_rmse = tried(OBJECTIVES["observed"], entry["observed"], "rmse")
    binary = {name: tried(module, entry["binary"]) for name, module in BINARY.items()}
    weights, imputed = allrank.setting(WEIGHT), allrank.setting(IMPUTED)
    usual = imputed == USUAL
    rows = {
        "observed_by_rmse": (by_rmse, by_rmse.outcome.chosen),
        "observed": (observed, observed.outcome.chosen),
        "allrank": (allrank, _best(allrank, usual & (weights > 0) & (weights < 1))),
        "dense": (allrank, _best(allrank, usual & (weights == 1))),
        **{name: (one, one.outcome.chosen) for name, one in binary.items()},
    }
    edges = at_edges(rows | _of_each_imputed(allrank), swept=IMPUTED)
    rows |= {name: (tried(module, {"grid": {}}), 0) for name, module in LISTS.items()}
    found: Row = {"edges_steck2010": edges}
    for name, (trained, point) in rows.items():
        for measure in ("atop", "rmse", *TOPS):
            found[f"{name}_{measure}"] = trained.scores("test", measure)[point]
    models = [name for name in rows if name not in LISTS]
    found["kendall_atop_topk"] = kendall(
        *(
            np.array([found[f"{name}_{measure}"] for name in models], float)
            for measure in ("atop", "topk(0.02)")
        )
    )
    trained_on = len(fold.train.items)
    found["balancing_weight"] = trained_on / (view.shape[0] * view.shape[1] - trained_on)
    mean = float(view.ratings.rating.mean(dtype=np.float64))
    return found | {"mean_rating": mean} | _over_imputed(allrank, mean)


def _best(allrank: Trained, mine: NDArray[np.bool_]) -> int:
    """The point with the best ATOP on xv among some, at least one."""
    if not mine.any():
        raise ValueError("no point of the grid is among those asked for")
    return int(np.where(mine, allrank.scores("validation", "atop"), -np.inf).argmax())


def _of_each_imputed(allrank: Trained) -> dict[str, tuple[Trained, int]]:
    """The point that is best on xv for each r_m."""
    imputed = allrank.setting(IMPUTED)
    values = [float(value) for value in np.unique(imputed)]
    return {f"r_m {value:g}": (allrank, _best(allrank, imputed == value)) for value in values}


def _over_imputed(allrank: Trained, mean: float) -> dict[str, float | bool]:
    """ATOP on test over r_m, w_m and λ tuned on xv for each; and the best w_m of all."""
    test = allrank.scores("test", "atop")
    weights, imputed = allrank.setting(WEIGHT), allrank.setting(IMPUTED)
    values = np.unique(imputed)
    chosen = np.array([point for _, point in _of_each_imputed(allrank).values()])
    curve = test[chosen]
    on_xv = allrank.scores("validation", "atop")[chosen]
    low = values <= USUAL
    plateau = values >= mean
    at_usual = curve[values == USUAL][0]
    return {
        "best_w_m_allrank": weights[_best(allrank, imputed == USUAL)],
        "best_r_m_xv": values[on_xv.argmax()],
        "best_r_m_test": values[curve.argmax()],
        "lost_at_2_xv": on_xv.max() - on_xv[values == USUAL][0],
        "range_below_2": np.ptp(curve[low]),
        "drop_to_plateau": at_usual - curve[plateau].max(),
        "range_of_plateau": np.ptp(curve[plateau]),
        "plateau_w_m": weights[chosen][plateau].max(),
    }
