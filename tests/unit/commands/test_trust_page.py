"""The tables of docs/trust.md: made from recorded tables, and those alone have numbers of a run."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.made_up_trust import made_up, results_of

from mnar.commands import trust_page
from mnar.experiments.trust import OUTLINE, cases, figures, tables
from mnar.experiments.trust.page_tables import page_tables
from mnar.reporting.figure_format import write_figure
from mnar.reporting.table_format import write_table

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/trust.md"
RECORDED = ROOT / "docs/reproduction/trust"


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


def test_a_page_is_written_between_its_marks(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    asked = ["--folder", str(folder), "--page", str(page)]
    assert trust_page.main([*asked, "--check"]) == 1
    assert "make docs-trust" in capsys.readouterr().err
    assert trust_page.main(asked) == 0
    text = page.read_text(encoding="utf-8")
    assert "| jester, at random |" in text
    assert trust_page.main([*asked, "--check"]) == 0
    before, after = (part.split("<!-- table order")[0] for part in (PAGE.read_text(), text))
    assert before == after
    page.write_text(text.replace("table order:", "table odrer:"), encoding="utf-8")
    assert trust_page.main(asked) == 1
    assert "odrer, order" in capsys.readouterr().err


def test_nothing_recorded_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert trust_page.main(["--folder", str(tmp_path)]) == 1
    assert "make reproduction PART=trust" in capsys.readouterr().err


def test_the_page_has_the_recorded_numbers(monkeypatch):
    """Where a run was recorded."""
    monkeypatch.chdir(ROOT)
    assert not RECORDED.exists() or trust_page.main(["--check"]) == 0
