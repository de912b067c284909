"""Tables: a tidy CSV for machines, Markdown for reading, LaTeX for papers."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from mnar import markup
from mnar.files import atomic, write_text


@dataclass(frozen=True)
class Table:
    """`tidy` has one number a row; `shown` is the same laid out as in the paper, as text."""

    tidy: pd.DataFrame
    shown: pd.DataFrame
    caption: str
    notes: list[str] = field(default_factory=list)
    # Cells of `shown` in bold, as (row, column) positions.
    bold: frozenset[tuple[int, int]] = frozenset()


def write_table(table: Table, stem: str | Path) -> None:
    stem = Path(stem)
    with atomic(stem.with_name(stem.name + ".csv")) as temporary:
        table.tidy.to_csv(temporary, index=False, lineterminator="\n")
    write_text(stem.with_name(stem.name + ".md"), _markdown(table))
    write_text(stem.with_name(stem.name + ".tex"), _latex(table, stem.name))


def _markdown(table: Table) -> str:
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _marked(table, "**", "**")]
    body = markup.markdown(list(map(str, table.shown)), rows, _sides(table))
    notes = "".join(f"\n- {note}" for note in table.notes)
    return f"{table.caption}\n\n{body}\n" + (f"{notes}\n" if notes else "")


def _latex(table: Table, label: str) -> str:
    rows = _marked(table, r"\textbf{", "}", markup.latex_text)
    caption = re.sub(r"[&%$#_{}]", r"\\\g<0>", " ".join([table.caption, *table.notes]))
    names = list(map(str, table.shown))
    return markup.latex(names, rows, _sides(table), caption, f"tab:{label}")


def _marked(
    table: Table, start: str, end: str, written: Callable[[str], str] = str
) -> list[list[str]]:
    """The cells as text, each as it is `written`; those in bold between start and end."""
    rows = [
        [written(str(cell)) for cell in row]
        for row in table.shown.itertuples(index=False, name=None)
    ]
    for row, column in table.bold:
        rows[row][column] = f"{start}{rows[row][column]}{end}"
    return rows


def _sides(table: Table) -> str:
    """Numbers to the right, words to the left."""
    columns = (table.shown.iloc[:, place] for place in range(table.shown.shape[1]))
    return "".join("r" if _looks_numeric(column) else "l" for column in columns)


def _looks_numeric(column: pd.Series) -> bool:
    texts = [str(value).strip("* ") for value in column if str(value).strip("* –")]
    return bool(texts) and all(text[0] in "+-−0123456789<≤." for text in texts)


def number(value: Any, digits: int = 4) -> str:
    """A number as text; a dash where there is none."""
    if value is None or pd.isna(value):
        return "–"
    return f"{value:.{digits}f}".replace("-", "−")


def with_error(value: Any, error: Any, digits: int = 4) -> str:
    """As the papers print it: the mean, its standard error in brackets."""
    if value is None or pd.isna(value):
        return "–"
    if error is None or pd.isna(error):
        return number(value, digits)
    return f"{number(value, digits)} ({number(error, digits)})"


def across(tidy: pd.DataFrame, name: str) -> Table:
    """The same table of several datasets side by side, ours beside published."""
    ours = tidy.assign(
        cell=[with_error(m, e) for m, e in zip(tidy["mean"], tidy["sem"], strict=True)]
    )
    theirs = tidy[tidy["published"].notna()]
    theirs = theirs.assign(
        cell=[number(value) for value in theirs["published"]],
        method=theirs["method"] + ", published",
    )
    both = pd.concat([ours, theirs])
    shown = both.pivot_table(
        index=["measure", "method"], columns="dataset", values="cell", aggfunc="first", sort=False
    )
    shown = shown.fillna("–").sort_index(level="measure", sort_remaining=True, kind="stable")
    return Table(tidy, shown.reset_index(), f"{name} across datasets, ours beside published.")
