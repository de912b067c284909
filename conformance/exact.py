"""The exact value of every measure of a case, by going through all orders of tied items.

It uses nothing but the definitions (docs/measures.md) and the standard library: no measure of the project.
"""

import math
from collections.abc import Callable, Iterator
from itertools import combinations, groupby, permutations, product
from statistics import fmean
from typing import Any

MEASURES = (
    *(
        "adg",
        "ndcg",
        "map",
        "atop",
        "auc_aman",
        "auc",
        "auc_rand",
        "recall@1",
        "recall@2",
        "recall@3",
    ),
    *("recall@2(0.5)", "topk(0)", "topk(0.5)", "head_2", "sampled_atop(3)", "sampled_topk(0.5,3)"),
    *("rmse", "track2_error"),
)
Case = dict[str, Any]


def orders(scores: list[float | None], items: list[int]) -> Iterator[list[int]]:
    """All orders of these items in which no item stands above one with a higher score."""

    def key(item: int) -> float:
        # What a system does not list stands below what it lists.
        score = scores[item]
        return math.inf if score is None else -score

    groups = [list(group) for _, group in groupby(sorted(items, key=key), key=key)]
    for parts in product(*(permutations(group) for group in groups)):
        yield [item for part in parts for item in part]


def discount(rank: int) -> float:
    return 1 / math.log2(rank + 2)


def area(ranks: dict[int, int], good: list[int], bad: list[int]) -> float | None:
    """How often a good item stands above a bad one."""
    pairs = [ranks[g] < ranks[b] for g in good for b in bad]
    return fmean(pairs) if pairs else None


def average_precision(ranks: dict[int, int], liked: list[int]) -> float:
    return fmean(
        sum(ranks[other] <= ranks[item] for other in liked) / (ranks[item] + 1) for item in liked
    )


def sampled(
    ranks: dict[int, int], item: int, size: int, gain: Callable[[int, int], float]
) -> float:
    """The mean gain of an item that is ranked among others, drawn without replacement."""
    others = [other for other in ranks if other != item]
    drawn = min(size - 1, len(others))
    return fmean(
        gain(sum(ranks[one] < ranks[item] for one in some), drawn)
        for some in combinations(others, drawn)
    )


def of_one_order(case: Case, user: int, order: list[int]) -> dict[str, float | None]:
    """The strict value of each measure for one user, if the list is in this order."""
    ranks = {item: rank for rank, item in enumerate(order)}
    rated = [row for row in case["test"] if row[0] == user]
    liked = [item for _, item, _, relevant in rated if relevant]
    disliked = [item for _, item, _, relevant in rated if not relevant]
    others = [item for item in order if item not in liked]
    last = len(order) - 1
    found: dict[str, float | None] = dict.fromkeys(MEASURES)
    if rated:
        head = order[:2]
        found["head_2"] = fmean(item in case["head"] for item in head) if head else None
    found["auc"] = area(ranks, liked, disliked)
    if not liked:
        return found
    gains = [discount(ranks[item]) for item in liked]
    found["adg"] = fmean(gains)
    found["ndcg"] = sum(gains) / sum(discount(rank) for rank in range(len(liked)))
    found["map"] = average_precision(ranks, liked)
    found["auc_aman"] = area(ranks, liked, others)
    for k in (1, 2, 3):
        found[f"recall@{k}"] = fmean(ranks[item] < k for item in liked)
    if last:
        found["atop"] = fmean((last - ranks[item]) / last for item in liked)
        found["sampled_atop(3)"] = fmean(
            sampled(ranks, item, 3, lambda above, drawn: 1 - above / drawn) for item in liked
        )
    for share in ("0", "0.5"):
        top = math.floor(float(share) * last) + 1
        found[f"topk({share})"] = fmean(ranks[item] < top for item in liked)
    found["sampled_topk(0.5,3)"] = fmean(
        sampled(ranks, item, 3, lambda above, drawn: above <= math.floor(0.5 * drawn))
        for item in liked
    )
    return found


def answers(case: Case) -> dict[str, float | None]:
    """The mean over users of the mean over orders; None where a measure is not defined."""
    users = range(len(case["scores"]))
    by_user: dict[str, list[float]] = {name: [] for name in MEASURES}
    for user in users:
        seen = [item for owner, item in case["train"] if owner == user]
        if case["candidates"] == "all":
            seen = []
        items = [item for item in range(len(case["scores"][user])) if item not in seen]
        every = [of_one_order(case, user, order) for order in orders(case["scores"][user], items)]
        for name in MEASURES:
            values = [one[name] for one in every]
            if None not in values:
                by_user[name].append(fmean(values))
    found = {name: fmean(values) if values else None for name, values in by_user.items()}
    found["recall@2(0.5)"] = stratified(case)
    found["auc_rand"] = by_chance(case)
    found["track2_error"] = track2(case)
    found["rmse"] = error(case)
    return found


def stratified(case: Case) -> float | None:
    """Pooled over users: each pair weighs (liked ratings of its item)^−0.5."""
    above = below = 0.0
    for user in range(len(case["scores"])):
        seen = [i for owner, i in case["train"] if owner == user and case["candidates"] == "unseen"]
        items = [item for item in range(len(case["scores"][user])) if item not in seen]
        liked = [item for owner, item, _, relevant in case["test"] if owner == user and relevant]
        every = list(orders(case["scores"][user], items))
        for item in liked:
            weight = case["positives"][item] ** -0.5
            above += weight * fmean(order.index(item) < 2 for order in every)
            below += weight
    return above / below if below else None


def by_chance(case: Case) -> float | None:
    values = []
    for user, scores in enumerate(case["scores"]):
        mine = [row for row in case["random"] if row[0] == user]
        good, bad = ([i for _, i, _, liked in mine if liked is which] for which in (True, False))
        areas = [
            area({item: rank for rank, item in enumerate(order)}, good, bad)
            for order in orders(scores, good + bad)
        ]
        if good and bad:
            values.append(fmean(areas))
    return fmean(values) if values else None


def track2(case: Case) -> float | None:
    """Of three liked and three drawn items, the share of liked ones that are not in the first three."""
    values = []
    for user in sorted({user for user, _ in case["drawn"]}):
        liked = [item for owner, item, _, relevant in case["test"] if owner == user and relevant]
        drawn = [item for owner, item in case["drawn"] if owner == user]
        every = orders(case["scores"][user], liked + drawn)
        values.append(fmean(fmean(item not in order[:3] for item in liked) for order in every))
    return fmean(values) if values else None


def error(case: Case) -> float | None:
    """Over all held-out ratings; not defined where one of them has no score."""
    scores = [case["scores"][user][item] for user, item, _, _ in case["test"]]
    if None in scores or not scores:
        return None
    squares = [(s - row[2]) ** 2 for s, row in zip(scores, case["test"], strict=True)]
    return math.sqrt(fmean(squares))
