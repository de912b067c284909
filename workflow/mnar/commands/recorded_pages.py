"""python -m mnar recorded-pages: write the tables and findings of README.md and docs/ from recorded results.

They stand between marks, `<!-- recorded NAME: make docs-recorded -->` and `<!-- end -->`. NAME is a table
that mnar.experiments.trust.page_tables makes, `answer` or `findings` of the page, `run` (when, at which
commit, in how long), or a recorded table such as steck2010/movielens-1m/table2, of which words after it
pick rows; `no-notes` leaves its notes in its file. A number in a sentence is a link to its file whose
title picks it, and is written, too:
`[0.924](reproduction/steck2010/movielens-1m/table2.csv "mean of method=svd, measure=atop")`; after
`100 × ` it is a percentage, and nothing behind `=` asks for an empty cell. With --check nothing is
written: the pages are compared with what is recorded.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mnar.config.file import read_file
from mnar.core.errors import UserError
from mnar.core.files import atomic

PAGES = [Path("README.md"), Path("docs/trust.md"), Path("docs/reproduction.md")]
MARKED = re.compile(r"(<!-- recorded ([^:\n]+): make docs-recorded -->)\n.*?<!-- end -->", re.S)
LINKED = re.compile(r'\[([^\]\n]*)\]\(([^)\s]+\.csv) "(100 × )?(\w+) of ([^"]+)"\)')
NO_NOTES = "no-notes"
STORY = ("answer", "findings", "run")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="mnar recorded-pages", description=__doc__.partition(": ")[2].splitlines()[0]
    )
    parser.add_argument("--folder", type=Path, default=Path("docs/reproduction"))
    parser.add_argument("--pages", type=Path, nargs="+", default=PAGES)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    asked = parser.parse_args(arguments)
    try:
        before = {page: _read(page) for page in asked.pages}
        recorded = Recorded(asked.folder)
        after = {page: rewritten(text, recorded, page.parent) for page, text in before.items()}
    except UserError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    other = [page for page in before if before[page] != after[page]]
    if asked.check:
        for page in other:
            print(
                f"{page} has other numbers than {asked.folder}: run `make docs-recorded`.",
                file=sys.stderr,
            )
        return int(bool(other))
    for page in other:
        with atomic(page) as path:
            path.write_text(after[page], encoding="utf-8")
    print(f"The numbers of {', '.join(map(str, before))} are those of {asked.folder}.")
    return 0


def _read(page: Path) -> str:
    try:
        return page.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{page} cannot be read ({error.strerror or error}); run this in the folder of the project, or "
            "name other --pages."
        ) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{page} is not UTF-8; save it as UTF-8.") from error


def names(text: str) -> list[str]:
    """What stands between the marks of a page."""
    return [name for _, name in MARKED.findall(text)]


def rewritten(text: str, recorded: "Recorded", folder: Path) -> str:
    """The page in `folder` with what is recorded between its marks."""

    def between(found: re.Match[str]) -> str:
        return f"{found[1]}\n\n{recorded.text(found[2], folder)}\n\n<!-- end -->"

    def linked(found: re.Match[str]) -> str:
        value = _picked(folder / found[2], found[4], found[5]) * (100 if found[3] else 1)
        return found[0].replace(f"[{found[1]}]", f"[{_as_before(found[1], value)}]", 1)

    return LINKED.sub(linked, MARKED.sub(between, text))


def _picked(file: Path, column: str, where: str) -> float:
    """The value of a column in the one row that has these values in others."""
    import pandas as pd

    if not file.exists():
        raise UserError(f"{file} is not there: run `make reproduction` first.")
    rows = pd.read_csv(file)
    conditions = dict(one.split("=", 1) for one in where.split(", "))
    unknown = {column, *conditions} - set(rows.columns)
    if unknown:
        raise UserError(f"{file} has no column {', '.join(sorted(unknown))}.")
    for name, value in conditions.items():
        numeric = rows[name].dtype.kind in "if"
        same = (
            rows[name].isna() if not value else rows[name] == (float(value) if numeric else value)
        )
        rows = rows[same]
    if len(rows) != 1:
        raise UserError(f"{file}: {len(rows)} rows have {where}; a number needs one.")
    return float(rows[column].iloc[0])


def _as_before(old: str, value: float) -> str:
    """A number with the decimals, the sign and the unit that the old one has."""
    decimals = len(re.sub(r"\D", "", old.partition(".")[2]))
    sign = "+" if old[:1] in ("+", "−") else "-"
    unit = " %" if old.endswith(" %") else ""
    return f"{value:{sign},.{decimals}f}{unit}".replace("-", "−")


class Recorded:
    """What is recorded in a folder, as text for the pages; each part is made when it is asked for."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.config = read_file("config.yaml")
        self._trust: dict[str, str] = {}
        self._story: dict[str, list[Any]] = {}

    def text(self, name: str, beside: Path) -> str:
        """What stands under a name, on a page in the folder `beside`."""
        if name in STORY:
            return self._told(name)
        if "/" in name:
            return self._table(name, beside)
        if not self._trust:
            from mnar.experiments.trust.page_tables import page_tables

            self._trust = page_tables(self.folder / "trust", self.config["datasets"])
        if name not in self._trust:
            raise UserError(
                f"There is no table {name!r} for a page. Known are {', '.join(self._trust)}, "
                f"{', '.join(STORY)}, and the files in {self.folder}."
            )
        return self._trust[name]

    def _table(self, name: str, beside: Path) -> str:
        """A recorded table, its caption linked to its data, and its notes; words pick rows."""
        stem, *words = name.split()
        picked = [word for word in words if word != NO_NOTES]
        file = self.folder / f"{stem}.md"
        if not file.exists():
            raise UserError(f"{file} is not there: run `make reproduction` first.")
        caption, *lines = file.read_text(encoding="utf-8").strip().split("\n")
        head = [number for number, line in enumerate(lines) if line.startswith("|")][:2]
        kept = [
            line
            for number, line in enumerate(lines)
            if number in head or not line.startswith("|") or not picked or _label(line) in picked
        ]
        if NO_NOTES in words:
            kept = [line for line in kept if not line.startswith("- ")]
        odd = set(picked) - {_label(line) for line in lines}
        if odd:
            raise UserError(f"{file} has no row {', '.join(sorted(odd))}.")
        link = os.path.relpath(file.with_suffix(".csv"), beside)
        return "\n".join([f"[{caption}]({Path(link).as_posix()})", *kept]).strip()

    def _told(self, part: str) -> str:
        """The answer or the findings of the page, as they follow from recorded results alone."""
        from mnar.reporting import recording
        from mnar.reporting.page_findings import Numbers, story

        parts = recording.load(self.folder)["parts"]
        if part == "run":
            return _run(parts)
        if not self._story:
            order = list(self.config["experiments"])
            sections = [tuple(one.split("/")) for one in parts if "/" in one]
            sections.sort(key=lambda section: order.index(section[0]))
            self._story = story(Numbers(sections, self.config, self.folder))
        if part == "answer":
            return " ".join(self._story["answer"])
        return "\n".join(
            f"- **{one.question}** {f'{one.answer.capitalize()}: ' if one.answer else ''}{one.brief}."
            for one in self._story["findings"]
        )


def _run(parts: dict[str, Any]) -> str:
    """When, where and in what time the recorded parts were made."""
    dates = sorted({part["date"] for part in parts.values()})
    commits = sorted({part["commit"][:7] for part in parts.values()})
    cpu_hours = sum(part["time"]["cpu_seconds"] for part in parts.values()) / 3600
    machine = next(iter(parts.values()))["machine"]
    return (
        f"Recorded on {' and '.join(dates)} at commit {' and '.join(commits)}, on "
        f"{machine['cores']} cores ({machine['processor']}), in {cpu_hours:.1f} CPU hours."
    )


def _label(line: str) -> str:
    """The first cell of a row, without a mark behind it."""
    return line.split("|")[1].split()[0] if line.startswith("|") else ""
