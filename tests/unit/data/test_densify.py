"""From prepared Parquet to a view: recipes against plain Python, catalogues, messages."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar import splits
from mnar.core.errors import UserError
from mnar.core.files import seal_parquet
from mnar.data.densify import make_view
from mnar.matrices.view import View

SCHEMA = {"user": pl.Int64, "item": pl.Int64, "rating": pl.Float32, "timestamp": pl.Int64}
BASE = {"view": "v", "relevant": 4, "keep": "all"}


def write(folder, rows, random=(), items=None, part=None):
    """Rows are (user, item, rating, time) with whole-number or text ids."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = dict(SCHEMA)
    if rows and isinstance(rows[0][0], str):
        schema |= {"user": pl.String, "item": pl.String}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    if part is not None:
        table = table.with_columns(part=pl.Series(part, dtype=pl.UInt8))
    if items is None:
        items = {"item": table["item"].unique().sort()}
    random_table = pl.DataFrame(list(random), schema=schema, orient="row")
    tables = {"interactions": table, "random": random_table, "items": pl.DataFrame(items)}
    for name, content in tables.items():
        content.write_parquet(folder / f"{name}.parquet")
        seal_parquet(folder / f"{name}.parquet")
    return folder


def triples(view):
    """What a view holds, in the ids of the source."""
    entries = view.ratings
    users, items = view.user_ids[entries.user].tolist(), view.item_ids[entries.item].tolist()
    return list(zip(users, items, entries.rating.tolist(), entries.time.tolist(), strict=True))


def plain(rows, view):
    """The recipe in plain Python."""
    if view["keep"] == "relevant":
        rows = [row for row in rows if row[2] >= view["relevant"]]

    def top(rows, column, number):
        counts = Counter(row[column] for row in rows)
        best = sorted(counts, key=lambda name: (-counts[name], name))[:number]
        return [row for row in rows if row[column] in best]

    def at_least(rows, column, number):
        counts = Counter(row[column] for row in rows)
        return [row for row in rows if counts[row[column]] >= number]

    if view.get("top_items") is not None:
        rows = top(rows, 1, view["top_items"])
    if view.get("top_users") is not None:
        rows = top(rows, 0, view["top_users"])
    while True:
        before = len(rows)
        rows = at_least(rows, 1, view.get("min_per_item") or 0)
        rows = at_least(rows, 0, view.get("min_per_user") or 0)
        if len(rows) == before:
            return sorted(rows)


def some_rows(seed, n_users=15, n_items=12, density=0.4):
    random = np.random.default_rng(seed)
    user, item = np.nonzero(random.random((n_users, n_items)) < density)
    order = random.permutation(len(user))
    return [
        (int(u) * 3 + 1, int(i) * 2 + 1, float(random.integers(1, 6)), int(random.integers(99)))
        for u, i in zip(user[order], item[order], strict=True)
    ]


maybe = st.none() | st.integers(1, 8)


@settings(deadline=None)
@given(
    seed=st.integers(0, 1000),
    keep=st.sampled_from(["all", "relevant"]),
    recipe=st.fixed_dictionaries(
        {"top_items": maybe, "top_users": maybe, "min_per_user": maybe, "min_per_item": maybe}
    ),
)
def test_recipes_equal_plain_python(tmp_path_factory, seed, keep, recipe):
    rows = some_rows(seed)
    asked = {**BASE, "keep": keep, **recipe}
    expected = plain(rows, asked)
    folder = write(tmp_path_factory.mktemp("view"), rows)
    if len({row[1] for row in expected}) < 2:
        with pytest.raises(UserError, match=r"no rating is left after|one item only"):
            make_view(folder, asked)
        return
    view = make_view(folder, asked)
    assert triples(view) == expected
    assert view.ratings.relevant.tolist() == [row[2] >= 4 for row in expected]
    assert view.user_ids.tolist() == sorted({row[0] for row in expected})
    assert view.item_ids.tolist() == sorted({row[1] for row in expected})
    facts = view.facts
    assert sum(facts["dropped"].values()) == len(rows) - len(expected)
    assert facts["interactions"] == len(expected)
    assert facts["density"] == len(expected) / (facts["users"] * facts["items"])
    assert facts["recipe"] == {step: n for step, n in recipe.items() if n is not None}


def test_minima_are_repeated_until_both_hold(tmp_path):
    """A chain that comes undone link by link, round after round, beside a block that holds."""
    chain = [(link + end, link, 5.0, 0) for link in range(1, 7) for end in (0, 1)]
    block = [(user, item, 5.0, 0) for user in (20, 21) for item in (30, 31)]
    folder = write(tmp_path / "d", chain + block)
    view = make_view(folder, {**BASE, "min_per_user": 2, "min_per_item": 2})
    assert triples(view) == block
    assert view.facts["dropped"]["min_per_user"] + view.facts["dropped"]["min_per_item"] == 12


