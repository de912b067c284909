"""Tables of ratings and scores of which no config says anything: each record is a row, or refused."""

import math

import polars as pl
import pytest

from mnar.core.errors import UserError
from mnar.data import named_table

KINDS = {"user": "id", "item": "id", "score": "score", "relevant": "flag"}
NEEDED = ("user", "item", "score")


def read(tmp_path, content, name="t.csv", kinds=KINDS):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return named_table.read(tmp_path / name, kinds, NEEDED)


RIGHT = [
    ("user,item,score\na,x,1\nb,y,2.5\n", [("a", "x", 1.0), ("b", "y", 2.5)]),
    ("user,item,score\r\na,x,1\r\n", [("a", "x", 1.0)]),
    ("\ufeffuser,item,score\na,x,1", [("a", "x", 1.0)]),
    ("score,title,item,user\n1,t,x,a\n", [("a", "x", 1.0)]),
    ("user,item,score\n\n07,+7,1e3\n\n", [("07", "+7", 1000.0)]),
    ('user,item,score\n"a, b","c ""d""",1\n', [("a, b", 'c "d"', 1.0)]),
    # A line break may stand inside quotes, as long as no row is lost in it.
    ('user,item,score,title\na,x,1,"two\nlines"\nb,y,2,t\n', [("a", "x", 1.0), ("b", "y", 2.0)]),
    ('user,item,score\n"a\nb",x,1\n', [("a\nb", "x", 1.0)]),
    # Double precision is kept, and minus infinity lists nothing.
    ("user,item,score\na,x,1.000000000001\n", [("a", "x", 1.000000000001)]),
    ("user,item,score\na,x,-inf\na,y,2\n", [("a", "x", -math.inf), ("a", "y", 2.0)]),
    ("user,item,score\na,x,-Infinity\n", [("a", "x", -math.inf)]),
    ("user,item,score\n", []),
    ("user,item,score", []),
]


@pytest.mark.parametrize(("content", "rows"), RIGHT, ids=range(len(RIGHT)))
def test_every_record_is_a_row(tmp_path, content, rows):
    found = read(tmp_path, content)
    assert found.select(NEEDED).rows() == rows


def test_tabs_and_a_column_that_is_not_needed(tmp_path):
    found = read(tmp_path, "user\titem\tscore\trelevant\na\tx\t1\tTrue\n", "t.tsv")
    assert found.rows() == [("a", "x", 1.0, True)]


QUOTE = "close it, and write a quote inside a quoted field twice"
MEND = "correct it, or leave it out"
WRONG = [
    ("", ["no column 'user'", "it must have user, item, score, and has nothing"]),
    (
        "user;item;score\n1;2;3\n",
        "and has 'user;item;score'; it looks as if ';' separates its columns: write it with commas.",
    ),
    ("user\titem\tscore\n1\t2\t3\n", "it looks as if '\\t' separates its columns: write it with"),
    ("user::item::score\n1::2::3\n", "it looks as if '::' separates its columns: write it with co"),
    (" user,item,score\n1,2,3\n", "and has ' user', 'item', 'score'."),
    (b"us\0er,item,score\n1,2,3\n", r"and has 'us\x00er', 'item'"),
    ("name;item;score\n1;2;3\n", "and has 'name;item;score'."),
    ("user,item,score,item\n1,2,3,4\n", "has 2 columns 'item'; rename one"),
    (
        'user,item,score,title\na,x,1,"one\nb,y,2,t\nc,z,3,two"\n',
        ["line 2: a quote is opened that is closed on line 4 only", QUOTE],
    ),
    ('user,item,score,title\na,x,1,"one\nb,y,2,t"\n', "line 2: a quote is opened that is closed"),
    ('user,item,score\n"a,x,1\nb,y,2\n', ["line 2: a quote is opened and not closed", QUOTE]),
    ('user,item,score\na,x,1\n"b"c,y,2\n', "line 3: a quote is opened and not closed, or not"),
    ("user,item,score\na,x\n", ["line 2: 2 columns where 3 are expected", MEND]),
    ("user,item,score\na,x,1,2\n", "line 2: 4 columns where 3 are expected"),
    ("user,item,score\na;x;1\n", "line 2: 1 columns where 3"),
    ("user,item,score\n,x,1\n", "line 2: the user '' is not an id"),
    ("user,item,score\na,x,\n", "line 2: the score '' is not a finite number"),
    ("user,item,score\na,x,high\n", "line 2: the score 'high'"),
    ("user,item,score\na,x,nan\n", "line 2: the score 'nan'"),
    ("user,item,score\na,x,inf\n", "line 2: the score 'inf'"),
    ("user,item,score\na,x,1\nb,x,1e39\n", ["line 3: the score '1e39'", MEND]),
    ("user,item,score\na,x,-1e39\n", "line 2: the score '-1e39'"),
    ("user,item,score\na,x,-1e999\n", "line 2: the score '-1e999'"),
    ("user,item,score\na,x,1_0\n", "line 2: the score '1_0'"),
    ("user,item,score,relevant\na,x,1,yes\n", "line 2: the relevant 'yes' is not 0 or 1"),
    (b"user,item,score\n\xe9,x,1\n", ["line 2: the user is not written", "save the file as UTF-8"]),
    (
        "user,item,score\na,x,1\n".encode("utf-16"),
        "first bytes look like UTF-16; save it as UTF-8.",
    ),
    ("user,item,score\na,x\r,1\n", "line 2: a carriage return stands inside the line"),
    ("user,item,score\na," + "x" * 500 + ",q\n", "xxx…'; correct it"),
]


