"""Scores from files: what is read, how it ranks, and the sentence for each wrong file."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from mnar.core.errors import UserError
from mnar.exchange.score_files import read_scores
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ids import Ids, positions
from mnar.matrices.listed_scores import ListedScores

IDS = Ids(
    np.array([10, 20, 30]), np.array(["a", "b", "c", "d"], np.dtypes.StringDType()), lambda: "f"
)


def frame(users=(10, 10, 30), items=("b", "d", "a"), scores=(2.0, 1.0, 5.0)):
    return pd.DataFrame({"user": list(users), "item": list(items), "score": list(scores)})


def written(tmp_path, table, ending="parquet"):
    path = tmp_path / f"scores.{ending}"
    table.to_csv(path, index=False) if ending == "csv" else table.to_parquet(path)
    return path


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_what_is_not_listed_stands_below_tied(tmp_path, ending):
    model = read_scores(written(tmp_path, frame(), ending), IDS)
    scores = model.scores(np.array([0, 1, 2]))
    assert scores[0, 1] > scores[0, 3]
    assert (scores[0, [0, 2]] == -np.inf).all()
    assert (scores[1] == -np.inf).all()
    np.testing.assert_array_equal(
        model.predict(np.array([0, 2, 2]), np.array([1, 0, 1])), [2.0, 5.0, np.nan]
    )


def test_scores_that_single_precision_cannot_tell_apart_keep_their_order(tmp_path):
    near = [1.0, 1.0 + 1e-12, 1.0, 1.0 - 1e-12]
    table = frame([20] * 4, ["a", "b", "c", "d"], near)
    [row] = read_scores(written(tmp_path, table), IDS).scores(np.array([1]))
    assert row[1] > row[0] == row[2] > row[3]


def test_ids_as_text_and_as_numbers_are_the_same():
    known = np.array([7, 8])
    np.testing.assert_array_equal(positions(known, ["8", "7", "9"]), [1, 0, -1])
    np.testing.assert_array_equal(positions(known, [8.0, np.nan]), [1, -1])


def test_random_pairs_give_what_a_dense_matrix_gives():
    random = np.random.default_rng(3)
    dense = random.integers(0, 5, (6, 9)).astype(float)
    users, items = np.nonzero(random.random((6, 9)) < 0.6)
    order = random.permutation(len(users))
    users, items = users[order], items[order]
    model = ListedScores.of(users, items, dense[users, items], (6, 9))
    rows = np.array([4, 0, 2])
    listed = np.full((6, 9), -np.inf)
    listed[users, items] = dense[users, items]
    for one in (model.scores(rows), model.of_users(rows).scores(np.arange(3))):
        for ours, theirs in zip(one, listed[rows], strict=True):
            np.testing.assert_array_equal(
                np.unique(ours, return_inverse=True)[1], np.unique(theirs, return_inverse=True)[1]
            )
    np.testing.assert_array_equal(model.predict(users, items), dense[users, items])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (frame(users=(10, 11, 30)), "row 2: user 11 is not in the data"),
        (frame(items=("b", "x", "a")), "row 2: item x is not in the data"),
        (frame(scores=(1.0, np.nan, 2.0)), "row 2: the score is not valid, in '10, d, None'"),
        (frame(scores=(1.0, 2.0, np.inf)), "row 3: the score is not valid"),
        (frame(scores=(1.0, 1e39, 2.0)), "row 2: the score is not valid, in '10, d, 1e+39'"),
        (frame(scores=(1.0, 2.0, -1e39)), "row 3: the score is not valid"),
        (frame(items=(["b"], ["d"], ["a"])), "column 'item' (for 'item') holds list<"),
        (frame(items=("b", "b", "a")), "row 2: user 10 and item b are there twice"),
        (frame().rename(columns={"score": "value"}), "no column 'score'"),
        (frame().assign(score="high"), "row 1: the score is not valid, in '10, b, high'"),
        (frame().head(0), "has no scores"),
    ],
)
def test_wrong_tables_are_refused(tmp_path, table, words):
    with pytest.raises(UserError, match=r"scores\.parquet") as error:
        read_scores(written(tmp_path, table), IDS)
    assert words in str(error.value)


def test_a_csv_without_rows_is_refused(tmp_path):
    with pytest.raises(UserError, match="has no scores"):
        read_scores(written(tmp_path, frame().head(0), "csv"), IDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('10,b,1,"one\n10,c,2,two"\n', "line 2: a quote is opened that is closed on line 3 only"),
        ('10,b,1,"one\n10,c,2,two\n', "line 2: a quote is opened and not closed"),
        ("10,b\n", "line 2: 2 columns where 4 are expected"),
        ("10,b,1e39,t\n", "line 2: the score '1e39' is not a finite number"),
        ("10,b,nan,t\n", "line 2: the score 'nan' is not a finite number"),
    ],
)
def test_no_row_of_a_csv_vanishes(tmp_path, text, words):
    (tmp_path / "scores.csv").write_text("user,item,score,title\n" + text)
    with pytest.raises(UserError, match=r"scores\.csv") as error:
        read_scores(tmp_path / "scores.csv", IDS)
    assert words in str(error.value)


def test_a_line_break_inside_a_field_of_a_csv(tmp_path):
    text = 'user,item,score,title\n10,b,-inf,"one\ntwo"\n10,c,2,t\n'
    (tmp_path / "scores.csv").write_text(text)
    model = read_scores(tmp_path / "scores.csv", IDS)
    np.testing.assert_array_equal(model.predict(np.array([0, 0]), np.array([1, 2])), [np.nan, 2.0])


def test_a_missing_and_a_broken_file_are_refused(tmp_path):
    with pytest.raises(UserError, match="is not there"):
        read_scores(tmp_path / "none.parquet", IDS)
    (tmp_path / "broken.parquet").write_text("no table", encoding="utf-8")
    with pytest.raises(UserError, match=r"is not a Parquet file: .*[^.]\.$"):
        read_scores(tmp_path / "broken.parquet", IDS)
    with pytest.raises(UserError, match="end in"):
        read_scores(tmp_path / "scores.xlsx", IDS)


def test_the_id_of_another_fold_is_refused(tmp_path):
    by_polars = tmp_path / "polars.parquet"
    pl.from_pandas(frame()).write_parquet(by_polars, metadata={"fold": "other"})
    by_pandas = frame()
    by_pandas.attrs["fold"] = "other"
    for path in (by_polars, written(tmp_path, by_pandas)):
        with pytest.raises(UserError, match="made for fold other, but this fold is f"):
            read_scores(path, IDS)
    by_pandas.attrs["fold"] = "f"
    assert read_scores(written(tmp_path, by_pandas), IDS).n_users == 3


def vectors(**changes):
    random = np.random.default_rng(1)
    arrays = {
        "users": np.array([30, 10, 20]),
        "items": np.array(["c", "a", "d", "b"]),
        "user_vectors": random.normal(size=(3, 2)).astype(np.float32),
        "item_vectors": random.normal(size=(4, 2)).astype(np.float32),
        "item_bias": random.normal(size=4).astype(np.float32),
        "offset": np.array(3.5),
    }
    return {**arrays, **changes}


def test_vectors_are_a_factor_model_in_the_order_of_the_data(tmp_path):
    np.savez(tmp_path / "v.npz", **vectors())
    model = read_scores(tmp_path / "v.npz", IDS)
    assert isinstance(model, FactorModel)
    given = vectors()
    expected = given["user_vectors"][0] @ given["item_vectors"][3] + given["item_bias"][3] + 3.5
    assert model.predict(np.array([2]), np.array([1])) == pytest.approx(expected)


def test_users_and_items_without_a_vector_stand_below(tmp_path):
    part = vectors()
    part["users"], part["user_vectors"] = part["users"][:2], part["user_vectors"][:2]
    for name in ("items", "item_vectors", "item_bias"):
        part[name] = part[name][:3]
    np.savez(tmp_path / "v.npz", **part)
    model = read_scores(tmp_path / "v.npz", IDS)
    scores = model.scores(np.array([0, 1, 2]))
    assert (scores[1] == -np.inf).all()
    assert (scores[:, 1] == -np.inf).all()
    assert np.isfinite(scores[[0, 2]][:, [0, 2, 3]]).all()
    assert not model.lists(np.array([0]), np.array([1]))
    assert model.lists(np.array([0]), np.array([0]))


TEXT = np.array([["a", "b"]] * 3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"users": np.array([30, 10, 40])}, "user 40 is not in the data"),
        ({"users": np.array([30, 10, 10])}, "there twice"),
        ({"users": np.array(30)}, "users has the shape (); it must be a list"),
        ({"users": np.array([[30], [10], [20]])}, "users has the shape (3, 1); it must be a list"),
        ({"items": np.array([b"a", b"b", b"c", b"d"])}, "items holds |S1; it must hold numbers or"),
        ({"users": np.zeros(0, int)}, "has no users; write some"),
        ({"user_vectors": np.zeros((2, 2))}, "user_vectors has 2 rows for 3 users"),
        ({"item_vectors": np.zeros((4, 3))}, "users and of items differ in length (2 and 3)"),
        (
            {"user_vectors": np.zeros((3, 2), complex)},
            "user_vectors holds complex128; it must hold",
        ),
        ({"user_vectors": TEXT}, "user_vectors holds <U1; it must hold real numbers"),
        (
            {"user_vectors": np.zeros((3, 2, 2)), "item_vectors": np.zeros((4, 2, 2))},
            "user_vectors has the shape (3, 2, 2); it must be a table",
        ),
        (
            {"user_vectors": np.zeros(3), "item_vectors": np.zeros(4)},
            "user_vectors has the shape (3,); it must be a table",
        ),
        ({"item_bias": np.zeros((4, 2))}, "item_bias has the shape (4, 2); it must be a list"),
        ({"item_bias": np.full(4, np.nan)}, "item_bias has numbers that are not finite"),
        ({"item_bias": np.full(4, 1e300)}, "item_bias has numbers that are not finite in single"),
        ({"item_bias": np.array(list("abcd"))}, "item_bias holds <U1"),
        ({"user_bias": np.zeros(2)}, "user_bias has 2 rows for 3 users"),
        ({"offset": np.zeros(3)}, "offset has the shape (3,); it must be one number"),
        ({"offset": np.array("high")}, "offset holds <U4"),
        ({"fold": np.array("other")}, "made for fold other"),
        ({"weights": np.zeros(2)}, "unknown array 'weights'"),
    ],
)
def test_wrong_vectors_are_refused(tmp_path, changes, words):
    np.savez(tmp_path / "v.npz", **vectors(**changes))
    with pytest.raises(UserError, match=r"v\.npz") as error:
        read_scores(tmp_path / "v.npz", IDS)
    assert words in str(error.value)
    assert str(error.value).endswith(".")
