from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mnar.reporting.table_format import Table, across, number, with_error, write_table


@pytest.fixture
def table():
    tidy = pd.DataFrame(
        {
            "dataset": "d",
            "method": ["a_1", "<b>|x"],
            "measure": "adg",
            "mean": [0.1, 0.2],
            "sem": [0.01, float("nan")],
            "published": [0.15, float("nan")],
        }
    )
    shown = pd.DataFrame({"method": tidy["method"], "ADG": ["0.1000", "0.2000"]})
    return Table(tidy, shown, "A table & more.", ["50 % of it"], frozenset({(1, 1)}))


def test_three_forms(table, tmp_path):
    write_table(table, tmp_path / "table1")
    assert pd.read_csv(tmp_path / "table1.csv")["mean"].tolist() == [0.1, 0.2]
    markdown = (tmp_path / "table1.md").read_text()
    assert "**0.2000**" in markdown
    assert r"< b>\|x" in markdown
    assert "- 50 % of it" in markdown
    latex = (tmp_path / "table1.tex").read_text()
    assert r"\toprule" in latex
    assert r"\textbf{0.2000}" in latex
    assert r"a\_1" in latex
    assert r"A table \& more. 50 \% of it" in latex


def test_writing_again_gives_the_same_bytes(table, tmp_path):
    write_table(table, tmp_path / "one")
    write_table(table, tmp_path / "two")
    for ending in ("csv", "md"):
        assert (tmp_path / f"one.{ending}").read_bytes() == (
            tmp_path / f"two.{ending}"
        ).read_bytes()


def test_numbers_as_text():
    assert number(-0.12345) == "−0.1235"
    assert number(float("nan")) == "–"
    assert with_error(0.5, 0.01, 2) == "0.50 (0.01)"
    assert with_error(0.5, float("nan"), 2) == "0.50"


def test_across_puts_ours_beside_published(table):
    shown = across(table.tidy, "table1").shown
    assert shown.loc[shown["method"] == "a_1, published", "d"].item() == "0.1500"


def test_across_keeps_rows_without_a_method_and_without_published_numbers():
    tidy = pd.DataFrame(
        {"dataset": ["shop"] * 2, "method": [np.nan] * 2, "measure": ["users", "items"]}
        | {"mean": [40.0, 30.0], "sem": [np.nan] * 2, "published": [np.nan] * 2}
    )
    shown = across(tidy, "datasets").shown
    assert shown[["measure", "method", "shop"]].values.tolist() == [
        ["items", "ours", "30.0000"],
        ["users", "ours", "40.0000"],
    ]


def test_across_shows_twins_once_and_names_them():
    rows = [
        {"dataset": d, "method": m, "measure": "adg", "mean": mean, "sem": 0.01, "published": p}
        for d in ("shop", "club")
        for m, mean, p in (
            ("first", 0.1, np.nan),
            ("twin", 0.1, np.nan),
            ("printed", 0.1, 0.2),
            ("other", 0.3, np.nan),
        )
    ]
    table = across(pd.DataFrame(rows), "table1")
    assert sorted(table.shown["method"]) == ["first", "other", "printed", "printed, published"]
    assert table.notes == ["twin has the same numbers as first."]
    # Of one dataset alone they are no twins.
    rows[1]["mean"] = 0.15
    assert "twin" in across(pd.DataFrame(rows), "table1").shown["method"].tolist()


def test_columns_of_dashes_are_left_out_and_bold_stays_where_it_was(table, tmp_path):
    shown = table.shown.assign(ADG="–", published="", mean=["0.1", "–"])
    write_table(replace(table, shown=shown, bold=frozenset({(0, 3)})), tmp_path / "one")
    head, _, first, _ = (tmp_path / "one.md").read_text().split("\n")[2:6]
    assert [cell.strip() for cell in head.split("|")[1:-1]] == ["method", "mean"]
    assert first.split("|")[2].strip() == "**0.1**"
    assert r"\textbf{0.1}" in (tmp_path / "one.tex").read_text()


@pytest.mark.parametrize(
    ("cell", "latex"),
    [("[1cm] x", "{[}1cm] x"), ("*", "{*}"), (" [x", " {[}x"), ("x [1]", "x [1]"), ("%*", r"\%*")],
)
def test_brackets_and_stars_by_their_place(cell, latex, tmp_path):
    """Only what comes first in a row can be an option of the line end before it."""
    shown = pd.DataFrame({cell: [cell, cell], "second": [cell, "1"]})
    write_table(Table(shown, shown, "On it.", [], frozenset({(1, 0)})), tmp_path / "t")
    lines = (tmp_path / "t.tex").read_text().splitlines()
    head, first, second = (
        lines[lines.index(r"\toprule") + 1],
        *lines[lines.index(r"\midrule") + 1 :][:2],
    )
    assert head.split(" & ")[0] == latex
    assert first.split(" & ")[0] == latex
    assert first.split(" & ")[1].removesuffix(r" \\") == cell.replace("%", r"\%")
    assert second.split(" & ")[0] == rf"\textbf{{{latex}}}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[x]: y", r"\[x]: y"),
        ("1. x", r"1\. x"),
        ("1.5 x", "1.5 x"),
        ("#x", "#x"),
        ("-0.5 of it", "-0.5 of it"),
        ("*so* it is", "*so* it is"),
        ("---", r"\---"),
        ("see https://a.org/x", "see https:/ /a .org/x"),
        ("recall@10(0.5), e.g. 0.5", "recall@10(0.5), e.g. 0.5"),
    ],
)
def test_only_what_starts_something_else_is_changed(text, shown, tmp_path):
    cells = pd.DataFrame({"a": ["1"]})
    write_table(Table(cells, cells, text, [text]), tmp_path / "t")
    lines = (tmp_path / "t.md").read_text().splitlines()
    assert lines[0] == shown
    assert lines[-1] == f"- {shown}"
