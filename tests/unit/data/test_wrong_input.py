"""Each wrong thing ends in one sentence that names it and says what to do: no traceback, nothing written."""

import gzip
import io
import zipfile

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnar.core.errors import UserError
from mnar.data import locations
from mnar.data.densify import make_view
from mnar.data.prepare import prepare
from mnar.data.synthetic import Settings, generate

COLUMNS = {"user": 1, "item": 2, "rating": 3}
NAMED = {"user": "u", "item": "i", "rating": "r"}
LINES = b"1,10,4\n1,20,2.5\n2,10,5\n"


def entry_of(**changes):
    entry = {"files": {"ratings": "r.csv"}, "format": {"columns": COLUMNS}}
    for key, value in changes.items():
        if value is None:
            del entry[key]
        else:
            entry[key] = value
    return entry


def refused(action, sentence):
    """One sentence, or a few lines of them; each expected part is in it."""
    with pytest.raises(UserError) as caught:
        action()
    message = str(caught.value)
    parts = [sentence] if isinstance(sentence, str) else sentence
    for part in parts:
        assert part in message, message
    assert message.endswith((".", "?"))
    assert "Traceback" not in message


def numbers(cases):
    """Names of tests that say which case it is; the content itself would be unreadable."""
    return [f"case {number}" for number in range(len(cases))]


# Entries of the config, without any file.

