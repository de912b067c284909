"""steck2010 on the tiny dataset: what its tables hold, and a model that new users are folded into."""

import csv
import shutil
import subprocess
import sys

import pandas as pd
from helpers.running import snakemake, tiny_config


def table(whole_run, name):
    return pd.read_csv(whole_run / f"results/steck2010/tiny/{name}.csv")


def test_table2_has_every_method_and_the_differences_of_the_text(whole_run):
    tidy = table(whole_run, "table2")
    methods = tiny_config()["studies"]["steck2010"]["methods"]
    test = tidy[(tidy["measure"] == "atop") & (tidy["set"] == "test")]
    values = test[test["minus"].isna()]
    assert set(methods) <= set(values["method"])
    for row in test[test["minus"].notna()].itertuples():
        first, second = (
            values.loc[values["method"] == one, "mean"].item() for one in (row.method, row.minus)
        )
        assert abs(row.mean - (first - second)) < 1e-12
        assert row.low <= row.mean + 1e-9
        assert row.mean - 1e-9 <= row.high


def test_the_main_reading_is_that_of_table2(whole_run):
    """Trained again from the same seed, the ranks give the same ATOP as the run did."""
    readings = table(whole_run, "readings")
    main = readings[
        (readings["candidates"] == "all")
        & (readings["catalogue"] == "steck2010")
        & (readings["set"] == "test")
    ].set_index("method")["mean"]
    tidy = table(whole_run, "table2")
    ours = tidy[(tidy["measure"] == "atop") & (tidy["set"] == "test") & tidy["minus"].isna()]
    ours = ours.set_index("method")["mean"]
    assert (main - ours[main.index]).abs().max() < 1e-12


def test_sampled_atop_is_unbiased_and_the_top_of_a_sample_too_good(whole_run):
    tidy = table(whole_run, "sampling")
    atop = tidy[tidy["measure"].str.startswith("sampled_atop")]
    assert atop["bias"].abs().max() < 1e-12
    very_top = tidy[tidy["measure"].str.startswith("sampled_topk(0,")]
    assert very_top["bias"].min() > -1e-12


def test_new_users_are_folded_into_a_stored_model(whole_run, tmp_path):
    folder = tmp_path / "copied"
    shutil.copytree(whole_run, folder, symlinks=True)
    model = "results/models/steck2010/tiny/allrank-regression/0.npz"
    done = snakemake(folder, model)
    assert done.returncode == 0, done.stderr[-3000:]
    (folder / "new.csv").write_text("user,item,rating\nann,1,5\nann,2,1\n", encoding="utf-8")
    folded = subprocess.run(
        [sys.executable, "-m", "mnar", "fold-in", "--model", model, "--ratings", "new.csv"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert folded.returncode == 0, folded.stderr
    rows = list(csv.DictReader(folded.stdout.splitlines()))
    assert len(rows) == 10
    assert not {"1", "2"} & {row["item"] for row in rows}
