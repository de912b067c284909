"""The user model of pradel2012 section 3: which ranking each measure prefers, in closed form.

One cluster of users likes item i with probability x_i; a positive rating is observed with
probability α_i, a negative one with β_i, each item independently. Then the expected measure is
largest for the ranking by

    AUC         P(positive | observed) = α x / (α x + β (1 − x))
    AUC_AMAN    P(observed and positive) = α x
    weighted    the same share with missing ratings as negatives of weight w (section 3.4):
                α x / (α x + β (1 − x) + w (1 − α x − β (1 − x)))

while x itself gives the true one. The items are those of the generator.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mnar.core.palette import BLACK, BLUE, GREEN, ORANGE, RED, SKY
from mnar.core.seeds import generator
from mnar.data.synthetic import Settings, generate
from mnar.experiments.pradel2012.popularity_classes import classes_of
from mnar.reporting.figure_format import Figure, subplots
from mnar.statistics.correlation import kendall

EXPONENTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2)
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
UNIFORM = 0.25
WEIGHTS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0)
# The strengths that the paper estimates from Yahoo!: β/α in tail and head, ratings head over tail.
YAHOO_RATIOS, YAHOO_POPULARITY = (0.14, 0.36), 17.0
SAMPLED_USERS = 200

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cluster:
    """x, α and β of each item, and its class by exposure: 0 head, 1 middle, 2 tail."""

    positive: Floats
    alpha: Floats
    beta: Floats
    classes: NDArray[np.int64]

    @property
    def observed(self) -> Floats:
        return self.alpha * self.positive + self.beta * (1 - self.positive)

    def scores(self, weight: float) -> Floats:
        """The sorting key of the weighted measure; weight 0 is AUC, weight 1 AUC_AMAN."""
        return self.alpha * self.positive / (self.observed + weight * (1 - self.observed))

    def auc(self, scores: Floats) -> float:
        """AUC of a ranking on observed ratings: its expected right pairs over all expected pairs."""
        return _pairs(scores, self.alpha * self.positive, self.beta * (1 - self.positive))

    def true_auc(self, scores: Floats) -> float:
        return _pairs(scores, self.positive, 1 - self.positive)

    def sampled_auc(self, scores: Floats, *seed: object) -> tuple[float, float]:
        """The same from drawn users, with its standard error."""
        random = generator(*seed)
        shape = (SAMPLED_USERS, len(scores))
        order = np.argsort(-scores, kind="stable")
        likes = random.random(shape) < self.positive[order]
        seen = random.random(shape) < np.where(likes, self.alpha[order], self.beta[order])
        good, bad = likes & seen, ~likes & seen
        below = bad.sum(axis=1, keepdims=True) - bad.cumsum(axis=1)
        right, pairs = (good * below).sum(axis=1), good.sum(axis=1) * bad.sum(axis=1)
        auc = right.sum() / pairs.sum()
        return float(auc), float(np.sqrt(np.sum((right - auc * pairs) ** 2)) / pairs.sum())


def _pairs(scores: Floats, good: Floats, bad: Floats) -> float:
    """Σ good_i · bad_j over pairs with i above j, over Σ of all pairs of different items."""
    order = np.argsort(-scores, kind="stable")
    good, bad = good[order], bad[order]
    right = np.sum(good * (bad.sum() - np.cumsum(bad)))
    return float(right / (good.sum() * bad.sum() - np.sum(good * bad)))


def clusters(settings: Settings) -> Iterator[tuple[dict[str, Any], Cluster]]:
    """The generator's items under each strength of popularity and positivity."""
    for exponent in EXPONENTS:
        for strength in STRENGTHS:
            yield (
                {"popularity": exponent, "positivity": strength},
                _cluster(settings, exponent, strength),
            )
        yield (
            {"popularity": exponent, "positivity": "uniform"},
            _cluster(settings, exponent, (UNIFORM, UNIFORM)),
        )
    yield {"popularity": "yahoo", "positivity": "yahoo"}, as_estimated(settings)