def test_ids_with_wide_gaps_are_numbered_like_those_without(tmp_path):
    rows = some_rows(4)
    wide = [(user * 10**9, item * -(10**12), *rest) for user, item, *rest in rows]
    near = make_view(write(tmp_path / "a", rows), BASE)
    far = make_view(write(tmp_path / "b", wide), BASE)
    assert triples(far) == sorted(wide)
    assert np.array_equal(far.ratings.user, near.ratings.user)
    assert far.item_ids.tolist() == [item * -(10**12) for item in near.item_ids[::-1].tolist()]


def test_the_order_of_rows_does_not_matter(tmp_path):
    rows = some_rows(1)
    random = [(1, 1, 5.0, None), (4, 3, 2.0, None)]
    asked = {**BASE, "sample_users": 9, "seed": 5}
    views = [
        make_view(write(tmp_path / "a", rows, random), asked),
        make_view(write(tmp_path / "b", rows[::-1], random[::-1]), asked),
    ]
    for index, view in enumerate(views):
        view.save(tmp_path / f"{index}/views/mine/same.npz")
    saved = [tmp_path / f"{index}/views/mine/same.npz" for index in range(2)]
    assert saved[0].read_bytes() == saved[1].read_bytes()
    roles = [splits.split("last-five", view, {}, 0, 3).roles for view in views]
    assert np.array_equal(*roles)


def test_users_are_sampled_by_seed_from_those_left(tmp_path):
    rows = [row for row in some_rows(2) if row[0] != 4] + [(4, 1, 1.0, 0)]
    folder = write(tmp_path / "d", rows)
    asked = {**BASE, "keep": "relevant", "sample_users": 6}
    chosen = [make_view(folder, {**asked, "seed": seed}).user_ids.tolist() for seed in range(30)]
    assert chosen[0] == make_view(folder, {**asked, "seed": 0}).user_ids.tolist()
    assert all(len(users) == 6 and 4 not in users for users in chosen)
    assert {user for users in chosen for user in users} == {r[0] for r in rows if r[2] >= 4}
    whole = make_view(folder, {**asked, "sample_users": 1000, "seed": 0})
    assert triples(whole) == plain(rows, asked)


@pytest.mark.parametrize(
    ("asked", "threshold"),
    [
        ({"relevant": 3.5}, 3.5),
        ({"relevant": "highest", "scale": [1, 5]}, 5),
        ({"relevant": "dataset", "dataset_relevant": 2}, 2),
    ],
)
def test_what_is_relevant(tmp_path, asked, threshold):
    view = make_view(write(tmp_path / "d", some_rows(3)), {**BASE, **asked})
    assert np.array_equal(view.ratings.relevant, view.ratings.rating >= threshold)
    assert view.facts["relevant"] == view.ratings.relevant.sum()
    assert view.facts["relevant_from"] == threshold


ROWS = [(1, 2, 5.0, 7), (1, 4, 1.0, None), (3, 2, 4.0, 9)]


@pytest.mark.parametrize(
    ("catalogue", "expected"),
    [("rated", [2, 4]), ("listed", [1, 2, 4, 7]), ("ids", [1, 2, 3, 4, 5, 6, 7])],
)
def test_catalogues(tmp_path, catalogue, expected):
    folder = write(tmp_path / "d", ROWS, items={"item": [7, 1, 4]})
    view = make_view(folder, {**BASE, "catalogue": catalogue})
    assert view.item_ids.tolist() == expected
    assert triples(view) == [(1, 2, 5.0, 7), (1, 4, 1.0, -1), (3, 2, 4.0, 9)]
    assert view.matrix().n_items == len(expected)


def test_text_ids_and_types(tmp_path):
    rows = [("b", "y", 5.0, 1), ("a", "zz", 4.0, 2), ("a", "x", 1.0, 3), ("é", "x", 3.0, 4)]
    folder = write(tmp_path / "d", rows, random=[("a", "y", 2.0, None), ("new", "x", 5.0, 1)])
    view = make_view(folder, BASE)
    view.save(tmp_path / "view.npz")
    view = View.load(tmp_path / "view.npz")
    assert view.user_ids.tolist() == ["a", "b", "é"]
    assert view.item_ids.tolist() == ["x", "y", "zz"]
    assert triples(view) == sorted(rows)
    for entries in (view.ratings, view.random):
        kinds = [column.dtype for column in vars(entries).values()]
        assert kinds == [np.int32, np.int32, np.float32, np.bool_, np.int64]
    assert view.facts["dropped"]["random"] == 1
    assert len(view.random) == 1


