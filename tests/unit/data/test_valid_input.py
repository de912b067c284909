"""Unusual input that is right all the same: it is prepared and looked at as any other."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from mnar import models, splits
from mnar.config import settings
from mnar.core.errors import UserError
from mnar.data import locations
from mnar.data.densify import make_view
from mnar.data.has import has
from mnar.data.prepare import prepare
from mnar.matrices.view import View
from mnar.splits.fold import Fold

CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))
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


def split_of(folder, rows, protocol="four-folds", **settings):
    view = viewed(folder, rows, relevant=4)
    [fold] = splits.all_folds(protocol, view, {"folds": 1} | settings, 1)
    return np.bincount(fold.roles, minlength=5)


@pytest.mark.parametrize("each", [3, 4, 5])
def test_no_user_with_six_relevant_items(tmp_path, each):
    """A tenth of all items is validation all the same, so that settings can be chosen."""
    rows = "".join(f"{u},{(u * 7 + i) % 30},5\n" for u in range(40) for i in range(each))
    roles = split_of(tmp_path, rows.encode())
    assert roles[splits.VALIDATION] == round(0.1 * 40 * each)
    assert roles[splits.TEST] == 40
    assert roles[splits.TRAIN] == 40 * each - 40 - roles[splits.VALIDATION]


def test_no_user_with_two_relevant_items_is_said(tmp_path):
    with pytest.raises(UserError, match="no user has two relevant items; choose another protocol"):
        split_of(tmp_path, b"1,1,5\n1,2,1\n2,2,5\n2,3,1\n")


@pytest.mark.parametrize("protocol", ["four-folds", "last-five", "track1", "selected"])
def test_few_items_and_nearly_complete_matrices(tmp_path, protocol):
    """Three items; and, as Jester, nearly every cell."""
    few = "".join(f"{u},{i},{4 + (u + i) % 2}\n" for u in range(12) for i in range(3))
    assert split_of(tmp_path, few.encode(), protocol)[splits.TEST] > 0
    full = "".join(f"{u},{i},{1 + (u * i) % 5}\n" for u in range(30) for i in range(20) if u != i)
    roles = split_of(tmp_path, full.encode(), protocol)
    assert roles[splits.TRAIN] > 0 < roles[splits.TEST]


def test_play_counts_with_a_heavy_tail(tmp_path):
    """Last.FM: user, song and plays in a file with tabs; most songs once, some thousands of times."""
    random = np.random.default_rng(1)
    plays = np.ceil(random.pareto(0.8, 4000)).astype(int).clip(1, 9000)
    users, songs = random.integers(120, size=4000), random.zipf(1.3, 4000) % 300
    rows = "".join(f"u{u}\tSO{s}\t{n}\n" for u, s, n in zip(users, songs, plays, strict=True))
    (tmp_path / "plays.txt").write_text(rows)
    entry = CONFIG["datasets"]["lastfm"] | {"files": {"ratings": "plays.txt"}}
    prepare("lastfm", entry, tmp_path, tmp_path / "out")
    for name in ("lim2015", "steck2010"):
        asked = settings.view_settings(CONFIG, "lastfm", name)
        view = make_view(tmp_path / "out", asked)
        assert view.facts["relevant_from"] == entry["relevant"]
    for study, name in (("steck2010", "steck2010"), ("lim2015", "lim2015")):
        view = make_view(tmp_path / "out", settings.view_settings(CONFIG, "lastfm", name))
        [split] = splits.all_folds("last-five", view, {"folds": 1}, 1)
        train = Fold.of(view, split).train
        for method in ("observed-only-tuned-for-atop", "allrank-regression", "dense-svd", "mf-auc"):
            if method not in CONFIG["studies"][study]["methods"]:
                continue
            asked = settings.method_settings(CONFIG, study, "lastfm", method)
            grid = asked["grid"] if isinstance(asked["grid"], dict) else asked["grid"][0]
            point = {key: values[0] for key, values in grid.items()}
            small = {"factors": 5} | ({"iterations": 3000} if method == "mf-auc" else {"sweeps": 3})
            model = models.load(asked["module"]).fit(train, asked["settings"] | point | small, 1, 1)
            assert models.fault(model) is None, (study, method, point)


def test_a_file_in_a_subfolder_is_an_input_of_its_own(tmp_path):
    """Snakemake compares the time of the file itself, not that of the folder around it."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "r.csv").write_bytes(b"1,2,3\n1,3,4\n")
    (tmp_path / "sub" / ".r.partial.csv").write_bytes(b"half")
    for name in ("sub/r.csv", "sub/*.csv"):
        entry = {"files": {"ratings": name}, "format": {"columns": TABLE}}
        assert locations.inputs(entry, tmp_path) == [tmp_path / "sub" / "r.csv"]


@pytest.mark.parametrize("name", ["r[1].csv", "r*.csv", "a?.csv", "[x].csv"])
def test_names_that_look_like_patterns(tmp_path, name):
    view = viewed(tmp_path, b"1,2,3\n1,3,4\n2,2,5\n", name=name, relevant=4)
    assert view.shape == (2, 2)
