"""LensKit: implicit-feedback ALS, exact."""

import numpy as np
import pandas as pd
from lenskit.als import ImplicitMFScorer
from lenskit.data import from_interactions_df
from lenskit.training import TrainingOptions


def als(job, variant):
    scale = 1 / job.settings["missing_weight"]
    train = job.part("train").tocoo()
    data = from_interactions_df(pd.DataFrame({"user_id": train.row, "item_id": train.col}))
    model = ImplicitMFScorer(
        embedding_size=job.settings["factors"],
        weight=scale - 1,
        regularization=job.settings["ridge"] * scale,
        epochs=job.settings["sweeps"],
    )

    def parameters():
        """It knows the users and items that it has seen; the others have the best vector, zero."""
        found = []
        sides = (data.users, model.user_embeddings), (data.items, model.item_embeddings)
        for (names, vectors), rows in zip(sides, train.shape, strict=True):
            whole = np.zeros((rows, vectors.shape[1]), np.float32)
            whole[names.ids()] = vectors
            found.append(whole)
        return tuple(found)

    job.clock.go()
    trainer = model.create_trainer(data, TrainingOptions(rng=job.settings["seed"]))
    for _ in range(job.settings["sweeps"]):
        trainer.train_epoch()
        job.lap(parameters)
