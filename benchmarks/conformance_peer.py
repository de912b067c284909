"""What one library answers on the cases of conformance/: run in its own environment, prints JSON.

python benchmarks/conformance_peer.py implicit|irspack|RecTools|cornac|scikit-learn|ours
"""

import contextlib
import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

CASES = Path(__file__).parents[1] / "conformance/cases.json"


ERROR = "error"


def number(score):
    """An unlisted item stands below all that is listed."""
    return -1e6 if score is None else float(score)


class Case:
    """A case as matrices; libraries have neither lists nor all candidates, so both are given as scores."""

    def __init__(self, case):
        self.scores = np.array([[number(score) for score in row] for row in case["scores"]])
        self.n_items = self.scores.shape[1]
        self.train = self.matrix(case["train"] if case["candidates"] == "unseen" else [])
        self.test = self.matrix([row[:2] for row in case["test"] if row[3]])
        self.users = np.flatnonzero(np.diff(self.test.indptr))

    def matrix(self, pairs):
        rows, columns = np.array(pairs, int).reshape(-1, 2).T
        return csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), self.scores.shape)

    @property
    def factors(self):
        """Vectors whose products are the scores, for libraries that rank factors."""
        return self.scores.astype(np.float32), np.eye(self.n_items, dtype=np.float32)

    def candidates(self, user):
        return np.setdiff1d(np.arange(self.n_items), self.train[user].indices)


def implicit(case):
    """precision@k there is hits over min(k, liked): recall@k where a user likes no more than k."""
    from implicit.cpu.als import AlternatingLeastSquares
    from implicit.evaluation import ranking_metrics_at_k

    model = AlternatingLeastSquares(factors=case.n_items)
    model.user_factors, model.item_factors = case.factors
    whole, three = (
        ranking_metrics_at_k(
            model, case.train, case.test, K=min(k, case.n_items), show_progress=False, num_threads=1
        )
        for k in (case.n_items, 3)
    )
    return {
        "ndcg": whole["ndcg"],
        "map": whole["map"],
        "recall@3": three["precision"],
        "auc_aman": whole["auc"],
    }


def irspack(case):
    from irspack.evaluation import Evaluator
    from irspack.recommenders.base import BaseRecommender

    class Given(BaseRecommender):
        def _learn(self):
            pass

        def get_score(self, users):
            return case.scores[users].astype(np.float64)

    model = Given(case.train)
    model.learn()
    whole, three = (
        Evaluator(case.test, cutoff=min(k, case.n_items), n_threads=1).get_score(model)
        for k in (case.n_items, 3)
    )
    return {"ndcg": whole["ndcg"], "map": whole["map"], "recall@3": three["recall"]}


def rectools(case):
    import pandas as pd
    from rectools import Columns
    from rectools.metrics import MAP, NDCG, Recall, calc_metrics
    from rectools.models.rank import Distance, ImplicitRanker

    ranker = ImplicitRanker(Distance.DOT, *case.factors, num_threads=1)
    users, items, _ = ranker.rank(
        case.users, k=case.n_items, filter_pairs_csr=case.train[case.users]
    )
    ranked = pd.DataFrame({Columns.User: users, Columns.Item: items})
    ranked[Columns.Rank] = ranked.groupby(Columns.User).cumcount() + 1
    rows, columns = case.test.nonzero()
    truth = pd.DataFrame({Columns.User: rows, Columns.Item: columns})
    k = case.n_items
    asked = {
        "ndcg": NDCG(k=k, divide_by_achievable=True),
        "map": MAP(k=k),
        "recall@3": Recall(k=3),
    }
    return calc_metrics(asked, ranked, truth, catalog=list(range(case.n_items)))


def cornac(case):
    from cornac.metrics import AUC, MAP, NDCG, Recall
    from cornac.models import Recommender

    class Given(Recommender):
        def score(self, user, item=None):
            return case.scores[user]

    model = Given("given")
    model.num_users, model.num_items = case.scores.shape
    type(model).total_items = case.n_items
    found = {"ndcg": [], "map": [], "recall@3": [], "auc_aman": []}
    for user in case.users:
        items = case.candidates(user)
        ranked, scores = model.rank(user, items, k=-1)
        liked = case.test[user].indices
        given = {"gt_pos": liked, "pd_rank": ranked, "item_indices": items, "pd_scores": scores}
        for name, measure in zip(found, (NDCG(), MAP(), Recall(k=3), AUC()), strict=True):
            found[name].append(measure.compute(**given))
    return {name: np.mean(values) for name, values in found.items()}


def sklearn(case):
    from sklearn.metrics import label_ranking_average_precision_score, ndcg_score, roc_auc_score

    measures = {
        "ndcg": lambda liked, scores: ndcg_score([liked], [scores]),
        "map": lambda liked, scores: label_ranking_average_precision_score([liked], [scores]),
        "auc_aman": roc_auc_score,
    }
    found = {}
    for name, measure in measures.items():
        try:
            values = []
            for user in case.users:
                items = case.candidates(user)
                liked = np.isin(items, case.test[user].indices)
                values.append(measure(liked, case.scores[user, items]))
            found[name] = np.mean(values)
        except ValueError:
            found[name] = ERROR
    return found


def ours(case):
    import mnar

    names = ["ndcg", "map", "recall@3", "auc_aman"]
    train = case.train if case.train.nnz else None
    scores = np.where(case.scores == -1e6, -np.inf, case.scores)
    frame = mnar.evaluate(scores, train, case.test, measures=names, samples=0)
    return dict(zip(frame["measure"], frame["value"], strict=True))


LIBRARIES = {
    "implicit": ("implicit", implicit),
    "irspack": ("irspack", irspack),
    "RecTools": ("rectools", rectools),
    "cornac": ("cornac", cornac),
    "scikit-learn": ("scikit-learn", sklearn),
    "ours": ("mnar", ours),
}


def main(name):
    from importlib.metadata import version

    package, answer = LIBRARIES[name]
    found = {}
    for case in json.loads(CASES.read_text(encoding="utf-8")):
        try:
            with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values = answer(Case(case))
            found[case["name"]] = {
                key: value if value is ERROR else repr(float(value))
                for key, value in values.items()
            }
        except Exception as error:
            found[case["name"]] = f"{type(error).__name__}: {error}".splitlines()[0]
    print(json.dumps({"version": version(package), "answers": found}))


if __name__ == "__main__":
    main(sys.argv[1])
