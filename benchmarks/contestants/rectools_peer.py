"""RecTools: recommendations of implicit's model, as tables, and its metrics on them."""

import numpy as np
import pandas as pd
from implicit.als import AlternatingLeastSquares
from rectools.dataset import Dataset
from rectools.metrics import MAP, NDCG, Recall, calc_metrics
from rectools.models import ImplicitALSWrapperModel


def evaluate(job, variant):
    """Recall, NDCG and MAP of the top 100."""
    users, items = job.model()
    dataset = Dataset.construct(_table(job.part("train")))
    known = AlternatingLeastSquares(factors=job.settings["factors"], num_threads=job.threads)
    # It numbers users and items in the order in which it meets them.
    known.user_factors = users[dataset.user_id_map.external_ids]
    known.item_factors = items[dataset.item_id_map.external_ids]
    model = ImplicitALSWrapperModel(known, recommend_n_threads=job.threads)
    model.model, model.is_fitted = known, True
    held_out = _table(job.part("held_out"))
    scored = np.intersect1d(held_out["user_id"], dataset.user_id_map.external_ids)
    job.clock.go()
    lists = model.recommend(scored, dataset, k=100, filter_viewed=True)
    metrics = {"recall": Recall(100), "ndcg": NDCG(100), "map": MAP(100)}
    values = calc_metrics(metrics, lists, held_out)
    seconds = job.clock.hold()
    found = {name: float(value) for name, value in values.items()}
    quality = {"recall_100": found["recall"], "ndcg_100": found["ndcg"]}
    return {"seconds": seconds, "values": found, "quality": quality}


def _table(ratings) -> pd.DataFrame:
    pairs = ratings.tocoo()
    table = {"user_id": pairs.row, "item_id": pairs.col, "weight": pairs.data}
    return pd.DataFrame(table | {"datetime": pd.Timestamp("2010-01-01")})
