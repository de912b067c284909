"""Train implicit on the exported folds of a study, and write its scores for the workflow.

python examples/implicit_scores.py STUDY DATASET
"""

import sys
from itertools import product
from pathlib import Path

import pandas as pd
from implicit.cpu.bpr import BayesianPersonalizedRanking
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

GRID = {"factors": (16, 64), "learning_rate": (0.01, 0.05), "regularization": (0.01, 0.1)}
LISTED = 500


def matrix(table, users, items):
    """The relevant ratings as 0 and 1, with a row a user and a column an item."""
    liked = table[table["relevant"]]
    rows, columns = users.get_indexer(liked["user"]), items.get_indexer(liked["item"])
    return csr_matrix(([1.0] * len(liked), (rows, columns)), (len(users), len(items)), "float32")


def best_model(train, validation):
    """The setting with the best NDCG on validation: the test is for the workflow alone."""
    found = []
    for values in product(*GRID.values()):
        settings = dict(zip(GRID, values, strict=True))
        model = BayesianPersonalizedRanking(**settings, random_state=1, num_threads=1)
        model.fit(train, show_progress=False)
        reached = ranking_metrics_at_k(model, train, validation, K=100, show_progress=False)
        found.append((reached["ndcg"], len(found), model))
    return max(found)[2]


def write_scores(fold, target):
    tables = {p: pd.read_parquet(fold / f"{p}.parquet") for p in ("train", "validation", "test")}
    every = pd.concat(tables.values())
    users, items = pd.Index(every["user"].unique()), pd.Index(every["item"].unique())
    train, validation = (matrix(tables[p], users, items) for p in ("train", "validation"))
    model = best_model(train, validation)
    size = min(LISTED, len(items) - train.getnnz(axis=1).max())
    best, scores = model.recommend(
        range(len(users)), train, N=size, filter_already_liked_items=True
    )
    found = pd.DataFrame(
        {
            "user": users.repeat(size),
            "item": items[best.ravel()],
            "score": scores.ravel(),
        }
    )
    # The id of the fold goes along, so that the workflow notices scores of another fold.
    found.attrs = tables["train"].attrs
    target.parent.mkdir(parents=True, exist_ok=True)
    found.to_parquet(target)


def main(study, dataset):
    for fold in sorted(Path("results/export", study, dataset).iterdir()):
        write_scores(fold, Path("scores", study, dataset, f"{fold.name}.parquet"))
        print(f"scores/{study}/{dataset}/{fold.name}.parquet")


if __name__ == "__main__":
    main(*sys.argv[1:])
