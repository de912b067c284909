"""No row vanishes: each record of a text file is read or reported, whatever its quotes."""

from functools import partial

import numpy as np
import polars as pl
import pytest
from helpers.csv_records import PIECES, expected
from hypothesis import example, given
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.data import sources, text_table
from mnar.data.bad_lines import BadLines
from mnar.data.records import find_records
from mnar.data.sources import Source, blocks
from mnar.data.text_layout import Layout

KINDS = {"user": "id", "item": "id"}
COLUMNS = {"user": 1, "item": 2}


class Reports(BadLines):
    """Bad lines that are all allowed, with what was said of each."""

    def __init__(self):
        super().__init__(1)
        self.said = []

    def report(self, source, where, content, why):
        super().report(source, where, content, why)
        self.said.append((where, why))


def read(path, content, size=1 << 20, **settings):
    """Rows and reports of a file with this content."""
    path.write_bytes(content)
    bad = Reports()
    settings = {"columns": COLUMNS, "header": False, **settings}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_table, "blocks", partial(blocks, size=size))
        # A small first block of any bytes may look like another kind of file.
        patch.setattr(sources, "_check_start", lambda *_: None)
        frames = list(text_table.read(Source(path), settings, KINDS, None, bad))
    return [row for frame in frames for row in frame.rows()], bad.said


HOSTILE = st.lists(
    st.sampled_from(PIECES),
    max_size=40,
).map("".join)


@given(
    st.one_of(HOSTILE, st.text(max_size=60)),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["default", '"', "'", None]),
    st.integers(8, 60),
)
@example('1,2,12" mix\n3,4,5\n', ",", "default", 8)
@example('1,"2,3\n4,5,6\n7,8,9\n', ",", "default", 8)
@example('"a";"\\"0210";"0"\n"b";"c";"5"\n', ";", "default", 40)
@example('a",",\na",",\na",",\n', ",", "default", 8)
@example('1,2,"x\ny"\n', ",", "default", 8)
@example('1,"2,3\n4,5,6\n7,8",9\n', ",", "default", 8)
@example('1,"2,3\n4,5,6\n7,8",9\n', ",", '"', 8)
@example("1,2,3,\n4,5,6,7\n", ",", "default", 40)
@example("8,9,10,\n\n", ",", "default", 60)
@example('1,"2,3\n4,5",6\n', ",", "default", 40)
@example("x^,2,3", ",", "default", 6)
def test_any_text_against_strict_csv(tmp_path_factory, text, separator, quote, size):
    """Row for row and report for report; and nothing is lost where strict csv has no objection."""
    path = tmp_path_factory.getbasetemp() / "any.csv"
    text = separator.join("uix") + "\n" + text
    settings = {"separator": separator} | ({} if quote == "default" else {"quote": quote})
    mark = '"' if quote == "default" else quote
    rows, said = read(path, text.encode(), size, **settings)
    good, reported = expected(text, separator, mark, quote != "default")
    assert rows == good
    assert [where for where, _ in said] == [f"line {1 + line}" for line in reported]
    whole = [line for line in text.split("\n") if line not in ("", "\r")]
    if '"' not in text and "'" not in text:
        assert len(rows) + len(said) == len(whole)
    assert len(rows) + len(said) <= len(whole)


@given(st.binary(max_size=80), st.sampled_from([",", "::"]))
def test_any_bytes_without_quotes_are_lines(tmp_path_factory, content, separator):
    path = tmp_path_factory.getbasetemp() / "any.dat"
    content = separator.join("uix").encode() + b"\n" + content
    rows, said = read(path, content, 16, separator=separator, quote=None)
    assert len(rows) + len(said) == sum(line not in (b"", b"\r") for line in content.split(b"\n"))


@given(HOSTILE, st.integers(0, 60))
def test_every_byte_belongs_to_a_record_or_a_line_end(text, cut):
    """Cutting a file into blocks changes no record: what waits is read with the next block."""
    data = text.encode()
    every = find_records(data, ",", '"', final=True)
    outside = np.ones(len(data), bool)
    for start, end in zip(every.starts, every.ends, strict=True):
        assert outside[start:end].all()
        outside[start:end] = False
    assert set(np.frombuffer(data, np.uint8)[outside].tolist()) <= {10, 13}
    cut = data.find(b"\n", cut) + 1
    if cut:
        first = find_records(data[:cut], ",", '"', final=False)
        rest = find_records(data[first.consumed :], ",", '"', final=True)
        starts = [*first.starts, *(rest.starts + first.consumed)]
        assert starts == every.starts.tolist()
        assert [*first.kinds, *rest.kinds] == every.kinds.tolist()