FORMAT = "say how its files are written, for example"
FILES = "say which files it has, for example"
NAME = "give a file name, or a list of names"
ENTRIES = [
    (entry_of(format=None), ["'it' has no `format`", FORMAT]),
    (entry_of(files=None), ["'it' has no `files`", FILES]),
    (entry_of(format="csv"), ["`format` is 'csv'", FORMAT]),
    (entry_of(format=["csv"]), ["`format` is ['csv']", FORMAT]),
    (entry_of(format=5), ["`format` is 5", FORMAT]),
    (entry_of(files="r.csv"), ["`files` is 'r.csv'", FILES]),
    (entry_of(files=["r.csv"]), ["`files` is ['r.csv']", FILES]),
    (entry_of(files=True), ["`files` is True", FILES]),
    (entry_of(catalogue="movies"), "`catalogue` is 'movies'; say how the file of items"),
    (entry_of(catalogue=[1]), "`catalogue` is [1]"),
    (entry_of(download="https://x/y"), "`download` is 'https://x/y'; say where it comes from"),
    (entry_of(download={}), "`download` names no `url`"),
    (entry_of(download={"url": 5}), "`download` names no `url`"),
    (entry_of(sha256="0" * 64), "`sha256` is '000"),
    (entry_of(files={"ratings": 5}), ["file for 'ratings' under `files` is 5", NAME]),
    (entry_of(files={"ratings": None}), ["under `files` is None", NAME]),
    (entry_of(files={"ratings": ""}), ["under `files` is ''", NAME]),
    (entry_of(files={"ratings": " "}), ["under `files` is ' '", NAME]),
    (entry_of(files={"ratings": []}), ["under `files` is []", NAME]),
    (entry_of(files={"ratings": [5]}), ["under `files` is [5]", NAME]),
    (entry_of(files={"ratings": {"a": 1}}), ["under `files` is {'a': 1}", NAME]),
    (entry_of(files={"ratings": "a\0b"}), ["under `files` is 'a\\x00b'", NAME]),
    (entry_of(files={}), "names no file for 'ratings'"),
    (entry_of(files={"random": "t"}), "names no file for 'ratings'"),
    (
        entry_of(files={"rating": "t"}),
        ["unknown key 'rating' in `files`", "did you mean 'ratings'?"],
    ),
    (entry_of(files={"ratings": "r", 5: "t"}), "unknown key 5 in `files`"),
    (
        entry_of(format={"colums": COLUMNS}),
        ["unknown key 'colums' in `format`", "did you mean 'columns'?"],
    ),
    (entry_of(format={"seperator": ";"}), "did you mean 'separator'?"),
    (entry_of(format={"zzz": ";"}), ["unknown key 'zzz'", "known are kind, separator, quote"]),
    (
        entry_of(format={"kind": "matrix", "quote": '"'}),
        ["unknown key 'quote'", "known are kind"],
    ),
    (entry_of(format={"kind": "matrix"}, catalogue={"columns": {}}), "known are none"),
    (entry_of(catalogue={"column": 1}), ["in `catalogue`", "did you mean 'columns'?"]),
    (entry_of(format={"kind": "tabel"}), "Unknown format kind 'tabel'; known are jester"),
    (entry_of(format={"kind": 5}), "`kind` in `format` is 5; give one of jester"),
    (entry_of(format={"kind": ["table"]}), "`kind` in `format` is ['table']"),
    (entry_of(format={"kind": "../x"}), "Unknown format kind '../x'"),
    (
        entry_of(format={"separator": ""}),
        ["`separator` in `format` is ''", "give the characters between two columns"],
    ),
    (entry_of(format={"separator": 5}), "`separator` in `format` is 5"),
    (entry_of(format={"separator": None}), "`separator` in `format` is None"),
    (entry_of(format={"separator": "\n"}), "`separator` in `format` is '\\n'"),
    (entry_of(format={"quote": "<>"}), ["`quote` in `format` is '<>'", "one ASCII character"]),
    (entry_of(format={"quote": 5}), "`quote` in `format` is 5"),
    (entry_of(format={"quote": "«"}), "`quote` in `format` is '«'"),
    (entry_of(format={"quote": "\n"}), "`quote` in `format` is '\\n'"),
    (entry_of(format={"quote": True}), "`quote` in `format` is True"),
    (
        entry_of(format={"quote": '"', "separator": "::"}),
        "quotes need a separator of one character, set `quote: null`",
    ),
    (entry_of(format={"quote": ";", "separator": ";"}), "are both ';'; change one"),
    (entry_of(format={"encoding": 5}), "`encoding` in `format` is 5; give one that text files"),
    (entry_of(format={"encoding": ""}), "`encoding` in `format` is ''"),
    (entry_of(format={"encoding": "morse"}), ["`encoding` in `format` is 'morse'", "utf-16 are"]),
    (entry_of(format={"encoding": "zlib"}), "`encoding` in `format` is 'zlib'"),
    (entry_of(format={"encoding": "rot13"}), "`encoding` in `format` is 'rot13'"),
    (entry_of(format={"encoding": "idna"}), "`encoding` in `format` is 'idna'"),
    (entry_of(format={"encoding": "Punycode"}), "`encoding` in `format` is 'Punycode'"),
    (entry_of(format={"encoding": "unicode_escape"}), "`format` is 'unicode_escape'"),
    (entry_of(format={"encoding": "raw_unicode_escape"}), "`format` is 'raw_unicode_escape'"),
    (entry_of(format={"encoding": "undefined"}), "`encoding` in `format` is 'undefined'"),
    (entry_of(format={"encoding": "utf\0"}), "`encoding` in `format` is 'utf\\x00'"),
    (entry_of(catalogue={"encoding": "idna"}), "`encoding` in `catalogue` is 'idna'"),
    (entry_of(format={"header": "yes"}), "`header` in `format` is 'yes'; give true or false"),
    (entry_of(format={"header": 1}), "`header` in `format` is 1"),
    (entry_of(format={"columns": None}), "`columns` in `format` is None; give for each column"),
    (entry_of(format={"columns": {}}), "`columns` in `format` is {}"),
    (entry_of(format={"columns": [1, 2]}), "`columns` in `format` is [1, 2]"),
    (entry_of(format={"columns": "user"}), "`columns` in `format` is 'user'"),
    (entry_of(format={"columns": {"user": 1.5}}), "`columns` in `format` is {'user': 1.5}"),
    (entry_of(format={"columns": {"user": True}}), "`columns` in `format` is {'user': True}"),
    (entry_of(format={"columns": {"user": None}}), "`columns` in `format` is {'user': None}"),
    (
        entry_of(format={"columns": {"user": 1, "item": 1}}),
        "`format` has 1 as the column of both 'user' and 'item'; give each its own",
    ),
    (
        entry_of(format={"columns": NAMED | {"timestamp": "r"}}),
        "has 'r' as the column of both 'rating' and 'timestamp'",
    ),
    (
        entry_of(catalogue={"columns": {"item": 1, "album": 2, "type": 2}}),
        "`catalogue` has 2 as the column of both 'album' and 'type'",
    ),
    (entry_of(catalogue={"header": 0}), "`header` in `catalogue` is 0"),
    (entry_of(catalogue={"columns": {"item": 1}}), "`catalogue`, but names no file for 'items'"),
    (
        entry_of(format={"columns": COLUMNS | {"selected": 4, "random": 5}}),
        "the column 'selected' and the column 'random' both say which ratings were chosen at random",
    ),
    (
        entry_of(
            format={"columns": COLUMNS | {"random": 4}},
            files={"ratings": "r.csv", "random": "t.csv"},
        ),
        "the column 'random' and the file 'random' both say",
    ),
    (entry_of(download={"url": "http://[::1/r.csv"}), "'http://[::1/r.csv' is not an address ("),
    (
        entry_of(sha256={"rr.csv": "0" * 64}),
        ["a checksum of 'rr.csv', which is none of its files", "did you mean 'r.csv'?"],
    ),
    (entry_of(scale=[1, 5], relevant=6), "`relevant` is 6, above the `scale` [1, 5]"),
    (entry_of(scale=5), "`scale` is 5; give the lowest and the highest rating, as in [1, 5]"),
    (entry_of(scale=[1]), "`scale` is [1]"),
    (entry_of(scale=[5, 1]), "`scale` is [5, 1]"),
    (entry_of(scale=[1, 1]), "`scale` is [1, 1]"),
    (entry_of(scale=["1", "5"]), "`scale` is ['1', '5']"),
    (entry_of(scale=[1, float("nan")]), "`scale` is [1, nan]"),
    (entry_of(scale=[1, float("inf")]), "`scale` is [1, inf]"),
    (entry_of(relevant="4"), "`relevant` is '4'; give the lowest relevant rating"),
    (entry_of(relevant=float("nan")), "`relevant` is nan"),
    (entry_of(relevant=True), "`relevant` is True"),
    (entry_of(bad_lines=2), "`bad_lines` is 2; give a share from 0 to 1"),
    (entry_of(bad_lines=-0.1), "`bad_lines` is -0.1"),
    (entry_of(bad_lines="all"), "`bad_lines` is 'all'"),
    (entry_of(bad_lines=float("nan")), "`bad_lines` is nan"),
    (entry_of(), ["r.csv is not in", "Put the files into", "or leave 'it' out"]),
    (entry_of(source="Ask them.", licence="Free."), ["Where to get it: Ask them.", "Free."]),
    (entry_of(files={"ratings": ["a.csv", "b*.csv"]}), "a.csv or b*.csv is not in"),
    (entry_of(files={"ratings": "**x/*.csv"}), "**x/*.csv"),
]


