"""Tables: a tidy CSV for machines, Markdown for reading, LaTeX for papers."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from mnar.core.files import atomic, write_text

# Cells that say nothing.
NOTHING = {"", "–"}


@dataclass(frozen=True)
class Table:
    """`tidy` has one number a row; `shown` is the same laid out as in the paper, as text."""

    tidy: pd.DataFrame
    shown: pd.DataFrame
    caption: str
    notes: list[str] = field(default_factory=list)
    # Cells of `shown` in bold, as (row, column) positions.
    bold: frozenset[tuple[int, int]] = frozenset()

    def filled(self) -> "Table":
        """Without columns that say nothing, such as published numbers where there are none."""
        kept = [
            place
            for place, name in enumerate(self.shown.columns)
            if place == 0 or not set(map(str, self.shown.iloc[:, place])) <= NOTHING
        ]
        new = {old: place for place, old in enumerate(kept)}
        bold = frozenset((row, new[column]) for row, column in self.bold if column in new)
        return replace(self, shown=self.shown.iloc[:, kept], bold=bold)


def write_table(table: Table, stem: str | Path) -> None:
    stem = Path(stem)
    with atomic(stem.with_name(stem.name + ".csv")) as temporary:
        table.tidy.to_csv(temporary, index=False, lineterminator="\n")
    write_text(stem.with_name(stem.name + ".md"), markdown(table))
    write_text(stem.with_name(stem.name + ".tex"), _latex(table, stem.name))


def markdown(table: Table) -> str:
    """The caption, the cells, then the notes as a list; a table without rows is its notes alone."""
    notes = "".join(f"\n- {_paragraph(note)}" for note in table.notes)
    caption = _paragraph(table.caption)
    if table.shown.empty:
        return f"{caption}\n{notes}\n"
    table = table.filled()
    cells = table.shown.map(lambda value: plain(str(value)))
    cells.columns = [plain(str(name)) for name in cells.columns]
    for row, column in table.bold:
        cells.iat[row, column] = f"**{cells.iat[row, column]}**"
    numeric = [_looks_numeric(table.shown.iloc[:, i]) for i in range(table.shown.shape[1])]
    body = cells.to_markdown(
        index=False, disable_numparse=True, colalign=["right" if n else "left" for n in numeric]
    )
    return f"{caption}\n\n{body}\n" + (f"{notes}\n" if notes else "")


def plain(text: str) -> str:
    """Text as a cell of Markdown: no link, picture, HTML, line end or further column comes of it."""
    return re.sub(r"\\*\|", r"\\|", _without_addresses(unlinked(text)))


def _paragraph(text: str) -> str:
    """Text as a caption or a note: besides, no heading, list, rule, quote, code or definition."""
    text = _without_addresses(unlinked(text)).strip()
    return _OPENING.sub(r"\g<0>\\", text, count=1)


# Up to the first sign that would start something else: with a backslash before it, it is text.
_OPENING = re.compile(
    r"^(\d{1,9}(?=[.)](?: |$))|(?=#{1,6}(?: |$)|>|[-+*](?: |$)|(?:[-*_] ?){3,}$|```|~~~|\[))"
)


def unlinked(text: str) -> str:
    """A space takes the meaning from `](` and `<`, and shows in every viewer as what it is."""
    text = re.sub(r"\s+", " ", text).replace("](", "] (").replace("][", "] [")
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", text)


def _without_addresses(text: str) -> str:
    """The same for addresses, of which viewers make links where nothing marks them."""
    text = re.sub(r"(?i)\b(mailto|xmpp):(?=\S)", r"\1: ", text.replace("//", "/ /"))
    return re.sub(r"(?<=\w)\.(?=[^\W\d]{2})", " .", text)


def _latex(table: Table, label: str) -> str:
    if table.shown.empty:
        return f"% {_escape(' '.join([table.caption, *table.notes]))}\n"
    table = table.filled()
    # A line end would end a row or a paragraph.
    shown = table.shown.map(lambda value: re.sub(r"\s+", " ", str(value)))
    shown.columns = [re.sub(r"\s+", " ", str(name)) for name in shown.columns]
    styler = shown.style.hide(axis="index").format(escape="latex")
    first = shown.columns[:1].to_list()
    styler = styler.format(_no_option, subset=first, escape="latex")
    styler = styler.format_index(_no_option, escape="latex", axis="columns")
    if table.bold:
        marks = pd.DataFrame("", shown.index, shown.columns)
        for row, column in table.bold:
            marks.iat[row, column] = "textbf:--rwrap;"
        styler = styler.apply(lambda _: marks, axis=None)
    numeric = [_looks_numeric(table.shown.iloc[:, i]) for i in range(table.shown.shape[1])]
    layout = "".join("r" if n else "l" for n in numeric)
    caption = _escape(" ".join([table.caption, *table.notes]))
    return styler.to_latex(
        hrules=True, column_format=layout, caption=caption, label=f"tab:{label}", position="t"
    )


def _no_option(cell: Any) -> str:
    """A row that starts with a bracket or a star would give them to the line end before it."""
    return re.sub(r"^(\s*)([\[*])", r"\1{\2}", str(cell))


# Each character that means something to LaTeX, as text.
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def _escape(text: str) -> str:
    return re.sub(r"\s+", " ", text).translate(_LATEX)


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
    # Sizes of datasets belong to no method.
    named = tidy.assign(method=tidy["method"].astype(object).fillna("ours").astype(str))
    ours = named.assign(
        cell=[with_error(m, e) for m, e in zip(tidy["mean"], tidy["sem"], strict=True)]
    )
    twins = _twins(ours)
    ours = ours[~ours["method"].isin(twins)]
    theirs = named[named["published"].notna()]
    theirs = theirs.assign(
        cell=[number(value) for value in theirs["published"]],
        method=theirs["method"] + ", published",
    )
    both = pd.concat([ours, theirs])
    shown = both.pivot_table(
        index=["measure", "method"], columns="dataset", values="cell", aggfunc="first", sort=False
    )
    shown = shown.fillna("–").sort_index(level="measure", sort_remaining=True, kind="stable")
    beside = ", ours beside published" if len(theirs) else ""
    notes = [f"{twin} has the same numbers as {first}." for twin, first in twins.items()]
    return Table(tidy, shown.reset_index(), f"{name} across datasets{beside}.", notes)


def _twins(rows: pd.DataFrame) -> dict[str, str]:
    """Methods without published numbers that show the same as another in every cell: twin -> the other."""
    first: dict[tuple[str, ...], str] = {}
    found = {}
    for method, mine in rows.groupby("method", sort=False):
        cells = tuple(sorted(mine["dataset"] + "\n" + mine["measure"] + "\n" + mine["cell"]))
        if first.setdefault(cells, str(method)) != method and mine["published"].isna().all():
            found[str(method)] = first[cells]
    return found
