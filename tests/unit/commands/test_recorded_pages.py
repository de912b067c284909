"""What stands between marks of README.md and docs/ is made from recorded results."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.made_up_trust import made_up, results_of

from mnar.commands import recorded_pages
from mnar.experiments.trust import OUTLINE, cases, figures, tables
from mnar.experiments.trust.page_tables import page_tables
from mnar.reporting.figure_format import write_figure
from mnar.reporting.table_format import write_table

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/trust.md"
RECORDED = ROOT / "docs/reproduction"
TABLE = """Test results on made.

| training objective |   w_m |   ATOP |
|:-------------------|------:|-------:|
| svd †              |     – |    0.9 |
| dense-svd          |     1 |    0.8 |

- Mean over the seeds.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Recorded tables of a simulated dataset and of users' own choice."""
    found = tmp_path_factory.mktemp("recorded")
    for dataset, own in (("jester", False), ("coat", True)):
        frames = {name: frame.assign(dataset=dataset) for name, frame in made_up().items()}
        if own:
            frames = {name: own_choice(frame) for name, frame in frames.items()}
            one = frames["systems"].query("kind == 'difference'").head(1)
            one = one.assign(system="mf-ips-published lambda=0.1", measure="rmse")
            frames["systems"] = pd.concat([frames["systems"], one])
        results = results_of(frames, found / "made", dataset)
        for name in OUTLINE.tables:
            write_table(getattr(tables, name)(results), found / dataset / name)
        write_figure(figures.price(results), found / dataset / "price")
    return found


def own_choice(frame):
    """The rows of one mechanism, as if users had chosen by themselves."""
    if not len(frame):
        return frame
    mine = frame[(frame[cases.KEYS] == [0.8, 1.0, 0.0]).all(axis=1)]
    return mine.assign(**dict.fromkeys(cases.KEYS, np.nan))


def rows_of(table):
    head, _, *lines = [
        [cell.strip() for cell in line[1:-1].split("|")] for line in table.split("\n")
    ]
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_tables_have_the_numbers_of_the_recorded_ones(folder):
    found = {name: rows_of(table) for name, table in page_tables(folder, {}).items()}
    names = [row["data, selection"] for row in found["order"]]
    assert names[0] == "jester, at random"
    assert names[-1] == "coat, users' own choice"
    first = found["order"][0]
    assert first["naive"] == "−0.50 / −0.50"
    assert first["SNIPS, popularity, γ = 1"] == "−0.10 / −0.10"
    assert first["SNIPS, published"] == "–"
    assert found["order"][-1]["attainable"] == "reliability 0.90 / 0.90"
    assert found["decisions"][0]["naive"] == "50 / 30"
    assert found["bias"][0]["naive"] == "125.0 / 125.0"
    assert found["price"][0]["5 a user"] == "0.50"
    assert found["gamma"][0]["1 to 2"] == "70 of 10"
    assert found["redraw"][0]["SNIPS"] == "0.10 (−0.20 to 0.40)"
    simulated, own = found["training"][:6], found["training"][6:]
    assert {row["weights"] for row in simulated} == {"popularity, γ = 1"}
    assert [row["weights"] for row in own] == [*["popularity, γ = 1"] * 2, "published"]
    assert own[-1]["ADG"] == "–"
    assert {row["exponent"] for row in found["mechanisms"]} == {"0", "0.8"}
    assert {row["data"] for row in found["claims"]} == {"jester", "coat"}


@pytest.fixture
def recorded(folder, tmp_path, monkeypatch):
    """A recorded run: the tables of trust, one table of a paper, and the record."""
    monkeypatch.chdir(ROOT)
    kept = tmp_path / "kept"
    shutil.copytree(folder, kept / "trust")
    (kept / "steck2010/made").mkdir(parents=True)
    (kept / "steck2010/made/table2.md").write_text(TABLE, encoding="utf-8")
    about = {"date": "2026-11-19", "commit": "abcdef1234", "time": {"cpu_seconds": 5400}}
    about |= {"machine": {"cores": 2, "processor": "one of them"}}
    parts = dict.fromkeys(("claims", "trust/jester", "trust/coat", "steck2010/made"), about)
    (kept / "record.json").write_text(json.dumps({"parts": parts}), encoding="utf-8")
    return kept


def written(recorded, *names, code=0):
    """A page with these marks, after the command."""
    page = recorded.parent / "page.md"
    marks = "\n".join(
        f"<!-- recorded {n}: make docs-recorded -->\nold\n<!-- end -->" for n in names
    )
    page.write_text(f"Before.\n{marks}\nAfter.\n", encoding="utf-8")
    assert recorded_pages.main(["--folder", str(recorded), "--pages", str(page)]) == code
    return page.read_text(encoding="utf-8")


