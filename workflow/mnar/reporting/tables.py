"""Tables: a tidy CSV for machines, Markdown for reading, LaTeX for papers."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from mnar.core.files import atomic, write_text


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
    cells = table.shown.map(str)
    for row, column in table.bold:
        cells.iat[row, column] = f"**{cells.iat[row, column]}**"
    numeric = [_looks_numeric(table.shown.iloc[:, i]) for i in range(table.shown.shape[1])]
    body = cells.map(lambda text: text.replace("|", "\\|")).to_markdown(
        index=False, disable_numparse=True, colalign=["right" if n else "left" for n in numeric]
    )
    notes = "".join(f"\n- {note}" for note in table.notes)
    return f"{table.caption}\n\n{body}\n" + (f"{notes}\n" if notes else "")


def _latex(table: Table, label: str) -> str:
    styler = table.shown.map(str).style.hide(axis="index").format(escape="latex")
    styler = styler.format_index(escape="latex", axis="columns")
    if table.bold:
        marks = pd.DataFrame("", table.shown.index, table.shown.columns)
        for row, column in table.bold:
            marks.iat[row, column] = "textbf:--rwrap;"
        styler = styler.apply(lambda _: marks, axis=None)
    numeric = [_looks_numeric(table.shown.iloc[:, i]) for i in range(table.shown.shape[1])]
    layout = "".join("r" if n else "l" for n in numeric)
    caption = _escape(" ".join([table.caption, *table.notes]))
    return styler.to_latex(
        hrules=True, column_format=layout, caption=caption, label=f"tab:{label}", position="t"
    )


def _escape(text: str) -> str:
    for character in "\\&%$#_{}":
        replacement = r"\textbackslash{}" if character == "\\" else f"\\{character}"
        text = text.replace(character, replacement) if character != "\\" else text
    return text


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
