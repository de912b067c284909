"""Tables of any make give the ratings that are in them, or the line that is wrong."""

import gzip
import zipfile
from datetime import UTC, datetime
from functools import partial

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnar.core.errors import UserError
from mnar.core.files import read_json
from mnar.data import parquet_table, text_table
from mnar.data.bad_lines import BadLines
from mnar.data.prepare import prepare
from mnar.data.sources import Source, blocks

NUMBERS = {"user": 1, "item": 2, "rating": 3, "timestamp": 4}
NAMES = {"user": "who", "item": "what", "rating": "how", "timestamp": "when"}
ROWS = [(1, 10, 4.0, 100), (1, 20, 2.5, 200), (2, 10, 5.0, 50)]
LINES = b"1,10,4,100\n1,20,2.5,200\n2,10,5,50\n"


def prepared(folder, content, name="ratings.csv", columns=NUMBERS, **entry):
    """The rows of interactions of a file with this content."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content.write_parquet(path)
    format_ = {"kind": "table", "columns": columns} | entry.pop("format", {})
    entry = {"files": {"ratings": name}, "format": format_, **entry}
    prepare("it", entry, folder, folder / "out")
    return pl.read_parquet(folder / "out" / "interactions.parquet").rows()


def refused(folder, content, match, **options):
    with pytest.raises(UserError, match=match):
        prepared(folder, content, **options)
    assert list((folder / "out").glob("*")) == []


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (LINES, {}),
        (LINES.replace(b"\n", b"\r\n"), {}),
        (LINES.rstrip(), {}),
        (LINES + b"\n\n", {}),
        (LINES.replace(b"\n", b"\n\n"), {}),
        (b"\xef\xbb\xbf" + LINES, {}),
        (b"a,b,c,d\n" + LINES, {"header": True}),
        (LINES.replace(b",", b"\t"), {"separator": "\t"}),
        (LINES.replace(b",", b"::"), {"separator": "::"}),
        (LINES.replace(b",", b"; "), {"separator": "; "}),
        (LINES.replace(b",", b"|"), {"separator": "|"}),
        (LINES.replace(b",", "§".encode()), {"separator": "§"}),
        (b'"1","10","4",100\n1,"20",2.5,"200"\n2,10,5,50\n', {}),
        (b"'1','10','4',100\n1,'20',2.5,'200'\n2,10,5,50\n", {"quote": "'"}),
        (LINES.decode().encode("utf-16"), {"encoding": "utf-16"}),
        (LINES[:-2] + b"+ADA", {"encoding": "utf-7"}),
        (LINES.replace(b",100", b",100.0"), {}),
        (LINES.replace(b",4,", b", 4 ,"), {}),
    ],
)
def test_text_of_any_make(tmp_path, content, format_):
    assert prepared(tmp_path, content, format=format_) == ROWS


def test_columns_by_name_in_any_order_among_others(tmp_path):
    text = b"when,x,how,what,who\n100,,4,10,1\n200,,2.5,20,1\n50,,5,10,2\n"
    assert prepared(tmp_path, text, columns=NAMES) == ROWS


def test_tsv_is_known_by_its_name(tmp_path):
    assert prepared(tmp_path, LINES.replace(b",", b"\t"), name="r.tsv") == ROWS


@pytest.mark.parametrize("ending", ["gz", "zst", "zip"])
def test_compressed(tmp_path, ending):
    name = f"ratings.csv.{ending}"
    if ending == "zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("inside/ratings.csv", LINES)
        packed = (tmp_path / name).read_bytes()
    elif ending == "gz":
        packed = gzip.compress(LINES)
    else:
        packed = pa.Codec("zstd").compress(LINES, asbytes=True)
    assert prepared(tmp_path, packed, name=name) == ROWS
    refused_folder = tmp_path / "cut"
    refused_folder.mkdir()
    refused(refused_folder, packed[:-6], "is damaged", name=name)


FRAME = pl.DataFrame(ROWS, NAMES.values(), orient="row")


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        FRAME.cast({"who": pl.Int16, "what": pl.UInt32, "how": pl.Float64, "when": pl.Int32}),
        FRAME.cast({"who": pl.String, "what": pl.String}),
        FRAME.with_columns(pl.from_epoch("when")),
        FRAME.with_columns(pl.from_epoch("when").dt.replace_time_zone("UTC")),
    ],
)
def test_parquet(tmp_path, frame):
    assert prepared(tmp_path, frame, name="r.parquet", columns=NAMES) == ROWS
    assert prepared(tmp_path, frame, name="r.parquet", columns=NUMBERS) == ROWS


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32, pl.Decimal(scale=2)])
@pytest.mark.parametrize("rows", [1, 2, 5, 1 << 20])
def test_ids_kept_as_floats_are_the_same_in_every_batch(tmp_path, kind, rows):
    """User 3 is one user, beside whole numbers and beside others."""
    users = pl.Series([3.0, 4.0, 3.0, 2.5, 3.0, 2.5, 3.0, -1.0], dtype=kind)
    frame = pl.DataFrame({"who": users, "what": range(8), "how": 1.0, "when": 0})
    frame.write_parquet(tmp_path / "r.parquet")
    kinds = {"user": "id"}
    parts = list(
        parquet_table.read(
            Source(tmp_path / "r.parquet"),
            {"columns": {"user": "who"}},
            kinds,
            None,
            BadLines(0),
            rows,
        )
    )
    assert len(parts) == -(-8 // min(rows, 8))
    found = [str(user) for part in parts for user in part["user"]]
    assert [text.rstrip("0") for text in found] == ["3", "4", "3", "2.5", "3", "2.5", "3", "-1"]


def test_only_whole_floats_that_are_exact_become_integers(tmp_path):
    """From 2^53 on neighbours share a float, so nobody knows which number was meant."""
    for users in ([2.0**53, 1.0], [2.0**53 - 1, 1.0]):
        frame = pl.DataFrame({"who": users, "what": [1, 2], "how": 1.0, "when": 0})
        rows = prepared(tmp_path, frame, name="r.parquet", columns=NAMES)
        [large] = [row[0] for row in rows if row[0] not in (1, "1")]
        assert large == ("9007199254740992.0" if users[0] == 2.0**53 else 2**53 - 1)


def test_bad_ids_of_parquet_may_be_allowed(tmp_path):
    users = [1.0, float("nan"), float("inf"), None, 2.0]
    frame = pl.DataFrame({"who": users, "what": range(5), "how": 1.0, "when": 0})
    rows = prepared(tmp_path, frame, name="r.parquet", columns=NAMES, bad_lines=1)
    assert [row[0] for row in rows] == [1, 2]
    assert read_json(tmp_path / "out" / "summary.json")["bad_lines"] == 3


def test_parquet_in_a_zip(tmp_path):
    FRAME.write_parquet(tmp_path / "r.parquet")
    with zipfile.ZipFile(tmp_path / "r.zip", "w") as archive:
        archive.write(tmp_path / "r.parquet", "r.parquet")
    packed = (tmp_path / "r.zip").read_bytes()
    assert prepared(tmp_path, packed, name="r.zip", columns=NAMES) == ROWS


def test_without_rating_every_row_counts_one(tmp_path):
    rows = prepared(tmp_path, LINES, columns={"user": 1, "item": 2})
    assert rows == [(1, 10, 1.0, None), (1, 20, 1.0, None), (2, 10, 1.0, None)]


def test_text_ids_are_kept_as_they_are(tmp_path):
    rows = prepared(tmp_path, "b,007,1,1\na,7,2,2\nä b,+7,3,3\n".encode())
    assert rows == [("a", "7", 2.0, 2), ("b", "007", 1.0, 1), ("ä b", "+7", 3.0, 3)]


def test_ids_that_turn_to_text_in_a_later_block(tmp_path, monkeypatch):
    monkeypatch.setattr(text_table, "blocks", partial(blocks, size=64))
    text = b"".join(b"%d,%d,1,1\n" % (user, user + 1) for user in range(1, 30))
    rows = prepared(tmp_path, text + b"x1,y1,1,1\n")
    assert len(rows) == 30
    assert ("9", "10", 1.0, 1) in rows
    assert rows[-1] == ("x1", "y1", 1.0, 1)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2011-08-21", datetime(2011, 8, 21, tzinfo=UTC).timestamp()),
        ("2011-08-21 10:30:00", datetime(2011, 8, 21, 10, 30, tzinfo=UTC).timestamp()),
        ("2011-08-21T10:30:00+02:00", datetime(2011, 8, 21, 8, 30, tzinfo=UTC).timestamp()),
        ("1313922600.75", 1313922600),
    ],
)
def test_times(tmp_path, text, seconds):
    assert prepared(tmp_path, f"1,1,1,{text}\n1,2,1,{text}\n".encode())[0][3] == seconds


ZONES = ["UTC", "Europe/Berlin", "+05:30", "-08:00", "Z", "GMT+1", "US/Pacific-New", "of nobody"]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_of_parquet_are_instants_whatever_their_zone(tmp_path, zone, unit):
    """polars knows few names of zones, and no offsets."""
    seconds = [-3600, None, 1313922600]
    steps = {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    times = pa.array([one and one * steps for one in seconds], pa.timestamp(unit, zone))
    columns = {"who": [1, 2, 3], "what": [1, 1, 1], "how": [5, 4, 3], "when": times}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    kinds = {"user": "id", "item": "id", "rating": "rating", "timestamp": "time"}
    bad = BadLines(1)
    source = Source(tmp_path / "t.parquet")
    [frame] = parquet_table.read(source, {"columns": NAMES}, kinds, None, bad)
    assert frame["timestamp"].to_list() == [-3600, 1313922600]
    assert bad.count == 1


BAD = [
    (b"", {}, "no ratings"),
    (b"a,b,c,d\n", {"columns": NUMBERS, "format": {"header": True}}, "no ratings"),
    (LINES, {"columns": NUMBERS | {"timestamp": 5}}, "no column 5.*it has 4"),
    (LINES, {"columns": NUMBERS | {"user": 0}}, "no column 0.*first is number 1"),
    (LINES, {"columns": NAMES, "format": {"header": False}}, "without a header"),
    (b"who,what,how\n1,2,3\n", {"columns": NAMES}, "no column 'when'.*it has 'who', 'what', 'how'"),
    (LINES, {"columns": {"user": 1}}, "does not say which column is the item"),
    (LINES, {"columns": NUMBERS | {"mood": 4}}, "unknown column 'mood'"),
    (LINES + b"3,10,good,9\n", {}, r"line 4: the rating 'good' is not a finite number"),
    (b"\xef\xbb\xbf" + LINES + b"3,10,nan,9\n", {}, r"line 4: the rating 'nan'"),
    (b"a,b,c,d\r\n1,2,inf,4\r\n", {"format": {"header": True}}, r"line 2: the rating 'inf'"),
    (LINES + b"3,10,-Infinity,9\n", {}, r"line 4"),
    (LINES + b"3,10,,9\n", {}, r"line 4: the rating ''"),
    (LINES + b"3,,1,9\n", {}, r"line 4: the item ''"),
    (LINES + b'"",10,1,9\n', {}, r"line 4: the user ''"),
    (LINES + b"3,10,1,soon\n", {}, r"line 4: the timestamp 'soon' is not a whole number"),
    (LINES + b"3,10,1\n" + LINES, {}, r"line 4: 3 columns where 4.*in '3,10,1'"),
    (LINES + b"3,10,1,9,9\n" + LINES, {}, r"line 4: 5 columns where 4"),
    (LINES + b"garbage\n" + LINES, {}, r"line 4: 1 columns where 4.*in 'garbage'"),
    (LINES + b"3\xff,10,1,9\n", {}, r"line 4: the user is not written in the encoding"),
    (LINES + b"3\xff,10,1,9\n", {"format": {"encoding": "utf-16"}}, "not in the encoding 'utf-16'"),
    (LINES + b'"3,10,1,9\n', {}, r"line 4"),
    (LINES, {"format": {"encoding": "morse"}}, "`encoding` in `format` is 'morse'"),
    (LINES, {"scale": [1, 4]}, r"line 3: the rating 5 is not on the scale from 1 to 4"),
    (b"1::10:5::4\n", {"format": {"separator": "::"}, "columns": NUMBERS}, "no column 4"),
    (b"1,1,1,1\n", {}, "one item only"),
    (b"PAR1", {"name": "r.parquet"}, "not a Parquet file"),
    (FRAME.with_columns(how=None), {"name": "r.parquet"}, r"row 1: the rating is not valid"),
    (FRAME.with_columns(how=pl.lit("x")), {"name": "r.parquet"}, "row 1: the rating is not valid"),
    (FRAME, {"name": "r.parquet", "scale": [2, 4.5]}, r"row 3: the rating.*in '2, 10, 5.0, 50'"),
]


@pytest.mark.parametrize(("content", "options", "match"), BAD)
def test_bad_input_is_named(tmp_path, content, options, match):
    refused(tmp_path, content, match, **options)


def test_half_a_separator_inside_a_field(tmp_path):
    """It looks like trouble to the fast reader, and is none."""
    text = LINES.replace(b",", b"::") + b"1::2:3::4::5\n"
    assert (1, "2:3", 4.0, 5) in prepared(tmp_path, text, format={"separator": "::"})


def test_a_share_of_bad_lines_may_be_allowed(tmp_path):
    text = LINES * 2 + b"oops\n" + b"3,10,1,9\n"
    assert len(prepared(tmp_path, text, bad_lines=0.2)) == 4
    assert read_json(tmp_path / "out" / "summary.json")["bad_lines"] == 1
    again = tmp_path / "again"
    again.mkdir()
    refused(again, text, r"1 of 8 lines are bad, a share of 0.1.*line 7", bad_lines=0.1)


def test_duplicates_collapse_to_the_newest(tmp_path):
    text = b"1,10,1,100\n1,10,2,300\n1,10,3,200\n2,10,4,7\n2,10,5,7\n1,20,1,1\n"
    assert prepared(tmp_path, text) == [(1, 10, 2.0, 300), (1, 20, 1.0, 1), (2, 10, 5.0, 7)]
    assert read_json(tmp_path / "out" / "summary.json")["duplicates_collapsed"] == 3


def test_duplicates_without_time_collapse_to_the_last(tmp_path):
    rows = prepared(
        tmp_path, b"1,10,1\n1,20,3\n1,10,2\n", columns={"user": 1, "item": 2, "rating": 3}
    )
    assert rows == [(1, 10, 2.0, None), (1, 20, 3.0, None)]


def random_rows(folder):
    return pl.read_parquet(folder / "out" / "random.parquet").rows()


def test_column_that_marks_what_users_selected(tmp_path):
    """CM100k: all rows are a random sample, those marked 1 are the users' own."""
    columns = {"user": 1, "item": 2, "rating": 3, "selected": 4}
    text = b"1\t10\t3\t1\r\n1\t20\t2\t0\r\n2\t20\t4\t1\r\n"
    rows = prepared(tmp_path, text, columns=columns, format={"separator": "\t"})
    assert rows == [(1, 10, 3.0, None), (2, 20, 4.0, None)]
    assert [row[:3] for row in random_rows(tmp_path)] == [(1, 10, 3), (1, 20, 2), (2, 20, 4)]
    again = tmp_path / "again"
    again.mkdir()
    refused(
        again,
        text + b"2\t30\t4\t2\r\n",
        "line 4: the selected '2' is not 0 or 1",
        columns=columns,
        format={"separator": "\t"},
    )


