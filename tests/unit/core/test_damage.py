"""A file between jobs that is not byte for byte the one written is refused, by a sentence that names it."""

import json

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from mnar.core.errors import UserError
from mnar.core.files import (
    check_listed,
    check_parquet,
    read_arrays,
    read_csv,
    read_json,
    seal_parquet,
    write_arrays,
    write_checksums,
    write_csv,
    write_json,
)

TIMES = 1000
FRAME = pl.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "c"], "rating": [1.0, None, 4.5]})


def write_parquet(path):
    FRAME.write_parquet(path)
    seal_parquet(path)


def read_parquet(path):
    check_parquet(path)
    return pl.read_parquet(path)


ARRAYS = {"a": np.arange(40.0), "b": np.array(["x", "yz"]), "c": np.zeros((2, 3), np.uint8)}
ROWS = [(0, "svd", 0.1 + 0.2, '{"a": 1, "b": "x"}'), (1, "é,\nq", float("nan"), "")]
KINDS = {
    "json": (lambda p: write_json(p, {"a": [1, 0.1, None], "b": {"é": "x"}}), read_json),
    "csv": (lambda p: write_csv(p, ("fold", "method", "mean", "settings"), ROWS), read_csv),
    "npz": (lambda p: write_arrays(p, ARRAYS), read_arrays),
    "parquet": (write_parquet, read_parquet),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_flip_and_no_cut_is_silent(tmp_path, kind):
    """Random bits, random cuts, bytes that are taken out, put in, and zeroed."""
    write, read = KINDS[kind]
    path = tmp_path / f"it.{kind}"
    write(path)
    read(path)
    whole = path.read_bytes()
    random = np.random.default_rng(2015)
    for number in range(TIMES):
        content = bytearray(whole)
        at = int(random.integers(len(whole)))
        if number % 5 < 2:
            content[at] ^= 1 << int(random.integers(8))
        elif number % 5 == 2:
            del content[at:]
        elif number % 5 == 3:
            del content[at : at + int(random.integers(1, 30))]
        else:
            content[at:at] = bytes(random.integers(0, 256, 5, np.uint8))
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"it\..* is damaged.*; delete it and run again\."):
            read(path)


@pytest.mark.parametrize("kind", KINDS)
def test_every_single_byte_counts(tmp_path, kind):
    write, read = KINDS[kind]
    path = tmp_path / f"it.{kind}"
    write(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        with pytest.raises(UserError, match="is damaged"):
            read(path)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_again_and_no_file_at_all(tmp_path, kind):
    write, read = KINDS[kind]
    for name in ("one", "two"):
        write(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with pytest.raises(UserError, match=r"none cannot be read \(No such file"):
        read(tmp_path / "none")
    with pytest.raises(UserError, match="cannot be read"):
        read(tmp_path)


def test_tables_come_back(tmp_path):
    columns = ("fold", "method", "mean", "settings")
    write_csv(tmp_path / "t.csv", columns, ROWS)
    table = read_csv(tmp_path / "t.csv", keep_default_na=False)
    assert tuple(table.columns) == columns
    assert table["method"].tolist() == ["svd", "é,\nq"]
    assert table["mean"].tolist() == ["0.30000000000000004", "nan"]
    assert json.loads(table["settings"][0]) == {"a": 1, "b": "x"}
    assert read_csv(tmp_path / "t.csv")["mean"][0] == 0.1 + 0.2


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    write_csv(tmp_path / "t.csv", ("a", "b"), [])
    assert list(read_csv(tmp_path / "t.csv").columns) == ["a", "b"]
    assert read_csv(tmp_path / "t.csv").empty


def test_other_programs_read_all_kinds(tmp_path):
    import pandas as pd

    for kind, (write, _) in KINDS.items():
        write(tmp_path / f"it.{kind}")
    assert json.loads((tmp_path / "it.json").read_text())["a"] == [1, 0.1, None]
    assert pd.read_csv(tmp_path / "it.csv")["fold"].tolist() == [0, 1]
    assert np.load(tmp_path / "it.npz")["a"].tolist() == ARRAYS["a"].tolist()
    assert pl.read_parquet(tmp_path / "it.parquet").equals(FRAME)
    assert pl.scan_parquet(tmp_path / "it.parquet").select("item").collect().height == 3
    assert pq.read_table(tmp_path / "it.parquet").num_rows == 3


@pytest.mark.parametrize("ending", ["csv", "md", "svg", "txt", "tex", "png"])
@pytest.mark.parametrize("name", ["checksums.json", "it.checksums.json"])
def test_plain_files_are_checked_by_their_list(tmp_path, ending, name):
    """Every flip and every cut of the file or of its list is named; bytes of the file stay plain."""
    plain, other, listed = tmp_path / f"it.{ending}", tmp_path / "other.md", tmp_path / name
    plain.write_bytes(b"method,mean\nsvd,0.5\n")
    other.write_bytes(b"not asked for")
    write_checksums(listed, [plain, other])
    assert plain.read_bytes() == b"method,mean\nsvd,0.5\n"
    other.write_bytes(b"changed")
    check_listed([plain, listed])
    for path in (plain, listed):
        whole = path.read_bytes()
        flipped = [
            whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]
            for at in range(len(whole))
        ]
        for content in [*flipped, *(whole[:at] for at in range(len(whole))), whole + b"\n"]:
            path.write_bytes(content)
            with pytest.raises(UserError, match=rf"{path.name} is damaged.*; delete it and run"):
                check_listed([plain, listed])
        path.write_bytes(whole)
    check_listed([plain, listed])
    with pytest.raises(UserError, match=r"other\.md is damaged"):
        check_listed([plain, other, listed])


def test_a_list_speaks_of_its_own_folder_alone(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "it.csv").write_text(name)
        write_checksums(tmp_path / name / "checksums.json", [tmp_path / name / "it.csv"])
    files = [tmp_path / n / f for n in ("a", "b") for f in ("it.csv", "checksums.json")]
    check_listed(files)
    (tmp_path / "b/it.csv").write_text("a")
    with pytest.raises(UserError, match=r"b/it\.csv is damaged"):
        check_listed(files)
