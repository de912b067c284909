"""Factors with user and item biases that move with time (Koren 2009; kddcup2011, Track 1).

    r̂_ui(t) = μ + b_u + b_i + p_u · q_i + α_u dev_u(t) + b_u,session(t) + b_i,bin(t)

dev_u(t) = sign(t − t_u) |t − t_u|^0.4, t_u the mean time of the user's ratings, brought to −1 … 1. A
session is a day on which the user rated; bins cut the time of all ratings into `bins` equal parts.
Least squares on the observed ratings. Each sweep solves b and vectors as mf-biased does, then what
moves with time; that is drawn to zero as if by `moving_penalty` ratings.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Whole
from mnar.core.errors import UserError
from mnar.core.palette import TEAL
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings
from mnar.models import _als
from mnar.models._about import About
from mnar.models._biased import SWEEPS, solve_facing

ABOUT = About(
    label="Temporal factors",
    description="Factors on observed ratings, with biases that move with time.",
    colour=TEAL,
    marker="P",
    family="observed ratings",
    settings=(
        Whole("factors", "length of the vectors", default=50, goes_on=False),
        Real("lambda", "penalty on the parameters", above=0, default=0.07),
        Whole("sweeps", "sweeps over users and items", default=SWEEPS, goes_on=False),
        Whole("bins", "parts of time in which an item has its own bias", default=30, goes_on=False),
        Real("moving_penalty", "ratings by which a moving bias is shrunk", least=0, default=10.0),
        Real("unit", "points of the scale that make a star", above=0, default=1.0),
    ),
    predicts_ratings=True,
    needs="timestamps",
)
DAY = 86_400
POWER = 0.4

# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}

Floats = NDArray[np.float32]
Times = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Moment:
    """What the times of some (user, item) pairs mean."""

    drift: Floats
    session: NDArray[np.int64]
    bin: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Clock:
    """What a moment means: how far a user has drifted, which session and which bin it is in."""

    first: int
    last: int
    bins: int
    # Of each user: mean and last time of its ratings. Who has none is taken to be at the very end.
    mean_time: NDArray[np.float64]
    last_time: Times
    # Day × users + user of every session, rising.
    sessions: Times

    @classmethod
    def of(cls, train: Ratings, bins: int) -> "Clock":
        times = train.times
        if times is None:
            raise UserError(
                "Method mf-temporal needs the time of every rating, and this view has ratings "
                "without one; leave the method out for this dataset."
            )
        first, last = (int(times.min()), int(times.max())) if len(times) else (0, 0)
        counts = np.bincount(train.users, minlength=train.n_users)
        sums = np.bincount(train.users, times - first, train.n_users)
        mean = np.full(train.n_users, float(last))
        np.divide(sums, counts, out=mean, where=counts > 0)
        mean[counts > 0] += first
        latest = np.full(train.n_users, -1, np.int64)
        np.maximum.at(latest, train.users, times)
        latest[latest < 0] = last
        sessions = np.unique(times // DAY * train.n_users + train.users)
        return cls(first, last, bins, mean, latest, sessions)

    def moment(self, users: NDArray[np.integer], times: Times) -> "Moment":
        return Moment(self.drift(users, times), self.session(users, times), self.bin(times))

    def drift(self, users: NDArray[np.integer], times: Times) -> Floats:
        away = (times - self.mean_time[users]) / max(self.last - self.first, 1)
        return (np.sign(away) * np.abs(away).clip(max=1) ** POWER).astype(np.float32)

    def session(self, users: NDArray[np.integer], times: Times) -> NDArray[np.int64]:
        """The number of a session; one more than the last for a day on which the user did not rate."""
        keys = times // DAY * len(self.mean_time) + users
        found = np.searchsorted(self.sessions, keys)
        known = found < len(self.sessions)
        known[known] = self.sessions[found[known]] == keys[known]
        return np.where(known, found, len(self.sessions))

    def bin(self, times: Times) -> NDArray[np.int64]:
        """Times before the first rating or after the last are in the first or last bin."""
        length = max(self.last - self.first + 1, 1)
        return ((times - self.first) * self.bins // length).clip(0, self.bins - 1)


@dataclass(frozen=True, eq=False)
class Moving:
    """Biases that depend on time; the last session stands for all unknown ones and stays zero."""

    user_drift: NDArray[np.float64]
    session_bias: NDArray[np.float64]
    bin_bias: NDArray[np.float64]

    @classmethod
    def zeros(cls, train: Ratings, clock: Clock) -> "Moving":
        sessions = len(clock.sessions) + 1
        bins = np.zeros((train.n_items, clock.bins))
        return cls(np.zeros(train.n_users), np.zeros(sessions), bins)

    def at(
        self, users: NDArray[np.integer], items: NDArray[np.integer], moment: Moment
    ) -> NDArray[np.float64]:
        drifted = self.user_drift[users] * moment.drift
        return drifted + self.session_bias[moment.session] + self.bin_bias[items, moment.bin]

    def solve(self, train: Ratings, moment: Moment, left: NDArray, penalty: float) -> None:
        """Each of the three in turn, from what the others leave of the residuals `left`."""
        drift = moment.drift.astype(np.float64)
        part = train.items * np.int64(self.bin_bias.shape[1]) + moment.bin
        left = left - self.at(train.users, train.items, moment)

        left += self.user_drift[train.users] * drift
        squares = np.bincount(train.users, drift**2, train.n_users)
        sums = np.bincount(train.users, drift * left, train.n_users)
        self.user_drift[:] = _quotient(sums, squares + penalty)
        left -= self.user_drift[train.users] * drift

        for bias, rows in ((self.session_bias, moment.session), (self.bin_bias.reshape(-1), part)):
            left += bias[rows]
            counts = np.bincount(rows, minlength=len(bias))
            bias[:] = _quotient(np.bincount(rows, left, len(bias)), counts + penalty)
            left -= bias[rows]


def _quotient(sums: NDArray[np.number], weights: NDArray[np.number]) -> NDArray[np.float64]:
    """Zero where there is nothing to learn from, which only happens without a penalty."""
    return np.divide(sums, weights, out=np.zeros(len(sums)), where=weights > 0)


@dataclass(frozen=True, eq=False)
class TemporalModel:
    """Predictions in units of `unit`. Where no time is given, it is the user's last one in training."""

    mean: float
    unit: float
    # [bias, vector] of each user and item.
    user_rows: Floats
    item_rows: Floats
    clock: Clock
    moving: Moving

    @property
    def n_users(self) -> int:
        return len(self.user_rows)

    @property
    def n_items(self) -> int:
        return len(self.item_rows)

    def predict(self, users: NDArray[np.integer], items: NDArray[np.integer]) -> NDArray:
        return self.predict_at(users, items, self.clock.last_time[users])

    def predict_at(
        self, users: NDArray[np.integer], items: NDArray[np.integer], times: Times
    ) -> NDArray:
        found = self.mean + self.moving.at(users, items, self.clock.moment(users, times))
        add_static(users, items, self.user_rows, self.item_rows, found)
        return self.unit * found

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        items = np.tile(np.arange(self.n_items), len(users))
        found = self.predict(np.repeat(users, self.n_items), items)
        return found.reshape(len(users), -1).astype(np.float32)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> TemporalModel:
    chosen = ABOUT.complete(settings)
    factors = chosen["factors"]
    clock = Clock.of(train, chosen["bins"])
    moment = clock.moment(train.users, np.asarray(train.times))
    values = train.values / np.float64(chosen["unit"])
    mean = float(values.mean()) if len(values) else 0.0
    moving = Moving.zeros(train, clock)
    user_rows: NDArray[np.floating] = _als.start(train.n_users, 1 + factors, seed)
    user_rows[:, 0] = 0
    item_rows = np.zeros((train.n_items, user_rows.shape[1]), user_rows.dtype)
    for _ in range(chosen["sweeps"]):
        left = values - moving.at(train.users, train.items, moment)
        still = replace(train, values=left.astype(np.float32))
        items = _als.observed_side(still.by_item, chosen["lambda"])
        item_rows = solve_facing(items, user_rows, mean, threads, factors, item_rows)
        users = _als.observed_side(still, chosen["lambda"])
        user_rows = solve_facing(users, item_rows, mean, threads, factors, user_rows)
        static = np.full(len(values), mean)
        add_static(train.users, train.items, user_rows, item_rows, static)
        moving.solve(train, moment, values - static, chosen["moving_penalty"])
    of_users, of_items = (_unpadded(rows, 1 + factors) for rows in (user_rows, item_rows))
    return TemporalModel(mean, chosen["unit"], of_users, of_items, clock, moving)


def _unpadded(rows: NDArray[np.floating], width: int) -> Floats:
    return np.ascontiguousarray(rows[:, :width], np.float32)


@njit(cache=True, nogil=True, fastmath=SUMS)
def add_static(users, items, user_rows, item_rows, found):
    """Add what does not depend on time: both biases and the product of the vectors."""
    for n in range(len(users)):
        u, i = users[n], items[n]
        total = user_rows[u, 0] + item_rows[i, 0]
        for k in range(1, user_rows.shape[1]):
            total += user_rows[u, k] * item_rows[i, k]
        found[n] += total
