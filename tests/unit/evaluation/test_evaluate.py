"""mnar.evaluate: the same answer for every form of input, and a sentence for each wrong one."""

import subprocess
import sys
import warnings

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
        "lazy": [pl.from_pandas(table).lazy() for table in tables],
        "masked": [np.ma.masked_array(m, m == -1) for m in (SCORES, TRAIN, TEST)],
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
        with warnings.catch_warnings():
            # Its notes, which the others have in attrs.
            warnings.simplefilter("ignore", UserWarning)
            found = mnar.evaluate(*given, relevant=4, measures=NAMES)
        polars = name in ("polars", "lazy")
        assert isinstance(found, pl.DataFrame if polars else pd.DataFrame)
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


def test_an_interval_lies_around_its_value_where_weights_are_estimated_again():
    """Users who are drawn twice make rare items look less rare: raw samples lie to one side."""
    random = np.random.default_rng(3)
    shown = 60 / np.arange(3, 303)
    liked = random.random((300, 300)) < shown / shown.sum() * 6
    held_out = liked & (random.random(liked.shape) < 0.4)
    scores = np.log(shown) + random.normal(size=liked.shape)
    name = "adg~snips(popularity)"
    found = mnar.evaluate(
        {"a": scores, "b": random.normal(size=liked.shape)},
        (liked & ~held_out) * 1,
        held_out * 1,
        measures=[],
        estimators=[name],
        samples=200,
    )
    assert ((found["low"] < found["value"]) & (found["value"] < found["high"])).all()
    middle = (found["low"] + found["high"]) / 2
    assert (np.abs(middle - found["value"]) < 0.15 * (found["high"] - found["low"])).all()


def told(found, words):
    return [note for note in found.attrs["notes"] if words in note]


def test_notes_say_what_would_turn_the_order():
    good = RANDOM.random(SCORES.shape) + 0.5 * (RATED >= 4)
    both = {"a": good, "b": SCORES}
    names = ["adg~naive", "adg~snips(popularity)", "rmse~naive"]
    found = mnar.evaluate(both, None, RATED, relevant=4, measures=[], estimators=names)
    rows = found.set_index(["system", "measure"])
    for name, beyond in zip(names[:2], ("", ", beyond popularity"), strict=True):
        gamma = rows.loc["a − b", name]["gamma"]
        [note] = told(found, f"{name}: ")
        assert "a stays ahead of b" in note
        assert f"{gamma**2:.2f} times in their chance of being rated{beyond} (Γ" in note
    assert not told(found, "rmse~naive:")
    assert len(told(found, "Γ that data suggest")) == 2
    alone = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, estimators=names)
    assert not told(alone, "Γ")


def test_weights_that_rest_on_few_pairs_are_flagged():
    name = "adg~snips(popularity)"
    for test, expected in ((RATED, False), (TEST, True)):
        found = mnar.evaluate(
            SCORES, None, test, relevant=4, measures=["adg"], estimators=[name]
        ).set_index("measure")
        effective = found.loc[name, "effective"]
        assert (effective < 50) == expected, effective
        assert found.loc[name, "flagged"] == expected
        assert found["flagged"].isna()["adg"]
        assert bool(told(found, "fewer than 50: do not trust it")) == expected


def test_intervals_with_fixed_weights_are_said_to_be():
    names = ["adg", "adg~snips(popularity)", "recall@3(0.5)", "adg~naive", "recall@3"]
    found = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, measures=names)
    [note] = told(found, "keep the weights of the data")
    assert note.startswith("Intervals of adg~snips(popularity), recall@3(0.5) keep")
    without = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, measures=names, samples=0)
    assert not told(without, "keep the weights")


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


def noticed():
    """Three pairs are in training as well, and users 0 to 3 have no scores."""
    test = frame(TEST, "rating")
    return frame(SCORES, "score").query("user > 3"), test.head(3), test


LEARNED = int((frame(TEST, "rating").head(3)["user"] > 3).sum())
NOTICED = (
    "3 pairs of the test are in training",
    "no scores for 4 users",
    f"scores of {LEARNED} training items",
)


def test_what_is_noticed_is_told():
    assert LEARNED
    found = mnar.evaluate(*noticed(), relevant=4, measures=["adg"], samples=0)
    assert len(found.attrs["notes"]) == len(NOTICED)
    for words, note in zip(NOTICED, found.attrs["notes"], strict=True):
        assert words in note


