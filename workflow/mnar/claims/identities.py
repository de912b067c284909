"""Statements of mathematics, checked with the pipeline's own measures on random rankings.

Each function gives whether it is right, the numbers, and how it was checked. Nothing is read from
files, so the verdict is the same wherever it is asked for.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import chdtrc

from mnar.core.seeds import generator
from mnar.matrices.view import Entries, View
from mnar.measures.atop import atop
from mnar.measures.discounted_gain import adg
from mnar.measures.ranking import RankCounts
from mnar.measures.recall import recall
from mnar.measures.topk import topk
from mnar.reporting.published_numbers import read_published
from mnar.splits.track2 import EACH, draw_unrated

Found = tuple[bool, str, str]

RANKINGS = 10_000
ITEMS = 60
EXACT = 1e-12


@dataclass(frozen=True)
class Rankings:
    """Many users with random ranks (0 is first) of their relevant items, ascending in each user."""

    user: np.ndarray
    rank: np.ndarray
    n_users: int

    @classmethod
    def random(cls, name: str) -> "Rankings":
        random = generator("claims", name)
        positions = random.permuted(np.tile(np.arange(ITEMS), (RANKINGS, 1)), axis=1)
        relevant = random.integers(1, ITEMS, RANKINGS)
        chosen = np.arange(ITEMS)[None, :] < relevant[:, None]
        user, rank = np.nonzero(chosen)[0], positions[chosen]
        order = np.lexsort((rank, user))
        return cls(user[order], rank[order], RANKINGS)

    @property
    def perfect(self) -> "Rankings":
        """The same users with all relevant items on top."""
        return replace(self, rank=self.position)

    @property
    def relevant(self) -> np.ndarray:
        """How many relevant items a user has."""
        return np.bincount(self.user, minlength=self.n_users)

    @property
    def position(self) -> np.ndarray:
        """How many relevant items of the same user stand above an item."""
        starts = np.cumsum(self.relevant) - self.relevant
        return np.arange(len(self.user)) - starts[self.user]

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Mean over each user's relevant items."""
        return np.bincount(self.user, values, minlength=self.n_users) / self.relevant

    def counts(self, tied: int = 1) -> RankCounts:
        """As the measures take them; `tied` items share each place."""
        n = len(self.user)
        return RankCounts(
            user=self.user.astype(np.int32),
            item=np.arange(n, dtype=np.int32),
            above=self.rank.astype(np.int32),
            tied=np.full(n, tied, np.int32),
            relevant_above=self.position.astype(np.int32),
            relevant_tied=np.ones(n, np.int32),
            n_candidates=np.full(n, ITEMS, np.int32),
            n_relevant=self.relevant[self.user].astype(np.int32),
            n_users=self.n_users,
            n_items=ITEMS,
        )


def _exact(gaps: np.ndarray) -> Found:
    worst = float(np.abs(gaps).max())
    return (
        worst <= EXACT,
        f"largest deviation {worst:.1e}",
        f"{RANKINGS:,} random rankings, ≤ 1e−12",
    )


def cost_increments() -> Found:
    """C(k) = 1 − 1/log2(k + 2) is a sum of positive, ever smaller steps (lim2015 Eq. 4)."""
    # Written as one quotient a step keeps its digits where neighbouring values of C agree.
    k = np.arange(10**6 + 1, dtype=np.float64)
    log = np.log2(k + 2)
    steps = np.log1p(1 / (k[:-1] + 2)) / np.log(2) / (log[:-1] * log[1:])
    right = bool(1 - 1 / log[0] == 0 and (steps > 0).all() and (np.diff(steps) < 0).all())
    numbers = f"C(0) = {1 - 1 / log[0]:g}, steps from {steps[0]:.3g} down to {steps[-1]:.3g}"
    return right, numbers, "steps of C for k = 1 … 1,000,000"


def adg_is_mean_cost() -> Found:
    """1 − ADG is the mean of C(rank) over the relevant items (lim2015 Eq. 3)."""
    drawn = Rankings.random("adg_is_mean_cost")
    cost = drawn.mean(1 - 1 / np.log2(drawn.rank + 2))
    return _exact(1 - drawn.mean(adg(drawn.counts())) - cost)


