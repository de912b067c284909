"""implicit: ALS by conjugate gradients (its default), BPR, and its own evaluation."""

import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.bpr import BayesianPersonalizedRanking
from implicit.evaluation import ranking_metrics_at_k


def als(job, variant):
    """By conjugate gradients, three steps a row, which is its default."""
    scale = 1 / job.settings["missing_weight"]
    model = AlternatingLeastSquares(
        factors=job.settings["factors"],
        regularization=job.settings["ridge"] * scale,
        alpha=scale,
        use_cg=True,
        use_gpu=False,
        iterations=job.settings["sweeps"],
        num_threads=job.threads,
        random_state=job.settings["seed"],
    )
    _fit(model, job)


def pairwise(job, variant):
    """Bayesian personalised ranking: one draw for each positive, another algorithm."""
    model = BayesianPersonalizedRanking(
        factors=job.settings["factors"],
        use_gpu=False,
        iterations=job.settings["epochs"],
        num_threads=job.threads,
        random_state=job.settings["seed"],
    )
    _fit(model, job)


def _fit(model, job):
    train = job.part("train")
    job.clock.go()
    model.fit(train, show_progress=False, callback=lambda *_: job.lap(lambda: _vectors(model)))


def evaluate(job, variant):
    """Precision, MAP, NDCG and AUC of the top 100."""
    model = AlternatingLeastSquares(factors=job.settings["factors"], use_gpu=False)
    model.user_factors, model.item_factors = job.model()
    train, held_out = job.part("train"), job.part("held_out")
    job.clock.go()
    values = ranking_metrics_at_k(
        model, train, held_out, K=100, show_progress=False, num_threads=job.threads
    )
    seconds = job.clock.hold()
    found = {name: float(value) for name, value in values.items()}
    return {"seconds": seconds, "values": found, "quality": {"ndcg_100": found["ndcg"]}}


def _vectors(model) -> tuple[np.ndarray, np.ndarray]:
    return model.user_factors, model.item_factors
