"""Figure 1 of pradel2012 as numbers: how ratings differ by the popularity of items.

Items are in three classes by how often they are rated: the head, the tail, and the middle.
β/α, the chance that a negative rating is observed over that of a positive one, follows from the
odds of a positive rating: odds(random) / odds(user-selected), where it is constant in a class.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.matrices.context import head_items
from mnar.matrices.view import Entries, View
from mnar.statistics.bootstrap import interval, resampled_sums, user_samples

HEAD, TAIL = 0.047, 0.753
CLASSES = ("head", "middle", "tail")
SOURCES = ("user-selected", "random")
SAMPLES = 500


def classes_of(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """0 head, 1 middle, 2 tail for each item, by the number of its ratings."""
    head, not_tail = head_items(counts, HEAD), head_items(counts, 1 - TAIL)
    return np.where(head, 0, np.where(not_tail, 1, 2))


def top_share(counts: NDArray[np.integer], share: float) -> float:
    """The share of all ratings that the most rated items have."""
    top = head_items(counts, share)
    return float(counts[top].sum() / counts.sum())


@dataclass(frozen=True)
class Popularity:
    """Ratings of a view by class of item; `counts` are ratings of each item."""

    view: View
    seed: str

    @property
    def counts(self) -> NDArray[np.int64]:
        return np.bincount(self.view.ratings.item, minlength=self.view.shape[1])

    @property
    def classes(self) -> NDArray[np.int64]:
        return classes_of(self.counts)

    @property
    def sources(self) -> dict[str, Entries]:
        parts = zip(SOURCES, (self.view.ratings, self.view.random), strict=True)
        return {name: entries for name, entries in parts if len(entries)}

    def distribution(self) -> pd.DataFrame:
        """The share of each rating value by source and class."""
        rows = []
        levels = np.unique(np.concatenate([e.rating for e in self.sources.values()]))
        for source, entries in self.sources.items():
            classes = self.classes[entries.item]
            for number, name in enumerate(CLASSES):
                mine = entries.rating[classes == number]
                for level in levels:
                    rows.append(
                        {
                            "fact": "rating_share",
                            "class": name,
                            "source": source,
                            "rating": float(level),
                            "mean": float((mine == level).mean()) if len(mine) else np.nan,
                            "n": len(mine),
                        }
                    )
        return pd.DataFrame(rows)

    def facts(self) -> pd.DataFrame:
        """Shares of items and ratings, positives, odds ratios and β/α, with intervals over users."""
        rows = []

        def add(fact: str, name: str, mean: float, source: str = "", **more: float) -> None:
            rows.append({"fact": fact, "class": name, "source": source, "mean": mean, **more})

        counts, classes = self.counts, self.classes
        for number, name in enumerate(CLASSES):
            mine = classes == number
            add("item_share", name, float(mine.mean()))
            add("rating_share_of_class", name, float(counts[mine].sum() / counts.sum()))
            add("ratings_per_item", name, float(counts[mine].mean()) if mine.any() else np.nan)
        add(
            "ratings_per_item_head_over_tail", "", _over(counts[classes == 0], counts[classes == 2])
        )
        for source, entries in self.sources.items():
            add("mean_rating", "", float(entries.rating.mean()), source, n=len(entries))
            add("positive_share", "", float(entries.relevant.mean()), source, n=len(entries))
            top = (entries.rating == self.highest).astype(np.float64)
            low, high = interval(self._mean(entries.user, top)[1])
            ends = {"low": low, "high": high}
            add("highest_rating_share", "", float(top.mean()), source, n=len(entries), **ends)
            shares = [
                float(entries.relevant[classes[entries.item] == c].mean())
                if (classes[entries.item] == c).any()
                else np.nan
                for c in range(len(CLASSES))
            ]
            for name, share in zip(CLASSES, shares, strict=True):
                add("positive_share", name, share, source)
            add("positive_share_max_over_min", "", max(shares) / min(shares), source)
        if len(self.sources) == len(SOURCES):
            rows += self._compared()
        return pd.DataFrame(rows)

    @property
    def highest(self) -> float:
        return float(max(entries.rating.max() for entries in self.sources.values()))

    def _compared(self) -> list[dict]:
        """User-selected against random ratings."""
        # Positive and negative ratings of each user by source and class: [source, class, sign].
        cells = np.stack([self._by_user(entries) for entries in self.sources.values()])
        odds = _odds(cells.sum(axis=-1))
        sums = np.moveaxis(resampled_sums(cells, self._samples), -1, 0)
        sampled = _odds(sums)
        rows = []

        def add(fact: str, name: str, mean: float, samples: NDArray[np.float64]) -> None:
            low, high = interval(samples)
            rows.append(
                {"fact": fact, "class": name, "source": "", "mean": mean, "low": low, "high": high}
            )

        ratio, ratios = odds[0] / odds[1], sampled[:, 0] / sampled[:, 1]
        for number, name in enumerate(CLASSES):
            add("odds_ratio", name, ratio[number], ratios[:, number])
            add("beta_over_alpha", name, 1 / ratio[number], 1 / ratios[:, number])
        shares, sampled_shares = (one / (1 + one) for one in (odds, sampled))
        spread, spreads = (one.max(axis=-1) / one.min(axis=-1) for one in (shares, sampled_shares))
        add(
            "positive_share_max_over_min_difference",
            "",
            spread[0] - spread[1],
            spreads[:, 0] - spreads[:, 1],
        )
        add("odds_ratio_tail_over_head", "", ratio[2] / ratio[0], ratios[:, 2] / ratios[:, 0])
        whole = _odds(cells.sum(axis=(1, 3)))
        wholes = _odds(sums.sum(axis=2))
        add("odds_ratio", "all", whole[0] / whole[1], wholes[:, 0] / wholes[:, 1])
        sides = [self._mean(e.user, e.rating) for e in self.sources.values()]
        means, varied = zip(*sides, strict=True)
        add("mean_rating_difference", "", means[0] - means[1], varied[0] - varied[1])
        return rows

    def _by_user(self, entries: Entries) -> NDArray[np.float64]:
        users = self.view.shape[0]
        cells = np.zeros((len(CLASSES), 2, users))
        signs = np.where(entries.relevant, 0, 1)
        np.add.at(cells, (self.classes[entries.item], signs, entries.user), 1)
        return cells

    @property
    def _samples(self) -> NDArray[np.float64]:
        return user_samples(self.view.shape[0], SAMPLES, self.seed, "figure1")

    def _mean(self, users: NDArray, values: NDArray) -> tuple[float, NDArray[np.float64]]:
        """Over ratings; as it is, and in each bootstrap sample of users."""
        number = self.view.shape[0]
        sums = [np.bincount(users, weights, number) for weights in (values, np.ones(len(values)))]
        total, count = (resampled_sums(part, self._samples) for part in sums)
        return float(values.mean(dtype=np.float64)), total / count


def _odds(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positive over negative (last axis); half a rating more in each, so that none is empty."""
    return (cells[..., 0] + 0.5) / (cells[..., 1] + 0.5)


def _over(first: NDArray[np.integer], second: NDArray[np.integer]) -> float:
    return float(first.mean() / second.mean()) if len(first) and len(second) else float("nan")
