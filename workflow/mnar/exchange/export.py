"""A fold as Parquet files with the ids of the data, for models that are trained elsewhere."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mnar.core.files import atomic, write_text
from mnar.exchange.score_files import FOLD
from mnar.matrices.view import View
from mnar.splits import FOLD_IN, TEST, TRAIN, VALIDATION, Split
from mnar.splits.fold import fold_id

PARTS = {"train": TRAIN, "fold_in": FOLD_IN, "validation": VALIDATION, "test": TEST}


def export_fold(view: View, split: Split, folder: str | Path, title: str) -> None:
    """One Parquet file a part, and a README that says what they are."""
    fold = fold_id(view, split.roles)
    sizes = {}
    for part, role in PARTS.items():
        rows = split.roles == role
        sizes[part] = int(rows.sum())
        _write(Path(folder) / f"{part}.parquet", view, rows, fold)
    write_text(Path(folder) / "README.md", _readme(title, fold, sizes, view.shape))


def _write(path: Path, view: View, rows: np.ndarray, fold: str) -> None:
    def ids(known: np.ndarray, chosen: np.ndarray) -> pa.Array:
        """The type is that of all ids: a part without rows has the columns of the others."""
        kind = pa.int64() if known.dtype.kind in "iu" else pa.string()
        return pa.array(known[chosen[rows]].tolist(), kind)

    ratings = view.ratings
    table = pa.table(
        {
            "user": ids(view.user_ids, ratings.user),
            "item": ids(view.item_ids, ratings.item),
            "rating": pa.array(ratings.rating[rows], pa.float32()),
            "relevant": pa.array(ratings.relevant[rows], pa.bool_()),
            "timestamp": pa.array(np.ma.masked_less(ratings.time[rows], 0).tolist(), pa.int64()),
        }
    )
    # pandas keeps its own key in `attrs` of the frame, and writes it again.
    noted = {FOLD: fold, "PANDAS_ATTRS": json.dumps({FOLD: fold})}
    with atomic(path) as temporary:
        pq.write_table(table.replace_schema_metadata(noted), temporary)


def _readme(title: str, fold: str, sizes: dict[str, int], shape: tuple[int, int]) -> str:
    lines = [
        f"# {title}",
        "",
        f"Fold id: `{fold}` (a hash of the rows; also in the metadata of each file, key `{FOLD}`)",
        "",
        f"{shape[0]} users, {shape[1]} items. Columns: user, item, rating, relevant, timestamp "
        "(empty where unknown); ids are those of the data.",
        "",
        "| file | rows | use |",
        "|---|---|---|",
        f"| train.parquet | {sizes['train']} | train on these ratings |",
        f"| fold_in.parquet | {sizes['fold_in']} | known ratings of users that are not trained on; "
        "most protocols have none |",
        f"| validation.parquet | {sizes['validation']} | choose settings by these |",
        f"| test.parquet | {sizes['test']} | look at them once, at the end |",
        "",
        "Score every user of validation.parquet and test.parquet: all items, or lists of the best ones "
        "without training items. Write the columns user, item, score, with the fold id in the metadata "
        f"if you can (key `{FOLD}`).",
        "",
    ]
    return "\n".join(lines)
