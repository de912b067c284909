"""The embedded dataset is the one the notice names, and small enough to be carried along."""

import hashlib
import re
from pathlib import Path

import polars as pl
import pytest

from mnar.core.files import read_json
from mnar.data.prepare import prepare
from mnar.data.sources import Source

FOLDER = Path(__file__).parents[3] / "data" / "movielens-small"
ENTRY = {
    "files": {"ratings": "ratings.csv.zst", "items": "movies.csv.zst"},
    "format": {
        "kind": "table",
        "columns": {
            "user": "userId",
            "item": "movieId",
            "rating": "rating",
            "timestamp": "timestamp",
        },
    },
    "catalogue": {"columns": {"item": "movieId"}},
    "scale": [0.5, 5],
}


@pytest.mark.parametrize("name", ["ratings.csv.zst", "movies.csv.zst"])
def test_unpacks_to_what_the_notice_says(name):
    notice = (FOLDER / "NOTICE.md").read_text(encoding="utf-8")
    checksum = re.search(rf"`{re.escape(name)}`.*([0-9a-f]{{64}})", notice)[1]
    with Source(FOLDER / name).open() as stream:
        assert hashlib.sha256(stream.read()).hexdigest() == checksum


def test_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1 << 20


def test_prepared_has_the_sizes_of_its_readme(tmp_path):
    prepare("movielens-small", ENTRY, FOLDER, tmp_path)
    summary = read_json(tmp_path / "summary.json")
    sizes = {key: summary[key] for key in ("users", "items", "rated_items", "interactions")}
    assert sizes == {"users": 671, "items": 9125, "rated_items": 9066, "interactions": 100004}
    ratings = pl.read_parquet(tmp_path / "interactions.parquet")
    assert ratings.schema == {
        "user": pl.Int64,
        "item": pl.Int64,
        "rating": pl.Float32,
        "timestamp": pl.Int64,
    }
    assert ratings.equals(ratings.sort("user", "item"))
    assert ratings.row(0) == (1, 31, 2.5, 1260759144)
    random = pl.read_parquet(tmp_path / "random.parquet")
    assert random.is_empty()
    assert random.schema == ratings.schema
    assert pl.read_parquet(tmp_path / "items.parquet").height == 9125