@pytest.mark.parametrize(("entry", "sentence"), ENTRIES, ids=numbers(ENTRIES))
def test_entries(tmp_path, entry, sentence):
    refused(lambda: locations.find("it", entry, tmp_path), sentence)
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), sentence)
    assert not (tmp_path / "out").exists()


# Files: the text of r.csv (or another name), and further keys of the entry.


def zipped(members, password=False, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    content = bytearray(packed.getvalue())
    if password:
        # The mark of encryption, in the header of the file and in the directory at the end.
        content[6] |= 1
        content[content.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def unusual():
    content = bytearray(zipped({"r.csv": LINES}))
    content[8] = 97
    content[content.rindex(b"PK\x01\x02") + 10] = 97
    return bytes(content)


def with_columns(**columns):
    return entry_of(format={"columns": COLUMNS | columns})


def with_format(**settings):
    return entry_of(format={"columns": COLUMNS, **settings})


def named(name, **settings):
    return entry_of(files={"ratings": name}, format={"columns": COLUMNS, **settings})


BY_NAME = entry_of(format={"columns": NAMED})
SEPARATOR = "it looks as if `separator` should be "
TEXTS = [
    (b"", entry_of(), "'it' has no ratings: there are none in"),
    (b"\n\n\n", entry_of(), "'it' has no ratings"),
    (b"u,i,r\n", BY_NAME, "'it' has no ratings"),
    (b"1,1,1\n", entry_of(), "has one item only, so there is nothing to rank"),
    (LINES, with_columns(timestamp=4), "no column 4 (for 'timestamp'): it has 3, the first is"),
    (LINES, with_columns(user=0), "no column 0 (for 'user'): it has 3, the first is number 1"),
    (LINES, with_columns(user=-1), "no column -1"),
    (LINES, with_columns(mood=3), "unknown column 'mood'; known are"),
    (LINES, entry_of(format={"columns": {"user": 1}}), "does not say which column is the item"),
    (LINES, entry_of(format={"columns": NAMED, "header": False}), "is read without a header"),
    (LINES, BY_NAME, "no column 'u' (for 'user'); it has '1', '10', '4'."),
    (b"u,i,r,i\n1,2,3,4\n", BY_NAME, "has 2 columns 'i' (for 'item'); give the number of the one"),
    (LINES.replace(b",", b"\t"), entry_of(), SEPARATOR + "'\\t'"),
    (LINES.replace(b",", b";"), entry_of(), SEPARATOR + "';'"),
    (LINES.replace(b",", b"|"), entry_of(), SEPARATOR + "'|'"),
    (LINES.replace(b",", b"::"), entry_of(), SEPARATOR + "'::'"),
    (LINES.replace(b",", b" "), entry_of(), SEPARATOR + "' '"),
    (LINES, with_format(separator="\t"), SEPARATOR + "','"),
    (LINES.replace(b",", b"::"), with_format(separator=":"), ["line 1", SEPARATOR + "'::'"]),
    (b"u;i;r\n1;2;3\n", BY_NAME, ["no column 'u'", SEPARATOR + "';'"]),
    (b"u\ti\tr\n1\t2\t3\n", BY_NAME, SEPARATOR + "'\\t'"),
    (
        b"customer,product\n1,10\n1,20\n",
        entry_of(format={"columns": {"user": 1, "item": 2}}),
        ["first line, 'customer,product', seems to hold the names", "set `header: true`, or"],
    ),
    (LINES + b"3,10,good\n", entry_of(), "line 4: the rating 'good' is not a finite number"),
    (LINES + b"3,10,nan\n", entry_of(), "line 4: the rating 'nan'"),
    (LINES + b"3,10,inf\n", entry_of(), "line 4: the rating 'inf'"),
    (LINES + b"3,10,1e39\n", entry_of(), "line 4: the rating '1e39' is not a finite number"),
    (LINES + b"3,10,1_0\n", entry_of(), "line 4: the rating '1_0'"),
    (LINES + b"3,10,\n", entry_of(), "line 4: the rating ''"),
    (LINES + b"3,10,4;5\n", entry_of(), "line 4: the rating '4;5'"),
    (LINES + b",10,4\n", entry_of(), "line 4: the user '' is not an id"),
    (LINES + b'3,"",4\n', entry_of(), "line 4: the item '' is not an id"),
    (LINES + b"3,10\n", entry_of(), "line 4: 2 columns where 3 are expected, in '3,10'"),
    (LINES + b"3,10,4,9\n", entry_of(), "line 4: 4 columns where 3 are expected"),
    (LINES + b"3,10,4,\n", entry_of(), "line 4: 4 columns where 3 are expected"),
    (LINES + b"3,10,4,", entry_of(), "line 4: 4 columns where 3 are expected"),
    (b"1,2,3,x\n1,3,4,y\n1,4,5,y,z\n", entry_of(), "line 3: 5 columns where 4 are expected"),
    (LINES + b"garbage\n", entry_of(), "line 4: 1 columns where 3 are expected"),
    (LINES + b"3,10,7\n", entry_of(scale=[1, 5]), "line 4: the rating 7 is not on the scale"),
    (LINES + b'"3,10,7\n', entry_of(), ["line 4", "set `quote: null`"]),
    (LINES + b'3,"10"x,7\n', entry_of(), ["line 4", "set `quote: null`"]),
    (b'1,"2,3\n4,5,6\n7,8",9\n', entry_of(), ["line 1", "closed on line 3 only", "quote: '\"'"]),
    (LINES + b"3,1\r0,7\n", entry_of(), "line 4: a carriage return stands inside the line"),
    (LINES + b"\xff,10,1\n", entry_of(), ["line 4: the user is not written in", "latin-1"]),
    (LINES.decode().encode("utf-16"), entry_of(), "set `encoding: utf-16` in the format"),
    (LINES.decode().encode("utf-16-le"), entry_of(), "set `encoding: utf-16` in the format"),
    (LINES + b"\xff", with_format(encoding="utf-16"), "is not in the encoding 'utf-16'"),
    (LINES + b"\xff,1,2\n", with_format(encoding="ascii"), "set `encoding` in the format to the"),
    (b"1,2,3,4\n1,3,3,2.5\n", with_columns(timestamp=4), "line 2: the timestamp '2.5'"),
    (b"1,2,5,x\n1,3,5,y\n", with_columns(selected=4), "the selected 'x' is not 0 or 1"),
    (
        b"u,i,r\n1,2,3\n",
        entry_of(format={"columns": {"user": 1, "item": "u"}}),
        "'user' and 'item' are one column, 1; give each its own",
    ),
    # What a decoder holds back to the end is read: here the rating.
    (b"1,2,3\n1,3,+AHg", with_format(encoding="utf-7"), "line 2: the rating 'x' is not"),
    (LINES, entry_of(sha256={"r.csv": "0" * 64}), "is not the file the config means"),
    (
        gzip.compress(LINES, mtime=0),
        entry_of(),
        "is not text but a gzip file; let its name end in .gz",
    ),
    (zipped({"a": LINES}), entry_of(), "is not text but a zip file; let its name end in .zip"),
    (b"\x28\xb5\x2f\xfdxx", entry_of(), "is not text but a zstd file"),
    (b"BZh91", entry_of(), "is not text but a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\0", entry_of(), "is not text but an xz file"),
    (b"PAR1x", entry_of(), "is not text but a Parquet file; let its name end in .parquet"),
    (b"SQLite format 3\0", entry_of(), "is not text but a database"),
    (b"Rar!\x1a", entry_of(), "is not text but a rar archive"),
    (b"7z\xbc\xaf", entry_of(), "is not text but a 7z archive"),
    (b"\x93NUMPY", entry_of(), "is not text but a file of numpy"),
    (b"not packed", named("r.csv.gz"), "is damaged"),
    (gzip.compress(LINES, mtime=0)[:-5], named("r.csv.gz"), "is damaged"),
    (b"not packed", named("r.csv.zst"), "is damaged"),
    (b"not packed", named("r.zip"), "is damaged (File is not a zip file): get the file again"),
    (zipped({}), named("r.zip"), "should hold exactly one file, or name the one that is meant"),
    (zipped({"a": b"", "b": b""}), named("r.zip"), "it holds a, b"),
    (zipped({"a": LINES}), named("r.zip/b"), "should hold 'b'; it holds a"),
    (zipped({"a": LINES}, password=True), named("r.zip/a"), "r.zip has a password; unpack it"),
    (zipped({"a": LINES}, password=True), named("r.zip"), "r.zip has a password; unpack it"),
    (unusual(), named("r.zip"), "r.zip is packed in an unusual way"),
    (b"PAR1", named("r.parquet"), "is not a Parquet file"),
    (LINES, named("r.parquet"), "is not a Parquet file"),
    (b"", named("r.parquet"), "is not a Parquet file"),
]


@pytest.mark.parametrize(("content", "entry", "sentence"), TEXTS, ids=numbers(TEXTS))
def test_text(tmp_path, content, entry, sentence):
    name = entry["files"]["ratings"]
    (tmp_path / (name.partition("/")[0] if ".zip/" in name else name)).write_bytes(content)
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), sentence)
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "r.csv.zst", "r.zip", "r.parquet"])
def test_a_folder_in_place_of_a_file(tmp_path, name):
    (tmp_path / name).mkdir()
    refused(
        lambda: prepare("it", named(name), tmp_path, tmp_path / "out"),
        f"{tmp_path / name} is a folder where a file is expected",
    )


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "r.zip", "r.parquet"])
def test_a_file_that_may_not_be_read(tmp_path, monkeypatch, name):
    """Root may read everything, so the refusal is played."""

    really_open = type(tmp_path).open

    def open_refused(self, *arguments, **options):
        if self.parent == tmp_path:
            raise PermissionError(13, "Permission denied", str(self))
        return really_open(self, *arguments, **options)

    (tmp_path / name).write_bytes(LINES)
    with monkeypatch.context() as patch:
        patch.setattr(type(tmp_path), "open", open_refused)
        refused(
            lambda: prepare("it", named(name), tmp_path, tmp_path / "out"),
            f"{tmp_path / name} may not be read; change its permissions",
        )


