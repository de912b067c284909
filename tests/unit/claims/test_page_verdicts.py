"""Every claim on every dataset of a page: files read, data missing, data generated."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from helpers.made_up_paper import row

from mnar.claims import above, entries, generated, page_verdicts
from mnar.claims.outcome import DEMONSTRATION, FAILS, HOLDS, UNDECIDED, UNTESTABLE

GRID = pd.DataFrame(
    {
        "popularity_exponent": [0, 1] * 12,
        "positivity": [1] * 24,
        "noise": [0.6] * 24,
        "rank": [2] * 24,
        "best": np.r_[np.full(23, 0.01), 0.5],
    }
)


def test_a_dataset_that_is_not_there_is_named(paper):
    rows = paper.table([row(1, 2)]).rows(paper.claims())
    assert rows["d"]["verdict"] == HOLDS
    assert rows["d"]["file"] == "e/d/t.csv"
    assert (rows["d"]["value"], rows["d"]["low"], rows["d"]["high"]) == (1.5, 1, 2)
    assert rows["gone"]["verdict"] == UNTESTABLE
    assert rows["gone"]["how"] == "needs gone: the attic"


def test_only_files_that_are_given_are_read(paper):
    """A table that lies in results/ from another run must not decide."""
    paper.table([row(1, 2)])
    paper.files.clear()
    found = paper.rows(paper.claims())["d"]
    assert found["verdict"] == UNTESTABLE
    assert "e/d/t.csv is not there" in found["how"]
    assert found["file"] == ""


def test_a_removed_file_never_holds(paper):
    paper.table([row(1, 2)]).files[0].unlink()
    assert paper.rows(paper.claims())["d"]["verdict"] == UNTESTABLE


def test_what_a_verdict_is_about_is_said(paper):
    for dataset in ("d", "other", "synthetic"):
        paper.table([row(1, 2)], f"e/{dataset}/t.csv")
    own = paper.claims({"datasets": ["d", "synthetic"]})
    rows = paper.rows(own, "d", "other", "synthetic")
    assert [rows[name]["on"] for name in rows] == ["own data", "stand-in", "stand-in"]
    assert paper.rows(paper.claims({"kind": "theorem"}))["d"]["on"] == "mathematics"


def test_other_readings_have_their_own_verdicts(paper):
    paper.table([row(1, 2)])
    readings = {
        "strict": lambda data: above(data.pick("t", method="a"), 1.2),
        "elsewhere": lambda data: above(data.pick("u"), 0),
    }
    claims = paper.claims({"files": ["t", "u"], "main_reading": "plain"}, lim_01_readings=readings)
    text = paper.rows(claims)["d"]["readings"]
    assert text.startswith("3 readings • plain: holds • strict: undecided (")
    assert "elsewhere: cannot be tested here (e/d/u.csv is not there)" in text


def test_how_bounds_were_found_is_said(paper):
    found = paper.table([row(1, 2)]).rows(paper.claims({"why": "so it is said"}))["d"]
    assert found["how"] == "> 0 (so it is said)"


def test_generated_data_only_demonstrate_behaviour(paper):
    paper.table([row(1, 2)], "e/synthetic/t.csv")
    found = paper.rows(paper.claims(), "synthetic")["synthetic"]
    assert found["verdict"] == DEMONSTRATION
    assert found["numbers"].startswith("holds at the usual settings: ")
    assert np.isnan(found["p"])
    theorem = paper.rows(paper.claims({"kind": "theorem"}), "synthetic")["synthetic"]
    assert theorem["verdict"] == HOLDS


def test_behaviour_is_judged_over_the_grid_of_generators(paper):
    paper.table([row(-2, -1)], "e/synthetic/t.csv").table(GRID, generated.GRID)
    claims = paper.claims(GRID={"lim-01": lambda g: g["best"] < 0.1})
    found = paper.rows(claims, "synthetic")["synthetic"]
    assert (found["verdict"], found["file"]) == (HOLDS, generated.GRID)
    assert "true in 23 of 24 generator settings" in found["numbers"]
    assert "at the usual settings does not hold" in found["numbers"]
    lacking = paper.claims(GRID={"lim-01": lambda g: g["worst"] < 0.1})
    assert paper.rows(lacking, "synthetic")["synthetic"]["how"].endswith("has no column worst")


def test_the_grid_does_not_stand_in_for_a_missing_file(paper):
    claims = paper.table(GRID, generated.GRID).claims(GRID={"lim-01": lambda g: g["best"] > 0})
    assert paper.rows(claims, "synthetic")["synthetic"]["verdict"] == UNTESTABLE


def test_q_is_over_the_empirical_verdicts_of_a_paper(paper):
    def p_of(low):
        return lambda data: above(data.pick("t", method=low), 0)

    rows = [{**row(low, 2), "method": str(low)} for low in (1.0, 0.01, -0.5)]
    tests = {f"lim_{n:02}": p_of(str(low)) for n, low in enumerate((1.0, 0.01, -0.5), 1)}
    # A theorem that is checked on samples has a p-value, too, and is not of the family.
    tests["lim_04"] = p_of("0.01")
    changes = [{}, {}, {}, {"kind": "theorem"}]
    found = paper.table(rows).evaluated(paper.claims(*changes, **tests)).query("dataset == 'd'")
    p, q = found["p"].to_numpy()[:3], found["q"].to_numpy()
    # p of rank r times 3 / r.
    assert q[:3] == pytest.approx([3 * p[0], 1.5 * p[1], p[2]])
    assert np.isnan(q[3])
    assert list(found["verdict"]) == [HOLDS, HOLDS, UNDECIDED, HOLDS]


def test_most_claims_can_be_tested_with_the_files_a_reader_can_place():
    """With MovieLens 1M, Coat and CM100k beside the embedded datasets, at least 100 of them."""
    root = Path(__file__).parents[3]
    config = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))
    there = {"movielens-small", "synthetic", "movielens-1m", "coat", "cm100k"}
    pairs = [
        (name, dataset)
        for name, entry in config["experiments"].items()
        for dataset in [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
        if dataset in there
    ]
    claims = entries.load()
    here = [c for c in claims if page_verdicts.datasets_here(c, pairs) or c.kind == "identity"]
    assert len(here) >= 100


def test_a_page_without_data_holds_nothing_but_mathematics():
    rows = page_verdicts.PageVerdicts([], [], {}).rows(entries.load())
    held = rows[rows["verdict"] != UNTESTABLE]
    assert set(held["kind"]) == {"identity"}
    assert FAILS not in set(rows["verdict"])
    assert set(rows["id"]) == {claim.id for claim in entries.load()}


def test_a_page_of_one_experiment_lists_what_it_decides():
    claims = entries.load()
    pairs = [("kddcup2011", "yahoo-music")]
    names = {claim.id for claim in page_verdicts.on_page(claims, pairs, "kddcup2011")}
    assert {"kdd-01", "kdd-18"} <= names
    assert not names & {"lim-01", "ste-03"}
    assert len(page_verdicts.on_page(claims, pairs, "summary")) == len(claims)