def auc_from_atop() -> Found:
    """AUC by counting pairs against (1 + (N+ − 1)/N−)·ATOP − (N+ − 1)/(2 N−) (steck2010 2.4)."""
    drawn = Rankings.random("auc_from_atop")
    more, rest = drawn.relevant - 1, ITEMS - drawn.relevant
    # Of the items above a relevant one, those that are not relevant are on the wrong side.
    auc = drawn.mean(1 - (drawn.rank - drawn.position) / rest[drawn.user])
    area = drawn.mean(atop(drawn.counts()))
    right, numbers, how = _exact((1 + more / rest) * area - more / (2 * rest) - auc)
    printed = float(np.abs((1 + more / rest) * area + more / (2 * rest) - auc).max())
    return right, f"{numbers}; with the printed + sign up to {printed:.3g}", how


def auc_near_atop() -> Found:
    """|AUC − ATOP| ≤ (N+ − 1)/N− for every user (pradel2012 section 2.2)."""
    drawn = Rankings.random("auc_near_atop")
    rest = ITEMS - drawn.relevant
    auc = drawn.mean(1 - (drawn.rank - drawn.position) / rest[drawn.user])
    gap = np.abs(auc - drawn.mean(atop(drawn.counts())))
    excess = float((gap - (drawn.relevant - 1) / rest).max())
    return excess <= EXACT, f"largest excess {excess:.1e}", f"{RANKINGS:,} random rankings"