# Parquet: columns that cannot be meant.

PLAIN = {"u": [1, 1, 2], "i": [10, 20, 10], "r": [4.0, 2.5, 5.0]}
NOT_PLAIN = "give a column of numbers"


def table(**columns):
    return pa.table(PLAIN | columns)


def duplicate():
    names = ["u", "i", "i", "r"]
    return pa.Table.from_arrays([pa.array([1, 2])] * 4, names=names)


def dictionary(values):
    return pa.array(values).dictionary_encode()


PARQUET = [
    (table(u=[[1], [2], [3]]), NAMED, ["column 'u' (for 'user') holds list<", NOT_PLAIN]),
    (table(i=[{"a": 1}] * 3), NAMED, ["column 'i' (for 'item') holds struct<", NOT_PLAIN]),
    (table(r=[{"a": 1}] * 3), NAMED, ["column 'r' (for 'rating') holds struct<", NOT_PLAIN]),
    (table(r=[[1.0]] * 3), NAMED, "holds list<"),
    (
        table(r=pa.array([[(1, 2)]] * 3, pa.map_(pa.int64(), pa.int64()))),
        NAMED,
        "(for 'rating') holds map<",
    ),
    (table(r=[b"1", b"2", b"3"]), NAMED, "(for 'rating') holds binary; give a column of numbers"),
    (table(u=[b"\xff", b"1", b"2"]), NAMED, "row 1: the user is not valid"),
    (table(u=[True, False, True]), NAMED, "(for 'user') holds bool"),
    (table(u=pa.array([1, 2, 3], pa.timestamp("s"))), NAMED, "(for 'user') holds timestamp[ms]"),
    (table(r=pa.array([1, 2, 3], pa.date32())), NAMED, "(for 'rating') holds date32"),
    (table(r=pa.array([1, 2, 3], pa.duration("s"))), NAMED, "(for 'rating') holds duration"),
    (
        table(t=[b"1", b"2", b"3"]),
        NAMED | {"timestamp": "t"},
        "(for 'timestamp') holds binary",
    ),
    (table(t=pa.array([1, 2, 3], pa.time32("s"))), NAMED | {"timestamp": "t"}, "holds time32[ms]"),
    (
        table(t=pa.array([1, 2**63 + 5, 3], pa.uint64())),
        NAMED | {"timestamp": "t"},
        "row 2: the timestamp is not valid",
    ),
    (
        table(t=pa.array([1, 2**62, 3], pa.timestamp("ms"))),
        NAMED | {"timestamp": "t"},
        "row 2: the timestamp is not valid, in '1, 20, 2.5, 4611686018427387904'",
    ),
    (
        table(t=pa.array([2**31 - 1, 2, 3], pa.date32())),
        NAMED | {"timestamp": "t"},
        "row 1: the timestamp is not valid",
    ),
    (table(r=pa.array([1, 2, 3], pa.decimal256(60, 5))), NAMED, "holds decimal256(60, 5)"),
    (table(r=dictionary(["a", "b", "c"])), NAMED, "row 1: the rating is not valid"),
    (table(r=["4", "x", "5"]), NAMED, "row 2: the rating is not valid, in '1, 20, x'"),
    (table(r=[4.0, None, 5.0]), NAMED, "row 2: the rating is not valid"),
    (table(r=[4.0, float("nan"), 5.0]), NAMED, "row 2: the rating is not valid"),
    (table(r=[4.0, 1e39, 5.0]), NAMED, "row 2: the rating is not valid"),
    (table(u=[1, None, 2]), NAMED, "row 2: the user is not valid"),
    (table(i=["a", "", "b"]), NAMED, "row 2: the item is not valid"),
    (table(i=dictionary(["a", None, "b"])), NAMED, "row 2: the item is not valid"),
    (duplicate(), NAMED, "has 2 columns 'i' (for 'item'); give the number of the one"),
    (duplicate(), {"user": 1, "item": 2, "rating": 4}, "none can be told from the other"),
    (
        table(),
        NAMED | {"timestamp": "when"},
        "no column 'when' (for 'timestamp'); it has 'u', 'i', 'r'",
    ),
    (table(), {"user": 1, "item": 9}, "no column 9 (for 'item'): it has 3"),
    (table(), NAMED | {"timestamp": 3}, "'rating' and 'timestamp' are one column, 'r'; give each"),
    (table().slice(0, 0), NAMED, "has no ratings"),
    (table(u=[1.0, float("nan"), 2.0]), NAMED, "row 2: the user is not valid, in '"),
    (table(i=[1.0, 2.5, float("inf")]), NAMED, "row 3: the item is not valid"),
    (table(i=[1.0, -float("inf"), 2.0]), NAMED, "row 2: the item is not valid"),
]


