"""python -m mnar trust-page: write the tables of docs/trust.md from recorded results.

All numbers of what came out stand in these tables, between marks. With --check nothing is written:
the page is compared with what is recorded.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from mnar.core.errors import UserError
from mnar.core.files import atomic

MARK = "<!-- table {name}: make docs-trust -->"
END = "<!-- end -->"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="mnar trust-page", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("docs/reproduction/trust"))
    parser.add_argument("--page", type=Path, default=Path("docs/trust.md"))
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    asked = parser.parse_args(arguments)
    try:
        before = asked.page.read_text(encoding="utf-8")
        after = rewritten(before, _tables(asked.folder))
    except UserError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    if asked.check:
        if after != before:
            print(
                f"{asked.page} has other numbers than {asked.folder}: run `make docs-trust`.",
                file=sys.stderr,
            )
        return int(after != before)
    with atomic(asked.page) as path:
        path.write_text(after, encoding="utf-8")
    print(f"The tables of {asked.page} are those of {asked.folder}.")
    return 0


def _tables(folder: Path) -> dict[str, str]:
    """Imported here: whoever asks for help alone would wait for pandas."""
    import yaml

    from mnar.experiments.trust.page_tables import page_tables

    config = yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))
    return page_tables(folder, config["datasets"])


def marks(text: str) -> list[str]:
    """The names of the tables of a page."""
    return re.findall(MARK.format(name=r"([\w-]+)"), text)


def rewritten(text: str, tables: Mapping[str, str]) -> str:
    """The page with every table between its marks."""
    there = marks(text)
    if sorted(there) != sorted(tables):
        odd = ", ".join(sorted(set(there) ^ set(tables)) or there)
        raise UserError(
            f"The page and the command differ in their tables: {odd}. Mend one of them."
        )

    def between(found: re.Match[str]) -> str:
        return f"{found[1]}\n\n{tables[found[2]]}\n\n{END}"

    start = MARK.format(name=r"([\w-]+)")
    return re.sub(rf"({start})\n.*?{END}", between, text, flags=re.S)
