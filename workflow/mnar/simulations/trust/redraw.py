"""Known chances: held-out sets drawn again and again for fixed trained systems.

The training set stays. Each liked unseen pair is held out with its π, by itself, as the protocol
does; ips and snips with these π must then give the truth on average.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.core.parallel import one_blas_thread
from mnar.core.seeds import generator
from mnar.estimators.gains import ranking_gains
from mnar.estimators.selected import held_out_chance
from mnar.matrices.factor_model import FactorModel
from mnar.measures.ranking import rank_counts
from mnar.simulations.trust.scenes import Scene

Floats = NDArray[np.float64]
_ROWS = 16


def bias_over_draws(
    scene: Scene,
    models: Sequence[FactorModel],
    measures: Sequence[str],
    draws: int,
    seed: int,
    chances: Floats | None = None,
) -> pd.DataFrame:
    """Relative bias of naive, ips and snips, averaged over systems: mean and 95 % interval.

    `chances` take the place of π in the weights, to see that wrong ones are noticed.
    """
    one_blas_thread()
    truth, selected = scene.truth, scene.selected
    assert scene.complete
    assert selected.chances is not None
    liked = truth.relevant
    alpha = selected.chances.alpha[truth.items[liked]]
    pi = held_out_chance(alpha, selected.share)
    taken = pi if chances is None else chances
    gains: dict[str, list[Floats]] = {measure: [] for measure in measures}
    for model in models:
        counts = rank_counts(model, truth, seen=selected.train)
        for measure in measures:
            gains[measure].append(ranking_gains(counts, measure))
    tables = {measure: np.stack(mine) for measure, mine in gains.items()}
    found: dict[tuple[str, str], list[Floats]] = {}
    random = generator(seed, "redraw")
    for first in range(0, draws, _ROWS):
        rows = min(_ROWS, draws - first)
        drawn = (random.random((rows, len(pi)), np.float32) < pi).astype(np.float64)
        for measure, table in tables.items():
            mean = table.mean(axis=1)
            weighed = table @ (drawn / taken).T
            values = {
                "naive": (table @ drawn.T) / drawn.sum(axis=1),
                "ips": weighed / len(pi),
                "snips": weighed / (drawn / taken).sum(axis=1),
            }
            for name, value in values.items():
                off = (value / mean[:, None] - 1).mean(axis=0)
                found.setdefault((measure, name), []).append(off)
    lines = []
    for (measure, name), parts in found.items():
        off = np.concatenate(parts)
        half = 1.96 * off.std(ddof=1) / np.sqrt(len(off))
        lines.append((measure, name, draws, off.mean(), off.mean() - half, off.mean() + half))
    return pd.DataFrame(lines, columns=["measure", "estimator", "draws", "bias", "low", "high"])
