"""The examples as their README runs them, on a tiny dataset: exported folds, scores back, a wrapped method.

They use a library that the project does not need, so they have an environment of their own:
`make test-examples`.
"""

import os
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
import yaml
from helpers.running import ROOT, command, tiny_config, write_config

import mnar

PYTHON = ROOT / ".venv-examples/bin/python"
FOLDS = (0, 1)
METHODS = ("implicit-als", "implicit-scores")


def config():
    """That of the examples over the tiny one, with its dataset and fewer settings."""
    text = (ROOT / "examples/config.yaml").read_text(encoding="utf-8")
    laid_over = yaml.safe_load(text.replace("movielens-small", "tiny"))
    found = tiny_config("lim2015")
    laid_over["methods"]["implicit-als"]["grid"] |= {"factors": [4, 8], "alpha": [1]}
    assert laid_over.keys() == {"methods", "studies"}
    found["methods"] |= laid_over["methods"]
    found["studies"]["lim2015"] |= laid_over["studies"]["lim2015"] | {"rivals": [], "search": {}}
    return found


def run(folder, *call):
    # Neither the library nor anything else of the environment that the tests run in.
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    path = f"{PYTHON.parent}{os.pathsep}{clean['PATH']}"
    done = subprocess.run(
        [str(PYTHON), *call], cwd=folder, capture_output=True, text=True, env=clean | {"PATH": path}
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "examples", folder / "examples")
    write_config(folder, config())
    exported = [f"results/export/lim2015/tiny/{fold}/train.parquet" for fold in FOLDS]
    run(folder, *command(folder, *exported)[1:])
    told = run(folder, "examples/implicit_scores.py", "lim2015", "tiny").stdout.splitlines()
    assert told == [f"scores/lim2015/tiny/{fold}.parquet" for fold in FOLDS]
    run(folder, *command(folder, "results/lim2015/tiny/table1.csv")[1:])
    return folder


def test_both_stand_in_table_1(finished):
    table = pd.read_csv(finished / "results/lim2015/tiny/table1.csv")
    others = table[~table["method"].isin(METHODS)]
    for method in METHODS:
        mine = table[table["method"] == method]
        assert list(mine["measure"]) == list(others["measure"].unique())
        assert mine["mean"].between(0, 1, inclusive="neither").all()


def test_the_wrapped_method_is_searched_like_all_others(finished):
    scores = pd.read_csv(finished / "results/scores/lim2015/tiny/implicit-als/0-1.csv")
    tried = config()["methods"]["implicit-als"]["grid"]
    for fold in FOLDS:
        points = scores[scores["fold"] == fold].drop_duplicates("settings")
        assert len(points) >= np.prod([len(values) for values in tried.values()])
        assert points["chosen"].sum() == 1


@pytest.mark.parametrize("fold", FOLDS)
def test_scores_that_came_back_have_the_values_that_anyone_can_compute(finished, fold):
    """From the exported files alone, with mnar.evaluate."""
    parts = finished / f"results/export/lim2015/tiny/{fold}"
    train, validation, test = (
        pd.read_parquet(parts / f"{part}.parquet") for part in ("train", "validation", "test")
    )
    given = finished / f"scores/lim2015/tiny/{fold}.parquet"
    assert pd.read_parquet(given).attrs["fold"] == train.attrs["fold"]
    found = mnar.evaluate(given, train, test, items=validation["item"], samples=0)
    theirs = pd.read_csv(finished / "results/scores/lim2015/tiny/implicit-scores/0-1.csv")
    theirs = theirs.query(f"fold == {fold} and candidates == 'unseen' and set == 'test'")
    theirs = theirs.query("chosen == 1").set_index("measure")["user_mean"]
    for name, value in zip(found["measure"], found["value"], strict=True):
        assert value == pytest.approx(theirs[name], abs=1e-6), name