def test_column_that_marks_random_rows(tmp_path):
    columns = {"user": 1, "item": 2, "rating": 3, "random": 4}
    rows = prepared(tmp_path, b"1,10,3,false\n1,20,2,True\n", columns=columns)
    assert rows == [(1, 10, 3.0, None)]
    assert random_rows(tmp_path) == [(1, 20, 2.0, None)]


def test_second_file_of_random_ratings_and_a_catalogue(tmp_path):
    """Yahoo! R3: two files; and items that nobody rated."""
    (tmp_path / "test.txt").write_bytes(b"1\t20\t2\n")
    (tmp_path / "items.csv").write_bytes("id;title\n10;Ä\n30;B\n40;C\n".encode("latin-1"))
    prepared(
        tmp_path,
        b"1\t10\t3\n",
        name="train.txt",
        columns={"user": 1, "item": 2, "rating": 3},
        format={"separator": "\t"},
        files={"ratings": "train.txt", "random": "test.txt", "items": "items.csv"},
        catalogue={"separator": ";", "encoding": "latin-1", "columns": {"item": "id"}},
    )
    assert random_rows(tmp_path) == [(1, 20, 2.0, None)]
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items["item"].to_list() == [10, 20, 30, 40]
    summary = read_json(tmp_path / "out" / "summary.json")
    assert (summary["items"], summary["rated_items"], summary["random"]["interactions"]) == (
        4,
        1,
        1,
    )


def test_a_wrong_checksum_is_refused(tmp_path):
    refused(tmp_path, LINES, "not the file the config means", sha256={"ratings.csv": "0" * 64})


def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    (tmp_path / "out" / ".sorting").mkdir(parents=True)
    (tmp_path / "out" / ".sorting" / "interactions-1").touch()
    prepared(tmp_path, LINES)
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_the_same_bytes_again(tmp_path):
    outputs = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        prepared(folder, LINES * 3, source="somewhere", licence="free")
        outputs.append({path.name: path.read_bytes() for path in (folder / "out").iterdir()})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 4