@pytest.mark.parametrize(("content", "sentence"), WRONG, ids=range(len(WRONG)))
def test_each_wrong_record_is_refused_by_its_line(tmp_path, content, sentence):
    with pytest.raises(UserError) as caught:
        read(tmp_path, content)
    message = str(caught.value)
    for part in [sentence] if isinstance(sentence, str) else sentence:
        assert part in message, message
    assert "t.csv" in message
    assert message.endswith(".")
    assert "`quote" not in message
    assert "in the format" not in message


def test_tabs_are_advised_where_the_name_says_so(tmp_path):
    with pytest.raises(UserError, match="if ',' separates its columns: write it with tabs"):
        read(tmp_path, "user,item,score\n1,2,3\n", "t.tsv")


def test_ratings_have_no_minus_infinity(tmp_path):
    kinds = KINDS | {"score": "number"}
    with pytest.raises(UserError, match="line 2: the score '-inf'"):
        read(tmp_path, "user,item,score\na,x,-inf\n", kinds=kinds)
    # Single precision would put a rating of 4.1 below a limit of 4.1.
    assert read(tmp_path, "user,item,score\na,x,4.1\n", kinds=kinds)["score"].to_list() == [4.1]


def test_parquet_is_read_by_the_same_rules(tmp_path):
    """A damaged file made polars panic, which no handler of errors catches."""
    path = tmp_path / "t.parquet"
    table = {"user": [1.0, 2.5], "item": ["x", "y"], "score": [1, 2], "title": ["t", None]}
    pl.DataFrame(table).write_parquet(path)
    found = named_table.read(path, KINDS, NEEDED)
    assert found.rows() == [("1", "x", 1.0), ("2.5", "y", 2.0)]
    for column, values, sentence in (
        ("score", [1.0, math.nan], "row 2: the score is not valid"),
        ("score", [1e39, 2.0], "row 1: the score is not valid"),
        ("score", [[1], [2]], "column 'score' (for 'score') holds .*; give a column of numbers"),
        ("user", [1.0, math.inf], "row 2: the user is not valid"),
        ("user", [None, 1], "row 1: the user is not valid"),
    ):
        pl.DataFrame(table | {column: values}).write_parquet(path)
        with pytest.raises(UserError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
            named_table.read(path, KINDS, NEEDED)
    pl.DataFrame(table | {"score": [-math.inf, 1.0]}).write_parquet(path)
    assert named_table.read(path, KINDS, NEEDED)["score"].to_list() == [-math.inf, 1.0]
    pl.DataFrame({"user": [1]}).write_parquet(path)
    with pytest.raises(
        UserError, match="no column 'item'; it must have user, item, score, and has 'user'"
    ):
        named_table.read(path, KINDS, NEEDED)
    path.write_bytes(b"PAR1")
    with pytest.raises(UserError, match="is not a Parquet file"):
        named_table.read(path, KINDS, NEEDED)
