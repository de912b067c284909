"""irspack: iALS by conjugate gradients (its default), Cholesky or iALS++, and its evaluator."""

from irspack.evaluation import Evaluator
from irspack.recommenders import IALSRecommender
from irspack.recommenders.base import BaseRecommender


def als(job, variant):
    """Variants: cg (three steps a row, its default), cholesky, and ialspp, a block of factors at a time.

    Blocks have 64 factors, its default; with no more factors than that it solves them all at once.
    """
    missing = job.settings["missing_weight"]
    train = job.part("train")
    job.clock.go()
    # Weights α₀ + 1 and α₀ with targets 1 and 0; with nu = 0 the same ridge for all rows.
    model = IALSRecommender(
        train,
        n_components=job.settings["factors"],
        alpha0=missing / (1 - missing),
        reg=job.settings["ridge"] / (1 - missing),
        nu=0.0,
        loss_type="ORIGINAL",
        solver_type=variant.upper(),
        random_seed=job.settings["seed"],
        n_threads=job.threads,
    )
    model.start_learning()
    for _ in range(job.settings["sweeps"]):
        model.run_epoch()
        job.lap(lambda: (model.get_user_embedding(), model.get_item_embedding()))


def evaluate(job, variant):
    """Hits, recall, NDCG, MAP, precision and coverage of the top 100.

    Variants: its own recommender with the vectors, or one that has the same scores as a matrix.
    """
    held_out = job.part("held_out")
    model = _dense(job) if variant == "dense" else _factors(job)
    job.clock.go()
    values = Evaluator(held_out, cutoff=100, n_threads=job.threads).get_score(model)
    seconds = job.clock.hold()
    found = {name: float(value) for name, value in values.items()}
    quality = {"recall_100": found["recall"], "ndcg_100": found["ndcg"]}
    return {"seconds": seconds, "values": found, "quality": quality}


def _dense(job):
    scores = job.dense()

    class Given(BaseRecommender):
        def _learn(self):
            pass

        def get_score(self, users):
            return scores[users]

        def get_score_block(self, begin, end):
            # A copy: the evaluator puts seen items at minus infinity.
            return scores[begin:end].copy()

    model = Given(job.part("train"))
    model.learn()
    return model


def _factors(job):
    model = IALSRecommender(
        job.part("train"), n_components=job.settings["factors"], n_threads=job.threads
    )
    model.start_learning()
    # Vectors from elsewhere in its own recommender, which scores on all its threads.
    model.trainer.core_trainer.user, model.trainer.core_trainer.item = job.model()
    return model
