"""Datasets that cannot come with the project: their files must be in data/ (make test-placed)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mnar.core.files import read_json
from mnar.matrices.view import View

ROOT = Path(__file__).parents[2]


def made(*targets):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--config", "offline=True"]
    done = subprocess.run([*command, "--", *targets], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return [ROOT / target for target in targets]


def summary(dataset):
    return read_json(made(f"results/data/{dataset}/summary.json")[0])


def test_movielens_1m():
    facts = summary("movielens-1m")
    assert (facts["interactions"], facts["users"]) == (1_000_209, 6_040)
    assert (facts["rated_items"], facts["items"]) == (3_706, 3_883)
    assert facts["mean_rating"] == pytest.approx(3.58, abs=0.005)


def test_movielens_1m_as_pradel2012_sees_it():
    view = View.load(made("results/views/movielens-1m/pradel2012.npz")[0])
    assert view.shape == (6_040, 3_043)
    assert len(view.ratings) == 995_492
    assert np.bincount(view.ratings.user).min() == 16


def test_coat():
    facts = summary("coat")
    assert (facts["users"], facts["items"]) == (290, 300)
    assert (facts["interactions"], facts["random"]["interactions"]) == (6_960, 4_640)


def test_cm100k():
    facts = summary("cm100k")
    assert (facts["interactions"], facts["random"]["interactions"]) == (11_594, 103_584)