def _cluster(
    settings: Settings, exponent: float, positivity: float | tuple[float, float]
) -> Cluster:
    """One user is enough: the items do not depend on how many there are."""
    settings = replace(settings, users=1, random_users=0, positivity=positivity)
    truth = generate(replace(settings, popularity_exponent=exponent)).truth
    return Cluster(truth.probability_positive(), truth.alpha, truth.beta, _classes(settings))


def _exposure(settings: Settings) -> Floats:
    """Exposure with exponent 1: few ratings a user and no positivity, so that none is capped."""
    plain = replace(settings, users=1, random_users=0, ratings_per_user=1.0, positivity=0.0)
    return _alpha(replace(plain, popularity_exponent=1.0))


@lru_cache(maxsize=1)
def _alpha(settings: Settings) -> Floats:
    """Of the last settings: those of exposure are the same for all strengths."""
    return generate(settings).truth.alpha


def _classes(settings: Settings) -> NDArray[np.int64]:
    exposure = _exposure(settings)
    return classes_of(np.argsort(np.argsort(exposure)))


def as_estimated(settings: Settings) -> Cluster:
    """β/α constant in each class, and as many more ratings in the head, as the paper estimates."""
    classes, exposure = _classes(settings), _exposure(settings)
    positive = _cluster(settings, 0.0, 0.0).positive
    tail, head = YAHOO_RATIOS
    ratio = np.array([head, np.sqrt(head * tail), tail])[classes]
    low, high = 0.0, 5.0
    for _ in range(50):
        exponent = (low + high) / 2
        alpha = (exposure / exposure.max()) ** exponent
        cluster = Cluster(positive, alpha, ratio * alpha, classes)
        rated = [cluster.observed[classes == c].mean() for c in (0, 2)]
        low, high = (exponent, high) if rated[0] / rated[1] < YAHOO_POPULARITY else (low, exponent)
    # As many ratings as asked for, or as the first item, always observed if liked, allows.
    alpha = alpha * min(1, settings.ratings_per_user / cluster.observed.sum())
    return Cluster(positive, alpha, ratio * alpha, classes)


def sweep(config: dict[str, Any]) -> pd.DataFrame:
    """One row for each strength of the two effects and each ranking."""
    settings = Settings.from_config(config)
    random = generator(settings.seed, "user model")
    rows = []
    for strengths, cluster in clusters(settings):
        # Another scale for each item must leave what AUC prefers as it is, another β AUC_AMAN.
        scale = random.uniform(0.1, 1, len(cluster.positive))
        scaled = replace(cluster, alpha=scale * cluster.alpha, beta=scale * cluster.beta)
        others = {"auc": scaled, "auc_aman": replace(cluster, beta=cluster.alpha)}
        rankings = {
            "true": cluster.positive,
            "auc": cluster.scores(0),
            "auc_aman": cluster.scores(1),
        }
        for name, scores in rankings.items():
            row = strengths | {"ranking": name, "weight": np.nan} | _described(cluster, scores)
            row["expected_auc"] = cluster.auc(scores)
            seed = (settings.seed, *strengths.values(), name)
            row["sampled_auc"], row["sampled_sem"] = cluster.sampled_auc(scores, *seed)
            if name in others:
                again = others[name].scores(0 if name == "auc" else 1)
                row["tau_unchanged"] = kendall(scores, again)
            rows.append(row)
        for weight in WEIGHTS:
            described = _described(cluster, cluster.scores(weight))
            rows.append(strengths | {"ranking": "weighted", "weight": weight} | described)
    return pd.DataFrame(rows)


def _described(cluster: Cluster, scores: Floats) -> dict[str, float]:
    """The distance of a ranking to the true one, and its effect on head and tail."""
    order = np.argsort(-scores, kind="stable")
    position = np.empty(len(order))
    position[order] = np.arange(len(order)) / (len(order) - 1)
    true_position = np.empty(len(order))
    true_position[np.argsort(-cluster.positive, kind="stable")] = np.arange(len(order)) / (
        len(order) - 1
    )
    tail = cluster.classes == 2
    return {
        "tau": kendall(scores, cluster.positive),
        "true_auc": 100 * cluster.true_auc(scores),
        "best_true_auc": 100 * cluster.true_auc(cluster.positive),
        "head_10": 100 * float((cluster.classes[order[:10]] == 0).mean()),
        # Above 0: tail items stand higher than they should, as a share of the list.
        "tail_lift": 100 * float((true_position - position)[tail].mean()),
    }


