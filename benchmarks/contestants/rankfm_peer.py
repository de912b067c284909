"""RankFM: WARP; it knows the users and items that it has seen alone."""

import numpy as np
from rankfm.rankfm import RankFM


def pairwise(job, variant):
    """Variants: the limit on draws. It runs on one thread."""
    np.random.seed(job.settings["seed"])  # noqa: NPY002 (it draws from numpy's global generator)
    model = RankFM(factors=job.settings["factors"], loss="warp", max_samples=int(variant))
    train = job.part("train").tocoo()
    pairs = np.column_stack((train.row, train.col))
    users, items = np.unique(train.row), np.unique(train.col)

    def parameters():
        user_vectors = np.zeros((train.shape[0], job.settings["factors"]), np.float32)
        item_vectors = np.zeros((train.shape[1], job.settings["factors"]), np.float32)
        bias = np.zeros(train.shape[1], np.float32)
        user_vectors[users], item_vectors[items], bias[items] = model.v_u, model.v_i, model.w_i
        return user_vectors, item_vectors, bias

    job.clock.go()
    for _ in range(job.settings["epochs"]):
        model.fit_partial(pairs, epochs=1)
        job.lap(parameters)
