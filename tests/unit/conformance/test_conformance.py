"""The published cases are those that enumeration gives, and every measure of ours gives their answers."""

import json
import sys

import numpy as np
import pandas as pd
import pytest
from helpers.running import ROOT

import mnar
from mnar import measures
from mnar.core.errors import UserError
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.listed_scores import ListedScores
from mnar.matrices.model import ScoreMatrix
from mnar.matrices.ratings import Ratings

FOLDER = ROOT / "conformance"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
ANSWERED = [case for case in CASES if not case.get("refuse")]
NAMES = list(ANSWERED[0]["answers"])


def by_name(case):
    return case["name"]


def test_the_files_are_what_enumeration_gives(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import generate

    text, table = generate.written()
    del sys.modules["generate"], sys.modules["exact"]
    assert (FOLDER / "cases.json").read_text(encoding="utf-8") == text
    assert (FOLDER / "answers.csv").read_text(encoding="utf-8") == table


def test_every_family_of_measures_is_there():
    families = {name.split("(")[0].split("@")[0].split("_")[0] for name in measures.examples()}
    assert {name.split("(")[0].split("@")[0].split("_")[0] for name in NAMES} == families


def ratings(rows, shape):
    rows = np.array(rows, float).reshape(-1, 4)
    users, items = rows[:, 0].astype(int), rows[:, 1].astype(int)
    return Ratings.from_triplets(users, items, rows[:, 2], rows[:, 3] > 0, shape)


def listed(scores):
    users, items = np.nonzero(np.isfinite(scores))
    return ListedScores.of(users, items, scores[users, items], scores.shape)


def factors(scores):
    return FactorModel.without_biases(scores, np.eye(scores.shape[1]))


MAKERS = {
    "listed": listed,
    "dense": lambda s: ScoreMatrix(s.astype(np.float32)),
    "factors": factors,
}


def kinds():
    """Each case with each kind of model that can hold it."""
    for case in ANSWERED:
        lists = any(None in row for row in case["scores"])
        # Single precision cannot tell close scores apart, and a factor model lists every item.
        exact = case["name"] == "close scores"
        for kind in [
            "listed",
            *([] if exact else ["dense"]),
            *([] if exact or lists else ["factors"]),
        ]:
            yield pytest.param(case, kind, id=f"{case['name']}, {kind}")


@pytest.mark.parametrize(("case", "kind"), list(kinds()))
def test_every_measure_gives_the_exact_answer(case, kind):
    scores = np.array(case["scores"], float)
    scores = np.where(np.isnan(scores), -np.inf, scores)
    shape = scores.shape
    test = ratings(case["test"], shape)
    train = ratings([[*pair, 1, 1] for pair in case["train"]], shape)
    head = np.isin(np.arange(shape[1]), case["head"])
    drawn = tuple(np.array(case["drawn"], int).reshape(-1, 2).T)
    # The only weighting here: recall@2(0.5) weighs an item by its liked ratings to the power −0.5.
    weights = np.array(case["positives"])[test.items[test.relevant]] ** -0.5
    context = Context(
        lambda scheme: weights,
        head,
        drawn if case["drawn"] else None,
        ratings(case["random"], shape),
    )
    seen = train if case["candidates"] == "unseen" else None
    wanted = [name for name in NAMES if name != "track2_error" or case["drawn"]]
    model = MAKERS[kind](scores)
    absent = [name for name in wanted if name == "rmse" and case["answers"]["rmse"] is None]
    wanted = [name for name in wanted if name not in absent]
    found = measures.evaluate(model, test, seen, wanted, context, 1)
    for name, values in found.items():
        expected = case["answers"][name]
        value = float(values.mean("user"))
        assert value == pytest.approx(
            np.nan if expected is None else expected, abs=1e-9, nan_ok=True
        ), name


@pytest.mark.parametrize("case", [c for c in CASES if c.get("refuse")], ids=by_name)
def test_nan_is_refused(case):
    scores = np.array(case["scores"], float)
    [[user, item, _, _]] = case["test"]
    test = pd.DataFrame({"user": [user], "item": [item]})
    with pytest.raises(UserError, match="NaN"):
        mnar.evaluate(scores, None, test)
    with pytest.raises(UserError, match="NaN"):
        measures.evaluate(
            ScoreMatrix(scores.astype(np.float32)),
            ratings(case["test"], scores.shape),
            None,
            ["adg"],
            Context(),
            1,
        )
