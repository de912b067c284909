"""Wrong input of mnar.evaluate: what is given, and the sentence that comes back."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import mnar
from mnar.core.errors import UserError

USERS, ITEMS = 6, 5
RANDOM = np.random.default_rng(5)
SCORES = RANDOM.normal(size=(USERS, ITEMS))
TEST = np.tile([0, 0, 0, 2, 5], (USERS, 1))
TRAIN = np.tile([1, 5, 0, 0, 0], (USERS, 1))


def table(matrix, value):
    users, items = np.indices(matrix.shape).reshape(2, -1)
    found = pd.DataFrame({"user": users, "item": items, value: matrix.ravel()})
    return found if value == "score" else found.query("rating > 0").reset_index(drop=True)


def texts(frame):
    return frame.assign(user="u" + frame["user"].astype(str))


RATED, LISTED = table(TEST, "rating"), table(SCORES, "score")
IN_TABLES = {"scores": LISTED, "train": table(TRAIN, "rating"), "test": RATED}


def with_cell(row, column, value):
    found = SCORES.copy()
    found[row, column] = value
    return found


def marked(*marks):
    """The test with a column that says what is relevant; nothing else does."""
    every = [True] * (len(RATED) - len(marks))
    return IN_TABLES | {"test": RATED.assign(relevant=[*marks, *every]), "relevant": None}


def of_fold(frame, fold):
    found = frame.copy()
    found.attrs["fold"] = fold
    return found


class Sized:
    """A model without some of what is asked of one."""

    def __init__(self, **sizes):
        vars(self).update(sizes)

    def scores(self, users):
        return SCORES[users]


class Gives:
    """A model whose scores are these, whoever is asked for."""

    n_users, n_items = USERS, ITEMS

    def __init__(self, scores, predictions=None):
        self.given = scores
        if predictions is not None:
            self.predict = lambda users, items: predictions

    def scores(self, users):
        return self.given


TEXT = [["a"] * ITEMS] * USERS
WITHOUT_ID = pd.DataFrame({"user": ["1", None], "item": [1, 2], "rating": [5, 5]}).convert_dtypes()
LISTS = pd.DataFrame({"user": ["1", "2", ["a", "b"]], "item": [1, 2, 3], "rating": [5, 5, 5]})
STRUCT = {"user": [{"a": 1}], "item": [1], "rating": [5]}
WRONG = [
    # scores
    ("There are no scores", {"scores": {}}),
    ("scores is an array of 1 dimensions", {"scores": SCORES[0]}),
    ("scores is an array of 1 dimensions", {"scores": sparse.coo_array(SCORES[0])}),
    ("scores is an array of complex128; give one of real numbers", {"scores": SCORES * 1j}),
    ("scores is an array of <U32; give one of real numbers", {"scores": SCORES.astype(str)}),
    ("scores is an array of object; give one of real numbers", {"scores": SCORES.astype(object)}),
    ("scores is an array of complex128", {"scores": sparse.csr_array(SCORES * 1j)}),
    ("scores, row 2, column 1: a score is NaN or infinite", {"scores": with_cell(2, 1, np.nan)}),
    ("scores, row 2, column 1: a score is NaN or inf", {"scores": with_cell(2, 1, np.inf)}),
    (
        "scores, row 2, column 1: the score is nan; give a finite number",
        {"scores": sparse.csr_array(with_cell(2, 1, np.nan))},
    ),
    (
        "scores, row 2, column 1: the score is inf; give a finite number",
        {"scores": sparse.coo_array(with_cell(2, 1, np.inf))},
    ),
    (
        "ours, row 12: the score is nan",
        {"scores": {"ours": table(with_cell(2, 1, np.nan), "score")}},
    ),
    ("Column 'score' of scores must hold numbers", {"scores": LISTED.assign(score="high")}),
    ("scores has no column 'score'", {"scores": RATED}),
    ("scores has `scores`, but no whole number `n_users`", {"scores": Sized(n_items=ITEMS)}),
    ("but no whole number `n_items`", {"scores": Sized(n_users=USERS)}),
    ("but no whole number `n_users`", {"scores": Sized(n_users="6", n_items=ITEMS)}),
    ("row 1: user u0 is no user of the matrices, whose ids are 0 to 5", {"scores": texts(LISTED)}),
    (
        "own: its `scores` gave list of <U1; it must give an array of",
        {"scores": {"own": Gives(TEXT)}},
    ),
    ("own: its `scores` gave ndarray of complex128", {"scores": {"own": Gives(SCORES * 1j)}}),
    (
        "own: its `scores` gave csr_array; it must",
        {"scores": {"own": Gives(sparse.csr_array(SCORES))}},
    ),
    ("own: its `scores` gave list; it must", {"scores": {"own": Gives([[1], [1, 2]])}}),
    ("own: its `scores` gave an array of shape (6, 3)", {"scores": {"own": Gives(SCORES[:, :3])}}),
    (
        "own: its `predict` gave ndarray of <U1; it must give an array",
        {"scores": {"own": Gives(SCORES, np.full(USERS * 2, "a"))}, "measures": "rmse"},
    ),
    ("scores cannot be collected", {"scores": pl.LazyFrame({"user": [1]}).select("item")}),
    ("scores is of type list", {"scores": [1, 2]}),
    (
        "no score for any user",
        IN_TABLES | {"scores": texts(LISTED), "train": None},
    ),
    (
        "scores has 2 columns 'item'; keep one of them",
        {"scores": pd.concat([LISTED, LISTED[["item"]]], axis=1)},
    ),
    ("scores is of type Table; give a DataFrame", {"scores": pa.Table.from_pandas(LISTED)}),
    ("scores is of type type; give a DataFrame", {"scores": Sized}),
    (
        "does not score every rating",
        IN_TABLES | {"scores": LISTED.head(20), "train": None, "measures": ["rmse"]},
    ),
    # ratings
    (
        "test has 2 columns 'relevant'",
        {"test": RATED.assign(relevant=True, x=True).rename(columns={"x": "relevant"})},
    ),
    ("There is no test", {"test": None}),
    ("test has no column 'item'", {"test": pd.DataFrame({"user": [1]})}),
    ("test is of type list", {"test": [1, 2]}),
    ("one shape; found 6 × 3 and 6 × 5", {"train": TRAIN[:, :3]}),
    ("there twice", {"test": pd.concat([RATED] * 2)}),
    ("no ratings", {"test": np.zeros_like(TEST)}),
    ("test is an array of object", {"test": TEST.astype(object)}),
    ("test, row 0, column 4: the rating is inf", {"test": np.where(TEST == 5, np.inf, TEST)}),
    ("test, row 2: the rating is nan", {"test": RATED.assign(rating=[2, None] + [5] * 10)}),
    ("is not there", {"test": "nowhere.parquet"}),
    ("must end in", {"test": "nowhere.xlsx"}),
    (
        "without an id",
        IN_TABLES | {"test": pd.DataFrame({"user": ["a", None], "item": [1, 2]}), "train": None},
    ),
    (
        "test has a row whose id is inf; leave it out",
        IN_TABLES | {"test": RATED.assign(user=[np.inf, *[1.0] * (len(RATED) - 1)]), "train": None},
    ),
    ("test has a row without an id", IN_TABLES | {"test": WITHOUT_ID, "train": None}),
    ("test, row 2: user <NA> is no user of the matrices", {"test": WITHOUT_ID}),
    ("test, row 3: the user is ['a', 'b']; an id must be", {"test": LISTS, "train": None}),
    ("test, row 3: the user is ['a', 'b']", IN_TABLES | {"test": LISTS}),
    (
        "test, row 1: the item is array([1]); an id must be a number or text",
        {"test": pl.DataFrame({"user": [1], "item": [[1]], "rating": [5]})},
    ),
    ("test, row 1: the user is {'a': 1}; an id", {"test": pd.DataFrame(STRUCT), "train": None}),
    # what is relevant
    ("test has ratings from 2 to 5: say which are relevant, relevant=4", {"relevant": None}),
    ("relevant is 'many'; give a number", {"relevant": "many"}),
    ("relevant is [4]; give a number", {"relevant": [4]}),
    ("relevant is nan; give a number", {"relevant": np.nan}),
    (
        "No rating of the test is relevant (relevant is 6, the highest rating 5)",
        {"relevant": 6},
    ),
    (
        "No rating of the test is relevant (its column `relevant` has no true)",
        IN_TABLES | {"test": RATED.assign(relevant=False), "relevant": None},
    ),
    ("test, row 2: relevant is maybe; it must be true or false", marked("True", "maybe")),
    ("test, row 1: relevant is 5; it must be true or false", marked(5, 0)),
    ("test, row 2: relevant is None", marked(True, None)),
    (
        "test, row 2: relevant is <NA>",
        IN_TABLES
        | {
            "test": RATED.assign(relevant=pd.array([True, None] + [False] * 10, "boolean")),
            "relevant": None,
        },
    ),
    (
        "test, row 1: relevant is nan",
        IN_TABLES | {"test": RATED.assign(relevant=[np.nan] + [1.0] * 11), "relevant": None},
    ),
    # measures and estimators
    ("Nothing is to be measured", {"measures": []}),
    ("measures is None; give a list of names, such as 'recall@10'", {"measures": None}),
    ("measures is [3]; give a list of names", {"measures": [3]}),
    ("estimators is 3; give a list of names, such as 'adg~snips", {"estimators": 3}),
    ("Unknown measure 'adgg'; did you mean 'adg'? Known are", {"measures": ["adgg"]}),
    ("Unknown measure 'recal@20'; did you mean 'recall@10'?", {"measures": "recal@20"}),
    ("Unknown measure 'hits'; known are", {"measures": ["hits"]}),
    ("Unknown weighting", {"estimators": ["adg~magic"]}),
    ("Estimators rank unseen items", {"candidates": "all", "estimators": ["adg~naive"]}),
    ("needs the vectors", {"estimators": ["rmse~dr(logistic)"]}),
    ("but these users chose by themselves", {"estimators": ["adg~snips(known)"]}),
    ("propensities, which is not there", {"estimators": ["adg~snips(published)"]}),
    ("chosen items, which are not there", {"estimators": ["adg~snips(naive-bayes)"]}),
    ("randomly selected ratings, which are not there", {"measures": ["auc_rand"]}),
    # numbers and words
    ("gamma belongs to estimators", {"gamma": 2.0}),
    ("gamma is 'x'; it must be a number of at least 1", {"gamma": "x"}),
    ("gamma is nan; it must be", {"gamma": np.nan}),
    ("gamma is 0.5; it must be", {"gamma": 0.5}),
    ("gamma is inf; it must be", {"gamma": np.inf}),
    ("candidates is 'some'; it may be 'unseen' or 'all'", {"candidates": "some"}),
    ("candidates is ['all']", {"candidates": ["all"]}),
    ("average is 'item'", {"average": "item"}),
    ("samples is -1; it must be a whole number of at least 0", {"samples": -1}),
    ("samples is 1.5; it must be a whole number", {"samples": 1.5}),
    ("samples is None; it must be a whole number", {"samples": None}),
    ("samples is 1000000000000; it must be a whole number of at most 100000", {"samples": 10**12}),
    ("threads is 0; it must be a whole number of at least 1", {"threads": 0}),
    ("threads is -2; it must be", {"threads": -2}),
    # more items
    ("items is 'abc'; give a list of ids", IN_TABLES | {"items": "abc"}),
    ("items is 99; give a list of ids", IN_TABLES | {"items": 99}),
    ("items is array(99); give a list of ids", IN_TABLES | {"items": np.array(99)}),
    ("items is array([[1, 2]]); give a list", IN_TABLES | {"items": np.array([[1, 2]])}),
    ("items is {7: 8}; give a list of ids", IN_TABLES | {"items": {7: 8}}),
    ("items is [[7], 8]; give a list of ids", IN_TABLES | {"items": [[7], 8]}),
    ("items has a row without an id", IN_TABLES | {"items": [7, None]}),
    ("items has a row without an id", IN_TABLES | {"items": [pd.NA]}),
    ("items, row 1: the item is [7]; an id", IN_TABLES | {"items": pd.DataFrame({"item": [[7]]})}),
    ("items has no column 'item'", IN_TABLES | {"items": pd.DataFrame({"id": [7]})}),
    ("items: more.csv is not there", IN_TABLES | {"items": "more.csv"}),
    ("the columns of a matrix are all items; leave it out", {"items": [7]}),
    # folds
    (
        "test is of fold a, but scores is of fold b: their rows are others",
        IN_TABLES | {"test": of_fold(RATED, "a"), "scores": of_fold(LISTED, "b")},
    ),
    (
        "train is of fold b, but test is of fold a",
        {"train": of_fold(table(TRAIN, "rating"), "b"), "test": of_fold(RATED, "a")},
    ),
]


@pytest.mark.parametrize(("words", "given"), WRONG, ids=[words for words, _ in WRONG])
def test_wrong_input_gets_a_sentence(words, given):
    given = {"scores": SCORES, "train": TRAIN, "test": TEST, "relevant": 4} | given
    with pytest.raises(UserError) as error:
        mnar.evaluate(**given)
    assert words in str(error.value)
    assert str(error.value).endswith((".", "?"))
    assert "\n" not in str(error.value)


def write_vectors(path, **changes):
    arrays = {
        "users": np.arange(USERS),
        "items": np.arange(ITEMS),
        "user_vectors": np.ones((USERS, 2)),
        "item_vectors": np.ones((ITEMS, 2)),
    }
    np.savez(path, **(arrays | changes))
    return path


VECTORS = [
    (
        "v.npz: item 7 is no item of the matrices, whose ids are 0 to 4",
        {"items": [0, 1, 2, 3, 7]},
        {},
    ),
    ("v.npz: user_vectors holds complex128", {"user_vectors": np.ones((USERS, 2), complex)}, {}),
    ("v.npz: an id of the items is there twice", {"items": [0, 1, 2, 3, 3]}, {}),
    ("vectors has a row without an id", {"users": [0, 1, 2, 3, 4, np.nan]}, IN_TABLES),
    ("no score for any user", {"users": np.arange(USERS) + 10}, IN_TABLES),
    (
        "test is of fold a, but vectors is of fold b",
        {"fold": "b"},
        IN_TABLES | {"test": of_fold(RATED, "a")},
    ),
]


@pytest.mark.parametrize(("words", "changes", "more"), VECTORS, ids=[one[0] for one in VECTORS])
def test_wrong_vectors_get_a_sentence(tmp_path, words, changes, more):
    path = write_vectors(tmp_path / "v.npz", **changes)
    given = {"train": TRAIN, "test": TEST, "relevant": 4} | more
    with pytest.raises(UserError) as error:
        mnar.evaluate(**given | {"scores": {"vectors": path}})
    assert words in str(error.value)


@pytest.mark.parametrize(("kind", "what"), [("list", "scores"), ("vectors", "vector")])
def test_items_with_other_ids_are_noticed(tmp_path, kind, what):
    """Users alone do not tell: every one of them has scores, of items that nobody rated."""
    for shift, noticed in ((100, True), (1, False)):
        ids = np.arange(ITEMS) + shift
        path = write_vectors(tmp_path / f"{shift}.npz", items=ids)
        ours = {"list": LISTED.assign(item=LISTED["item"] + shift), "vectors": path}[kind]
        given = IN_TABLES | {"scores": {"ours": ours}, "relevant": 4}
        notes = mnar.evaluate(**given, measures="adg", samples=0).attrs["notes"]
        note = f"ours has no {what} for any item of the test: do the ids differ?"
        assert (note in notes) == noticed


def test_training_items_do_not_answer_for_those_of_the_test():
    """Items of training are scored under their ids; those of the test have others."""
    test = RATED.assign(item=RATED["item"] + 100)
    given = IN_TABLES | {"scores": {"ours": LISTED}, "test": test, "relevant": 4}
    notes = mnar.evaluate(**given, measures="adg", samples=0).attrs["notes"]
    assert "ours has no scores for any item of the test: do the ids differ?" in notes


@pytest.mark.parametrize("side", ["user", "item"])
def test_other_ids_in_training_are_noticed(side):
    def notes(train):
        given = IN_TABLES | {"train": train, "relevant": 4}
        return mnar.evaluate(**given, measures="adg", samples=0).attrs["notes"]

    # No item of training is one of the test here, as the ids may have it.
    both = pd.concat([table(TRAIN, "rating"), RATED.head(1).assign(user=5)])
    noticed = f"No {side} of the test is in training: do the ids differ?"
    assert noticed not in notes(both)
    other = both.assign(**{side: "x" + both[side].astype(str)})
    assert noticed in notes(other)
    assert noticed not in notes(None)


def test_the_fold_of_a_file_is_looked_at(tmp_path):
    for name, frame in (("test", of_fold(RATED, "a")), ("scores", of_fold(LISTED, "b"))):
        frame.to_parquet(tmp_path / f"{name}.parquet")
    paths = {"test": tmp_path / "test.parquet", "scores": tmp_path / "scores.parquet"}
    with pytest.raises(UserError, match="test is of fold a, but scores is of fold b"):
        mnar.evaluate(**IN_TABLES | paths, relevant=4)
    of_fold(LISTED, "a").to_parquet(paths["scores"])
    assert len(mnar.evaluate(**IN_TABLES | paths, relevant=4, measures="adg")) == 1