def test_random_ratings_of_the_view_stay_whatever_they_are(tmp_path):
    rows = [(1, 10, 5.0, 0), (1, 20, 4.0, 0), (2, 10, 2.0, 0), (3, 20, 4.0, 0)]
    random = [(3, 20, 1.0, 5), (1, 20, 5.0, None), (3, 10, 4.0, 6), (2, 10, 5.0, 0), (1, 9, 5.0, 0)]
    folder = write(tmp_path / "d", rows, random)
    view = make_view(folder, {**BASE, "keep": "relevant"})
    found = view.random
    assert view.user_ids[found.user].tolist() == [1, 3, 3]
    assert view.item_ids[found.item].tolist() == [20, 10, 20]
    assert found.relevant.tolist() == [True, True, False]
    assert found.time.tolist() == [-1, 6, 5]
    assert view.facts["dropped"] == {"not_relevant": 1, "random": 2}


def test_official_parts_follow_their_ratings(tmp_path):
    rows = [(2, 1, 5.0, 0), (1, 3, 1.0, 0), (1, 1, 4.0, 0), (2, 3, 4.0, 0)]
    folder = write(tmp_path / "d", rows, part=[2, 0, 1, 0])
    assert make_view(folder, BASE).part.tolist() == [1, 0, 2, 0]
    assert make_view(folder, {**BASE, "keep": "relevant"}).part.tolist() == [1, 2, 0]
    assert len(make_view(write(tmp_path / "e", rows), BASE).part) == 0


def test_ancestors_that_are_items_have_their_index(tmp_path):
    """Tracks 1 to 3, album 10, artists 20 and 21; album 11 and genre 30 are not in the view."""
    rows = [(1, item, 5.0, 0) for item in (1, 2, 3, 10, 20, 21)]
    items = {
        "item": [1, 2, 3, 10, 11, 20, 21, 30],
        "album": [10, 11, None, None, None, None, None, None],
        "artist": [20, 20, 21, 20, 21, None, None, None],
        "genre": [30, None, 30, 30, None, None, None, None],
    }
    view = make_view(write(tmp_path / "d", rows, items=items), BASE)
    none = [-1, -1, -1]
    assert view.parents.tolist() == [[3, 4, 7], [6, 4, -1], [-1, 5, 7], [-1, 4, 7], none, none]
    assert view.matrix().parents is not None


def test_ancestors_with_ids_of_their_own_are_no_items(tmp_path):
    rows = [(1, item, 5.0, 0) for item in (1, 2, 3)]
    items = {"item": [1, 2, 3], "album": [2, 2, 3], "genre": ["rock", None, "folk"]}
    view = make_view(write(tmp_path / "d", rows, items=items), BASE)
    assert view.parents.tolist() == [[3, 6], [3, -1], [4, 5]]


def test_without_a_known_ancestor_there_is_no_taxonomy(tmp_path):
    rows = [(1, item, 5.0, 0) for item in (1, 2, 3)]
    unknown = pl.Series([None] * 3, dtype=pl.Int64)
    items = {"item": [1, 2, 3], "album": unknown, "artist": [9, 9, None]}
    view = make_view(write(tmp_path / "d", rows, items=items), BASE)
    assert view.parents.tolist() == [[3], [3], [-1]]
    assert make_view(write(tmp_path / "e", rows), BASE).parents.shape == (3, 0)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"relevant": 9, "keep": "relevant"}, "no rating is left after keep: relevant"),
        ({"min_per_user": 50}, "no rating is left after min_per_user: 50"),
        ({"min_per_user": 2, "min_per_item": 2}, "no rating is left after min_per_"),
        ({"top_users": 0}, "no rating is left after top_users: 0"),
        ({"top_items": 1}, "catalogue has one item only"),
        ({"relevant": "highest"}, "`relevant` is 'highest', which needs the dataset's own"),
        ({"relevant": "dataset"}, "`relevant` is 'dataset', which needs the dataset's own"),
    ],
)
def test_one_sentence_names_dataset_view_and_step(tmp_path, asked, message):
    folder = write(tmp_path / "tiny", ROWS)
    with pytest.raises(UserError, match=rf"^Dataset tiny, view v: [^.]*{message}[^.]*\.$"):
        make_view(folder, {**BASE, **asked})


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((0, 1, 3), [0, 1, 2, 3]),
        ((2, 3, 4), [1, 2, 3, 4]),
        # Names, not places in a list: nothing is added.
        (("a", "b"), ["a", "b"]),
        ((-1, 2), [-1, 2]),
        ((1, 2, 900), [1, 2, 900]),
    ],
)
def test_ids_as_catalogue(tmp_path, items, expected):
    rows = [(items[0], item, 5.0, 0) for item in items]
    view = make_view(write(tmp_path, rows), {**BASE, "catalogue": "ids"})
    assert view.item_ids.tolist() == expected


def test_an_empty_dataset_is_refused(tmp_path):
    with pytest.raises(UserError, match="no rating is left after keep: all"):
        make_view(write(tmp_path / "none", []), BASE)
