"""A fold that is exported: each rating in the file of its part, and nowhere else."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from helpers.rated_view import made_view

from mnar import splits
from mnar.exchange.export import PARTS, export_fold
from mnar.splits.fold import fold_id

SETTINGS = {"four-folds": {}, "strong": {"evaluation_users": "halves"}}


@pytest.mark.parametrize("protocol", SETTINGS)
def test_each_part_has_its_own_ratings_alone(tmp_path, protocol):
    view = made_view()
    split = splits.split(protocol, view, SETTINGS[protocol], 0, 1)
    export_fold(view, split, tmp_path, "A fold")
    every = 0
    for part, role in PARTS.items():
        found = pl.read_parquet(tmp_path / f"{part}.parquet")
        rows = split.roles == role
        assert found["user"].to_list() == view.user_ids[view.ratings.user[rows]].tolist()
        assert found["item"].to_list() == view.item_ids[view.ratings.item[rows]].tolist()
        np.testing.assert_array_equal(found["rating"], view.ratings.rating[rows])
        np.testing.assert_array_equal(found["relevant"], view.ratings.relevant[rows])
        every += len(found)
    assert every == len(view.ratings)
    assert fold_id(view, split.roles) in (tmp_path / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [int, lambda n: f"n{n}"], ids=["numbers", "words"])
def test_a_part_without_rows_has_the_columns_of_the_others(tmp_path, name):
    view = made_view()
    kind = np.int64 if name is int else np.dtypes.StringDType()
    ids = [np.array([name(n) for n in range(size)], kind) for size in view.shape]
    view = replace(view, user_ids=ids[0], item_ids=ids[1])
    export_fold(view, splits.split("four-folds", view, {}, 0, 1), tmp_path, "A fold")
    train, fold_in = (
        pl.read_parquet(tmp_path / f"{part}.parquet") for part in ("train", "fold_in")
    )
    assert len(fold_in) == 0
    assert fold_in.schema == train.schema
