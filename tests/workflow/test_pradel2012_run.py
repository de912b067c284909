"""pradel2012 in a finished run: what its files hold, on a dataset with random ratings and a truth."""

import numpy as np
import pandas as pd
from helpers.running import tiny_config

from mnar.simulations.generators.grid import CLAIMS


def test_measures_of_every_set_are_in_the_figures(whole_run):
    data = pd.read_csv(whole_run / "results/pradel2012/tiny/figure2.csv")
    curves = data[data["kind"] == "sweep"]
    config = tiny_config()
    grid = config["methods"]["pradel-allrank"]["grid"]
    low, high = grid["lambda"]
    assert config["search"]["beyond_edges"] == 1
    reachable = [low * low / high, low, high, high * high / low]
    points = data[(data["kind"] == "grid") & (data["measure"] == "auc")]
    weights = sorted(points["missing_weight"].unique())
    # 0 is a natural end; beyond the largest weight the search may go one step.
    assert weights[:2] == grid["missing_weight"]
    assert len(weights) <= 3
    for measure in ("auc", "auc_aman", "auc_rand", "auc_complete", "recall@10", "head_10"):
        mine = curves[curves["measure"] == measure]
        assert mine["missing_weight"].tolist() == weights
        assert all(np.isclose(penalty, reachable).any() for penalty in mine["lambda"])
    assert len(points) == len(weights) * points["lambda"].nunique()
    assert set(grid["lambda"]) <= set(points["lambda"])
    alone = pd.read_csv(whole_run / "results/pradel2012/tiny/figure3.csv")
    assert not alone["measure"].str.contains("auc_rand|auc_complete").any()


def test_rules_are_judged_by_random_and_by_complete_ratings(whole_run):
    judged = pd.read_csv(whole_run / "results/pradel2012/tiny/interval_rule.csv")
    assert set(judged["measure"]) == {"auc_rand", "auc_complete"}
    assert set(judged["rule"]) == {"interval", "auc", "auc_aman", "recall@10"}


def test_what_needs_the_truth_is_there(whole_run):
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    assert 'id="pradel2012-tiny-user_model"' in page
    assert 'href="pradel2012/synthetic_grid.csv"' in page
    figure1 = pd.read_csv(whole_run / "results/pradel2012/tiny/figure1.csv")
    assert "true_beta_over_alpha" in set(figure1["fact"])
    grid = pd.read_csv(whole_run / "results/pradel2012/synthetic_grid.csv")
    assert set(CLAIMS) <= set(grid.columns)
