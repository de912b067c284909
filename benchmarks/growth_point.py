"""Time and peak memory of one task on one file of ratings. Prints one line of JSON.

python benchmarks/growth_point.py <split|als|pairwise|evaluate> <data.npz> <threads>
"""

import json
import resource
import sys

import numpy as np
from clock import Clock
from problem import sides
from shapes import matrix

from mnar import measures
from mnar.factor_model import FactorModel
from mnar.measures import Context
from mnar.models import mf_adg
from mnar.models._allrank import sweep
from mnar.models._als import start
from mnar.ratings import Ratings
from mnar.splits import split
from mnar.view import Entries, View

FACTORS = 50
# Users are scored until so many scores of items are computed: all users but on the largest shape.
MOST_SCORES = 30_000_000_000


def measure_split(load, clock: Clock, threads: int) -> int:
    ratings = load("train")
    entries = Entries(
        ratings.users,
        ratings.items,
        ratings.values,
        ratings.relevant,
        np.full(len(ratings.items), -1, np.int64),
    )
    few = slice(0, 0)
    none = Entries(*(column[few] for column in vars(entries).values()))
    ids = [np.arange(count) for count in (ratings.n_users, ratings.n_items)]
    view = View(*ids, entries, none, np.zeros((ratings.n_items, 0), np.int32))
    clock.go()
    split("four-folds", view, {}, 0, 1)
    return len(ratings.items)


def measure_als(load, clock: Clock, threads: int) -> int:
    """One sweep; the matrix is transposed before."""
    ratings = load("train")
    users, items = sides(ratings, {"missing_weight": 0.1, "ridge": 10.0})
    vectors = start(ratings.n_users, FACTORS, 1)
    clock.go()
    sweep(users, items, vectors, FACTORS, threads)
    return len(ratings.items)


def measure_pairwise(load, clock: Clock, threads: int) -> int:
    """As many positives as there are, from the start, with the paper's limit on draws."""
    ratings = load("train")
    settings = {"factors": FACTORS, "rate": 0.05, "lambda": 0.01}
    mf_adg.advance(mf_adg.start(ratings, settings, 1), settings, 10)
    clock.go()
    mf_adg.advance(mf_adg.start(ratings, settings, 1), settings, len(ratings.items))
    return len(ratings.items)


def measure_evaluate(load, clock: Clock, threads: int) -> int:
    """Ranking measures of the users that have something held out."""
    seen, held_out = load("train"), load("held_out")
    most = max(1, MOST_SCORES // held_out.n_items)
    if held_out.n_users > most:
        seen, held_out = (part.of_users(np.arange(most)) for part in (seen, held_out))
    random = np.random.default_rng(1)
    vectors = (
        random.standard_normal((count, FACTORS), np.float32)
        for count in (held_out.n_users, held_out.n_items)
    )
    model = FactorModel.without_biases(*vectors)
    asked = ["atop", "topk(0.02)", "adg", "ndcg", "map", "recall@10", "auc_aman"]
    clock.go()
    measures.evaluate(model, held_out, seen, asked, Context(), threads)
    return held_out.n_users


def main() -> None:
    task, file, threads = sys.argv[1:]

    def load(part: str) -> Ratings:
        with np.load(file) as stored:
            return matrix(stored[f"{part}_indptr"], stored[f"{part}_items"], int(stored["n_items"]))

    clock = Clock()
    size = globals()[f"measure_{task}"](load, clock, int(threads))
    seconds = clock.hold()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"size": size, "seconds": seconds, "peak_gb": peak}))


if __name__ == "__main__":
    main()