@pytest.mark.parametrize(("content", "columns", "sentence"), PARQUET, ids=numbers(PARQUET))
def test_parquet(tmp_path, content, columns, sentence):
    pq.write_table(content, tmp_path / "r.parquet")
    entry = entry_of(files={"ratings": "r.parquet"}, format={"columns": columns})
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), sentence)
    assert not list((tmp_path / "out").glob("*"))


def test_parquet_with_damaged_pages(tmp_path):
    frame = pl.DataFrame({"u": range(5000), "i": range(5000), "r": [1.5] * 5000})
    frame.write_parquet(tmp_path / "r.parquet", compression="zstd")
    content = bytearray((tmp_path / "r.parquet").read_bytes())
    content[4:200] = bytes(196)
    (tmp_path / "r.parquet").write_bytes(content)
    entry = entry_of(files={"ratings": "r.parquet"}, format={"columns": NAMED})
    refused(
        lambda: prepare("it", entry, tmp_path, tmp_path / "out"),
        ["is damaged", "get the file again"],
    )


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
def test_parquet_with_text_that_is_none(tmp_path, kind):
    """Written by a program that does not look; read by one that panics."""
    text = pa.array(["abc", "abd", "abe"]).cast(kind)
    pq.write_table(table(i=text), tmp_path / "r.parquet", use_dictionary=False, compression="none")
    content = (tmp_path / "r.parquet").read_bytes()
    assert content.count(b"abd") > 0
    (tmp_path / "r.parquet").write_bytes(content.replace(b"abd", b"ab\xff"))
    entry = entry_of(files={"ratings": "r.parquet"}, format={"columns": NAMED})
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), "is damaged (")


