"""The names of estimators: a measure, a tilde, a weighting, and its arguments in brackets.

    adg~naive
    recall@10~snips(popularity, gamma=0.5)
    atop~snips(known, clip=0.95)
    auc~aman
    rmse~dr(logistic)
    adg~sampled(100, popularity)

Without a tilde a measure is its naive estimator.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from mnar import measures
from mnar.core.errors import UserError
from mnar.estimators import propensities

_WORD = re.compile("[a-z_]+")


def _declaring(estimated: str) -> tuple[str, ...]:
    """The families whose measures declare this, by the first word of their names."""
    known = measures.known_measures().items()
    mine = [name for name, one in known if getattr(one, "estimated", None) == estimated]
    return tuple(sorted({found[0] for found in map(_WORD.match, mine) if found}))


ERRORS = ("rmse", "mae")
# Means over relevant items: a weighted mean of them estimates the mean over all relevant items.
MEANS = _declaring("mean")
# Their normaliser depends on how many relevant items are held out: no weights can mend that.
NORMALISED = _declaring("normalised")
FITS = {
    "naive": (*MEANS, *NORMALISED, "auc", *ERRORS),
    "snips": (*MEANS, "auc", *ERRORS),
    "ips": MEANS,
    "wtd": MEANS,
    "aman": ("auc",),
    "dr": ERRORS,
    "sampled": MEANS,
}
WEIGHTED = ("snips", "ips", "wtd", "dr")
# They divide by a known number, so a chance that is right up to a factor is not enough.
ABSOLUTE = ("ips", "dr")
DRAWN = ("uniform", "popularity")

_FORM = re.compile(r"(?P<measure>[^~]+?)(?:~(?P<weighting>[a-z]+)(?:\((?P<inside>.*)\))?)?")
# Up to 999,999: that many items are drawn for each user.
_SIZE = re.compile("0*[1-9][0-9]{0,5}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Estimator:
    """A name taken apart."""

    measure: str
    weighting: str = "naive"
    model: str | None = None
    settings: tuple[tuple[str, float], ...] = field(default=())
    # Weights above this quantile are cut.
    clip: float | None = None
    # sampled: among how many items, and how these are drawn.
    size: int = 0
    drawn: str = "uniform"

    @property
    def kind(self) -> str:
        """The family of the measure."""
        return kind_of(self.measure)

    @property
    def pairs(self) -> str:
        """The kind of pairs that it averages: see mnar.estimators.selected_ratings.PAIRS."""
        if self.kind == "auc":
            return "liked" if self.weighting == "aman" else "compared"
        return "rated" if self.kind in ERRORS else "liked"

    @property
    def gain(self) -> str:
        """Which values of pairs it takes the mean of: see mnar.estimators.gains."""
        if self.weighting == "aman":
            return "auc_aman"
        if self.weighting == "sampled":
            return f"{self.measure}|{self.drawn}|{self.size}"
        return f"{self.measure}|dr" if self.weighting == "dr" else self.measure

    @property
    def weights(self) -> tuple:
        """Estimators that agree in this share their weights."""
        same = {"sampled": "naive", "ips": "snips", "dr": "snips"}
        weighting = same.get(self.weighting, self.weighting)
        return self.pairs, weighting, self.model, self.settings, self.clip

    @property
    def average(self) -> str:
        return "user" if self.kind in NORMALISED else "pair"

    @property
    def scheme(self) -> str:
        """The name without the measure."""
        inside = [self.model] if self.model else []
        inside += [f"{key}={value:g}" for key, value in self.settings]
        if self.clip is not None:
            inside.append(f"clip={self.clip:g}")
        if self.weighting == "sampled":
            inside = [str(self.size)] + [self.drawn] * (self.drawn != "uniform")
        return self.weighting + (f"({', '.join(inside)})" if inside else "")

    def __str__(self) -> str:
        return f"{self.measure}~{self.scheme}"


def kind_of(measure: str) -> str:
    if measure in ERRORS:
        return measure
    measures.check(measure)
    found = _WORD.match(measure)
    assert found
    return found[0]


@cache
def parse(name: str) -> Estimator:
    """The estimator that a name stands for."""
    name = _spelt_out(name.replace(" ", ""))
    found = _FORM.fullmatch(name)
    if found is None:
        raise UserError(f"{name!r} is no estimator; write one like adg~snips(popularity).")
    measure, weighting = found["measure"], found["weighting"] or "naive"
    if weighting not in FITS:
        raise UserError(f"Unknown weighting in {name!r}; known are {', '.join(FITS)}.")
    if kind_of(measure) not in FITS[weighting]:
        fits = ", ".join(FITS[weighting])
        raise UserError(f"Weighting {weighting!r} of {name!r} fits these measures only: {fits}.")
    given = [part for part in (found["inside"] or "").split(",") if part]
    words = [part for part in given if "=" not in part]
    numbers = _each_once(name, [part for part in given if "=" in part])
    if weighting in WEIGHTED:
        return _weighted(name, measure, weighting, words, numbers)
    if weighting == "sampled":
        return _sampled(name, measure, words, numbers)
    if given:
        raise UserError(f"Weighting {weighting!r} takes nothing in brackets; found {name!r}.")
    return Estimator(measure, weighting)


def check_in_study(name: str) -> None:
    """Raise a UserError unless a study without simulated selection can have this estimator."""
    one = parse(name)
    of_trust = one.model is not None and propensities.load(one.model).OF_TRUST
    if of_trust or one.weighting == "ips":
        raise UserError(
            f"{name!r} rests on what only the experiment trust has; take popularity or logistic."
        )


def check_measure(name: str) -> None:
    """Raise a UserError unless the estimator can be among the measures of a study."""
    check_in_study(name)
    one = parse(name)
    if one.kind not in MEANS or one.weighting not in ("naive", "snips", "wtd"):
        raise UserError(
            f"{name!r} is no weighted mean over relevant items; name it under `estimators` instead."
        )


def modules_of(names: Iterable[str]) -> list[str]:
    """The modules of measures and propensity models that these measures and estimators need."""
    spelt = [_spelt_out(name) for name in names]
    found = [parse(name) for name in spelt if "~" in name]
    # An estimator takes errors by itself; the absolute one is no measure, so it has no file.
    plain = {name for name in spelt if "~" not in name} - {"mae"}
    plain |= {one.measure for one in found if one.measure not in ERRORS}
    models = {propensities.module_name(one.model) for one in found if one.model}
    return [*measures.modules_of(plain), *sorted(models)]


def _spelt_out(name: str) -> str:
    """As mnar.measures has it, of a name without a tilde that is a measure there."""
    return name if "~" in name or name in ERRORS else measures.spelt_out(name)


def _weighted(
    name: str, measure: str, weighting: str, words: list[str], numbers: dict[str, str]
) -> Estimator:
    if len(words) != 1:
        raise UserError(
            f"{name!r} must name one propensity model; known are {', '.join(propensities.names())}."
        )
    [model] = words
    module = propensities.load(model)
    if weighting in ABSOLUTE and not module.ABSOLUTE:
        raise UserError(
            f"{name!r}: the chances of {model} are right up to a factor only, and {weighting} needs "
            "probabilities; take snips."
        )
    settings = {key: _number(name, value) for key, value in numbers.items()}
    clip = settings.pop("clip", None)
    if clip is not None and not (weighting == "snips" and 0 < clip <= 1):
        raise UserError(f"{name!r}: clip is a quantile above 0 and at most 1, of snips only.")
    for key in settings:
        if key not in module.SETTINGS:
            known = ", ".join(["clip", *module.SETTINGS])
            raise UserError(f"{name!r}: unknown setting {key!r}; known are {known}.")
    return Estimator(measure, weighting, model, tuple(sorted(settings.items())), clip)


def _sampled(name: str, measure: str, words: list[str], numbers: dict[str, str]) -> Estimator:
    size = words[0] if words else ""
    drawn = words[1] if len(words) == 2 else "uniform"
    if numbers or len(words) > 2 or drawn not in DRAWN or not _SIZE.fullmatch(size):
        raise UserError(
            f"{name!r}: write sampled(100), or sampled(100, popularity), of 1 to 999999."
        )
    return Estimator(measure, "sampled", size=int(size), drawn=drawn)


def _each_once(name: str, given: list[str]) -> dict[str, str]:
    """The settings `key=value`, none of them twice."""
    found: dict[str, str] = {}
    for part in given:
        key, _, value = part.partition("=")
        if key in found:
            raise UserError(f"{name!r}: {key} is there twice; keep one of them.")
        found[key] = value
    return found


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise UserError(f"{name!r}: {text!r} is not a number.")
    if not math.isfinite(float(text)):
        raise UserError(f"{name!r}: {text!r} is not finite; give a smaller number.")
    return float(text)


def label(name: str) -> str:
    """How figures and tables show a weighting."""
    one = parse(name)
    if one.weighting == "sampled":
        kind = "popular" if one.drawn == "popularity" else "random"
        return f"ranked among {one.size} {kind} items"
    words = {"naive": "naive", "aman": "missing = negative", "dr": "doubly robust"}
    text = words.get(one.weighting, one.weighting.upper())
    if one.model is None:
        return text
    inside = one.model.replace("-", " ")
    settings = dict(one.settings)
    if one.model == "popularity":
        inside += f", γ = {settings.get('gamma', 1):g}"
    if one.clip is not None:
        inside += f", clipped at {one.clip:g}"
    return f"{text}, {inside}"
