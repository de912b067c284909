"""mnar.evaluate: the same answer for every form of input, and a sentence for each wrong one."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import mnar
from mnar.core.errors import UserError
from mnar.matrices.model import ScoreMatrix

NAMES = ["adg", "atop", "ndcg", "map", "recall@3", "auc", "auc_aman", "topk(0.1)", "rmse"]
USERS, ITEMS = 30, 20
RANDOM = np.random.default_rng(5)
SCORES = RANDOM.integers(0, 12, (USERS, ITEMS)) / 7
RATED = np.where(RANDOM.random((USERS, ITEMS)) < 0.4, RANDOM.integers(1, 6, (USERS, ITEMS)), 0)
IN_TEST = RANDOM.random((USERS, ITEMS)) < 0.4
TEST, TRAIN = np.where(IN_TEST, RATED, 0), np.where(IN_TEST, 0, RATED)


def frame(matrix, value, name=int):
    users, items = np.nonzero(matrix if value == "rating" else np.ones_like(matrix))
    return pd.DataFrame(
        {
            "user": [name(u) for u in users],
            "item": [name(i) for i in items],
            value: matrix[users, items],
        }
    ).sample(frac=1, random_state=2)


def as_text(number):
    return f"id {number:03d}"


def written(tmp_path, ending):
    paths = []
    for value, matrix, name in (
        ("score", SCORES, "scores"),
        ("rating", TRAIN, "train"),
        ("rating", TEST, "test"),
    ):
        path = tmp_path / f"{name}.{ending}"
        table = frame(matrix, value, as_text)
        table.to_parquet(path) if ending == "parquet" else table.to_csv(path, index=False)
        paths.append(path)
    return paths


def forms(tmp_path):
    tables = [frame(SCORES, "score"), frame(TRAIN, "rating"), frame(TEST, "rating")]
    texts = [
        frame(m, v, as_text) for m, v in ((SCORES, "score"), (TRAIN, "rating"), (TEST, "rating"))
    ]
    every = sparse.coo_array(
        (SCORES.ravel(), (np.repeat(np.arange(USERS), ITEMS), np.tile(np.arange(ITEMS), USERS)))
    )
    return {
        "arrays": (SCORES, TRAIN, TEST),
        "pandas": tables,
        "text ids": texts,
        "polars": [pl.from_pandas(table) for table in tables],
        "sparse": (every, sparse.csr_array(TRAIN), sparse.csc_array(TEST)),
        "model": (ScoreMatrix(SCORES.astype(np.float32)), TRAIN, TEST),
        "mixed": (SCORES, tables[1], sparse.csr_array(TEST)),
        "parquet": written(tmp_path, "parquet"),
        "csv": written(tmp_path, "csv"),
    }


def by_hand(user):
    """ADG of a user by the definition, the mean over all orders of ties."""
    values = []
    unseen = TRAIN[user] == 0
    for item in np.flatnonzero(TEST[user] >= 4):
        above = int((SCORES[user][unseen] > SCORES[user, item]).sum())
        tied = int((SCORES[user][unseen] == SCORES[user, item]).sum())
        values.append(np.mean([1 / np.log2(above + k + 2) for k in range(tied)]))
    return np.mean(values) if values else np.nan


def test_every_form_gives_the_same(tmp_path):
    expected = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, measures=NAMES)
    adg = np.nanmean([by_hand(user) for user in range(USERS)])
    assert expected.set_index("measure").loc["adg", "value"] == pytest.approx(adg)
    for name, given in forms(tmp_path).items():
        found = mnar.evaluate(*given, relevant=4, measures=NAMES)
        assert isinstance(found, pl.DataFrame if name == "polars" else pd.DataFrame)
        for column in ("value", "low", "high", "users", "left_out"):
            # Another order of ids draws other samples of users.
            loose = column in ("low", "high") and name not in ("arrays", "model")
            np.testing.assert_allclose(
                np.asarray(found[column], float),
                np.asarray(expected[column], float),
                atol=0.06 if loose else 1e-6,
                err_msg=f"{name} {column}",
            )


def test_two_systems_give_their_paired_difference():
    other = SCORES + RANDOM.normal(size=SCORES.shape)
    both = mnar.evaluate({"a": SCORES, "b": other}, TRAIN, TEST, relevant=4, measures=["adg"])
    one, two, apart = both["value"]
    assert list(both["system"]) == ["a", "b", "a − b"]
    assert apart == pytest.approx(one - two)
    same = mnar.evaluate({"a": SCORES, "b": SCORES.copy()}, TRAIN, TEST, relevant=4)
    # Paired: of equal systems nothing is left, in no sample.
    assert (same[same["system"] == "a − b"][["value", "low", "high"]] == 0).all(axis=None)


def test_estimators_and_gamma():
    other = SCORES + 0.1 * RANDOM.normal(size=SCORES.shape)
    names = ["adg~naive", "adg~snips(popularity)", "auc~naive", "rmse~naive"]
    found = mnar.evaluate(
        {"a": SCORES, "b": other},
        TRAIN,
        TEST,
        relevant=4,
        measures=["adg", "rmse"],
        average="pair",
        estimators=names,
        gamma=1.5,
    ).set_index(["system", "measure"])
    for name in ("adg", "rmse"):
        assert found.loc[("a", f"{name}~naive"), "value"] == pytest.approx(
            found.loc[("a", name), "value"], abs=1e-6
        )
    row = found.loc[("a − b", "adg~snips(popularity)")]
    assert row["gamma_low"] < row["value"] < row["gamma_high"]
    assert (row["gamma"] < 1.5) == (row["gamma_low"] < 0 < row["gamma_high"])
    assert 0 < row["effective"] <= (TEST >= 4).sum()
    # Γ is of means over pairs: a weighted AUC is one, an RMSE is not.
    assert found.loc[("a − b", "auc~naive"), "gamma"] >= 1
    assert np.isnan(found.loc[("a − b", "rmse~naive"), "gamma"])


class Watched:
    """Dense scores that remember which users they were asked for."""

    n_users, n_items = USERS, ITEMS

    def __init__(self, scores):
        self.table, self.asked = scores.astype(np.float32), []

    def scores(self, users):
        self.asked += list(users)
        return self.table[users]


def test_measures_and_estimators_share_one_ranking():
    systems = {"one": Watched(SCORES), "other": Watched(-SCORES)}
    given = {"train": TRAIN, "test": TEST, "relevant": 4, "samples": 20}
    measures, estimators = ["adg", "ndcg"], ["adg~snips(popularity)", "atop~naive"]
    both = mnar.evaluate(systems, **given, measures=measures, estimators=estimators)
    with_relevant = np.flatnonzero((TEST >= 4).any(axis=1))
    for system in systems.values():
        np.testing.assert_array_equal(np.sort(system.asked), with_relevant)
    alone = [
        mnar.evaluate(systems, **given, measures=measures),
        mnar.evaluate(systems, **given, measures=[], estimators=estimators),
    ]
    pd.testing.assert_frame_equal(both, pd.concat(alone, ignore_index=True)[both.columns])


def test_close_scores_in_double_precision_are_no_ties():
    scores = np.array([[1.0, 1.0 + 1e-12]])
    found = mnar.evaluate(scores, None, np.array([[0, 1]]), measures=["recall@1"], samples=0)
    assert found["value"].item() == 1


def test_items_that_nobody_scored_belong_to_the_catalogue():
    test = pd.DataFrame({"user": [1], "item": [5]})
    scores = pd.DataFrame({"user": [1], "item": [6], "score": [1.0]})
    [few] = mnar.evaluate(scores, None, test, measures=["atop"], samples=0)["value"]
    more = mnar.evaluate(scores, None, test, measures=["atop"], samples=0, items=[7, 8])
    assert few == 0
    # Third on average of four: one above, two tied with it.
    assert more["value"].item() == pytest.approx(1 - 2 / 3)


def test_what_is_noticed_is_told():
    test = frame(TEST, "rating")
    scores = frame(SCORES, "score").query("user > 3")
    found = mnar.evaluate(scores, test.head(3), test, relevant=4, measures=["adg"], samples=0)
    assert any("3 pairs of the test are in training" in note for note in found.attrs["notes"])
    assert any("no scores for 4 users" in note for note in found.attrs["notes"])


WRONG = {
    "There is no test": {"test": None},
    "test has no column 'item'": {"test": pd.DataFrame({"user": [1]})},
    "test is of type list": {"test": [1, 2]},
    "ratings from 1 to 5: say which are relevant": {"relevant": None},
    "candidates is 'some'": {"candidates": "some"},
    "average is 'item'": {"average": "item"},
    "Nothing is to be measured": {"measures": []},
    "one shape": {"train": TRAIN[:, :5]},
    "1 dimensions": {"scores": SCORES[0]},
    "a score is NaN": {"scores": np.where(SCORES[0, 0] == SCORES, np.nan, SCORES)},
    "the score is nan": {"scores": frame(SCORES * np.nan, "score")},
    "there twice": {"test": pd.concat([frame(TEST, "rating")] * 2)},
    "Unknown measure": {"measures": ["adgg"]},
    "Unknown weighting": {"estimators": ["adg~magic"]},
    "gamma belongs to estimators": {"gamma": 2.0},
    "Estimators rank unseen items": {"candidates": "all", "estimators": ["adg~naive"]},
    "needs the vectors": {"estimators": ["rmse~dr(logistic)"]},
    "known": {"estimators": ["adg~snips(known)"]},
    "no ratings": {"test": np.zeros_like(TEST)},
    "is not there": {"test": "nowhere.parquet"},
    "must end in": {"test": "nowhere.xlsx"},
    "no score for any user": {
        "scores": frame(SCORES, "score", as_text),
        "train": None,
        "test": frame(TEST, "rating"),
    },
    "does not score every rating": {
        "scores": frame(SCORES, "score").head(20),
        "train": None,
        "test": frame(TEST, "rating"),
        "measures": ["rmse"],
    },
    "row 1: the rating is 1e+39": {"test": frame(TEST, "rating").assign(rating=1e39)},
    "row 1: the score is -1e+39": {"scores": frame(SCORES, "score").assign(score=-1e39)},
    "infinite in single precision": {"scores": SCORES * 1e39},
    "row 0: a score is NaN": {"scores": sparse.coo_array(SCORES * np.nan)},
    "scores is a matrix of <U32": {"scores": SCORES.astype(str)},
    "test is a matrix of object": {"test": TEST.astype(object)},
    "scores is a matrix of complex128": {"scores": sparse.coo_array(SCORES * 1j)},
    "must hold true or false": {"test": frame(TEST, "rating").assign(relevant="no")},
    "holds lists": {"test": pd.DataFrame({"user": [[1]], "item": [[2]]})},
    "relevant is nan": {"relevant": np.nan},
    "relevant is 'many'": {"relevant": "many"},
    "gamma is nan": {"gamma": np.nan, "estimators": ["adg~naive"]},
    "samples is -1": {"samples": -1},
    "seed is 1.5": {"seed": 1.5},
    "threads is 0": {"threads": 0},
    "must be a list of ids": {
        "items": "abc",
        "scores": frame(SCORES, "score"),
        "train": None,
        "test": frame(TEST, "rating"),
    },
    "row without an id": {
        "test": pd.DataFrame({"user": pd.array([1, pd.NA], "Int64"), "item": [1, 2]}),
        "train": None,
        "scores": frame(SCORES, "score"),
    },
    "test has a row without an id": {
        "test": pd.DataFrame({"user": [1.0, np.inf], "item": [1, 2]}),
        "train": None,
        "scores": frame(SCORES, "score"),
    },
    "without an id": {
        "test": pd.DataFrame({"user": ["a", None], "item": [1, 2]}),
        "train": None,
        "scores": frame(SCORES, "score"),
    },
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_input_gets_a_sentence(words):
    given = {"scores": SCORES, "train": TRAIN, "test": TEST, "relevant": 4} | WRONG[words]
    with pytest.raises(UserError) as error:
        mnar.evaluate(**given)
    assert words in str(error.value)
    assert str(error.value).endswith((".", "?"))


def test_no_row_of_a_file_vanishes(tmp_path):
    """A quote that swallows lines is refused by its line; real line breaks in a field are read."""
    lost = 'user,item,rating,title\na,x,5,"one\nb,y,4,two"\n'
    kept = 'user,item,rating,title\na,x,5,"one\ntwo"\nb,y,4,t\n'
    scores = pd.DataFrame({"user": ["a", "b"], "item": ["x", "y"], "score": [1.0, 2.0]})
    for text, name in ((lost, "lost.csv"), (kept, "kept.csv")):
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=r"test: .*lost\.csv, line 2: a quote is opened"):
        mnar.evaluate(scores, None, tmp_path / "lost.csv", relevant=4)
    found = mnar.evaluate(scores, None, tmp_path / "kept.csv", relevant=4, measures=["adg"])
    assert found["users"].item() == 2
    (tmp_path / "scores.csv").write_text("user,item,score\na,x,1e39\nb,y,1\n")
    with pytest.raises(UserError, match=r"scores: .*scores\.csv, line 2: the score '1e39'"):
        mnar.evaluate(tmp_path / "scores.csv", None, tmp_path / "kept.csv", relevant=4)


def test_the_marks_of_relevance_in_a_file(tmp_path):
    (tmp_path / "test.csv").write_text("user,item,relevant\na,x,False\na,y,1\n")
    scores = pd.DataFrame({"user": ["a", "a"], "item": ["x", "y"], "score": [1.0, 2.0]})
    found = mnar.evaluate(scores, None, tmp_path / "test.csv", measures=["recall@1"], samples=0)
    assert found["value"].item() == 1


def test_minus_infinity_in_a_sparse_matrix_lists_nothing():
    """Else it would stand above the items that are not stored."""
    scores = sparse.coo_array(([-np.inf, 1.0], ([0, 0], [0, 1])), shape=(1, 3))
    found = mnar.evaluate(scores, None, np.array([[5, 0, 0]]), measures=["recall@2"], samples=0)
    assert found["value"].item() == pytest.approx(0.5)


def test_a_matrix_is_left_as_it_was():
    scores = sparse.coo_array(([1.0, 2.0], ([0, 0], [0, 0])), shape=(1, 2))
    mnar.evaluate(scores, None, np.array([[1, 0]]), measures=["adg"], samples=0)
    assert scores.nnz == 2


def test_nothing_to_measure_is_a_value_that_is_missing():
    test = pd.DataFrame({"user": [1], "item": [5]})
    scores = pd.DataFrame({"user": [1], "item": [6], "score": [1.0]})
    found = mnar.evaluate(scores, None, test, relevant=4, measures=["adg"], samples=0)
    assert found["value"].isna().all()


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, mnar; print([m for m in ('numpy', 'numba', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