# Settings of the generator.

GENERATOR = [
    ("users", 0, "give a whole number from 1 to"),
    ("users", 2.5, "give a whole number from 1 to"),
    ("users", "many", "give a whole number"),
    ("users", True, "users is True"),
    ("items", 1, "give a whole number from 2 to"),
    ("items", None, "items is None"),
    ("ratings_per_user", 0, "give a number from 1e-06 to"),
    ("ratings_per_user", 5000, "ratings_per_user is 5000"),
    ("ratings_per_user", float("nan"), "ratings_per_user is nan"),
    ("rank", 0, "give a whole number from 1 to 1000"),
    ("taste", -1, "taste is -1"),
    ("taste", float("inf"), "taste is inf"),
    ("quality", "high", "quality is 'high'; give a number"),
    ("quality_exposure_correlation", 2, "give a number from -1 to 1"),
    ("noise", -0.1, "noise is -0.1"),
    ("noise", [1], "noise is (1,)"),
    ("popularity_exponent", 11, "give a number from 0 to 10"),
    ("popularity_offset", 0, "popularity_offset is 0"),
    ("positivity", 2, "positivity is 2; give a number from 0 to 1"),
    ("positivity", [0.1], "give a list of 2, the ratios of tail and head"),
    ("positivity", [0.1, 2], "positivity is 2"),
    ("positivity", {"tail": 1}, "positivity is {'tail': 1}"),
    ("histogram", [0.5, 0.5], "give a list of 5, the shares of ratings 1 to 5"),
    ("histogram", [0.2, 0.2, 0.2, 0.2, 0.3], "histogram adds up to 1.1"),
    ("histogram", [0, 0.25, 0.25, 0.25, 0.25], "histogram is 0"),
    ("histogram", 0.2, "histogram is 0.2"),
    ("seed", -1, "seed is -1"),
    ("seed", 1.5, "seed is 1.5"),
    ("random_users", 3000, "random_users is 3000; give a number from 0 to 2000"),
    ("random_users", 1.5, "give a number from 0 to 1"),
    ("random_ratings", 0, "random_ratings is 0"),
    ("random_ratings", 2000, "give a whole number from 1 to 1000"),
    ("taxonomy", 1.5, "taxonomy is 1.5; give a number from 0 to 1"),
    ("user", 5, "unknown setting 'user'; known are users, items"),
]


