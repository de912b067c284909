"""Time and peak memory of one task on one file of ratings. Prints one line of JSON.

Each function starts the clock, does its work, and returns the share that it did, with further notes.

python benchmarks/growth_point.py <split|als|pairwise|evaluate> <data.npz> <threads>
"""

import json
import sys

import numpy as np
from clock import Clock, peak_gb
from problem import sides
from shapes import few, matrix

from mnar import measures
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings
from mnar.matrices.view import Entries, View
from mnar.models import mf_adg
from mnar.models._allrank import sweep
from mnar.models._als import start
from mnar.splits import split

FACTORS = 50
# More work than this of one kind is not waited for: time is scaled up from the share that was done.
MOST_SCORES = 10_000_000_000
# By the limit on draws of a positive, which grows with the catalogue: 50 million at Netflix' shape.
MOST_DRAWS = 8_900_000_000


def measure_split(load, clock: Clock, threads: int) -> dict[str, float]:
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
    return {"share_done": 1.0}


def measure_als(load, clock: Clock, threads: int) -> dict[str, float]:
    """One sweep; the matrix is transposed before."""
    ratings = load("train")
    users, items = sides(ratings, {"missing_weight": 0.1, "ridge": 10.0})
    vectors = start(ratings.n_users, FACTORS, 1)
    clock.go()
    sweep(users, items, vectors, FACTORS, threads)
    return {"share_done": 1.0}


def measure_pairwise(load, clock: Clock, threads: int) -> dict[str, float]:
    """As many positives as there are, from the start, with the paper's limit on draws.

    The more positives a model has learned, the more draws the next one takes.
    """
    ratings = load("train")
    settings = {"factors": FACTORS, "rate": 0.05, "lambda": 0.01}
    state = mf_adg.start(ratings, settings, 1)
    limit = len(mf_adg.rank_weights(ratings.n_items, gamma=100, by_rank=True))
    share = min(1.0, MOST_DRAWS / (limit * len(ratings.items)))
    clock.go()
    mf_adg.advance(state, settings, round(share * len(ratings.items)))
    return {"share_done": share, "draws": state.draws / state.iterations}


def measure_evaluate(load, clock: Clock, threads: int) -> dict[str, float]:
    """Ranking measures of the users that have something held out."""
    seen, held_out = load("train"), load("held_out")
    scored = min(held_out.n_users, max(1, MOST_SCORES // held_out.n_items))
    share = scored / held_out.n_users
    if share < 1:
        seen, held_out = (part.of_users(np.arange(scored)) for part in (seen, held_out))
    random = np.random.default_rng(1)
    vectors = (
        random.standard_normal((count, FACTORS), np.float32)
        for count in (held_out.n_users, held_out.n_items)
    )
    model = FactorModel.without_biases(*vectors)
    asked = ["atop", "topk(0.02)", "adg", "ndcg", "map", "recall@10", "auc_aman"]
    clock.go()
    measures.evaluate(model, held_out, seen, asked, Context(), threads)
    return {"share_done": share}


def main() -> None:
    task, file, threads = sys.argv[1:]

    def load(part: str) -> Ratings:
        with np.load(file) as stored:
            return matrix(stored[f"{part}_indptr"], stored[f"{part}_items"], int(stored["n_items"]))

    measure = globals()[f"measure_{task}"]
    # Compiled, or loaded from the cache, before the clock runs.
    measure(lambda part: few(), Clock(), int(threads))
    clock = Clock()
    done = measure(load, clock, int(threads))
    seconds = clock.hold() / done["share_done"]
    print(json.dumps({"seconds": seconds, "peak_gb": peak_gb(), **done}))


if __name__ == "__main__":
    main()
