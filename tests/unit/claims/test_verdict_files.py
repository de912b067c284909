"""Verdicts as they are read: counted by claim, in Markdown, on the page, and between runs."""

import csv

import pandas as pd
import pytest
from helpers.made_up_paper import row

from mnar.claims import above, compare, made_by, verdict_files
from mnar.claims.outcome import (
    DEMONSTRATION,
    DEPENDS,
    FAILS,
    HOLDS,
    UNDECIDED,
    UNTESTABLE,
)
from mnar.reporting.page import render


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([HOLDS, HOLDS, UNDECIDED, UNTESTABLE], HOLDS),
        ([FAILS, DEMONSTRATION], FAILS),
        ([HOLDS, FAILS], DEPENDS),
        ([HOLDS, DEPENDS], DEPENDS),
        ([UNDECIDED, DEMONSTRATION, UNTESTABLE], UNDECIDED),
        ([DEMONSTRATION, UNTESTABLE], DEMONSTRATION),
        ([UNTESTABLE], UNTESTABLE),
    ],
)
def test_a_claim_has_one_verdict(verdicts, verdict):
    assert verdict_files.of_claim(pd.Series(verdicts)) == verdict
    assert verdict_files.of_claim(pd.Series(verdicts[::-1])) == verdict


def test_claims_are_counted_not_rows_and_apart_by_kind(paper):
    for name in ("d", "other", "synthetic"):
        paper.table([row(1, 2)], f"e/{name}/t.csv")
    claims = paper.claims({}, {"kind": "theorem", "datasets": ["d"]})
    counts = verdict_files.counted(paper.evaluated(claims, "d", "other", "synthetic"))
    assert counts.loc[("all", "own data"), HOLDS] == 1
    assert ": 1 holds." in verdict_files.summary(paper.evaluated(claims, "d"))
    # Two stand-ins, one claim; a demonstration beside a verdict is not counted as undecided.
    assert counts.loc[("all", "stand-in"), [HOLDS, UNDECIDED, "claims"]].tolist() == [1, 0, 1]
    assert counts.loc[("all", "mathematics"), "claims"] == 1


def disagreeing(paper):
    """A claim that holds on its own data, and on one stand-in of two; a theorem beside it."""
    for name, low in (("d", 1), ("other", 1), ("synthetic", -2)):
        paper.table([row(low, low + 1)], f"e/{name}/t.csv")
    stand_ins = {"stand_ins": ["other", "synthetic"], "kind": "number"}
    claims = paper.claims(stand_ins, {"kind": "theorem", "datasets": ["d"], "stand_ins": []})
    return paper.evaluated(claims, "d", "other", "synthetic")


def test_the_datasets_that_a_claim_depends_on_are_named(paper, tmp_path):
    rows = disagreeing(paper)
    words = "depends on the dataset: holds on d, other; does not hold on synthetic"
    (first, second) = (group for _, group in rows.groupby("id"))
    assert verdict_files.datasets_it_depends_on(first) == words
    assert verdict_files.datasets_it_depends_on(second) == ""
    assert verdict_files.as_markdown(rows).count(f"\nIt {words}.\n- d") == 1
    verdict_files.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    shown = verdict_files.read_for_page(tmp_path / "claims.csv")
    html = render("summary", [], shown, {"seed": 1, "methods": {}}, {"python": "3"})
    assert html.count(f'<p class="soft">It {words}.</p>') == 1


def test_badges_of_a_paper_are_apart_by_kind_as_in_the_headline(paper, tmp_path):
    rows = disagreeing(paper)
    verdict_files.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    shown = verdict_files.read_for_page(tmp_path / "claims.csv")
    counts = shown["papers"]["e"]["counts"]
    assert list(counts) == ["mathematics", "own data", "stand-in"]
    found = {on: {v: n for v, n in count.items() if n} for on, count in counts.items()}
    assert found["mathematics"] == found["own data"] == {HOLDS: 1, "claims": 1}
    assert found["stand-in"] == {DEPENDS: 1, "claims": 1}
    html = render("summary", [], shown, {"seed": 1, "methods": {}}, {"python": "3"})
    badges = html.split("e: 2 claims ")[1].split("</summary>")[0]
    assert badges.split("badge")[0].endswith('<span class="soft">mathematics</span> <span class="')
    assert badges.index("own data") < badges.index("stand-in") < badges.index("1 depends")


def test_reports(paper, tmp_path):
    rows = paper.table([row(1, 2)]).evaluated(paper.claims({}, {}))
    verdict_files.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    with (tmp_path / "claims.csv").open(encoding="utf-8") as stream:
        assert {row["verdict"] for row in csv.DictReader(stream)} == {HOLDS, UNTESTABLE}
    text = (tmp_path / "claims.md").read_text(encoding="utf-8")
    assert "2 of 2 claims could be tested" in text
    assert "## e" in text
    assert "- d (own data): **holds**, p " in text
    # No padding, and one line for each verdict.
    assert "  |" not in text
    assert text.count("\n- ") == len(rows)


@pytest.mark.parametrize("column", ["numbers", "how", "readings"])
def test_sources_of_data_are_text_in_markdown(paper, column):
    """The source of data that are missing comes from the config."""
    hostile = "![x](https://a.org/x.png) [y](b)\n\n# <b>c</b>"
    rows = paper.table([row(1, 2)]).evaluated(paper.claims())
    text = verdict_files.as_markdown(
        rows.assign(**{column: f"first{verdict_files.BULLET}{hostile}"})
    )
    assert "![x] (https://a.org/x.png) [y] (b) # < b>c< /b>" in text
    assert "\n# <" not in text


