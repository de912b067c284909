"""Our own models, exported as scores and read back, stand in every table with the same numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.running import snakemake, tiny_config

from mnar import models
from mnar.matrices.view import View
from mnar.splits import load_split
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import StoredModel

STUDIES = {
    "lim2015": "svd",
    "steck2010": "allrank-regression",
    # Its users are folded in, so a file has vectors that no training gave.
    "pradel2012": "pradel-allrank",
    "kddcup2011-track1": "mf-biased",
    "kddcup2011-track2": "svd",
}
EXPERIMENTS = ("lim2015", "steck2010", "pradel2012", "kddcup2011")
FOLDS = (0, 1)


def config_with(copies):
    config = tiny_config(*EXPERIMENTS)
    # A few methods are enough, and what the tables need.
    few = {
        "lim2015": ["mf-auc", "mf-adg", "svd"],
        "kddcup2011-track1": ["observed-only", "mf-biased"],
    }
    few["kddcup2011-track2"] = ["observed-only", "svd"]
    for study in STUDIES:
        # Another list: in the config other studies have the same one.
        methods = [*few.get(study, config["studies"][study]["methods"]), *copies]
        config["studies"][study] |= {"methods": methods}
        if study in few:
            config["studies"][study] |= {"rivals": [], "search": {}}
    config["methods"] |= copies
    return config


def stored_model(folder, study, fold):
    """The chosen model with the ids of its rows and columns, for all users that are evaluated."""
    method = STUDIES[study]
    stored = StoredModel.load(folder / f"results/models/{study}/tiny/{method}/{fold}.npz")
    if study != "pradel2012":
        return stored
    view = View.load(folder / "results/views/tiny/pradel2012.npz")
    split = load_split(folder / "results/splits/tiny/pradel2012/strong.npz", fold)
    known = Fold.of(view, split).fold_in
    module, settings = stored.choice.module, stored.choice.settings
    return replace(stored, model=models.load(module).fold_in(stored.model, known, settings, 1))


def write_copies(folder):
    """The chosen models as pairs, in the precision of their predictions, and as vectors."""
    for study in STUDIES:
        for fold in FOLDS:
            stored = stored_model(folder, study, fold)
            model = stored.model
            exported = pd.read_parquet(folder / f"results/export/{study}/tiny/{fold}/train.parquet")
            rows = np.repeat(np.arange(model.n_users), model.n_items)
            columns = np.tile(np.arange(model.n_items), model.n_users)
            levels = model.offset + model.user_bias.astype(float)
            scores = model.score_pairs(rows, columns).astype(float) + levels[rows]
            pairs = pd.DataFrame(
                {"user": stored.user_ids[rows], "item": stored.item_ids[columns], "score": scores}
            )
            pairs.attrs = exported.attrs
            for kind in ("pairs", "vectors"):
                (folder / f"{kind}/{study}/tiny").mkdir(parents=True, exist_ok=True)
            pairs.sample(frac=1, random_state=1).to_parquet(
                folder / f"pairs/{study}/tiny/{fold}.parquet"
            )
            np.savez(
                folder / f"vectors/{study}/tiny/{fold}.npz",
                users=stored.user_ids,
                items=stored.item_ids,
                user_vectors=model.user_vectors,
                item_vectors=model.item_vectors,
                user_bias=model.user_bias,
                item_bias=model.item_bias,
                offset=model.offset,
                fold=exported.attrs["fold"],
            )


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    predicts = {"settings": {"predicts_ratings": True}}
    copies = {
        "from-pairs": {"scores": "pairs/{study}/{dataset}/{fold}.parquet", **predicts},
        "from-vectors": {"scores": "vectors/{study}/{dataset}/{fold}.npz", **predicts},
    }
    wanted = [
        f"results/{what}"
        for study, method in STUDIES.items()
        for fold in FOLDS
        for what in (
            f"models/{study}/tiny/{method}/{fold}.npz",
            f"export/{study}/tiny/{fold}/train.parquet",
        )
    ]
    done = snakemake(folder, *wanted, config=config_with(copies))
    assert done.returncode == 0, done.stderr[-4000:]
    write_copies(folder)
    made = ["results/lim2015/tiny/table1.csv", "results/steck2010/tiny/table2.csv"]
    made += [
        f"results/scores/{study}/tiny/{name}/0-1.csv"
        for study in STUDIES
        for name in (STUDIES[study], *copies)
    ]
    done = snakemake(folder, *made)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


@pytest.mark.parametrize("copy", ["from-pairs", "from-vectors"])
@pytest.mark.parametrize(("study", "method"), STUDIES.items())
def test_scores_read_back_are_the_same_for_every_measure(run, study, method, copy):
    folder = run / f"results/scores/{study}/tiny"
    key = ["fold", "candidates", "set", "measure"]
    ours, theirs = (
        pd.read_csv(folder / name / "0-1.csv").query("chosen == 1").set_index(key)
        for name in (method, copy)
    )
    # Track 1 has one measure on two sets, and what is scored on training.
    assert len(ours) == len(theirs) >= (6 if study.startswith("kddcup2011") else 20)
    columns = ["user_mean", "pair_mean", "users", "left_out"]
    np.testing.assert_allclose(theirs.loc[ours.index, columns], ours[columns], rtol=0, atol=1e-6)


# Tables and figures that have every method, and what tells their rows apart.
TABLES = {
    "lim2015": {
        "table1": ["measure"],
        "table1_candidates": ["candidates", "measure"],
        "table1_plot": ["measure"],
        "table1_recall_curve": ["k"],
        "table2": ["measure"],
        "table2_plot": ["measure"],
    },
    "steck2010": {
        "figure3": ["measure", "k"],
        "readings": ["candidates", "catalogue", "measure", "set"],
        "sampling": ["measure", "sample"],
        "table2": ["minus", "measure", "set"],
        "table3": ["measure"],
    },
}
# Rows of a method alone: its settings, what the paper has of it, tests that name it.
OWN = (
    # Of scores from a file nobody knows what they were learnt from; twins are not shown.
    "family",
    "shown",
    "published",
    "difference",
    "published_sem",
    "over_svd",
    "gain",
    "p_holm",
    "significantly",
    "over_observed_only",
)


@pytest.mark.parametrize("copy", ["from-pairs", "from-vectors"])
@pytest.mark.parametrize(
    ("study", "name"), [(study, name) for study, names in TABLES.items() for name in names]
)
def test_scores_read_back_are_the_same_in_every_table(run, study, name, copy):
    table = pd.read_csv(
        run / f"results/{study}/tiny/{name}.csv", keep_default_na=False, na_values=[""]
    )
    # In Table 2 settings stand beside scores; given scores have none.
    table = (
        table[~table["measure"].isin(["missing_weight", "imputed", "lambda"])]
        if "measure" in table
        else table
    )
    if "minus" in table:
        table = table[table["minus"].isna()].assign(minus="")
    columns = [c for c in table if c not in ("dataset", "method", *TABLES[study][name])]
    columns = [c for c in columns if not c.startswith(OWN)]
    ours, theirs = (
        table[table["method"] == method].set_index(TABLES[study][name])[columns]
        for method in (STUDIES[study], copy)
    )
    assert len(ours) == len(theirs) > 0
    np.testing.assert_allclose(
        theirs.loc[ours.index].astype(float), ours.astype(float), rtol=0, atol=1e-6
    )