def test_polars_has_no_attrs_so_notes_are_warned_of():
    given = [pl.from_pandas(table) for table in noticed()]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        mnar.evaluate(*given, relevant=4, measures=["adg"], samples=0)
    assert [str(one.message) for one in warned] == mnar.evaluate(
        *noticed(), relevant=4, measures=["adg"], samples=0
    ).attrs["notes"]
    assert {one.filename for one in warned} == {__file__}


def test_no_note_of_training_items_where_they_are_ranked():
    found = mnar.evaluate(*noticed(), relevant=4, measures=["adg"], samples=0, candidates="all")
    assert not any("training items" in note for note in found.attrs["notes"])


HIDDEN = np.random.default_rng(2).random(SCORES.shape) < 0.3
HOLES = np.where(HIDDEN, -np.inf, SCORES)
WITH_HOLES = {
    "masked": np.ma.masked_array(SCORES, HIDDEN),
    "masked numbers": np.ma.masked_array((7 * SCORES).round().astype(int), HIDDEN),
    "array": HOLES,
    "sparse": sparse.coo_array((HOLES.ravel(), np.indices(HOLES.shape).reshape(2, -1))),
    "table": frame(HOLES, "score"),
}


@pytest.mark.parametrize("form", WITH_HOLES)
def test_what_is_masked_or_minus_infinity_is_not_listed(form):
    """As a table that leaves the rows out."""
    ratings = frame(TRAIN, "rating"), frame(TEST, "rating")
    listed = frame(HOLES, "score").query("score > -inf")
    expected = mnar.evaluate(listed, *ratings, relevant=4)
    found = mnar.evaluate(WITH_HOLES[form], *ratings, relevant=4)
    np.testing.assert_allclose(found["value"], expected["value"])


def test_minus_infinity_and_no_score_at_all_are_tied():
    """Of three items the first is listed, the second scored −∞, and the third, liked, is not there."""
    scores = pd.DataFrame({"user": [0, 0], "item": [0, 1], "score": [1.0, -np.inf]})
    stored = sparse.coo_array(([1.0, -np.inf], ([0, 0], [0, 1])), shape=(1, 3))
    liked = pd.DataFrame({"user": [0], "item": [2]})
    for given in (scores, stored):
        found = mnar.evaluate(given, None, liked, measures="recall@2", samples=0)
        assert found["value"].item() == 0.5


def test_masked_ratings_are_none():
    masked = np.ma.masked_array(np.where(TEST == 0, 5, TEST), TEST == 0)
    found = mnar.evaluate(SCORES, TRAIN, masked, relevant=4)
    pd.testing.assert_frame_equal(found, mnar.evaluate(SCORES, TRAIN, TEST, relevant=4))


def test_sums_of_a_sparse_matrix_are_not_kept_in_what_was_given():
    twice = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    mnar.evaluate(twice, None, np.array([[0, 1]]), measures=["adg"])
    assert twice.nnz == 2


@pytest.mark.parametrize("kind", [bool, int, float, str, "boolean", "lower"])
def test_a_column_says_what_is_relevant(kind):
    test = frame(TEST, "rating")
    liked = test["rating"] >= 4
    marks = liked.astype(str).str.lower() if kind == "lower" else liked.astype(kind)
    expected = mnar.evaluate(SCORES, None, TEST, relevant=4, measures=["adg"])
    found = mnar.evaluate(SCORES, None, test.assign(relevant=marks), measures=["adg"])
    pd.testing.assert_frame_equal(found, expected)


def test_training_needs_no_relevance_unless_weights_count_it():
    """Which ratings of training are relevant changes no measure; so nobody has to say it."""
    test = frame(TEST, "rating").assign(relevant=lambda table: table["rating"] >= 4)
    names, estimators = ["adg", "head_3", "auc"], ["adg~naive", "adg~snips(logistic)"]
    given = {"measures": names, "estimators": estimators, "samples": 20}
    found = mnar.evaluate(SCORES, TRAIN, test, **given)
    pd.testing.assert_frame_equal(found, mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, **given))
    for more in ({"measures": ["recall@3(0.5)"]}, {"estimators": ["adg~wtd(popularity)"]}):
        with pytest.raises(UserError, match="train has ratings from 1 to 5: say which") as error:
            mnar.evaluate(SCORES, TRAIN, test, **more)
        assert next(iter(more.values()))[0] in str(error.value)
    # A column of training says it, too.
    train = frame(TRAIN, "rating").assign(relevant=lambda table: table["rating"] >= 4)
    found = mnar.evaluate(SCORES, train, test, measures=["recall@3(0.5)"])
    expected = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, measures=["recall@3(0.5)"])
    pd.testing.assert_frame_equal(found, expected)


