"""Unusual input that is right all the same: it is prepared and looked at as any other."""

import numpy as np
import polars as pl
import pytest

from mnar.data.densify import make_view
from mnar.data.has import has
from mnar.data.prepare import prepare
from mnar.matrices.view import View

VIEW = {"view": "v", "relevant": "dataset", "keep": "all"}


def viewed(folder, rows, catalogue="listed", name="r.csv", columns=None, **view):
    """The view of a dataset with these rows, as it comes back from disk."""
    if isinstance(rows, pl.DataFrame):
        rows.write_parquet(folder / name)
    else:
        (folder / name).write_bytes(rows)
    columns = columns or {"user": 1, "item": 2, "rating": 3}
    entry = {"files": {"ratings": name}, "format": {"columns": columns}}
    prepare("it", entry, folder, folder / "out")
    view = make_view(folder / "out", VIEW | {"catalogue": catalogue} | view)
    view.save(folder / "out" / "view.npz")
    return View.load(folder / "out" / "view.npz")


EAN = [4006381333931, 9780201379624, 5901234123457]


@pytest.mark.parametrize("catalogue", ["rated", "listed", "ids"])
@pytest.mark.parametrize(
    "ids", [EAN, [1, 2**63 - 2, 2**63 - 1], [-5, 0, 7]], ids=["ean", "largest", "negative"]
)
def test_whole_numbers_of_any_size(tmp_path, catalogue, ids):
    """A catalogue by ids counts up to the largest one only where most of them are items."""
    rows = "".join(f"1,{one},4\n" for one in ids).encode()
    view = viewed(tmp_path, rows, catalogue, relevant=4)
    assert view.item_ids.tolist() == sorted(ids)


def test_numbers_beyond_64_bits_are_names(tmp_path):
    ids = [str(2**63), str(2**64), "7"]
    view = viewed(tmp_path, "".join(f"1,{one},4\n" for one in ids).encode(), "ids", relevant=4)
    assert view.item_ids.tolist() == sorted(ids)


def test_unsigned_numbers_of_parquet(tmp_path):
    frame = pl.DataFrame({"user": [1, 2], "item": [2**63, 7], "rating": [1, 2]}).cast(
        {"item": pl.UInt64}
    )
    columns = {"user": "user", "item": "item", "rating": "rating"}
    view = viewed(tmp_path, frame, name="r.parquet", columns=columns, relevant=1)
    assert view.item_ids.tolist() == ["7", str(2**63)]


def test_ids_by_number_are_filled_up_where_most_are_items(tmp_path):
    assert viewed(tmp_path, b"1,3,4\n1,5,4\n1,4,4\n", "ids", relevant=4).item_ids.tolist() == [
        1,
        2,
        3,
        4,
        5,
    ]


@pytest.mark.parametrize("quoted", [False, True])
def test_one_very_long_id_among_many(tmp_path, quoted):
    """Text of fixed width would take its length for each of them: 20 GB here."""
    long = "x" * 1_000_000
    mark = '"' if quoted else ""
    rows = "".join(f"u{n},i{n},1\n" for n in range(5000)) + f"a,{mark}{long}{mark},1\n"
    view = viewed(tmp_path, rows.encode(), relevant=1)
    assert view.shape == (5001, 5001)
    assert view.item_ids[view.ratings.item[0]] == long


def test_ids_that_differ_in_a_nul(tmp_path):
    view = viewed(tmp_path, b"a\0,x,1\na,x\0,2\nb,x\0\0,3\n", relevant=1)
    assert view.user_ids.tolist() == ["a", "a\0", "b"]
    assert view.item_ids.tolist() == ["x", "x\0", "x\0\0"]
    pairs = zip(view.ratings.user, view.ratings.item, view.ratings.rating, strict=True)
    assert list(pairs) == [(0, 1, 2), (1, 0, 1), (2, 2, 3)]


