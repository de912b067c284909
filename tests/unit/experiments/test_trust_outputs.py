"""Tables and figures of experiment trust from a small run."""

import numpy as np
import pandas as pd
import pytest

from mnar.core.files import write_csv
from mnar.experiments.trust import OUTLINE, cases, figures, tables
from mnar.reporting.figures import write_figure
from mnar.reporting.results import Results
from mnar.reporting.tables import write_table

ESTIMATORS = ["naive", "snips(popularity, gamma=1)", "snips(known)", "ips(known)"]
POINTS = [(0.0, 0.0, 0.0), (0.8, 0.0, 0.0), (0.8, 0.0, 0.8), (0.0, 1.0, 0.0), (0.0, 1.0, 0.8)]
POINTS += [(0.8, 1.0, 0.0), (0.8, 1.0, 0.8)]
SYSTEMS = [f"observed-only lambda={x}" for x in (0.1, 0.4)]
SYSTEMS += [f"mf-ips gamma=1, lambda={x}" for x in (0.1, 0.4)] + ["svd factors=2"]


def made_up():
    """Frames in the form of the experiment, with numbers that are easy to find again."""
    random = np.random.default_rng(0)
    summary, estimates, prices, gammas = [], [], [], []
    for point in POINTS:
        where = {"dataset": "tiny", **dict(zip(cases.KEYS, point, strict=True))}
        for measure in ("adg", "recall@10", "atop", "auc", "rmse"):
            for place, estimator in enumerate(ESTIMATORS):
                tau = -0.5 + 0.4 * place
                row = {"measure": measure, "estimator": estimator, "tau": tau, "attainable": 0.9}
                row |= {"tau_low": tau - 0.1, "tau_high": tau + 0.1, "tau_judge": tau, "seeds": 2}
                row |= {"bias": 1.25, "regret": 0.5, "right": 0.3, "wrong": 0.5, "undecided": 0.2}
                row |= {"effective": 40, "flagged": place == 1}
                summary.append(where | row)
                for system in SYSTEMS:
                    truth = random.random()
                    numbers = {"truth": truth, "estimate": truth + 0.1, "system": system, "seed": 0}
                    estimates.append(where | {"measure": measure, "estimator": estimator} | numbers)
        for n in (1, 5):
            for use in ("test alone", "propensities", "both"):
                row = {
                    "measure": "adg",
                    "n": n,
                    "use": use,
                    "tau": 0.1 * n,
                    "regret": 0.2,
                    "seed": 0,
                }
                prices.append(where | row)
        for low, high in ((1, 2), (2, np.inf)):
            row = {"measure": "adg", "around": "naive", "from": low, "to": high, "seed": 0}
            gammas.append(where | row | {"pairs": 10, "right": 7, "needed": 2.5})
    frames = {"summary": summary, "estimates": estimates, "price": prices, "gamma": gammas}
    return {name: pd.DataFrame(rows) for name, rows in frames.items()} | {"orders": pd.DataFrame()}


@pytest.fixture
def results(tmp_path):
    files = []
    for name, frame in made_up().items():
        path = tmp_path / "simulations" / "tiny" / f"trust_{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_csv(path, list(frame.columns), frame.itertuples(index=False))
        files.append(str(path))
    return Results("tiny", files, {})


@pytest.mark.parametrize("name", OUTLINE.tables)
def test_tables_are_written(results, tmp_path, name):
    table = getattr(tables, name)(results)
    write_table(table, tmp_path / name)
    assert {"dataset", "method", "measure", "mean", "sem", "n"} <= set(table.tidy.columns)
    assert len(table.shown) > 2
    assert (tmp_path / f"{name}.tex").exists()


@pytest.mark.parametrize("name", OUTLINE.figures)
def test_figures_are_written(results, tmp_path, name):
    figure = getattr(figures, name)(results)
    write_figure(figure, tmp_path / name)
    assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    assert len(figure.data)


def test_trust_table_shows_the_numbers(results):
    shown = tables.trust(results).shown
    row = shown[(shown["estimator"] == "SNIPS, popularity, γ = 1") & (shown["measure"] == "ADG")]
    assert row["τ"].iloc[0] == "−0.10"
    assert row["wrong, %"].iloc[0] == "50"
    assert row["bias, %"].iloc[0] == "125.0"
    assert row["pairs"].iloc[0] == "40*"


def test_training_compares_equal_penalties(results):
    table = tables.training(results)
    mine = made_up()["estimates"]
    mine = mine[(mine["system"] == "mf-ips gamma=1, lambda=0.4") & (mine["estimator"] == "naive")]
    mine = mine[
        (mine["measure"] == "rmse") & (mine["popularity_exponent"] == 0) & (mine["positivity"] == 0)
    ]
    rows = table.shown[
        (table.shown["selection"] == "tiny, at random") & (table.shown["λ"] == "0.4")
    ]
    [shown] = rows[rows["weights in training"] != "none"]["RMSE"]
    assert float(shown) == pytest.approx(mine["truth"].mean(), abs=1e-4)
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