TABLES = [
    # The text of the file, the format, the rows, and the numbers of the lines reported.
    (b'1,2,12" mix\n3,4,5\n', {}, 2, []),
    (b'1,12" mix,3\n4,5,6\n7,"8" x,9\n', {}, 2, [3]),
    (b'1,2,3\n4,"5,6\n7,8,9\n', {}, 2, [2]),
    (b'1,2,3\n4,"5,6\n' + b"7,8,9\n" * 5000, {}, 5001, [2]),
    (b'1,2,3\n4,"5,6\n7,8,9\n', {"quote": None}, 3, []),
    (b'1\t2\t"Heroes\n3\t4\tb\n5\t6\t12"\n', {"separator": "\t"}, 2, [1]),
    (b'1\t2\t"Heroes\n3\t4\tb\n5\t6\t12"\n', {"separator": "\t", "quote": '"'}, 1, []),
    (b'1\t2\t"Heroes\n3\t4\tb\n5\t6\t12"\n', {"separator": "\t", "quote": None}, 3, []),
    (b'"1";"\\"0210";"0"\n"2";"3";"4"\n', {"separator": ";"}, 1, [1]),
    (b'"1";"\\"0210";"0"\n"2";"3";"4"\n', {"separator": ";", "quote": None}, 2, []),
    (b'1,2,"two\nlines"\n3,4,5\n', {}, 2, []),
    (b'"two\nlines",2,1\n3,4,5\n', {}, 2, []),
    (b'1,"2,3\n4,5",6\n', {}, 1, [1]),
    (b'1,2,"a ""quote"" inside"\n3,4,5\n', {}, 2, []),
    (b"1,2,3\r4,5,6\r7,8,9\r", {}, 3, []),
    (b"1,2,3\n4,5\r,6\n7,8,9\n", {}, 2, [2]),
    (b'1,2,3\n4,5,"6\r"\n', {}, 2, []),
    # The width is not that of a first record which an unclosed quote made of several lines.
    (b'1,"2,3\n4,5,6\n7,8,9"\n1,1,1\n2,2,2\n', {}, 4, [1]),
    (b'"1,2,3\n4,5,6\n7",8,9\n1,1,1\n2,2,2\n', {}, 4, [1]),
    (b'1,"2"x\n1,1,1\n2,2,2\n', {}, 2, [1]),
    (b'1,2,"two\nlines"\n3,4,"two\nlines"\n', {}, 2, []),
]


@pytest.mark.parametrize(("content", "settings", "rows", "reported"), TABLES)
@pytest.mark.parametrize("size", [16, 1 << 20])
def test_quotes_as_they_come(tmp_path, content, settings, rows, reported, size):
    found, said = read(tmp_path / "r.csv", content, size, **settings)
    assert len(found) == rows
    assert [where for where, _ in said] == [f"line {line}" for line in reported]
    assert all("`quote: null`" in why or "return" in why for _, why in said)


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(text_table, "_LONGEST_FIELD", 100)
    content = b'1,2,3\n"3,4,5\n' + b"5,6,7\n" * 100
    rows, said = read(tmp_path / "r.csv", content, 32)
    assert (len(rows), [where for where, _ in said]) == (101, ["line 2"])


def test_many_unclosed_quotes_take_no_longer_than_as_many_lines():
    """Each line leaves a quoted field open, however it is entered; a scan from each would be a square."""
    records = find_records(b'a",",\n' * 200_000, ",", '"', final=True)
    assert (records.kinds == 2).all()
    assert len(records.kinds) == 200_000


IDS = st.sampled_from(["1", "20", "x", "07", " 3", '"5"', '"6,7"', '"6""7"', "é", "-1", '""""'])
VALUES = st.sampled_from(["1", "4.5", "1e3", "-0.5", '"5"', ".5"])
TIMES = st.sampled_from(["1", "20", "-7", '"5"', "007"])
ANYTHING = st.lists(st.sampled_from(["1", "", "x", "nan", "4.5", " 3", "1_0"]), min_size=1)


@given(
    st.lists(st.one_of(st.tuples(IDS, IDS, VALUES, TIMES), ANYTHING), min_size=1, max_size=4),
    st.sampled_from([",", "::", "\t", ";;"]),
)
def test_fast_and_slow_reading_agree(lines, separator):
    """What polars accepts is what the careful reader reads, value for value."""
    text = "\n".join(separator.join(line) for line in lines).encode()
    kinds = {"user": "id", "item": "id", "rating": "rating", "timestamp": "time"}
    index = {name: at for at, name in enumerate(kinds)}
    quote = '"' if len(separator) == 1 else None
    layout = Layout(separator, quote, True, 4, index, kinds, None)
    records = find_records(text, separator, quote, final=True)
    fast = text_table._read_fast(text, len(records.kinds), layout)
    if fast is not None and (records.kinds == 0).all():
        bad = BadLines(1)
        every = np.arange(len(records.kinds))
        _, slow = text_table._read_slowly(None, 1, text, records, every, layout, bad)
        assert bad.count == 0
        assert fast.equals(slow)


@given(st.text(alphabet='ab"\n\r,', max_size=60), st.integers(15, 40))
def test_blocks_keep_every_byte_and_cut_at_line_ends(tmp_path_factory, text, size):
    path = tmp_path_factory.getbasetemp() / "blocks.csv"
    path.write_bytes(b"first\n" + text.encode())
    found = []
    for line, lines, block in blocks(Source(path), size=size):
        assert line == 1 + b"".join(found).count(b"\n")
        assert lines == len(block.removesuffix(b"\n").split(b"\n"))
        found.append(block)
    assert b"".join(found) == b"first\n" + text.encode()
    assert all(block.endswith(b"\n") for block in found[:-1])


def test_a_line_that_never_ends_is_not_text(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_LONGEST_LINE", 64)
    path = tmp_path / "x.csv"
    path.write_bytes(b"1,2\n" + b"5" * 100)
    with pytest.raises(UserError, match="line 2: no end of line"):
        list(blocks(Source(path), size=16))


def test_order_is_kept_where_some_records_are_read_slowly(tmp_path):
    """Of a pair that is there twice the last row counts, so rows may not change places."""
    content = b'1,2,"x"\n3,12" mix,z\n5,6,"x"\n7,8" b,z\n'
    rows, _ = read(tmp_path / "r.csv", content)
    assert [user for user, _ in rows] == ["1", "3", "5", "7"]
    assert isinstance(rows, list)
    assert pl.DataFrame(rows, orient="row").height == 4