@pytest.mark.parametrize("relevant", ["dataset", "highest"])
@pytest.mark.parametrize("keep", ["relevant", "all"])
def test_interactions_without_ratings_are_all_relevant(tmp_path, relevant, keep):
    columns = {"user": 1, "item": 2}
    view = viewed(tmp_path, b"1,2\n1,3\n2,3\n", columns=columns, relevant=relevant, keep=keep)
    assert view.ratings.relevant.all()
    assert (view.ratings.rating == 1).all()
    assert view.facts["relevant_from"] == 1


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"user": [1.0, 2.0], "item": [7.0, 8.0]}),
        pl.DataFrame({"user": ["1", "2"], "item": ["7", "8"]}).cast(pl.Categorical),
        pl.DataFrame({"user": ["1", "2"], "item": ["7", "8"]}).cast(pl.Binary),
        pl.DataFrame({"user": ["1", "2"], "item": ["7", "8"]}).cast(pl.Decimal(9, 0)),
        pl.DataFrame({"user": [1, 2], "item": [7, 8]}).cast(pl.UInt64),
    ],
    ids=["float", "dictionary", "binary", "decimal", "unsigned"],
)
def test_ids_of_parquet_in_any_type_are_the_same_ids(tmp_path, frame):
    columns = {"user": "user", "item": "item"}
    view = viewed(tmp_path, frame, name="r.parquet", columns=columns)
    assert [str(one) for one in view.item_ids] == ["7", "8"]
    assert [str(one) for one in view.user_ids] == ["1", "2"]


def test_categories_that_are_numbers_are_read_as_they_are_written(tmp_path):
    frame = pl.DataFrame({"u": ["a", "a"], "i": ["b", "c"], "r": ["5", "3"]}).cast(
        {"r": pl.Categorical}
    )
    columns = {"user": "u", "item": "i", "rating": "r"}
    view = viewed(tmp_path, frame, name="r.parquet", columns=columns, relevant=4)
    assert view.ratings.rating.tolist() == [5, 3]
    assert np.array_equal(view.ratings.relevant, [True, False])


TABLE = {"user": 1, "item": 2, "rating": 3}
HAS = [
    ({"files": {"ratings": "r"}, "format": {"columns": TABLE}}, set()),
    ({"files": {"ratings": "r"}, "format": {"columns": TABLE | {"timestamp": 4}}}, {"timestamps"}),
    ({"files": {"ratings": "r"}, "format": {"columns": TABLE | {"selected": 4}}}, {"random"}),
    ({"files": {"ratings": "r"}, "format": {"columns": TABLE | {"random": 4}}}, {"random"}),
    ({"files": {"ratings": "r", "random": "t"}, "format": {"columns": TABLE}}, {"random"}),
    (
        {
            "files": {"ratings": "r", "items": "i"},
            "format": {"columns": TABLE},
            "catalogue": {"columns": {"item": 1, "album": 2, "type": 3}},
        },
        {"taxonomy", "item-types"},
    ),
    (
        {
            "files": {"ratings": "r"},
            "format": {"columns": TABLE},
            "catalogue": {"columns": {"item": 1, "album": 2}},
        },
        set(),
    ),
    ({"files": {"ratings": "r"}, "format": {"kind": "netflix"}}, {"timestamps"}),
    (
        {"files": {"ratings": "r", "probe": "p"}, "format": {"kind": "netflix"}},
        {"timestamps", "probe"},
    ),
    ({"files": {"ratings": "r", "random": "t"}, "format": {"kind": "matrix"}}, {"random"}),
    ({"files": {"ratings": "r"}, "format": {"kind": "matrix"}}, set()),
    (
        {
            "files": {"train": "a", "validation": "b", "tracks": "c"},
            "format": {"kind": "yahoo-music"},
        },
        {"timestamps", "taxonomy", "item-types"},
    ),
    (
        {"files": {"train": "a", "genres": "b"}, "format": {"kind": "yahoo-music"}},
        {"item-types"},
    ),
    ({"generator": {}}, {"timestamps", "truth", "complete", "random"}),
    ({"generator": None}, {"timestamps", "truth", "complete", "random"}),
    ({"generator": {"taxonomy": 0.8}}, {"timestamps", "truth", "complete", "random", "taxonomy"}),
    ({"generator": {"random_users": 0}}, {"timestamps", "truth", "complete"}),
]


@pytest.mark.parametrize(("entry", "expected"), HAS)
def test_what_a_dataset_has_follows_from_its_entry(entry, expected):
    assert has(entry) == expected
