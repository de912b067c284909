"""Rows of methods in a table: one row for methods that give the same list."""

from mnar.reporting.edges import MARK
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table


def twins(results: Results, study: str) -> dict[str, str]:
    """Methods whose scores on test equal those of an earlier method, and that method."""
    chosen = results.chosen(study)
    first: dict[tuple[float, ...], str] = {}
    found = {}
    for method in results.methods(study):
        rows = chosen[chosen["method"] == method].sort_values(["fold", "measure"])
        values = tuple(rows["value"].round(12))
        if first.setdefault(values, method) != method:
            found[method] = first[values]
    return found


def distinct(results: Results, study: str) -> list[str]:
    same = twins(results, study)
    return [method for method in results.methods(study) if method not in same]


def without_twins(results: Results, study: str, table: Table) -> Table:
    """A table that has a row a method, with each list once."""
    same = twins(results, study)
    names = _names(table)
    keep = [number for number, name in enumerate(names) if name not in same]
    return _with_rows(table, keep, "gives the same list as", same)


def merged(table: Table) -> Table:
    """A table in which methods that show the same numbers share a row, named in a note.

    A method stays beside its published numbers.
    """
    names = _names(table)
    first: dict[tuple[str, ...], str] = {}
    same: dict[str, str] = {}
    for name, (_, *cells) in zip(names, table.shown.to_numpy(str), strict=True):
        numbers = tuple(map(str, cells))
        if first.setdefault(numbers, name) != name and f"{name}, published" not in names:
            same[name] = first[numbers]
    keep = [number for number, name in enumerate(names) if name not in same]
    return _with_rows(table, keep, "has the same numbers as", same)


def _names(table: Table) -> list[str]:
    """The methods of a table, which stand in its first column, without marks."""
    return [str(name).removesuffix(f" {MARK}") for name in table.shown.iloc[:, 0]]


def _with_rows(table: Table, keep: list[int], words: str, same: dict[str, str]) -> Table:
    new = {old: position for position, old in enumerate(keep)}
    bold = frozenset((new[row], position) for row, position in table.bold if row in new)
    notes = [f"{twin} {words} {first}." for twin, first in same.items()]
    shown = table.shown.iloc[keep].reset_index(drop=True)
    return Table(table.tidy, shown, table.caption, [*table.notes, *notes], bold)