@pytest.mark.parametrize(("key", "value", "sentence"), GENERATOR)
def test_generator(key, value, sentence):
    refused(lambda: Settings.from_config({key: value}), ["Synthetic dataset", sentence])


@pytest.mark.parametrize("config", [[], "big", 5, [1]])
def test_generator_settings_that_are_no_settings(config):
    refused(lambda: Settings.from_config(config), "give its settings by name, as in {users: 2000}")


def test_generator_that_cannot_give_as_many():
    settings = {"items": 10, "ratings_per_user": 10, "random_ratings": 1}
    refused(lambda: generate(Settings.from_config(settings)), "ask for fewer ratings")


# A catalogue that has nothing to do with the ratings.

CATALOGUES = [
    (b"movieId,title\n10,a\n20,b\n", 1, "first line, 'movieId,title', seems to hold the names"),
    (b"10,alpha\n20,beta\n", 2, ["none of the 2 items in", "i.csv is rated, the first is 'alpha'"]),
    (b"10.0,alpha\n20.0,beta\n", 1, "the first is '10.0', and '10' is rated"),
]


@pytest.mark.parametrize(("content", "column", "sentence"), CATALOGUES)
def test_catalogues(tmp_path, content, column, sentence):
    (tmp_path / "r.csv").write_bytes(LINES)
    (tmp_path / "i.csv").write_bytes(content)
    files = {"ratings": "r.csv", "items": "i.csv"}
    entry = entry_of(files=files, catalogue={"columns": {"item": column}})
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), sentence)
    assert not any((tmp_path / "out").glob("*"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"7,10,3\n8,20,3\n",
            ["none of the 2 users with random ratings in", "the first is '7', and '1'"],
        ),
        (
            b"u1,10,3\n",
            ["x.csv has others, the first is 'u1'", "name the column that has the ids of"],
        ),
    ],
)
def test_random_ratings_of_nobody(tmp_path, content, sentence):
    """One user in common is enough."""
    (tmp_path / "r.csv").write_bytes(LINES)
    entry = entry_of(files={"ratings": "r.csv", "random": "x.csv"})
    (tmp_path / "x.csv").write_bytes(content)
    refused(lambda: prepare("it", entry, tmp_path, tmp_path / "out"), sentence)
    assert not any((tmp_path / "out").glob("*"))
    (tmp_path / "x.csv").write_bytes(content + b"1,20,2\n")
    prepare("it", entry, tmp_path, tmp_path / "out")


# Views.

VIEWS = [
    ({"relevant": "dataset"}, "needs the dataset's own `relevant` or `scale`"),
    ({"relevant": "highest"}, "needs the dataset's own `relevant` or `scale`"),
    ({"relevant": 6, "keep": "relevant"}, "no rating is left after keep: relevant"),
    ({"min_per_user": 9}, "no rating is left after min_per_user: 9"),
    ({"top_items": 1}, "the catalogue has one item only"),
]


@pytest.mark.parametrize(("settings", "sentence"), VIEWS)
def test_views(tmp_path, settings, sentence):
    (tmp_path / "r.csv").write_bytes(LINES)
    prepare("it", entry_of(), tmp_path, tmp_path / "out")
    base = {"view": "v", "relevant": 4, "keep": "all"}
    refused(lambda: make_view(tmp_path / "out", base | settings), ["view v", sentence])


def test_there_are_enough_cases():
    cases = (ENTRIES, TEXTS, PARQUET, GENERATOR, VIEWS)
    assert sum(map(len, cases)) > 200
