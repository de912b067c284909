"""Known chances: held-out sets drawn again and again for fixed trained systems.

The training set stays. Each liked unseen pair is held out with its π, by itself, as the protocol
does; ips and snips with these π must then give the truth on average.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mnar.core.seeds import generator
from mnar.estimators.selected_ratings import held_out_chance
from mnar.simulations.trust.scenes import Scene

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Redraw:
    """Looks at one system after another on the same draws.

    `chances` take the place of π in the weights, to see that wrong ones are noticed.
    """

    scene: Scene
    measures: Sequence[str]
    draws: int
    seed: int
    chances: Floats | None = None
    # Relative bias in each draw, by measure and estimator: one array a system.
    biases: dict[tuple[str, str], list[Floats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        truth, selected = self.scene.truth, self.scene.selected
        assert self.scene.complete
        assert selected.chances is not None
        alpha = selected.chances.alpha[truth.items[truth.relevant]]
        pi = held_out_chance(alpha, selected.share)
        random = generator(self.seed, "redraw")
        held_out = [
            np.flatnonzero(random.random(len(pi), np.float32) < pi) for _ in range(self.draws)
        ]
        # Draws × pairs: few pairs are held out, so only these are kept.
        positions = np.concatenate(held_out)
        starts = np.append(0, np.cumsum([len(mine) for mine in held_out]))
        shape = (self.draws, len(pi))
        taken = pi if self.chances is None else self.chances
        self.drawn = csr_array((np.ones(len(positions)), positions, starts), shape=shape)
        self.weighed = csr_array((1 / taken[positions], positions, starts), shape=shape)
        self.pairs = len(pi)
        self.sizes = self.drawn.sum(axis=1)
        self.sums = self.weighed.sum(axis=1)

    def add(self, gains: Mapping[str, Floats]) -> None:
        """Gains of one system over all liked unseen pairs, by measure."""
        for measure in self.measures:
            mine, mean = gains[measure], gains[measure].mean()
            weighed = self.weighed @ mine
            values = {
                "naive": (self.drawn @ mine) / self.sizes,
                "ips": weighed / self.pairs,
                "snips": weighed / self.sums,
            }
            for name, value in values.items():
                self.biases.setdefault((measure, name), []).append(value / mean - 1)

    def rows(self) -> list[dict[str, Any]]:
        """Bias averaged over systems: its mean over draws and the 95 % interval of that mean."""
        found = []
        for (measure, name), biases in self.biases.items():
            off = np.mean(biases, axis=0)
            half = 1.96 * off.std(ddof=1) / np.sqrt(len(off))
            ends = {"bias": off.mean(), "low": off.mean() - half, "high": off.mean() + half}
            about = {"measure": measure, "estimator": name, "systems": len(biases)}
            found.append(about | {"draws": self.draws} | ends)
        return found
