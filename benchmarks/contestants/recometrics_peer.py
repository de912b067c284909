"""RecoMetrics: measures of any factors, built from source."""

from recometrics import calc_reco_metrics

K = 100
TOP = dict.fromkeys(("precision", "recall", "average_precision", "ndcg", "hit", "rr"), True)


def evaluate(job, variant):
    """Variants: its measures of the top 100, or all that it has, with the areas under curves."""
    users, items = job.model()
    train, held_out = job.part("train"), job.part("held_out")
    asked = {"all_metrics": True} if variant == "all" else TOP
    job.clock.go()
    found = calc_reco_metrics(train, held_out, users, items, k=K, nthreads=job.threads, **asked)
    seconds = job.clock.hold()
    values = {str(name): float(value) for name, value in found.mean().items()}
    quality = {"recall_100": values[f"R@{K}"], "ndcg_100": values[f"NDCG@{K}"]}
    return {"seconds": seconds, "values": values, "quality": quality}
