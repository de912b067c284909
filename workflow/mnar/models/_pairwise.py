"""Code that MF-ADG, MF-AUC and BPR share: the same model, the same start, training that can be continued."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Switch, Whole
from mnar.core.errors import UserError
from mnar.core.seeds import generator, seed_of
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._pairwise_kernels import LANES
from mnar.models._relevant import relevant_part

FACTORS = 50
ITERATIONS = 1_000_000
INITIAL_SCALE = 0.1
# Steps in which a learning rate decays.
PARTS = 100

SETTINGS = (
    Real("rate", "learning rate", above=0),
    Real("lambda", "λ, the penalty on user and item vectors", least=0),
    Whole("factors", "number of factors", default=FACTORS, goes_on=False),
    Whole("iterations", "pairs drawn in training", default=ITERATIONS, goes_on=False),
    # From zero vectors no gradient leads away.
    Real(
        "initial_scale", "standard deviation of the first vectors", above=0, default=INITIAL_SCALE
    ),
    Switch("decay", "whether the rate falls to zero over the iterations", default=False),
)

Settings = dict[str, Any]
Advance = Callable[["PairwiseState", Settings, int], None]
Fit = Callable[[Ratings, Settings, int, int], FactorModel]
FitGrid = Callable[[Ratings, list[Settings], int, int], Iterator[FactorModel]]


@dataclass
class PairwiseState:
    """A model in training and the work done so far: all that is needed to go on."""

    # Padded with zeros from column `factors` on.
    user_vectors: NDArray[np.float32]
    item_vectors: NDArray[np.float32]
    item_bias: NDArray[np.float32]
    factors: int
    # The relevant training items of each user, and the users that have any.
    relevant: Ratings
    users: NDArray[np.int32]
    # Of the random numbers: together with the number of iterations, their whole state.
    key: np.uint64
    iterations: int = 0
    steps: int = 0
    draws: int = 0

    def run(self, climb: Callable, weights: Any, settings: Settings, iterations: int) -> None:
        """More iterations of a kernel; `weights` × rate is the size of its steps."""
        for rate, last in _rates(settings, self.iterations, self.iterations + iterations):
            steps, draws = climb(
                (0,) * (self.user_vectors.shape[1] // LANES),
                self.user_vectors,
                self.item_vectors,
                self.item_bias,
                self.users,
                self.relevant.indptr,
                self.relevant.items,
                np.float32(rate) * weights,
                np.float32(1 - rate * settings["lambda"]),
                self.key,
                self.iterations,
                last,
            )
            self.iterations = last
            self.steps += steps
            self.draws += draws

    def model(self) -> FactorModel:
        """The model as it stands.

        Too large a rate makes parameters grow without bound. Where one of them, or a score, might
        not be finite, all become zero: such a model ranks all items alike, so it can be scored
        like any other and never is the best of a grid.
        """
        users = self.user_vectors[:, : self.factors].copy()
        items = self.item_vectors[:, : self.factors].copy()
        bias = self.item_bias.copy()
        largest_score = self.factors * _largest(users) * _largest(items) + _largest(bias)
        if not largest_score < np.finfo(np.float32).max:
            for parameters in (users, items, bias):
                parameters[:] = 0
        return FactorModel(users, items, bias, np.zeros(len(users), np.float32))


def _rates(settings: Settings, first: int, last: int) -> Iterator[tuple[float, int]]:
    """The learning rate from iteration `first` on, and where it ends; one after the other to `last`.

    A rate that decays falls to zero in PARTS equal steps over the iterations in the settings.
    """
    rate = settings["rate"]
    if not settings.get("decay", False):
        yield rate, last
        return
    total = settings.get("iterations", ITERATIONS)
    while first < last:
        part = min(first * PARTS // total, PARTS - 1)
        end = -(-(part + 1) * total // PARTS) if part < PARTS - 1 else last
        first = min(end, last)
        yield rate * (1 - (part + 0.5) / PARTS), first


def start(train: Ratings, settings: Settings, seed: int) -> PairwiseState:
    """The initial parameters: the same for all methods, given seed, shape and initial scale."""
    if train.n_items < 2:
        raise UserError(
            f"The catalogue has {train.n_items} item(s), but mf-adg, mf-auc and bpr compare pairs "
            "of items and need two or more; keep more items in the view."
        )
    relevant = relevant_part(train)
    users = np.flatnonzero(np.diff(relevant.indptr)).astype(np.int32)
    factors = settings.get("factors", FACTORS)
    scale = np.float32(settings.get("initial_scale", INITIAL_SCALE))
    random = generator(seed, "initial parameters")
    user_vectors = _padded_rows(train.n_users, factors)
    item_vectors = _padded_rows(train.n_items, factors)
    for vectors in (user_vectors, item_vectors):
        vectors[:, :factors] = scale * random.standard_normal((len(vectors), factors), np.float32)
    return PairwiseState(
        user_vectors,
        item_vectors,
        np.zeros(train.n_items, np.float32),
        factors,
        relevant,
        users,
        np.uint64(seed_of(seed, "pairs")),
    )


def training(advance: Advance) -> tuple[Fit, FitGrid]:
    """`fit` and `fit_grid` of the method that takes its steps by `advance`."""

    def fit(train: Ratings, settings: Settings, seed: int, threads: int) -> FactorModel:
        """Train from the start to the number of iterations in the settings."""
        state = start(train, settings, seed)
        advance(state, settings, settings.get("iterations", ITERATIONS))
        return state.model()

    def fit_grid(
        train: Ratings, points: list[Settings], seed: int, threads: int
    ) -> Iterator[FactorModel]:
        """A model for each setting. Steps must be taken in turn, so threads take whole points."""
        relevant = relevant_part(train)
        with ThreadPoolExecutor(threads) as pool:
            # Batches, so that no more than `threads` models are held at a time.
            for first in range(0, len(points), threads):
                batch = points[first : first + threads]
                yield from pool.map(lambda settings: fit(relevant, settings, seed, 1), batch)

    return fit, fit_grid


def _padded_rows(rows: int, factors: int) -> NDArray[np.float32]:
    """Zeros, with every row in whole cache lines: a row then costs as few loads as can be."""
    width = -(-factors // LANES) * LANES
    memory = np.zeros(rows * width + LANES, np.float32)
    skip = -(memory.ctypes.data // memory.itemsize) % LANES
    return memory[skip : skip + rows * width].reshape(rows, width)


def _largest(parameters: NDArray[np.float32]) -> float:
    return float(np.abs(parameters).max())