def write_vectors(path, users, items, **more):
    """Vectors whose products are SCORES."""
    np.savez(
        path,
        users=np.array(users),
        items=np.array(items),
        user_vectors=SCORES[: len(users)],
        item_vectors=np.eye(ITEMS)[: len(items)],
        **more,
    )
    return path


def test_users_and_items_of_vectors_belong_to_the_catalogue(tmp_path):
    """Some are in neither part of the ratings; ids may be numbers here and text there."""
    users, items = range(USERS), range(ITEMS)
    train, test = (frame(part, "rating").query("user > 2 and item > 3") for part in (TRAIN, TEST))
    expected = mnar.evaluate(frame(SCORES, "score"), train, test, relevant=4)
    for name in (int, str):
        path = write_vectors(tmp_path / "v.npz", list(map(name, users)), list(map(name, items)))
        found = mnar.evaluate(path, train, test, relevant=4)
        np.testing.assert_allclose(found["value"], expected["value"], atol=1e-6)
        assert found.attrs["notes"] == []


def test_users_without_vectors_are_told_of(tmp_path):
    path = write_vectors(tmp_path / "v.npz", range(USERS - 2), range(ITEMS))
    expected = int((TEST[-2:] > 0).any(axis=1).sum())
    for given in ((TRAIN, TEST), (frame(TRAIN, "rating"), frame(TEST, "rating"))):
        found = mnar.evaluate(path, *given, relevant=4, measures=["adg"])
        [note] = found.attrs["notes"]
        assert f"no vector for {expected} users of the test" in note


def test_one_name_needs_no_list():
    given = {"measures": "adg", "estimators": "adg~naive", "samples": 0}
    found = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, **given)
    assert list(found["measure"]) == ["adg", "adg~naive"]


@pytest.mark.parametrize("samples", [0, 10])
def test_columns_are_there_where_nothing_has_a_value(samples):
    expected = ["system", "measure", "value", "low", "high", "users", "left_out"]
    liked = (TEST > 0) * 1
    for given in ({"relevant": 4}, {"test": liked}):
        given = {"test": TEST, "measures": ["auc"], "samples": samples} | given
        found = mnar.evaluate(SCORES, TRAIN, **given)
        assert list(found.columns) == expected
    # Nobody dislikes anything.
    assert np.isnan(found["value"].item())
    assert "auc is defined for no user of the test" in found.attrs["notes"][0]


def test_where_no_rating_is_relevant_errors_can_still_be_measured():
    found = mnar.evaluate(SCORES, TRAIN, TEST, relevant=6, measures=["adg", "rmse"])
    assert found["value"].notna().to_list() == [False, True]
    assert "adg is defined for no user" in found.attrs["notes"][0]


ITEM_LISTS = {
    "list": [7, 8],
    "tuple": (7, 8),
    "set": {7, 8},
    "range": range(7, 9),
    "array": np.array([7, 8]),
    "series": pd.Series([7, 8]),
    "text": ["7", "8"],
    "frame": pd.DataFrame({"item": [7, 8]}),
    "lazy": pl.LazyFrame({"item": [7, 8]}),
}


@pytest.mark.parametrize("form", ITEM_LISTS)
def test_more_items_in_any_form(form):
    test = pd.DataFrame({"user": [1], "item": [5]})
    scores = pd.DataFrame({"user": [1], "item": [6], "score": [1.0]})
    found = mnar.evaluate(scores, None, test, measures="atop", samples=0, items=ITEM_LISTS[form])
    assert found["value"].item() == pytest.approx(1 - 2 / 3)


