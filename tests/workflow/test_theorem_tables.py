"""The theorems on a dataset whose truth is known, and on one whose truth is not."""

import csv
from pathlib import Path

import numpy as np
from helpers.running import snakemake, tiny_config

OWN = {
    "files": {"ratings": "ratings.csv"},
    "format": {"columns": {"user": "user", "item": "item", "rating": "rating"}},
    "scale": [1, 5],
    "relevant": 4,
    "quick": True,
}


def rows_of(path: Path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_known_truth(whole_run):
    folder = whole_run / "results/theorems/tiny"
    rows = rows_of(folder / "bias.csv")
    for row in rows:
        if row["measure"] in ("adg", "atop", "recall@10"):
            assert row["inside"] == "True"
        if row["measure"] == "ndcg" and float(row["share"]) < 1:
            assert row["inside"] == "False"
            assert float(row["bias"]) < 0
        assert row["inside_expected"] == "True"
    assert {row["observation"] for row in rows_of(folder / "unseen.csv")} == {
        "uniform",
        "popularity",
    }
    assert len(rows_of(folder / "random_auc.csv")) > 1


def test_a_dataset_without_a_truth_says_so(tmp_path):
    random = np.random.default_rng(1)
    users, items = np.nonzero(random.random((60, 40)) < 0.4)
    ratings = random.integers(2, 6, len(users))
    folder = tmp_path / "data/own"
    folder.mkdir(parents=True)
    lines = ["user,item,rating"]
    lines += [f"{u},{i},{r}" for u, i, r in zip(users, items, ratings, strict=True)]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = tiny_config("theorems")
    config["datasets"]["own"] = OWN
    config["studies"]["lim2015"]["methods"] = ["mf-auc", "svd"]
    config["studies"]["lim2015"].pop("search", None)
    done = snakemake(tmp_path, "results/theorems/own/unseen.md", config=config)
    assert done.returncode == 0, done.stderr[-5000:]
    results = tmp_path / "results/theorems/own"
    for name in ("unseen", "random_auc"):
        assert "truth is not known" in (results / f"{name}.md").read_text(encoding="utf-8")
        assert rows_of(results / f"{name}.csv") == []
    assert len(rows_of(results / "bias.csv")) > 50
    assert {row["method"] for row in rows_of(results / "train_vs_test.csv")} == {"mf-auc", "svd"}
