"""CofiRank: factors that rank each user's rated items by NDCG (Weimer et al. 2007; steck2010 6.1).

The sum of the users' losses (see the kernels) plus λ/2 (‖U‖² + ‖M‖²) is made small for the user
vectors U and the item vectors M in turn, each by a bundle method: slopes of the loss are collected as
planes below it, and the next point is the lowest of the planes with the penalty. Ratings count as at
most five grades: a scale with more values is cut into five equal parts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.declared import Real, Whole
from mnar.core.errors import UserError
from mnar.core.palette import WINE
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.models._about import About
from mnar.models._cofirank_kernels import (
    Tables,
    gather_items,
    measure_users,
    solve_dual,
    solve_users,
)

ABOUT = About(
    label="CofiRank",
    description="Factors that rank observed ratings by NDCG, by a bundle method.",
    colour=WINE,
    marker="D",
    family="observed ratings",
    settings=(
        Whole("factors", "length of the vectors", default=100, goes_on=False),
        Real("lambda", "penalty on the parameters", above=0, default=1.0),
        Whole("top", "places of the list that count", default=10, goes_on=False),
        Whole("rounds", "times that users and items are solved in turn", default=8, goes_on=False),
        Whole("planes", "planes of a bundle at most", least=2, default=10, goes_on=False),
    ),
)
GRADES = 5
# c of Weimer et al.: position^-0.25.
POWER = -0.25
# A bundle ends when it is known to be this near to its minimum, as a share of it.
GAP = 1e-3
ROWS = 32

Doubles = NDArray[np.float64]


def fit(train: Ratings, settings: dict[str, Any], seed: int, threads: int) -> FactorModel:
    chosen = ABOUT.complete(settings)
    grades, n_grades = grades_of(train.values)
    longest = int(np.diff(train.indptr).max(initial=0))
    tables = make_tables(chosen["top"], n_grades, longest)
    # A whole number in the config would have the kernels compiled once more.
    penalty = float(chosen["lambda"])
    problem = Problem(train, grades, tables, penalty, chosen["planes"], threads)
    random = generator(seed, "initial parameters")
    scale = chosen["factors"] ** -0.5
    items, users = (
        scale * random.standard_normal((rows, chosen["factors"]))
        for rows in (train.n_items, train.n_users)
    )
    for number in range(chosen["rounds"]):
        problem.move_users(users, items)
        if number < chosen["rounds"] - 1:
            items = problem.move_items(users, items)
    return FactorModel.without_biases(users, items)


def grades_of(values: NDArray[np.float32]) -> tuple[NDArray[np.int64], int]:
    """0, 1, … for each rating, and how many grades there are."""
    known, grades = np.unique(values, return_inverse=True)
    if len(known) < 2:
        raise UserError(
            "Method cofirank learns from ratings that differ, but all training ratings of this view "
            "are the same; choose a view with keep: all."
        )
    if len(known) <= GRADES:
        return grades, len(known)
    parts = (values - known[0]) / (known[-1] - known[0]) * GRADES
    return parts.astype(np.int64).clip(max=GRADES - 1), GRADES


def make_tables(positions: int, n_grades: int, longest: int) -> Tables:
    """States are all ways to fill up to this number of positions with items of the grades."""
    by_total: list[list[tuple[int, ...]]] = [[(0,) * n_grades]]
    for _ in range(positions):
        more = {_one_more(state, g) for state in by_total[-1] for g in range(n_grades)}
        by_total.append(sorted(more))
    states = [state for some in by_total for state in some]
    index = {state: number for number, state in enumerate(states)}
    previous = [
        [index.get(_one_more(state, g, -1), -1) for g in range(n_grades)] for state in states
    ]
    weights = (1.0 + np.arange(longest + positions + 1)) ** POWER
    discounts = 1 / np.log2(np.arange(positions) + 2.0)
    gains = 2.0 ** (1 + np.arange(n_grades)) - 1
    # Lowest grades first is the worst order of a state.
    worst = np.array([discounts @ np.repeat(gains, state) for state in by_total[positions]])
    order = np.argsort(worst, kind="stable")
    starts = np.concatenate([[0], np.cumsum([len(some) for some in by_total])])
    return Tables(
        weights,
        np.concatenate([[0], np.cumsum(weights)]),
        discounts,
        gains,
        np.array(states, np.int64),
        np.array(previous, np.int64),
        starts.astype(np.int64),
        starts[positions] + order,
        worst[order],
    )


def _one_more(state: tuple[int, ...], grade: int, by: int = 1) -> tuple[int, ...]:
    return tuple(count + by * (g == grade) for g, count in enumerate(state))


class Problem:
    """The losses of all users, as a function of the one side or the other."""

    def __init__(
        self,
        train: Ratings,
        grades: NDArray[np.int64],
        tables: Tables,
        penalty: float,
        planes: int,
        threads: int,
    ) -> None:
        self.rows = (train.indptr, train.items, grades, tables)
        self.n_users, self.n_items = train.n_users, train.n_items
        self.penalty, self.planes, self.threads = penalty, planes, threads
        # The entries of each item, as they are numbered in the rows of users.
        self.entries = np.argsort(train.items, kind="stable")
        self.item_users = train.users[self.entries]
        counts = np.bincount(train.items, minlength=train.n_items)
        self.item_starts = np.concatenate([[0], np.cumsum(counts)])

    def move_users(self, users: Doubles, items: Doubles) -> None:
        def work(first: int, last: int) -> None:
            solve_users(  # type: ignore[call-arg]  # mypy cannot count the parameters
                first, last, *self.rows, items, self.penalty, self.planes, GAP, users
            )

        for_blocks(work, self.n_users, self.threads, ROWS)

    def move_items(self, users: Doubles, items: Doubles) -> Doubles:
        """One bundle for all items together: every user's loss depends on many of them."""
        slopes: list[Doubles] = []
        offsets, shares = np.empty(self.planes), np.zeros(self.planes)
        products = np.empty((self.planes, self.planes))
        shares[0] = 1
        best, smallest = items, np.inf
        for t in range(self.planes):
            loss, slope = self.measure(users, items)
            value = loss + self.penalty / 2 * _product(items, items)
            if value < smallest:
                best, smallest = items, value
            slopes.append(slope)
            offsets[t] = loss - _product(slope, items)
            for s in range(t + 1):
                products[t, s] = products[s, t] = _product(slope, slopes[s])
            bound = solve_dual(products, offsets, t + 1, self.penalty, shares)
            if smallest - bound <= GAP * smallest:
                break
            items = np.zeros_like(slope)
            for share, one in zip(shares, slopes, strict=False):
                items -= share / self.penalty * one
        return best

    def measure(self, users: Doubles, items: Doubles) -> tuple[float, Doubles]:
        """The losses of all users, and their derivative by the item vectors."""
        losses, slopes = np.empty(self.n_users), np.empty(len(self.entries))
        out = np.empty_like(items)

        def by_user(first: int, last: int) -> None:
            measure_users(  # type: ignore[call-arg]
                first, last, *self.rows, users, items, losses, slopes
            )

        def by_item(first: int, last: int) -> None:
            gather_items(
                first, last, self.item_starts, self.item_users, self.entries, slopes, users, out
            )

        for_blocks(by_user, self.n_users, self.threads, ROWS)
        for_blocks(by_item, self.n_items, self.threads, ROWS)
        return float(losses.sum()), out


def _product(one: Doubles, other: Doubles) -> float:
    return float(np.dot(one.ravel(), other.ravel()))
