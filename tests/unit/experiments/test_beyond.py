"""Claims of others: each holds on tables made so, and fails on tables made the other way."""

import pandas as pd
import pytest

from mnar.claims import Data
from mnar.claims.entries import load
from mnar.claims.outcome import Missing
from mnar.claims.tidy_tables import Files

CLAIMS = {claim.id: claim for claim in load() if claim.paper == "beyond"}
KEYS = ("popularity_exponent", "positivity", "correlation")


def trust_row(estimator, measure, point=(None,) * 3, **numbers):
    row = {"estimator": estimator, "measure": measure, "tau": 0.3, "turned": 0.0}
    row |= dict(zip(KEYS, point, strict=True))
    for name in ("gain", "rise", "bias", "bias_ratio"):
        value = numbers.pop(name, 0.0)
        row |= {name: value, f"{name}_low": value - 0.01, f"{name}_high": value + 0.01}
    return row | numbers


def verdict(tmp_path, claim, table, rows):
    path = tmp_path / "trust" / "d" / f"{table}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)
    data = Data(Files([path]), "beyond", "d", (f"trust/{table}",))
    try:
        return CLAIMS[claim].test(data).verdict
    except Missing:
        return "cannot be tested here"


BY_COUNT = "snips(popularity, gamma=1)"
# Claim, estimators and measure that decide, the column, a value for it and one against it.
CASES = [
    ("bey-01", [BY_COUNT], "recall@10", "bias", 0.05, -0.3),
    ("bey-02", ["snips(known)"], "mae", "bias_ratio", 0.2, 0.7),
    ("bey-03", ["snips(known)", "ips(known)"], "adg", "bias_ratio", 0.2, 0.7),
    ("bey-05", [BY_COUNT], "adg", "turned", 0.05, 0.005),
    ("bey-06", [BY_COUNT], "adg", "gain", 0.1, -0.1),
    ("bey-07", [BY_COUNT], "adg", "rise", 0.15, -0.09),
    ("bey-08", ["wtd(popularity)"], "adg", "bias", 0.05, 0.2),
]


@pytest.mark.parametrize(("claim", "estimators", "measure", "column", "good", "bad"), CASES)
def test_the_number_decides(tmp_path, claim, estimators, measure, column, good, bad):
    for value, expected in ((good, "holds"), (bad, "does not hold")):
        rows = [trust_row(one, measure, **{column: value}) for one in estimators]
        rows.append(trust_row("naive", measure))
        assert verdict(tmp_path, claim, "trust", rows) == expected


def test_all_effects_with_exposure_left_to_chance_decide(tmp_path):
    points = [(0.0, 0.0, 0.0), (0.8, 0.0, 0.0), (0.8, 1.0, 0.0), (0.8, 1.0, 0.8)]
    for deciding in points:
        rows = [
            trust_row(BY_COUNT, "recall@10", point, bias=0.0 if point == deciding else 1.0)
            for point in points
        ]
        expected = "holds" if deciding == (0.8, 1.0, 0.0) else "does not hold"
        assert verdict(tmp_path, "bey-01", "trust", rows) == expected


def test_lower_error_at_each_penalty(tmp_path):
    def rows(*means, method="mf-ips-published"):
        about = {"kind": "difference", "method": method, "gamma": "", "measure": "rmse"}
        found = [about | {"mean": m, "low": m - 0.01, "high": m + 0.01} for m in means]
        # What stands beside it must not decide.
        beside = {"mean": 1.0, "low": 0.9, "high": 1.1}
        return [*found, about | {"kind": "value"} | beside, about | {"method": "mf-ips"} | beside]

    assert verdict(tmp_path, "bey-04", "training", rows(-0.1, -0.05)) == "holds"
    assert verdict(tmp_path, "bey-04", "training", rows(-0.1, 0.05)) == "does not hold"
    assert verdict(tmp_path, "bey-04", "training", rows(-0.1, 0.0)) == "undecided"
    without = rows(-0.1, -0.05, method="mf-ips")
    assert verdict(tmp_path, "bey-04", "training", without) == "cannot be tested here"


def test_popularity_is_a_second_reading_of_training_with_weights(tmp_path):
    about = {"kind": "difference", "measure": "rmse", "dataset": "d", "low": -0.1, "high": -0.05}
    rows = [about | {"method": "mf-ips", "gamma": g, "mean": -0.07} for g in (1, 0.5)]
    path = tmp_path / "trust" / "d" / "training.csv"
    path.parent.mkdir(parents=True)
    pd.DataFrame(rows).to_csv(path, index=False)
    data = Data(Files([path]), "beyond", "d", ("trust/training",))
    readings = CLAIMS["bey-04"].readings
    assert [test(data).verdict for test in readings.values()] == ["holds", "holds"]


def test_a_rise_is_judged_by_its_own_interval(tmp_path):
    """τ of the plain mean is no exact number: what counts is the interval of the difference."""
    row = trust_row(BY_COUNT, "adg", gain=0.15) | {"rise": 0.03, "rise_low": -0.1, "rise_high": 0.2}
    rows = [row, trust_row("naive", "adg")]
    assert verdict(tmp_path, "bey-07", "trust", rows) == "undecided"


def test_popularity_is_good_by_observed_and_bad_by_random_ratings(tmp_path):
    def rows(observed, at_random):
        about = {"system": "bestseller-count", "measure": "adg"}
        shares = {"naive": observed, "truth": at_random}
        return [
            about | {"estimator": one, "mean": m, "low": m - 0.05, "high": m + 0.05}
            for one, m in shares.items()
        ]

    assert verdict(tmp_path, "bey-09", "systems", rows(0.9, 0.2)) == "holds"
    assert verdict(tmp_path, "bey-09", "systems", rows(0.9, 0.8)) == "does not hold"
    assert verdict(tmp_path, "bey-09", "systems", rows(0.3, 0.2)) == "does not hold"


def test_every_entry_says_that_its_text_is_not_at_hand():
    assert CLAIMS
    for claim in CLAIMS.values():
        assert "not at hand" in claim.place, claim.id
