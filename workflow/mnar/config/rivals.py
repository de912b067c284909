"""Which methods of a study are compared, and in what their searches may differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any


@dataclass(frozen=True)
class Rivals:
    """One entry of `rivals`: all methods with each other, or with those they stand against."""

    methods: tuple[str, ...]
    against: tuple[str, ...] = ()
    # Parameters that may differ; on these datasets only, if any are named.
    unlike: frozenset[str] = frozenset()
    datasets: tuple[str, ...] = ()

    def pairs(self) -> Iterator[tuple[str, str]]:
        if self.against:
            return product(self.methods, self.against)
        return combinations(self.methods, 2)

    def holds_on(self, dataset: str) -> bool:
        return not self.datasets or dataset in self.datasets


def groups(study: Mapping[str, Any]) -> list[Rivals]:
    return [_group(entry) for entry in study.get("rivals", [])]


def _group(entry: list[str] | Mapping[str, Any]) -> Rivals:
    given: Mapping[str, Any] = {"methods": entry} if isinstance(entry, list) else entry
    return Rivals(
        methods=tuple(given["methods"]),
        against=tuple(given.get("against", ())),
        unlike=frozenset(given.get("unlike", ())),
        datasets=tuple(given.get("datasets", ())),
    )


def pairs(study: Mapping[str, Any], dataset: str) -> dict[frozenset[str], frozenset[str]]:
    """The pairs that are compared, each with the parameters in which their searches may differ."""
    found: dict[frozenset[str], frozenset[str]] = {}
    for group in groups(study):
        for pair in map(frozenset, group.pairs() if group.holds_on(dataset) else ()):
            found[pair] = found.get(pair, frozenset()) | group.unlike
    return found
