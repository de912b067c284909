"""LightFM: WARP with its default schedule of rates."""

from lightfm import LightFM


def pairwise(job, variant):
    """Variants: the limit on draws."""
    model = LightFM(
        no_components=job.settings["factors"],
        loss="warp",
        max_sampled=int(variant),
        learning_rate=job.settings["learning_rate"],
        item_alpha=job.settings["alpha"],
        user_alpha=job.settings["alpha"],
        random_state=job.settings["seed"],
    )
    train = job.part("train").tocoo()
    job.clock.go()
    for _ in range(job.settings["epochs"]):
        model.fit_partial(train, epochs=1, num_threads=job.threads)
        job.lap(lambda: (model.user_embeddings, model.item_embeddings, model.item_biases))
