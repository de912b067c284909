"""A model that is no factor model, with a fold-in of its own, is scored in studies of three protocols."""

import pandas as pd
import pytest
from helpers.running import snakemake, tiny_config

# The list of the most rated items, written as a stranger would.
OWN = """\
import numpy as np


class Popular:
    def __init__(self, counts, n_users):
        self.counts, self.n_users, self.n_items = counts, n_users, len(counts)

    def scores(self, users):
        return np.tile(self.counts, (len(users), 1))


def fit(train, settings, seed, threads):
    counts = np.bincount(train.items, minlength=train.n_items).astype(np.float32)
    return Popular(counts, train.n_users)


def fold_in(model, ratings, settings, threads):
    return Popular(model.counts, ratings.n_users)
"""
STUDIES = {"pradel2012": "strong", "kddcup2011-track2": "track2", "steck2010": "last-five"}
LIST = "bestseller-count"


def scores_file(study, method):
    return f"results/scores/{study}/tiny/{method}/0-1.csv"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    config = tiny_config("pradel2012", "kddcup2011", "steck2010")
    config["methods"]["own"] = {"module": "own.py"}
    for study in STUDIES:
        kept = config["studies"][study]["methods"]
        config["studies"][study]["methods"] = [*dict.fromkeys([*kept, LIST]), "own"]
    (folder / "own.py").write_text(OWN, encoding="utf-8")
    files = [scores_file(study, method) for study in STUDIES for method in (LIST, "own")]
    done = snakemake(folder, *files, config=config)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder, config


@pytest.mark.parametrize("study", STUDIES)
def test_it_has_the_scores_of_the_same_list_made_here(run, study):
    folder, config = run
    assert config["studies"][study]["protocol"] == STUDIES[study]
    scores = {name: pd.read_csv(folder / scores_file(study, name)) for name in (LIST, "own")}
    columns = ["fold", "candidates", "set", "measure", "user_mean", "pair_mean", "users"]
    ours = scores[LIST][columns].dropna()
    theirs = scores["own"][columns].merge(ours[columns[:4]])
    assert len(ours) >= 8
    pd.testing.assert_frame_equal(theirs, ours.reset_index(drop=True), check_exact=False)
