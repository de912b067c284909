"""irspack: iALS by conjugate gradients (its default) or Cholesky, and its evaluator."""

from irspack.evaluation import Evaluator
from irspack.recommenders import IALSRecommender


def als(job, variant):
    """Variants: cg (three steps a row, its default) and cholesky."""
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
    """Hits, recall, NDCG, MAP, precision and coverage of the top 100."""
    model = IALSRecommender(
        job.part("train"), n_components=job.settings["factors"], n_threads=job.threads
    )
    model.start_learning()
    # Vectors from elsewhere in its own recommender, which scores on all its threads.
    model.trainer.core_trainer.user, model.trainer.core_trainer.item = job.model()
    held_out = job.part("held_out")
    job.clock.go()
    values = Evaluator(held_out, cutoff=100, n_threads=job.threads).get_score(model)
    seconds = job.clock.hold()
    return {"seconds": seconds, "values": {name: float(value) for name, value in values.items()}}
