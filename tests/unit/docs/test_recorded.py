"""What the recorded experiment trust must reach where the true chances are known."""

import pandas as pd
import pytest
from helpers.running import ROOT

FOLDERS = sorted(
    path.parent
    for path in ROOT.glob("docs/reproduction/trust/*/redraw.csv")
    if len(pd.read_csv(path))
)
MEASURES = ["adg", "atop", "recall@10"]


def test_complete_data_are_recorded():
    assert FOLDERS, "run `make reproduction PART=trust/jester`"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_known_chances_leave_no_bias(folder):
    rows = pd.read_csv(folder / "redraw.csv")
    rows = rows[rows["estimator"].isin(["ips", "snips"])]
    assert {*rows["measure"]} == {*MEASURES}
    assert (rows["low"] <= 0).all()
    assert (rows["high"] >= 0).all()
    assert ((rows["high"] - rows["low"]) / 2 < 0.01).all()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_known_chances_order_systems_as_well_as_can_be(folder):
    rows = pd.read_csv(folder / "trust.csv")
    known = rows[(rows["estimator"] == "snips(known)") & rows["measure"].isin(MEASURES)]
    # Exposure of random selection is even, whatever the correlation.
    assert len(known) == 16 * len(MEASURES)
    assert (known["tau"] >= 0.95 * known["attainable"]).all()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_naive_and_weighted_means_agree_under_random_selection(folder):
    rows = pd.read_csv(folder / "trust.csv")
    drawn = (rows["popularity_exponent"] == 0) & (rows["positivity"] == 0)
    rows = rows[drawn & rows["measure"].isin(MEASURES)].set_index(["measure", "estimator"])
    for measure in MEASURES:
        naive, known = (rows.loc[(measure, name)] for name in ("naive", "snips(known)"))
        assert naive["tau_low"] <= known["tau"] <= naive["tau_high"]
        assert abs(naive["bias"] - known["bias"]) < 0.01
