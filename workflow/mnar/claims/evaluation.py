"""Every claim on every dataset of a page: a verdict with its numbers, or what is missing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from mnar.claims import generated, report
from mnar.claims.conditions import Test
from mnar.claims.entries import ABOUT_BEHAVIOUR, Claim
from mnar.claims.outcome import UNDECIDED, UNTESTABLE, Missing, Outcome
from mnar.claims.tables import Known, Tables

COLUMNS = (
    "id",
    "paper",
    "place",
    "statement",
    "dataset",
    "verdict",
    "numbers",
    "how",
    "file",
    "readings",
    "fingerprint",
)
Pairs = Collection[tuple[str, str]]


@dataclass(frozen=True)
class Evaluation:
    """`pairs` are the (experiment, dataset) of the page, `datasets` those of the config."""

    results: Path
    pairs: Pairs
    datasets: Mapping[str, Mapping[str, Any]]
    _known: Known = field(default_factory=Known)

    def rows(self, claims: Sequence[Claim]) -> pd.DataFrame:
        found = [row for claim in claims for row in self._rows(claim)]
        return pd.DataFrame(found, columns=list(COLUMNS))

    def _rows(self, claim: Claim) -> Iterator[dict[str, str]]:
        if not claim.file:
            yield self._row(claim, "", _applied(claim, self._tables("", "")))
            return
        here = datasets_here(claim, self.pairs)
        for dataset in here:
            yield self._on(claim, dataset)
        for dataset in claim.datasets:
            if dataset not in here:
                yield self._row(claim, dataset, Outcome(UNTESTABLE, "", self._needs(dataset)))
        if not here and not claim.datasets:
            reason = f"needs {', '.join(claim.stand_ins)}: not on this page"
            yield self._row(claim, "", Outcome(UNTESTABLE, "", reason))

    def _tables(self, dataset: str, file: str) -> Tables:
        return Tables(self.results, dataset, file, self._known)

    def _needs(self, dataset: str) -> str:
        source = self.datasets.get(dataset, {}).get("source", "")
        return f"needs {dataset}{f': {source}' if source else ''}"

    def _on(self, claim: Claim, dataset: str) -> dict[str, str]:
        tables = self._tables(dataset, claim.file)
        outcome, file = _applied(claim, tables), tables.name()
        demonstrates = (
            "generator" in self.datasets.get(dataset, {}) and claim.kind in ABOUT_BEHAVIOUR
        )
        main = claim.main_reading or "as above"
        if demonstrates:
            outcome, used_grid = self._generated(claim, outcome)
            file = generated.GRID if used_grid else file
            main = "over the grid of generators" if used_grid else main
        readings = self._readings(claim, dataset, f"{main}: {outcome.verdict}", demonstrates)
        return self._row(claim, dataset, outcome, file, readings)

    def _generated(self, claim: Claim, outcome: Outcome) -> tuple[Outcome, bool]:
        """The grid's verdict where there is one; never more than `undecided` without it."""
        if outcome.verdict == UNTESTABLE:
            return outcome, False
        if claim.grid:
            try:
                grid = self._tables("", generated.GRID).frame()
                judged = generated.judge(claim.grid, grid)
                numbers = f"{judged.numbers}; at the usual settings {outcome.verdict}"
                if outcome.numbers:
                    numbers += f" ({outcome.numbers})"
                return Outcome(judged.verdict, numbers, judged.how), True
            except Missing:
                pass
        if outcome.verdict == UNDECIDED:
            return outcome, False
        return generated.demonstration(outcome), False

    def _readings(self, claim: Claim, dataset: str, main: str, demonstrates: bool) -> str:
        """How many ways the paper was read, and the verdict under each."""
        if not claim.readings:
            return ""
        parts = [main]
        for reading in claim.readings:
            other = _tested(reading.test, self._tables(dataset, reading.file))
            details = other.how if other.verdict == UNTESTABLE else other.numbers
            shown = demonstrates and other.verdict != UNTESTABLE
            verdict = f"{other.verdict} at the usual settings" if shown else other.verdict
            parts.append(f"{reading.name}: {verdict}" + (f" ({details})" if details else ""))
        return f"{len(parts)} readings" + "".join(f"{report.BULLET}{part}" for part in parts)

    def _row(
        self, claim: Claim, dataset: str, outcome: Outcome, file: str = "", readings: str = ""
    ) -> dict[str, str]:
        return {
            "id": claim.id,
            "paper": claim.paper,
            "place": claim.place,
            "statement": claim.statement,
            "dataset": dataset,
            "verdict": outcome.verdict,
            "numbers": outcome.numbers,
            "how": outcome.how,
            "file": file if (self.results / file).is_file() else "",
            "readings": readings,
            "fingerprint": claim.fingerprint,
        }


def _applied(claim: Claim, tables: Tables) -> Outcome:
    """The verdict of the main test, with how its bounds were found."""
    outcome = _tested(claim.test, tables)
    if claim.why and outcome.verdict != UNTESTABLE:
        return replace(outcome, how=f"{outcome.how} ({claim.why})")
    return outcome


def _tested(test: Test, tables: Tables) -> Outcome:
    try:
        return test.apply(tables)
    except Missing as reason:
        return Outcome(UNTESTABLE, "", str(reason))


def datasets_here(claim: Claim, pairs: Pairs) -> list[str]:
    """The datasets of the page that can decide a claim: the paper's own first."""
    on_page = [dataset for experiment, dataset in pairs if experiment == claim.experiment]
    own = [dataset for dataset in claim.datasets if dataset in on_page]
    others = [d for d in on_page if claim.can_stand_in(d) and d not in own]
    return list(dict.fromkeys([*own, *others]))


def files_needed(claims: Sequence[Claim], pairs: Pairs) -> list[str]:
    """The files below results/ that decide the claims of a page."""
    needed = [
        file.replace("{dataset}", dataset)
        for claim in claims
        for dataset in datasets_here(claim, pairs)
        for file in claim.files
    ]
    return list(dict.fromkeys(needed))


def on_page(claims: Sequence[Claim], pairs: Pairs, page: str) -> list[Claim]:
    """A page of one experiment lists what that experiment decides; the others list everything."""
    experiments = {experiment for experiment, _ in pairs}
    if page in experiments:
        return [c for c in claims if c.experiment == page or (not c.file and c.paper == page)]
    return list(claims)
