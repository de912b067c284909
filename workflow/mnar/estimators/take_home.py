"""What Γ of two systems means, in a sentence, and the Γ that data suggest to hold it against.

docs/trust.md says where the suggested ones come from; a test compares them with that page.
"""

from collections.abc import Iterable

import numpy as np

from mnar.estimators.estimator_names import MEANS, Estimator, parse
from mnar.estimators.sensitivity import Flip

# Around equal weights, and around popularity (γ = 1): the Γ of each dataset.
SUGGESTED = {
    "equal weights": {"Coat": 2.20, "CM100k": 2.97, "Yahoo! Music": 2.30},
    "popularity": {"Coat": 1.45, "CM100k": 1.36, "Yahoo! Music": 2.12},
}


def sentence(
    name: str, first: str, second: str, lead: float, gamma: float, low: float, high: float
) -> str:
    """The conclusion of an estimator from first − second, its 95 % interval, and Γ."""
    one = parse(name)
    if low <= 0 <= high:
        return (
            f"{one}: {first} and {second} cannot be told apart, since the interval of their "
            "difference contains 0."
        )
    flip = Flip("first" if lead > 0 else "second" if lead < 0 else "", abs(lead), gamma)
    pairs = "liked items" if one.kind in MEANS else "pairs of a liked and another item"
    return f"{one}: {flip.sentence(first, second, _beyond(one), pairs)}"


def suggestions(names: Iterable[str]) -> list[str]:
    """What data suggest of the weights of these estimators; nothing is known of others."""
    around = dict.fromkeys(filter(None, map(_around, map(parse, names))))
    return [_suggestion(one) for one in around]


def _suggestion(around: str) -> str:
    found = SUGGESTED[around]
    least, most = (pick(found, key=found.__getitem__) for pick in (min, max))
    low, high = found[least], found[most]
    return (
        f"Γ that data suggest around {around}: {low:.2f} ({least}) to {high:.2f} ({most}), which is "
        f"{low**2:.1f} to {high**2:.1f} times. A lead that less would turn proves nothing."
    )


def _around(one: Estimator) -> str | None:
    """Which of the suggestions are about these weights."""
    if one.kind not in MEANS or one.weighting not in ("naive", "snips", "ips") or one.clip:
        return None
    # Chances by the rating value are nearly the same for all liked items.
    if one.model in (None, "naive-bayes"):
        return "equal weights"
    gamma = dict(one.settings).get("gamma", 1.0)
    return "popularity" if one.model == "popularity" and np.isclose(gamma, 1) else None


def _beyond(one: Estimator) -> str:
    """What the weights take into account already."""
    words = {
        "popularity": "popularity",
        "logistic": "what counts and means of users and items tell",
        "naive-bayes": "what the rating itself tells",
        "known": "the true chances",
        "published": "the published chances",
    }
    return words.get(one.model or "", "")
