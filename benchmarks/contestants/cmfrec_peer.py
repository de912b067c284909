"""cmfrec: implicit-feedback ALS by conjugate gradients (its default) or Cholesky, built from source."""

import time

import numpy as np
from cmfrec import CMF_implicit


def als(job, variant):
    """Variants: cg (three steps a row, its default) and cholesky.

    It trains in one go and cannot go on from vectors, so each number of sweeps is a training of its own:
    all of them where models are kept, else one sweep and as many as are asked for.
    """
    scale = 1 / job.settings["missing_weight"]
    train = job.part("train").tocoo()
    sweeps = job.settings["sweeps"]

    def fit(count):
        model = CMF_implicit(
            k=job.settings["factors"],
            # Weights 1 + α for observed entries and 1 for missing ones.
            alpha=scale - 1,
            lambda_=job.settings["ridge"] * scale,
            use_cg=variant == "cg",
            # Its last sweep would be exact.
            finalize_chol=False,
            niter=count,
            use_float=True,
            precompute_for_predictions=False,
            verbose=False,
            nthreads=job.threads,
            random_state=job.settings["seed"],
        )
        start = time.perf_counter()
        model.fit(train)
        return time.perf_counter() - start, model

    if job.keep:
        for count in range(1, sweeps + 1):
            seconds, model = fit(count)
            job.note(seconds, lambda model=model: (model.A_, model.B_))
    else:
        first, last = (fit(count)[0] for count in (1, sweeps))
        job.times = list(np.linspace(first, last, sweeps)) if sweeps > 1 else [last]
