"""Netflix, Yahoo! Music and Coat: small files of the official formats, and broken ones."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.core.files import read_json
from mnar.data import headed_lines
from mnar.data.bad_lines import BadLines
from mnar.data.headed_lines import ANY, Form
from mnar.data.prepare import prepare
from mnar.data.sources import Source

DAY = 86400


def prepared(folder, kind, contents, files, **entry):
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    entry = {"files": files, "format": {"kind": kind}, **entry}
    prepare("it", entry, folder, folder / "out")
    return pl.read_parquet(folder / "out" / "interactions.parquet")


# --- Netflix ------------------------------------------------------------------------------------

NETFLIX = {"ratings": ["combined_data_*.txt", "training_set/mv_*.txt"], "probe": "probe.txt"}
MOVIE_1 = b"1:\n30,3,2005-09-06\n10,5,1970-01-02\n"
MOVIE_2 = b"2:\n10,4,2000-02-29\n"
NO_PROBE = {"ratings": "combined_data_1.txt"}
PROBE = b"1:\n30\n2:\n10\n"


@pytest.mark.parametrize(
    "contents",
    [
        {"combined_data_1.txt": MOVIE_1 + MOVIE_2},
        {"combined_data_1.txt": MOVIE_1, "combined_data_2.txt": MOVIE_2},
        {"training_set/mv_0000001.txt": MOVIE_1, "training_set/mv_0000002.txt": MOVIE_2},
        {"combined_data_1.txt": (MOVIE_1 + MOVIE_2).replace(b"\n", b"\r\n").rstrip()},
    ],
)
def test_netflix(tmp_path, contents):
    ratings = prepared(tmp_path, "netflix", {**contents, "probe.txt": PROBE}, NETFLIX)
    assert ratings.columns == ["user", "item", "rating", "timestamp", "part"]
    assert ratings.rows() == [
        (10, 1, 5.0, DAY, 0),
        (10, 2, 4.0, 11016 * DAY, 2),
        (30, 1, 3.0, 13032 * DAY, 2),
    ]
    parts = read_json(tmp_path / "out" / "summary.json")["parts"]
    assert parts == {"train": 1, "validation": 0, "test": 2}


def test_netflix_without_probe(tmp_path):
    contents = {"combined_data_1.txt": MOVIE_1 + MOVIE_2}
    ratings = prepared(tmp_path, "netflix", contents, NO_PROBE)
    assert ratings.columns == ["user", "item", "rating", "timestamp"]


@pytest.mark.parametrize(
    ("line", "match"),
    [
        (b"10,6,2005-01-01", "line 5"),
        (b"10,3,2005-13-01", "line 5"),
        (b"10,3,2005-1-", "line 5"),
        (b"10,3", "line 5"),
        (b"10,3,2005-01-01,7", "line 5"),
        (b"ten,3,2005-01-01", "line 5.*in 'ten,3,2005-01-01'"),
        (b"10,nan,2005-01-01", "line 5"),
        (b"99999999999,3,2005-01-01", "line 5"),
        (b"x:", "line 5.*in 'x:'"),
    ],
)
def test_netflix_bad_lines(tmp_path, line, match):
    contents = {"combined_data_1.txt": MOVIE_1 + b"2:\n" + line + b"\n11,4,2000-02-29\n"}
    with pytest.raises(UserError, match=match):
        prepared(tmp_path, "netflix", contents, NO_PROBE)
    assert list((tmp_path / "out").iterdir()) == []


def test_lines_under_an_unreadable_header_belong_to_nobody(tmp_path):
    contents = {
        "combined_data_1.txt": MOVIE_1 + b"2x:\n10,4,2000-02-29\n" + b"3:\n10,4,2000-02-29\n"
    }
    ratings = prepared(tmp_path, "netflix", contents, NO_PROBE, bad_lines=0.5)
    assert ratings["item"].to_list() == [1, 3, 1]
    assert read_json(tmp_path / "out" / "summary.json")["bad_lines"] == 2


# --- Yahoo! Music -------------------------------------------------------------------------------

TRACK_1 = {
    "trainIdx1.txt": b"0|2\n507696\t90\t4093\t12:03:00\n137916\t0\t4093\t12:04:00\n"
    b"5|1\n3\t50\t1\t00:00:59\n",
    "validationIdx1.txt": b"0|1\n8\t100\t4094\t00:00:00\n",
    "testIdx1.txt": b"0|1\n9\t4095\t00:00:00\n",
    "trackData1.txt": b"507696|137916|3|8|9\n12|None|None\n",
    "albumData1.txt": b"137916|3|9\n",
    "artistData1.txt": b"3\n",
    "genreData1.txt": b"8\n9\n",
}
YAHOO = {
    "train": "trainIdx1.txt",
    "validation": "validationIdx1.txt",
    "test": "testIdx1.txt",
    "tracks": "trackData1.txt",
    "albums": "albumData1.txt",
    "artists": "artistData1.txt",
    "genres": "genreData1.txt",
}


def test_yahoo_music_track_1(tmp_path):
    ratings = prepared(tmp_path, "yahoo-music", TRACK_1, YAHOO, scale=[0, 100])
    assert ratings.rows() == [
        (0, 8, 100.0, 4094 * DAY, 1),
        (0, 137916, 0.0, 4093 * DAY + 43440, 0),
        (0, 507696, 90.0, 4093 * DAY + 43380, 0),
        (5, 3, 50.0, DAY + 59, 0),
    ]
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items.rows() == [
        (3, "artist", None, None, None, []),
        (8, "genre", None, None, None, []),
        (9, "genre", None, None, None, []),
        (12, "track", None, None, None, []),
        (137916, "album", None, 3, 9, [9]),
        (507696, "track", 137916, 3, 8, [8, 9]),
    ]


def test_yahoo_music_test_part_with_ratings(tmp_path):
    contents = TRACK_1 | {"testIdx1.txt": b"0|1\n9\t70\t4095\t00:00:00\n"}
    ratings = prepared(tmp_path, "yahoo-music", contents, YAHOO)
    assert ratings.filter(pl.col("part") == 2).rows() == [(0, 9, 70.0, 4095 * DAY, 2)]


def test_yahoo_music_track_2(tmp_path):
    contents = {"trainIdx2.txt": b"7|2\n5\t90\n4\t10\n", "testIdx2.txt": b"7|1\n9\n"}
    files = {"train": "trainIdx2.txt", "test": "testIdx2.txt"}
    ratings = prepared(tmp_path, "yahoo-music", contents, files)
    assert ratings.rows() == [(7, 4, 10.0, None, 0), (7, 5, 90.0, None, 0)]
    assert ratings.schema["timestamp"] == pl.Int64
    contents["testIdx2.txt"] = b"7|2\n9\t1\n8\t0\n"
    assert prepared(tmp_path, "yahoo-music", contents, files).rows() == ratings.rows()
    random = pl.read_parquet(tmp_path / "out" / "random.parquet")
    assert random.rows() == [(7, 8, 0.0, None), (7, 9, 100.0, None)]


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("trainIdx1.txt", b"0|1\n5\t101\t1\t00:00:00\n", "trainIdx1.txt, line 2"),
        ("trainIdx1.txt", b"0|1\n5\t10\t1\t24:00:00\n", "line 2"),
        ("trainIdx1.txt", b"0|2\n5\t10\t1\t01:00:00\n1|0\n", "line 3: the lines above this header"),
        ("trainIdx1.txt", b"0|2\n5\t10\t1\t01:00:00\n", "ends 1 line earlier than its last"),
        (
            "trainIdx1.txt",
            b"0|1\n5\t10\t1\t01:00:00\n6\t9\t1\t01:00:00\n",
            "ends 1 line later than",
        ),
        ("trainIdx1.txt", b"5\t10\t1\t01:00:00\n", "line 1"),
        ("trainIdx1.txt", b"", "no ratings"),
        ("testIdx1.txt", b"0|1\n5\t2\n", "testIdx1.txt, line 2"),
        ("albumData1.txt", b"1\n", "albumData1.txt, line 1: not an item of albums"),
        ("artistData1.txt", b"1\nx\n", "artistData1.txt, line 2: not an item of artists"),
    ],
)
def test_yahoo_music_bad_lines(tmp_path, name, content, match):
    contents = TRACK_1 | {"validationIdx1.txt": b"", name: content}
    with pytest.raises(UserError, match=match):
        prepared(tmp_path, "yahoo-music", contents, YAHOO)


# --- the parser ---------------------------------------------------------------------------------


def parsed_plainly(text, form):
    """What parse_headed_lines does, line by line in Python: good rows, and lines that are bad."""
    rows, bad, owner, announced = [], [], None, 0
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line:
            continue
        first, mark, rest = line.partition(form.mark)
        header_is_good = rest.isdecimal() if form.counted else rest == ""
        if mark and first.isdecimal() and header_is_good:
            if form.counted and announced:
                bad.append(number)
            owner, announced = int(first), int(rest or 0)
            continue
        fields, rest = [], line
        for separator in form.separators:
            field, found, rest = rest.partition(separator)
            fields.append(field if found else "")
        fields.append(rest)
        if owner is not None:
            announced -= 1
        if owner is not None and all(field.isdecimal() for field in fields):
            rows.append((owner, *map(int, fields)))
        else:
            bad.append(number)
            if form.mark in line:
                owner, announced = None, 0
    return rows, bad, announced


@given(
    st.lists(
        st.sampled_from(
            [
                "1|2",
                "2|1",
                "3|",
                "|",
                "4|1|",
                "5\t6",
                "7\t8\r",
                "9",
                "\t",
                "10\t",
                "11\t12\t",
                "",
                "x",
            ]
        ),
        max_size=12,
    ),
    st.integers(4, 40),
)
def test_parser_equals_plain_python(tmp_path_factory, lines, size):
    form = Form("|", True, "\t", [ANY, ANY])
    text = "\n".join(lines)
    path = tmp_path_factory.getbasetemp() / "headed.txt"
    path.write_bytes(text.encode())
    rows, bad_lines, announced = parsed_plainly(text, form)
    bad = BadLines(1)
    reported = []
    bad.report = lambda source, where, content, why: reported.append(where)
    found = [
        row
        for owners, numbers in headed_lines.read(Source(path), form, bad, block_size=size)
        for row in zip(owners.tolist(), *(column.tolist() for column in numbers), strict=True)
    ]
    assert found == rows
    ending = [reported.pop()] if announced else []
    assert reported == [f"line {number}" for number in bad_lines]
    assert len(ending) == bool(announced)


# --- Coat ---------------------------------------------------------------------------------------

COAT = {"ratings": "train.ascii", "random": "test.ascii"}
MATRICES = {"train.ascii": b"0 3 0 \r\n5 0 0 \r\n", "test.ascii": b"1 0 0\n0 0 2\n"}


def test_matrix(tmp_path):
    ratings = prepared(tmp_path, "matrix", MATRICES, COAT, scale=[1, 5])
    assert ratings.rows() == [(1, 2, 3.0, None), (2, 1, 5.0, None)]
    random = pl.read_parquet(tmp_path / "out" / "random.parquet")
    assert random.rows() == [(1, 1, 1.0, None), (2, 3, 2.0, None)]
    assert pl.read_parquet(tmp_path / "out" / "items.parquet")["item"].to_list() == [1, 2, 3]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"0 3\n0\n", "line 2: 1 columns where 2"),
        (b"0 3\n0 x\n", "line 2: 'x' is not a number, in '0 x'"),
        (b"0 3\n0 nan\n", "line 2: a rating is not a finite number"),
        (b"0 3\n0 6\n", "line 2: a rating is not on the scale from 1 to 5"),
        (b"", "is empty"),
        (b"0 0\n0 0\n", "no ratings"),
    ],
)
def test_matrix_bad_lines(tmp_path, content, match):
    contents, files = {"train.ascii": content}, {"ratings": "train.ascii"}
    with pytest.raises(UserError, match=match):
        prepared(tmp_path, "matrix", contents, files, scale=[1, 5])