def test_verdicts_that_would_not_survive_are_named(paper):
    rows = [{**row(0.01, 2), "method": str(n)} for n in range(1, 11)]
    wide = [{**row(-1, 1), "method": str(n)} for n in range(2, 11)]
    tests = {
        f"lim_{n:02}": lambda data, n=n: above(data.pick("t", method=str(n)), 0)
        for n in range(1, 11)
    }
    found = paper.table([rows[0], *wide]).evaluated(paper.claims(*[{}] * 10, **tests))
    assert verdict_files.not_surviving(found) == ["lim-01"]
    assert (
        "1 verdict would not survive a false-discovery rate of 5 % (lim-01)"
        in verdict_files.summary(found)
    )
    paper.files.clear()
    found = paper.table(rows).evaluated(paper.claims(*[{}] * 10, **tests))
    assert not verdict_files.not_surviving(found)
    assert ": 10 hold." in verdict_files.summary(found)


def test_the_page_shows_claims_and_escapes_them(paper, tmp_path):
    rows = paper.table([row(1, 2)]).evaluated(paper.claims())
    verdict_files.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    runs = {"2015": rows, "2016": rows.assign(verdict=[UNDECIDED, UNTESTABLE])}
    compare.compared(runs).to_csv(tmp_path / "stability.csv", index=False)
    shown = verdict_files.read_for_page(tmp_path / "claims.csv", tmp_path / "stability.csv")
    html = render("summary", [], shown, {"seed": 1, "methods": {}}, {"python": "3"})
    assert "a is &lt;b&gt;above&lt;/b&gt; 0 &amp; more" in html
    assert "<b>above" not in html
    assert '<span class="badge holds">holds</span>' in html
    assert "needs gone: the attic" in html
    assert 'href="e/d/t.csv"' in html
    assert ", q " in html
    assert "by seed: 2015 holds, 2016 undecided" in html
    assert "of 1 verdict on claims as they stand now" in html
    assert "not the same, and marked: 1<" in html
    assert "e: 1 claim " in html
    assert html.count("<script") == 1


def test_verdicts_on_another_test_do_not_count_as_compared(paper):
    paper.table([row(1, 2)])
    before = paper.evaluated(paper.claims())
    explained = paper.evaluated(paper.claims({"why": "so"}))
    after = paper.evaluated(paper.claims(test=lambda data: above(data.pick("t", method="a"), 0.5)))
    stability = compare.compared({"1": before, "2": before})
    assert verdict_files.for_page(before, stability)["compared"] == 1
    assert verdict_files.for_page(explained, stability)["compared"] == 1
    assert verdict_files.for_page(after, stability)["compared"] == 0
    other_here = verdict_files.for_page(before.assign(verdict=[FAILS, UNTESTABLE]), stability)
    assert (other_here["compared"], other_here["unsteady"]) == (1, 1)
    assert verdict_files.for_page(before, None)["compared"] == 0


def test_runs_of_other_code_are_not_compared(paper, tmp_path):
    rows = paper.table([row(1, 2)]).evaluated(paper.claims())
    verdict_files.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    stability = compare.compared({"1": rows, "2": rows}).assign(made_by="these")
    same = verdict_files.for_page(rows, stability, "these")
    assert (same["compared"], same["other_code"], same["seeds"]) == (1, False, ["1", "2"])
    other = verdict_files.for_page(rows, stability, "others")
    assert (other["compared"], other["other_code"]) == (0, True)
    html = render("summary", [], other, {"seed": 1, "methods": {}}, {"python": "3"})
    assert "Other seeds were tried with other code" in html


def test_who_made_verdicts_changes_with_code_and_config_but_not_with_the_seed(
    tmp_path, monkeypatch
):
    for name in ("models/one.py", "reporting/page.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("A = 1")
    monkeypatch.setattr(made_by, "LIBRARY", tmp_path)
    first = made_by.made_by({"seed": 1, "b": 2})
    assert made_by.made_by({"b": 2, "seed": 3}) == first
    assert made_by.made_by({"seed": 1, "b": 3}) != first
    (tmp_path / "reporting/page.py").write_text("A = 2")
    assert made_by.made_by({"seed": 1, "b": 2}) == first
    (tmp_path / "models/one.py").write_text("A = 2")
    assert made_by.made_by({"seed": 1, "b": 2}) != first


def test_comparing_runs(tmp_path, capsys):
    columns = ["id", "dataset", "fingerprint", "verdict"]
    names = []
    for number, verdict in enumerate((HOLDS, HOLDS, UNDECIDED)):
        path = tmp_path / f"{number}.csv"
        rows = [["a", "d", "f", verdict], ["b", "d", "f", FAILS]]
        pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
        names.append(f"{number}={path}")
    output = tmp_path / "stability.csv"
    (tmp_path / "config.yaml").write_text("seed: 1\n")
    config = ["--config", str(tmp_path / "config.yaml")]
    assert compare.main([*names, "--output", str(output), *config]) == 0
    printed = capsys.readouterr().out
    assert "a d: holds | holds | undecided" in printed
    assert "1 of 2 verdicts are the same in all runs" in printed
    assert list(verdict_files.read(output)["2"]) == [UNDECIDED, FAILS]
    other = tmp_path / "other.csv"
    pd.DataFrame([["a", "d", "g", HOLDS]], columns=columns).to_csv(other, index=False)
    for wrong in (f"3={tmp_path / 'nowhere.csv'}", str(other), f"3={other}"):
        assert compare.main([names[0], wrong]) == 2
    assert compare.main([names[0]]) == 2
    errors = capsys.readouterr().err
    assert "different lists of claims" in errors
    assert f"2015={other}" in errors
