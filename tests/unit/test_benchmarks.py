"""The harness of `make bench` at a tiny size, without the peers."""

import als
import contest
import growth
import growth_figures
import install_peer
import numpy as np
import pairwise
import pandas as pd
import problem
import pytest
import ranking_measures
import ratios
import report
import run
import shapes


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return shapes.data_file("tiny", tmp_path_factory.mktemp("data"))


def test_drawn_ratings_have_the_shape_asked_for_and_are_skewed():
    shape = shapes.NAMED["tiny"]
    drawn = shapes.draw(shape)
    assert (drawn.n_users, drawn.n_items, len(drawn.items)) == (400, 300, 12_000)
    for user in range(drawn.n_users):
        items = drawn.items[drawn.indptr[user] : drawn.indptr[user + 1]]
        assert (np.diff(items) > 0).all()
    popular = np.sort(np.bincount(drawn.items, minlength=300))[::-1]
    assert popular[:30].sum() > 0.3 * len(drawn.items)
    assert np.array_equal(drawn.items, shapes.draw(shape, threads=1).items)


def test_objective_is_the_sum_over_all_entries():
    ratings = shapes.matrix(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), 3)
    settings = {"missing_weight": 0.25, "ridge": 0.5}
    users, items = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[0.1, 0.4], [1, 0], [0, 0.5]])
    scores, observed = users @ items.T, np.array([[1, 0, 1], [0, 1, 0]])
    expected = (observed * (1 - scores) ** 2 + 0.25 * (1 - observed) * scores**2).sum()
    expected += 0.5 * ((users**2).sum() + (items**2).sum())
    assert problem.objective_of(ratings, settings, users, items) == pytest.approx(expected)


def only_ours(monkeypatch, missing: contest.Contestant | None = None):
    """Leaves all peers out except one that cannot be installed."""
    for task, contestants in contest.TASKS.items():
        kept = [one for one in contestants if one.module == "ours"]
        monkeypatch.setitem(contest.TASKS, task, kept + ([missing] if missing else []))


def test_a_tiny_contest_from_measurement_to_summary(data, tmp_path, monkeypatch):
    only_ours(monkeypatch, contest.Contestant("a peer", "lenskit_peer", "-", "not there"))
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setitem(als.SETTINGS, "factors", 4)
    found = als.measure(data, [1, 2], 1, sweeps=8)
    values = {(row["contestant"], row["quantity"]): row["value"] for row in found.rows}
    assert values[contest.OURS, "same_bits"] is True
    assert values["a peer", "failed"] == "is not installed"
    # Precision costs nothing: the same sweeps, the same quality.
    double = f"{contest.OURS}, float64"
    assert values[contest.OURS, "sweeps"] == values[double, "sweeps"]
    assert values[contest.OURS, "adg"] == pytest.approx(values[double, "adg"], abs=1e-4)
    scored = ranking_measures.measure(data, [1], 1)
    for task, notes in (("als", found), ("evaluate", scored)):
        rows = [{"task": task, "shape": "tiny", **row} for row in notes.rows]
        run.write(rows, f"{task}-tiny")
    report.write_all(tmp_path)
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "is not installed" in summary
    assert summary.count("The same bits on all numbers of threads: yes") == 2


def test_positives_and_draws_are_counted(data, monkeypatch):
    monkeypatch.setitem(contest.TASKS, "pairwise", contest.TASKS["pairwise"][:1])
    notes = pairwise.measure(data, 1)
    values = {row["quantity"]: row["value"] for row in notes.rows}
    assert 1 <= values["first_draws"] <= values["last_draws"] <= 10
    assert values["positives_a_second"] > 0
    assert 0 < values["adg"] < 1


def measured(**seconds):
    rows = [
        {"task": "als", "shape": "s", "threads": 1, "repetition": repetition}
        | {"contestant": name.replace("_", " "), "quantity": "seconds", "value": value}
        for name, values in seconds.items()
        for repetition, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


def test_ratios_are_taken_within_a_repetition():
    table = ratios.ratios(measured(this_pipeline=[1, 2, 4], implicit_CG=[3, 8, 8]))
    [row] = table.to_dict("records")
    assert (row["ratio"], row["low"], row["high"], row["n"]) == (3, 2, 4, 3)
    assert "| yes" in report.target_table(table)
    slower = ratios.ratios(measured(this_pipeline=[1.0], implicit_CG=[1.9]))
    assert "| no" in report.target_table(slower)


def test_blocks_of_factors_are_no_exact_sweep():
    seconds = measured(this_pipeline=[1.0], irspack_Cholesky=[3.0])
    rows = seconds.assign(quantity="seconds_a_sweep")
    [aim] = [one for one in ratios.TARGETS if one.quantity == "seconds_a_sweep"]
    assert aim.of(ratios.ratios(rows))["ratio"].tolist() == [3]
    assert aim.of(ratios.ratios(rows.assign(shape="s@256"))).empty


def test_exponent_of_growth_leaves_other_shapes_out():
    points = pd.DataFrame(
        {
            "label": ["growth", "growth", "netflix"],
            "shape": ["10x100x100", "100x100x1000", "netflix"],
            "seconds": [1.0, 10.0**1.2, 1e9],
            "draws": [10.0, 10.0**1.1, 1e9],
        }
    )
    assert growth_figures.exponent(points) == pytest.approx(1.2)
    assert growth_figures.draw_exponent(points) == pytest.approx(1.1)


def test_a_point_of_growth(data, tmp_path, monkeypatch):
    monkeypatch.setattr(growth, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    rows = growth.measure("tiny", 1)
    assert [row["task"] for row in rows] == ["split", "als", "pairwise", "evaluate"]
    assert rows[2]["draws"] >= 1
    assert all(row["seconds"] > 0 and row["peak_gb"] > 0.01 for row in rows)
    run.write(rows, "growth-tiny")
    report.write_all(tmp_path)
    assert "Evaluation: exponent" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_peer_may_ask_for_a_python_that_is_not_here(tmp_path, monkeypatch):
    monkeypatch.setattr(install_peer, "LOCKS", tmp_path)
    (tmp_path / "old.in").write_text("# python 1.5\nsome-package\n", encoding="utf-8")
    (tmp_path / "any.in").write_text("some-package\n", encoding="utf-8")
    assert install_peer.needed_python(tmp_path / "any.in") is None
    assert install_peer.install("old", tmp_path / "env") == "needs Python 1.5, which was not found"
