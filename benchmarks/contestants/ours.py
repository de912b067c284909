"""This pipeline. Compiled before the clock starts: peers come compiled (`whole_run.py` has that time)."""

from hashlib import sha256

import numpy as np
from problem import sides
from shapes import few, matrix

from mnar import measures
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import ScoreMatrix
from mnar.models import mf_adg
from mnar.models._allrank import sweep
from mnar.models._als import START, start

# The measures of docs/measures.md that follow from full ranks, and RMSE. Head shares and expectations
# over sampled candidates are left out, as the peers have neither.
MEASURES = (
    *("atop", "topk(0.02)", "auc_aman", "adg", "ndcg", "map"),
    *("recall@10", "recall@100", "recall@10(0.5)", "rmse"),
)


def als(job, variant):
    """Variants: single and double precision."""
    number = {"float32": np.float32, "float64": np.float64}[variant]
    settings, threads = job.settings, job.threads
    factors, scale = settings["factors"], settings["start"]

    def run(ratings, sweeps, lap):
        users, items = sides(ratings, settings)
        user_vectors = start(ratings.n_users, factors, settings["seed"]) * (scale / START)
        user_vectors = user_vectors.astype(number)
        item_vectors = None
        for _ in range(sweeps):
            user_vectors, item_vectors = sweep(
                users, items, user_vectors, factors, threads, item_vectors
            )
            found = user_vectors[:, :factors], item_vectors[:, :factors]
            lap(lambda found=found: found)

    run(few(), 1, lambda found: None)
    arrays = job.arrays
    job.clock.go()
    ratings = matrix(arrays["train_indptr"], arrays["train_items"], job.n_items)
    digests = []

    def lap(found):
        job.lap(found)
        job.clock.hold()
        digests.append(sha256(b"".join(vectors.tobytes() for vectors in found())).hexdigest())
        job.clock.go()

    run(ratings, settings["sweeps"], lap)
    return {"digests": digests}


def pairwise(job, variant):
    """Variants: the limit on draws, a number, or the paper's (a hundredth of the items)."""
    settings = dict(job.settings)
    if variant != "paper":
        # A little less than the number, which is rounded up.
        settings["gamma"] = (job.n_items - 1) / (int(variant) - 1e-6)
    arrays = job.arrays
    settings["iterations"] = settings["epochs"] * len(arrays["train_items"])
    settings["decay"] = True
    mf_adg.advance(mf_adg.start(few(), settings, 1), settings, 10)
    draws = []
    job.clock.go()
    ratings = matrix(arrays["train_indptr"], arrays["train_items"], job.n_items)
    state = mf_adg.start(ratings, settings, settings["seed"])

    def parameters():
        model = state.model()
        return model.user_vectors, model.item_vectors, model.item_bias

    for _ in range(settings["epochs"]):
        before = state.draws
        mf_adg.advance(state, settings, len(ratings.items))
        draws.append((state.draws - before) / len(ratings.items))
        job.lap(parameters)
    return {"draws": {"first_draws": draws[0], "last_draws": draws[-1]}}


def evaluate(job, variant):
    """All measures from the places of the held-out items among all unseen items.

    Variants: factors, or the same scores as a dense matrix.
    """
    arrays = job.arrays
    train, held_out = (
        matrix(arrays[f"{part}_indptr"], arrays[f"{part}_items"], job.n_items)
        for part in ("train", "held_out")
    )
    model = FactorModel.without_biases(*job.model())
    little = few()
    vectors = np.ones((little.n_items, model.item_vectors.shape[1]), np.float32)
    small = FactorModel.without_biases(vectors[: little.n_users], vectors)
    if variant == "dense":
        model = ScoreMatrix(job.dense())
        small = ScoreMatrix(np.ones((little.n_users, little.n_items), np.float32))
    for ratings, scored, seen in ((little, small, little), (held_out, model, train)):
        counts = np.bincount(ratings.items, minlength=ratings.n_items)
        weights = counts[ratings.items[ratings.relevant]] ** -0.5
        context = Context(weigh=lambda scheme, weights=weights: weights)
        job.clock = type(job.clock)()
        job.clock.go()
        found = measures.evaluate(scored, ratings, seen, MEASURES, context, job.threads)
        values = {name: float(value.mean()) for name, value in found.items()}
        seconds = job.clock.hold()
    quality = {"recall_100": values["recall@100"]}
    return {"seconds": seconds, "values": values, "quality": quality}