def test_a_page_is_written_between_its_marks(recorded, capsys):
    page = recorded.parent / "trust.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    asked = ["--folder", str(recorded), "--pages", str(page)]
    assert recorded_pages.main([*asked, "--check"]) == 1
    assert "make docs-recorded" in capsys.readouterr().err
    assert recorded_pages.main(asked) == 0
    text = page.read_text(encoding="utf-8")
    assert "| jester, at random |" in text
    assert recorded_pages.main([*asked, "--check"]) == 0
    before, after = (part.split("<!-- recorded order")[0] for part in (PAGE.read_text(), text))
    assert before == after


def test_the_page_of_trust_has_every_table(folder):
    marks = recorded_pages.names(PAGE.read_text(encoding="utf-8"))
    assert sorted(marks) == sorted(page_tables(folder, {}))


def test_a_recorded_table_comes_with_its_notes_and_a_link_to_its_data(recorded):
    text = written(recorded, "steck2010/made/table2")
    assert "[Test results on made.](kept/steck2010/made/table2.csv)\n\n| training" in text
    assert "| svd †  " in text
    assert "- Mean over the seeds." in text
    assert text.startswith("Before.\n")
    assert text.endswith("\nAfter.\n")


def test_words_pick_rows(recorded):
    text = written(recorded, "steck2010/made/table2 svd")
    assert "| svd †  " in text
    assert "dense-svd" not in text
    assert "|:---" in text


def test_notes_may_stay_in_their_file(recorded):
    text = written(recorded, "steck2010/made/table2 svd no-notes")
    assert "| svd †  " in text
    assert "Mean over the seeds" not in text


def test_the_story_follows_from_what_is_recorded(recorded):
    text = written(recorded, "answer", "findings", "run")
    assert "the plain mean of Recall@10 orders systems" in text
    assert "- **May I trust Recall@10 on my clicks?** " in text
    assert (
        "Recorded on 2026-11-19 at commit abcdef1, on 2 cores (one of them), in 6.0 CPU hours."
        in text
    )


NUMBERS = "method,minus,k,mean\nsvd,,5,0.92449\nsvd,ease,10,-0.5\nease,svd,5,1234.5\n"


def link(text, title):
    return f'[{text}](kept/steck2010/made/numbers.csv "{title}")'


def with_numbers(recorded, line, code=0):
    (recorded / "steck2010/made/numbers.csv").write_text(NUMBERS, encoding="utf-8")
    page = recorded.parent / "page.md"
    page.write_text(line, encoding="utf-8")
    assert recorded_pages.main(["--folder", str(recorded), "--pages", str(page)]) == code
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "title", "new"),
    [
        ("0.111", "mean of method=svd, k=5", "0.924"),
        ("1", "mean of method=svd, minus=", "1"),
        ("0.5", "mean of method=svd, minus=ease", "−0.5"),
        ("+0.11", "mean of method=svd, k=5", "+0.92"),
        ("0.1", "mean of method=svd, k=10", "−0.5"),
        ("+0.1", "mean of method=svd, k=10", "−0.5"),
        ("0.1 %", "100 × mean of method=svd, k=5", "92.4 %"),
        ("7", "mean of method=ease", "1,234"),
    ],
)
def test_a_number_in_a_sentence_is_that_of_its_file(recorded, old, title, new):
    text = with_numbers(recorded, f"It is {link(old, title)} here.")
    assert text == f"It is {link(new, title)} here."


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("mean of method=svd", "2 rows have method=svd; a number needs one."),
        ("mean of method=nobody", "0 rows have method=nobody; a number needs one."),
        ("maen of method=svd, k=5", "has no column maen."),
    ],
)
def test_a_number_that_is_not_there_is_said(recorded, capsys, title, told):
    line = f"It is {link('0.5', title)} here."
    assert with_numbers(recorded, line, code=1) == line
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("odrer", "There is no table 'odrer' for a page. Known are order, "),
        ("steck2010/made/table9", "table9.md is not there: run `make reproduction` first."),
        ("steck2010/made/table2 nobody", "table2.md has no row nobody."),
    ],
)
def test_a_wrong_mark_is_said(recorded, capsys, name, told):
    written(recorded, name, code=1)
    assert told in capsys.readouterr().err


def test_nothing_recorded_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert recorded_pages.main(["--folder", str(tmp_path), "--pages", str(PAGE)]) == 1
    assert "make reproduction PART=trust" in capsys.readouterr().err


def test_the_pages_have_the_recorded_numbers(monkeypatch):
    """Where a run was recorded."""
    monkeypatch.chdir(ROOT)
    assert not RECORDED.exists() or recorded_pages.main(["--check"]) == 0
