"""Every claim on every dataset of a page: a verdict with its numbers, or the missing data."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from mnar.claims import generated, verdict_files
from mnar.claims.entries import ABOUT_BEHAVIOUR, Claim, Test
from mnar.claims.outcome import UNTESTABLE, Missing, Outcome, untestable
from mnar.claims.tidy_tables import Data, Files, path_of
from mnar.statistics.comparison import benjamini_hochberg

COLUMNS = (
    "id", "paper", "place", "statement", "kind", "on", "dataset", "verdict", "numbers", "value",
    "low", "high", "p", "q", "how", "file", "readings", "fingerprint",
)  # fmt: skip
# What a verdict is about.
MATHEMATICS, OWN, STAND_IN = "mathematics", "own data", "stand-in"
Pairs = Collection[tuple[str, str]]


class PageVerdicts:
    """`files` are all that may be read; `pairs` are the (experiment, dataset) of the page,
    `datasets` those of the config."""

    def __init__(
        self, files: Iterable[str | Path], pairs: Pairs, datasets: Mapping[str, Mapping[str, Any]]
    ):
        self.files, self.pairs, self.datasets = Files(files), pairs, datasets

    def rows(self, claims: Sequence[Claim]) -> pd.DataFrame:
        found = [row for claim in claims for row in self._rows(claim)]
        return with_q(pd.DataFrame(found, columns=list(COLUMNS)))

    def _rows(self, claim: Claim) -> Iterator[dict[str, Any]]:
        if not claim.files:
            yield self._row(claim, "", _tested(claim.test, self._data(claim, "")))
            return
        here = datasets_here(claim, self.pairs)
        for dataset in here:
            yield self._on(claim, dataset)
        for dataset in claim.datasets:
            if dataset not in here:
                yield self._row(claim, dataset, untestable(self._needs(dataset)))
        if not here and not claim.datasets:
            reason = f"needs {', '.join(claim.stand_ins)}: not on this page"
            yield self._row(claim, "", untestable(reason))

    def _data(self, claim: Claim, dataset: str) -> Data:
        return Data(self.files, claim.paper, dataset, claim.files)

    def _needs(self, dataset: str) -> str:
        source = self.datasets.get(dataset, {}).get("source", "")
        return f"needs {dataset}{f': {source}' if source else ''}"

    def _on(self, claim: Claim, dataset: str) -> dict[str, Any]:
        data = self._data(claim, dataset)
        outcome, file = _tested(claim.test, data), path_of(claim.files[0], claim.paper, dataset)
        main = claim.main_reading or "as above"
        is_generated = self._is_generated(dataset) and claim.kind in ABOUT_BEHAVIOUR
        if is_generated and outcome.verdict != UNTESTABLE:
            outcome, used_grid = self._generated(claim, outcome)
            file = generated.GRID if used_grid else file
            main = "over the grid of generators" if used_grid else main
        readings = self._readings(claim, data, f"{main}: {outcome.verdict}", is_generated)
        return self._row(claim, dataset, outcome, file, readings)

    def _is_generated(self, dataset: str) -> bool:
        return "generator" in self.datasets.get(dataset, {})

    def _generated(self, claim: Claim, outcome: Outcome) -> tuple[Outcome, bool]:
        """The grid's verdict where there is one; without it the usual settings demonstrate."""
        if claim.grid is None or not self.files.has(generated.GRID):
            return generated.demonstration(outcome), False
        grid = self.files.frame(generated.GRID)
        try:
            judged = generated.judge(claim.grid(grid), grid, claim.scope)
        except KeyError as error:
            return untestable(f"{generated.GRID} has no column {error.args[0]}"), True
        numbers = f"{judged.numbers}; at the usual settings {outcome.verdict}"
        if outcome.numbers:
            numbers += f" ({outcome.numbers})"
        return replace(judged, numbers=numbers), True

    def _readings(self, claim: Claim, data: Data, main: str, is_generated: bool) -> str:
        """How many ways the paper was read, and the verdict under each."""
        if not claim.readings:
            return ""
        parts = [main]
        for name, test in claim.readings.items():
            other = _tested(test, data)
            details = other.how if other.verdict == UNTESTABLE else other.numbers
            shown = is_generated and other.verdict != UNTESTABLE
            verdict = f"{other.verdict} at the usual settings" if shown else other.verdict
            parts.append(f"{name}: {verdict}" + (f" ({details})" if details else ""))
        return f"{len(parts)} readings" + "".join(f"{verdict_files.BULLET}{part}" for part in parts)

    def _row(
        self, claim: Claim, dataset: str, outcome: Outcome, file: str = "", readings: str = ""
    ) -> dict[str, Any]:
        tested = outcome.verdict != UNTESTABLE
        how = f"{outcome.how} ({claim.why})" if claim.why and tested else outcome.how
        own = dataset in (*claim.datasets, "") and not self._is_generated(dataset)
        about = OWN if own else STAND_IN
        found = outcome.measured
        return {
            "id": claim.id,
            "paper": claim.paper,
            "place": claim.place,
            "statement": claim.statement,
            "kind": claim.kind,
            "on": MATHEMATICS if claim.is_mathematics else about,
            "dataset": dataset,
            "verdict": outcome.verdict,
            "numbers": outcome.numbers,
            "value": found.value if found else float("nan"),
            "low": found.low if found else float("nan"),
            "high": found.high if found else float("nan"),
            "p": outcome.p,
            "how": how,
            "file": file if self.files.has(file) else "",
            "readings": readings,
            "fingerprint": claim.fingerprint,
        }


def with_q(rows: pd.DataFrame) -> pd.DataFrame:
    """Benjamini and Hochberg's q over the empirical verdicts of each paper; it does not decide."""
    rows = rows.assign(q=float("nan"))
    empirical = rows["p"].notna() & (rows["on"] != MATHEMATICS)
    for _, mine in rows[empirical].groupby("paper", sort=False):
        rows.loc[mine.index, "q"] = benjamini_hochberg(mine["p"])
    return rows


def _tested(test: Test, data: Data) -> Outcome:
    try:
        return test(data)
    except Missing as reason:
        return untestable(str(reason))


def datasets_here(claim: Claim, pairs: Pairs) -> list[str]:
    """The datasets of the page that can decide a claim: the paper's own first."""
    on_page = [dataset for experiment, dataset in pairs if experiment == claim.experiment]
    own = [dataset for dataset in claim.datasets if dataset in on_page]
    others = [d for d in on_page if claim.can_stand_in(d) and d not in own]
    return list(dict.fromkeys([*own, *others]))


def on_page(claims: Sequence[Claim], pairs: Pairs, page: str) -> list[Claim]:
    """A page of one experiment lists the claims that it decides; other pages list all claims."""
    experiments = {experiment for experiment, _ in pairs}
    if page in experiments:
        return [c for c in claims if c.experiment == page or (not c.files and c.paper == page)]
    return list(claims)
