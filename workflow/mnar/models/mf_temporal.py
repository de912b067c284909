"""Factors with user and item biases that move with time (Koren 2009; kddcup2011, Track 1).

    r̂_ui(t) = μ + b_u + α_u dev_u(t) + b_u,session(t) + b_i + b_i,bin(t) + p_u · q_i

dev_u(t) = sign(t − t_u) |t − t_u|^0.4, t_u the mean time of the user's ratings, brought to −1 … 1. A
session is a day on which the user rated; bins cut the time of all ratings into `bins` equal parts.
Stochastic gradient descent on the observed ratings; the rate is multiplied by 0.9 after a pass.
With `moving` false all that depends on time stays zero.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError
from mnar.core.seeds import generator
from mnar.kernels.compiled import njit
from mnar.matrices.ratings import Ratings

LABEL = "Temporal factors"
DESCRIPTION = "Factors on observed ratings, with biases that move with time."
# Name -> kind, least value, default.
SETTINGS = {
    "factors": ("whole", 1, 50),
    "passes": ("whole", 1, 30),
    "bins": ("whole", 1, 30),
    "rate": ("number", 0, 0.01),
    "bias_penalty": ("number", 0, 0.01),
    "lambda": ("number", 0, 0.05),
    "moving": ("flag", None, True),
    "unit": ("number", 0, 1.0),
}
DECAY = 0.9
START = 0.1
DAY = 86_400
POWER = 0.4

# Sums in any order, so that they run in vector registers. NaN and infinity keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}

Floats = NDArray[np.float32]
Times = NDArray[np.int64]


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
class Parameters:
    user_bias: Floats
    user_drift: Floats
    # One for each session, and a last one that stays zero.
    session_bias: Floats
    item_bias: Floats
    bin_bias: Floats
    user_vectors: Floats
    item_vectors: Floats


@dataclass(frozen=True, eq=False)
class TemporalModel:
    """Predictions in units of `unit`. Where no time is given, it is the user's last one in training."""

    mean: float
    unit: float
    clock: Clock
    parts: Parameters

    @property
    def n_users(self) -> int:
        return len(self.parts.user_bias)

    @property
    def n_items(self) -> int:
        return len(self.parts.item_bias)

    def predict(
        self, users: NDArray[np.integer], items: NDArray[np.integer], times: Times | None = None
    ) -> NDArray:
        when = self.clock.last_time[users] if times is None else times
        found = np.empty(len(users), np.float32)
        moment = moments(self.clock, users, when)
        predict_pairs(users, items, *moment, *_arrays(self.parts), found)  # type: ignore[call-arg]
        return self.unit * (self.mean + found)

    def scores(self, users: NDArray[np.integer]) -> NDArray[np.float32]:
        items = np.tile(np.arange(self.n_items), len(users))
        found = self.predict(np.repeat(users, self.n_items), items)
        return found.reshape(len(users), -1).astype(np.float32, copy=False)


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> TemporalModel:
    chosen = {name: settings.get(name, default) for name, (_, _, default) in SETTINGS.items()}
    clock = Clock.of(train, chosen["bins"])
    train = replace(train, values=train.values / np.float32(chosen["unit"]))
    mean = float(train.values.mean(dtype=np.float64)) if len(train.values) else 0.0
    parts = start(train, clock, chosen["factors"], seed)
    moment = moments(clock, train.users, np.asarray(train.times))
    random = generator(seed, "order of ratings")
    for number in range(chosen["passes"]):
        rate = DECAY**number * chosen["rate"]
        go_over(  # type: ignore[call-arg]  # mypy cannot count the parameters
            random.permutation(len(train.items)),
            train.users,
            train.items,
            train.values - np.float32(mean),
            *moment,
            *_arrays(parts),
            np.float32(rate),
            np.float32(rate if chosen["moving"] else 0),
            np.float32(chosen["bias_penalty"]),
            np.float32(chosen["lambda"]),
        )
    return TemporalModel(mean, chosen["unit"], clock, parts)


def moments(clock: Clock, users: NDArray[np.integer], times: Times) -> Any:
    return clock.drift(users, times), clock.session(users, times), clock.bin(times)


def start(train: Ratings, clock: Clock, factors: int, seed: int) -> Parameters:
    random = generator(seed, "initial parameters")

    def normal(rows: int) -> Floats:
        return np.float32(START) * random.standard_normal((rows, factors), np.float32)

    return Parameters(
        np.zeros(train.n_users, np.float32),
        np.zeros(train.n_users, np.float32),
        np.zeros(len(clock.sessions) + 1, np.float32),
        np.zeros(train.n_items, np.float32),
        np.zeros((train.n_items, clock.bins), np.float32),
        normal(train.n_users),
        normal(train.n_items),
    )


def _arrays(parts: Parameters) -> Any:
    return tuple(vars(parts).values())


@njit(cache=True, nogil=True, fastmath=SUMS)
def guess_pair(
    u,
    i,
    drift,
    session,
    part,
    user_bias,
    user_drift,
    session_bias,
    item_bias,
    bin_bias,
    user_vectors,
    item_vectors,
):
    """The prediction without the mean."""
    guess = user_bias[u] + user_drift[u] * drift + session_bias[session]
    guess += item_bias[i] + bin_bias[i, part]
    for f in range(user_vectors.shape[1]):
        guess += user_vectors[u, f] * item_vectors[i, f]
    return guess


@njit(cache=True, nogil=True, fastmath=SUMS)
def go_over(
    order,
    users,
    items,
    targets,
    drift,
    session,
    part,
    user_bias,
    user_drift,
    session_bias,
    item_bias,
    bin_bias,
    user_vectors,
    item_vectors,
    rate,
    moving_rate,
    bias_penalty,
    penalty,
):
    """One pass over all ratings in the order given."""
    keep = np.float32(1) - rate * penalty
    for at in order:
        u, i, s, b = users[at], items[at], session[at], part[at]
        error = targets[at] - guess_pair(
            u,
            i,
            drift[at],
            s,
            b,
            user_bias,
            user_drift,
            session_bias,
            item_bias,
            bin_bias,
            user_vectors,
            item_vectors,
        )
        user_bias[u] += rate * (error - bias_penalty * user_bias[u])
        item_bias[i] += rate * (error - bias_penalty * item_bias[i])
        user_drift[u] += moving_rate * (error * drift[at] - bias_penalty * user_drift[u])
        session_bias[s] += moving_rate * (error - bias_penalty * session_bias[s])
        bin_bias[i, b] += moving_rate * (error - bias_penalty * bin_bias[i, b])
        step = rate * error
        for f in range(user_vectors.shape[1]):
            p = user_vectors[u, f]
            user_vectors[u, f] = keep * p + step * item_vectors[i, f]
            item_vectors[i, f] = keep * item_vectors[i, f] + step * p


@njit(cache=True, nogil=True)
def predict_pairs(
    users,
    items,
    drift,
    session,
    part,
    user_bias,
    user_drift,
    session_bias,
    item_bias,
    bin_bias,
    user_vectors,
    item_vectors,
    found,
):
    for n in range(len(users)):
        found[n] = guess_pair(
            users[n],
            items[n],
            drift[n],
            session[n],
            part[n],
            user_bias,
            user_drift,
            session_bias,
            item_bias,
            bin_bias,
            user_vectors,
            item_vectors,
        )
