"""Tables and figures of experiment trust from a small run."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from helpers.made_up_trust import ESTIMATORS, SYSTEMS, made_up, results_of

from mnar.experiments.trust import FRAMES, OUTLINE, cases, figures, tables
from mnar.experiments.trust.across import across_figure
from mnar.reporting.figure_format import write_figure
from mnar.reporting.table_format import write_table
from mnar.simulations.trust import Frames


@pytest.fixture
def results(tmp_path):
    return results_of(made_up(), tmp_path)


@pytest.mark.parametrize("name", OUTLINE.tables)
def test_tables_are_written(results, tmp_path, name):
    table = getattr(tables, name)(results)
    write_table(table, tmp_path / name)
    assert {"dataset", "method", "measure", "mean", "sem", "n"} <= set(table.tidy.columns)
    assert len(table.shown) > (0 if name == "redraw" else 2)
    assert (tmp_path / f"{name}.tex").exists()


@pytest.mark.parametrize("name", OUTLINE.figures)
def test_figures_are_written(results, tmp_path, name):
    figure = getattr(figures, name)(results)
    write_figure(figure, tmp_path / name)
    assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    assert len(figure.data)


def test_every_frame_of_the_simulation_is_an_output():
    assert tuple(field.name for field in fields(Frames)) == FRAMES


def test_trust_table_shows_the_numbers(results):
    shown = tables.trust(results).shown
    row = shown[(shown["estimator"] == "SNIPS, popularity, γ = 1") & (shown["measure"] == "ADG")]
    assert row["τ"].iloc[0] == "−0.10"
    assert row["wrong, %"].iloc[0] == "50"
    assert row["bias, %"].iloc[0] == "125.0"
    assert row["|bias|, %"].iloc[0] == "150.0"
    assert row["pairs"].iloc[0] == "40*"


def test_tables_have_every_measure_and_every_estimator(results):
    shown, errors = (getattr(tables, name)(results).shown for name in ("trust", "errors"))
    assert list(dict.fromkeys(shown["measure"])) == [
        "ADG",
        "Recall@10",
        "ATOP",
        "AUC",
        "NDCG",
        "MAP",
    ]
    assert list(dict.fromkeys(errors["measure"])) == ["RMSE", "MAE"]
    assert list(shown[shown["measure"] == "NDCG"]["estimator"]) == ["naive"] * 3
    robust = {"doubly robust, known", "doubly robust, logistic"}
    clipped = {f"SNIPS, known, clipped at {clip}" for clip in (0.9, 0.99)}
    assert robust | clipped <= set(errors["estimator"])
    assert clipped <= set(shown["estimator"])
    # The file beside the first table has all of them: claims read errors there.
    assert {"rmse", "mae", "ndcg"} <= set(tables.trust(results).tidy["measure"])


def test_figures_leave_out_what_tables_alone_show(results):
    figure = figures.trust_plot(results)
    assert set(figure.data["estimator"]) == set(ESTIMATORS)
    across = across_figure(made_up()["summary"])
    drawn = [label.get_text() for label in across.canvas.axes[0].get_yticklabels()]
    assert not [label for label in drawn if "clipped" in label or "robust" in label]


def test_answer_has_the_numbers_of_the_frames(results):
    tidy = tables.answer(results).tidy.set_index(["selection", "fact"])
    case = "popular and liked more"
    naive = tidy.loc[case, "naive"]
    assert "τ = −0.50" in naive["sentence"]
    assert "decides 30 % rightly and 50 % wrongly" in naive["sentence"]
    assert "the true chances give 0.30" in tidy.loc[case, "corrected"]["sentence"]
    bought = tidy.loc[case, "random ratings"]
    assert bought["ratings"] == 5
    assert bought["sentence"].startswith("5 random ratings a user as the test set give τ = 0.50")
    assert tidy.loc[case, "gamma"]["mean"] == 2.5
    assert ("at random", "gamma") not in tidy.index


def test_one_figure_shows_all_datasets(tmp_path):
    simulated = made_up()["summary"]
    own = simulated[simulated["popularity_exponent"] == 0].drop_duplicates(["measure", "estimator"])
    own = own.assign(dataset="real", **dict.fromkeys(cases.KEYS, np.nan))
    figure = across_figure(pd.concat([simulated, own[own["estimator"] != "snips(known)"]]))
    write_figure(figure, tmp_path / "across")
    assert (tmp_path / "across.png").stat().st_size > 10_000
    axes = figure.canvas.axes
    # Three kinds of simulated selection, and the users' own; each with its share of wrong decisions.
    assert [axis.get_title().split("\n")[0] for axis in axes] == ["tiny"] * 3 + ["real"]
    shares = [[text.get_text() for text in axis.texts if "%" in text.get_text()] for axis in axes]
    assert [len(mine) for mine in shares] == [3, 3, 3, 2]
    assert set(shares[0]) == {"50 %"}


def test_places_stand_with_their_interval_and_their_value(results):
    table = tables.systems(results)
    mine = made_up()["systems"]
    point = (mine[cases.KEYS] == [0.8, 1.0, 0.0]).all(axis=1) & (mine["measure"] == "adg")
    mine = mine[point].set_index(["kind", "estimator", "system"])
    tidy = table.tidy[(table.tidy[cases.KEYS] == [0.8, 1.0, 0.0]).all(axis=1)]
    tidy = tidy[tidy["measure"] == "adg"]
    assert len(tidy) == 3 * len(SYSTEMS)
    for row in tidy.itertuples():
        found = mine.loc["place", row.estimator, row.system]
        assert (row.mean, row.low, row.high) == tuple(found[["mean", "low", "high"]])
        assert row.value == mine.loc["value", row.estimator, row.system]["mean"]
    shown = table.shown[table.shown["selection"] == "popular and liked more"]
    places = shown["place by truth, %"].head(len(SYSTEMS))
    assert list(places) == ["100", "75", "50", "25", "0"]
    # The estimate says the opposite.
    assert list(shown["by naive"].head(len(SYSTEMS))) == list(places)[::-1]


def test_differences_in_training_have_the_interval_of_the_bootstrap(results):
    tidy = tables.training(results).tidy
    rows = tidy[(tidy["kind"] == "difference") & (tidy["measure"] == "rmse")]
    assert set(rows["method"]) == {"mf-ips"}
    assert set(rows["penalty"]) == {"0.1", "0.4"}
    assert (rows["against"] == "observed-only lambda=" + rows["penalty"]).all()
    np.testing.assert_allclose(rows["high"] - rows["low"], 0.2)


def test_without_known_chances_nothing_is_drawn_again():
    table = tables.redraw_table(made_up()["redraw"][:0], "real")
    assert "not known" in table.notes[0]


def test_training_compares_equal_penalties(results):
    table = tables.training(results)
    mine = made_up()["systems"]
    mine = mine[(mine["system"] == "mf-ips gamma=1, lambda=0.4") & (mine["kind"] == "value")]
    mine = mine[mine["estimator"] == "truth"]
    mine = mine[
        (mine["measure"] == "rmse") & (mine["popularity_exponent"] == 0) & (mine["positivity"] == 0)
    ]
    rows = table.shown[(table.shown["selection"] == "at random") & (table.shown["λ"] == "0.4")]
    [shown] = rows[rows["weights in training"] != "none"]["RMSE"]
    assert float(shown) == pytest.approx(mine["mean"].mean(), abs=1e-4)
    assert len(rows) == 2


def test_gamma_table_counts_pairs(results):
    shown = tables.gamma(results).shown
    assert shown["1 to 2"].iloc[0] == "70 of 10"
    assert shown["2 and more"].iloc[0] == "70 of 10"
    assert shown["Γ needed"].iloc[0] == "2.50"


def test_cases_are_the_corners():
    found = cases.cases_of(made_up()["summary"])
    assert [case.point for case in found] == [(0, 0, 0), (0.8, 1, 0), (0.8, 1, 0.8)]
    real = made_up()["summary"].assign(dataset="real", **dict.fromkeys(cases.KEYS, np.nan))
    [case] = cases.cases_of(real)
    assert case.point is None
    assert len(case.of(real)) == len(real)