def upper_bounds() -> Found:
    """ATOP ≤ 1 − (N+ − 1)/(2(N − 1)) and TOPK ≤ k'/N+, both reached by the perfect ranking."""
    drawn = Rankings.random("upper_bounds")
    positions = np.maximum(1, drawn.relevant // 2)
    bounds = [
        1 - (drawn.relevant - 1) / (2 * (ITEMS - 1)),
        np.minimum(1, positions / drawn.relevant),
    ]
    gaps = {}
    for name, ranked in (("random", drawn), ("perfect", drawn.perfect)):
        counts = ranked.counts()
        wanted = positions[ranked.user]
        in_top = np.empty(len(wanted))
        for k in np.unique(positions):
            in_top[wanted == k] = recall(counts, k)[wanted == k]
        means = [ranked.mean(one) for one in (atop(counts), in_top)]
        gaps[name] = np.array([mean - bound for mean, bound in zip(means, bounds, strict=True)])
    excess, missed = float(gaps["random"].max()), float(np.abs(gaps["perfect"]).max())
    numbers = f"largest excess {excess:.1e}, perfect ranking off by {missed:.1e}"
    how = f"{RANKINGS:,} random rankings and the perfect ones"
    return excess <= EXACT and missed <= EXACT, numbers, how


def constant_predictor() -> Found:
    """All observed ratings are 5; predicting 5 has no error, and ranks by chance (steck2010 1)."""
    # Half of the films are of the kind a user likes; only those were rated, all with 5.
    observed = np.full(ITEMS // 2, 5.0)
    rmse = float(np.sqrt(np.mean((observed - 5.0) ** 2)))
    liked = Rankings(np.zeros(ITEMS // 2, np.int64), np.zeros(ITEMS // 2, np.int64), 1)
    counts = liked.counts(tied=ITEMS)
    area, top = (float(values.mean()) for values in (atop(counts), topk(counts, 0.2)))
    chance = (int(0.2 * (ITEMS - 1)) + 1) / ITEMS
    right = rmse == 0 and abs(area - 0.5) < EXACT and abs(top - chance) < EXACT
    numbers = f"RMSE {rmse:g}, ATOP {area:g}, TOPK(20 %) {top:g} where chance gives {chance:g}"
    return right, numbers, "a user likes half of the films, all films are candidates"


def precision_from_recall() -> Found:
    """precision = recall · N+ / k' (steck2010 section 2.1)."""
    drawn = Rankings.random("precision_from_recall")
    gaps = []
    for k in (1, 5, 20):
        hits = np.bincount(drawn.user[drawn.rank < k], minlength=drawn.n_users)
        gaps.append(drawn.mean(recall(drawn.counts(), k)) * drawn.relevant / k - hits / k)
    return _exact(np.array(gaps))


def published_arithmetic() -> Found:
    """RMSE 21 of 100 is 0.84 of 1 to 5, and R² follows from the printed variances (kddcup2011 5)."""
    ours = {
        "scale": (21 / 25, 0.84, 0.005),
        "R² Yahoo": (1 - 21**2 / 1084.5, 0.593, 0.0005),
        "R² Netflix": (1 - 0.732 / 1.276, 0.426, 0.0005),
    }
    right = all(abs(value - theirs) <= within for value, theirs, within in ours.values())
    numbers = ", ".join(
        f"{name} {value:.4f} ({theirs})" for name, (value, theirs, _) in ours.items()
    )
    return right, numbers, "computed again from the printed numbers"


def table3_arithmetic() -> Found:
    """39, 48 and 50 % more, from the printed TOPK of AllRank and of the integrated model."""
    pairs = {"39 %": (9.3, 6.7), "48 %": (23.3, 15.7), "50 %": (64.8, 43.0)}
    gains = {name: first / second - 1 for name, (first, second) in pairs.items()}
    right = all(abs(100 * gains[name] - float(name[:2])) < 1 for name in pairs)
    numbers = ", ".join(f"{name}: {100 * gain:.1f} %" for name, gain in gains.items())
    return right, numbers, "ratios of the printed numbers"


def track_sizes() -> Found:
    """The parts of both tracks add up to the totals (kddcup2011 Table 1)."""
    sizes = read_published("kddcup2011", "datasets").set_index("task").fillna(0)
    totals = sizes[["train", "validation", "test"]].sum(axis=1).astype(int)
    track1, track2 = (sizes.loc[name] for name in ("track1", "track2"))
    right = (
        totals["track1"] == 262_810_175
        and totals["track2"] == 62_551_438
        and track1["validation"] == 4 * track1["users"]
        and track1["test"] == 6 * track1["users"]
        and track2["test"] == 6 * 101_172
    )
    numbers = f"sums {totals['track1']:,} and {totals['track2']:,}; 4 and 6 ratings a user"
    return bool(right), numbers, "arithmetic of the printed sizes"


def contest_histogram() -> Found:
    """Teams and submissions that the text counts, against the histogram (kddcup2011 Table 2)."""
    histogram = read_published("kddcup2011", "table2")
    anchors = read_published("kddcup2011", "anchors")
    right, numbers = True, []
    for track in ("track1", "track2"):
        facts = anchors[anchors["dataset"] == track].set_index(["quantity", "condition"])["value"]
        teams = histogram[f"teams_{track}"]
        ends = [int((teams * histogram[f"submissions_{end}"]).sum()) for end in ("from", "to")]
        submissions = facts["submissions"].item()
        right &= teams.sum() == facts["teams", "ever submitted"]
        right &= ends[0] <= submissions <= ends[1]
        numbers.append(f"{track}: {teams.sum():,} teams, {ends[0]:,} to {ends[1]:,} submissions")
    return bool(right), "; ".join(numbers), "arithmetic of the printed histogram"


def track2_sampling() -> Found:
    """The first unrated item is drawn in proportion to its number of high ratings."""
    random = generator("claims", "track2_sampling")
    users, items = 20_000, 12
    weights = np.arange(1, items + 1) * 3
    # Every user has rated item 0 and one other, which must not be drawn.
    rated = np.column_stack([np.zeros(users, int), random.integers(1, items, users)])
    pairs = Entries(
        np.repeat(np.arange(users), 2).astype(np.int32),
        rated.ravel().astype(np.int32),
        np.full(2 * users, 5, np.float32),
        np.ones(2 * users, np.bool_),
        np.full(2 * users, -1, np.int64),
    )
    none = Entries(*(part[:0] for part in vars(pairs).values()))
    view = View(np.arange(users), np.arange(items), pairs, none, np.empty((items, 0), np.int32))
    _, drawn = draw_unrated(view, weights, np.arange(users), random)
    drawn = drawn.reshape(users, EACH)
    allowed = np.tile(weights.astype(float), (users, 1))
    allowed[np.arange(users)[:, None], rated] = 0
    expected = (allowed / allowed.sum(axis=1, keepdims=True)).sum(axis=0)[1:]
    counts = np.bincount(drawn[:, 0], minlength=items)[1:]
    p = float(chdtrc(len(counts) - 1, np.sum((counts - expected) ** 2 / expected)))
    clean = not (drawn[:, :, None] == rated[:, None, :]).any()
    numbers = f"chi-square p {p:.3g} over {users:,} users; no rated item drawn: {clean}"
    return clean and p > 0.001, numbers, "first of three draws, at a fixed seed, p > 0.001"