@pytest.mark.filterwarnings("ignore:scores has scores of")
@pytest.mark.parametrize("kind", [pl.Int128, pl.UInt64, pl.Categorical])
def test_ids_of_polars_of_any_type(kind):
    tables = [frame(SCORES, "score"), frame(TRAIN, "rating"), frame(TEST, "rating")]
    expected = mnar.evaluate(*tables, relevant=4)
    given = [pl.from_pandas(table) for table in tables]
    # A category is text.
    first = pl.String if kind == pl.Categorical else kind
    given = [table.with_columns(pl.col("user", "item").cast(first).cast(kind)) for table in given]
    found = mnar.evaluate(*given, relevant=4)
    np.testing.assert_allclose(found["value"], expected["value"])


@pytest.mark.parametrize("start", [0, 2**60])
@pytest.mark.parametrize("kinds", [("u8", "i8", "u8"), ("i8", "u8", "i8")])
def test_whole_numbers_with_and_without_a_sign_are_the_same_ids(start, kinds):
    """Their common type in numpy is a floating one, which cannot tell large ids apart."""
    tables = [frame(SCORES, "score"), frame(TRAIN, "rating"), frame(TEST, "rating")]
    expected = mnar.evaluate(*tables, relevant=4)
    for table, kind in zip(tables, kinds, strict=True):
        table["item"] = table["item"].to_numpy(kind) + np.array(start, kind)
    pd.testing.assert_frame_equal(mnar.evaluate(*tables, relevant=4), expected)


def test_ids_beyond_signed_numbers_beside_signed_ones():
    """No whole type of numpy holds both."""
    tables = [frame(SCORES, "score"), frame(TEST, "rating")]
    for table in tables:
        table["item"] = table["item"].to_numpy("u8") + np.array(2**63, "u8")
    given = {"relevant": 4, "samples": 0, "measures": "atop"}
    found = mnar.evaluate(tables[0], None, tables[1], items=[-1], **given)
    more = mnar.evaluate(frame(SCORES, "score"), None, frame(TEST, "rating"), items=["x"], **given)
    assert found["value"].item() == pytest.approx(more["value"].item())
    # As floating numbers the last two would be an item that is there already.
    many = mnar.evaluate(tables[0], None, tables[1], items=[-1, 2**63 + 30, 2**63 + 31], **given)
    more = mnar.evaluate(
        frame(SCORES, "score"), None, frame(TEST, "rating"), items=list("xyz"), **given
    )
    assert many["value"].item() == pytest.approx(more["value"].item())


class Own:
    """A model that predicts something else than its scores."""

    n_users, n_items = USERS, ITEMS

    def scores(self, users):
        return SCORES[users].tolist()

    def predict(self, users, items):
        return SCORES[users, items] + 1


def test_a_model_of_ones_own_may_give_lists_and_predict():
    found = mnar.evaluate(Own(), TRAIN, TEST, relevant=4, measures=["adg", "rmse"])
    ranked = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4, measures="adg")
    rated = mnar.evaluate(SCORES + 1, TRAIN, TEST, relevant=4, measures="rmse")
    expected = [ranked["value"].item(), rated["value"].item()]
    assert found["value"].to_list() == pytest.approx(expected)


def test_no_more_items_leave_everything_as_it_is():
    tables = [frame(SCORES, "score"), frame(TRAIN, "rating"), frame(TEST, "rating")]
    found = mnar.evaluate(*tables, relevant=4, items=[])
    pd.testing.assert_frame_equal(found, mnar.evaluate(*tables, relevant=4))


def test_scores_beyond_single_precision_keep_their_order_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = mnar.evaluate(SCORES * 1e300, TRAIN, TEST, relevant=4)
    expected = mnar.evaluate(SCORES, TRAIN, TEST, relevant=4)
    pd.testing.assert_frame_equal(found, expected)


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
    with pytest.raises(UserError, match=r"row 1: the rating is 1e\+39"):
        mnar.evaluate(SCORES, TRAIN, frame(TEST, "rating").assign(rating=1e39))


def test_the_marks_of_relevance_in_a_file(tmp_path):
    (tmp_path / "test.csv").write_text("user,item,relevant\na,x,False\na,y,1\n")
    scores = pd.DataFrame({"user": ["a", "a"], "item": ["x", "y"], "score": [1.0, 2.0]})
    found = mnar.evaluate(scores, None, tmp_path / "test.csv", measures=["recall@1"], samples=0)
    assert found["value"].item() == 1


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, mnar; print([m for m in ('numpy', 'numba', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