def draw(rows: pd.DataFrame, dataset: str) -> Figure:
    """Kendall's τ with the true order: against popularity, positivity and the weight of missing."""
    canvas, (left, middle, right) = subplots(1, 3, figsize=(11, 3.6), sharey=True)
    numeric = rows[~rows["positivity"].isin(["uniform", "yahoo"])]
    numeric = numeric.astype({"popularity": float, "positivity": float})
    _draw_strengths(left, middle, numeric)
    _draw_weights(right, numeric)
    left.set(xlabel="popularity exponent", ylabel="Kendall's τ with the true order")
    middle.set(xlabel="positivity strength")
    right.set(xlabel="weight of missing ratings as negatives")
    for axis in (left, middle, right):
        axis.set_ylim(0.3, 1.03)
        # Long enough that dashes can be told from a line.
        axis.legend(fontsize=7.5, loc="lower left", handlelength=3.5)
    rows = rows.copy()
    rows.insert(0, "dataset", dataset)
    caption = (
        "The order of items that each measure prefers under the user model of section 3, against the "
        "true order. Popularity alone leaves AUC right and misleads AUC-AMAN; positivity that differs "
        "between items misleads AUC; a small weight of missing ratings balances the two (right). Open "
        "marks: one effect alone."
    )
    return Figure(canvas, rows, caption)


def _draw_strengths(left: Axes, middle: Axes, numeric: pd.DataFrame) -> None:
    """AUC and AUC-AMAN against popularity (left) and against positivity (middle)."""
    looks = {"auc": (BLACK, "o", "AUC"), "auc_aman": (SKY, "s", "AUC-AMAN")}
    for ranking, (colour, marker, name) in looks.items():
        mine = numeric[numeric["ranking"] == ranking]
        for strength, line in ((0.0, "--"), (1.0, "-")):
            part = mine[mine["positivity"] == strength]
            words = "full" if strength else "no"
            left.plot(
                part["popularity"],
                part["tau"],
                line,
                color=colour,
                marker=marker,
                mfc=colour if strength else "white",
                ms=4 if strength else 7,
                label=f"{name}, {words} positivity",
            )
        for exponent, line in ((0.0, "--"), (0.8, "-")):
            part = mine[mine["popularity"] == exponent]
            words = f"exponent {exponent:g}" if exponent else "no popularity"
            middle.plot(
                part["positivity"],
                part["tau"],
                line,
                color=colour,
                marker=marker,
                mfc=colour if exponent else "white",
                ms=4 if exponent else 7,
                label=f"{name}, {words}",
            )


def _draw_weights(axis: Axes, numeric: pd.DataFrame) -> None:
    """The weighted measure against the weight of missing ratings; a star at its best weight."""
    cases = {
        "both effects": (0.8, 1.0, RED),
        "popularity alone": (0.8, 0.0, BLUE),
        "positivity alone": (0.0, 1.0, GREEN),
        "neither": (0.0, 0.0, ORANGE),
    }
    weighted = numeric[numeric["ranking"] == "weighted"]
    for name, (exponent, strength, colour) in cases.items():
        part = weighted[(weighted["popularity"] == exponent) & (weighted["positivity"] == strength)]
        positions = part["weight"].where(part["weight"] > 0, 1e-5)
        axis.plot(positions, part["tau"], color=colour, marker="o", ms=4, label=name)
        best = part["tau"].idxmax()
        if strength and exponent:
            axis.plot(positions[best], part["tau"][best], "*", color=colour, ms=14, mec="white")
    axis.set_xscale("log")
    axis.set_xticks([1e-5, 1e-4, 1e-3, 0.01, 0.1, 1], ["0", "0.0001", "0.001", "0.01", "0.1", "1"])
    axis.minorticks_off()
