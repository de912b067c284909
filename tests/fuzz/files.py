"""Random data files: each record is read or reported, and whatever the bytes, there is no traceback."""

import gzip
import io
import json
import shutil
import zipfile
from functools import partial

import polars as pl
from helpers.csv_records import PIECES, expected

from fuzz.refused import refused
from mnar.core.errors import UserError
from mnar.data import sources, text_table
from mnar.data.bad_lines import BadLines
from mnar.data.prepare import prepare
from mnar.data.sources import Source, blocks

COLUMNS = {"user": 1, "item": 2, "rating": 3}


def cases(folder):
    def case(chance):
        return chance.choice([_text, _table, _other])(folder, chance)

    return case


def _text(folder, chance):
    """Hostile text in blocks of any size: the same rows and reports as by strict csv."""
    separator = chance.choice(",;\t")
    # The first line says how many columns there are.
    text = separator.join("uix") + "\n" + "".join(chance.choices(PIECES, k=chance.randrange(60)))
    quote = chance.choice(["default", '"', "'", None])
    path = folder / "text.csv"
    path.write_bytes(text.encode())
    settings = {"columns": {"user": 1, "item": 2}, "separator": separator, "header": False}
    if quote != "default":
        settings["quote"] = quote
    bad, said = BadLines(1), []
    bad.report = lambda source, where, content, why: said.append(where)
    usual = text_table.blocks, sources._check_start
    text_table.blocks = partial(blocks, size=chance.randrange(8, 80))
    # A small first block of any bytes may look like another kind of file.
    sources._check_start = lambda *_: None
    try:
        kinds = {"user": "id", "item": "id"}
        frames = list(text_table.read(Source(path), settings, kinds, None, bad))
    except UserError:
        return "refused"
    finally:
        text_table.blocks, sources._check_start = usual
    rows = [row for frame in frames for row in frame.rows()]
    mark = '"' if quote == "default" else quote
    wanted, reported = expected(text, separator, mark, quote != "default")
    assert rows == wanted, (text, separator, quote, rows, wanted)
    assert said == [f"line {line + 1}" for line in reported], (text, said, reported)
    return "read"


def _table(folder, chance):
    """A table of known rows with some bad ones, packed in any way: read + reported = written."""
    separator = chance.choice([",", ";", "\t", "|", "::", " "])
    lines, wrong, pairs = [], 0, set()
    for _ in range(chance.randrange(2, 40)):
        user, item = chance.choice(["1", "22", "é", "x y"]), str(chance.randrange(30))
        rating = chance.choice(["1", "4.5", "-3", "1e2"])
        if chance.random() < 0.1:
            rating, wrong = chance.choice(["", "x", "nan", "1e39", "1_0", "5 5"]), wrong + 1
        elif " " in user and separator == " ":
            wrong += 1
        else:
            pairs.add((user, item))
        lines.append(separator.join([user, item, rating]))
    end = chance.choice(["\n", "\r\n"])
    content = (end.join(lines) + chance.choice(["", end, end * 3])).encode()
    # The first line says how many columns there are.
    first_is_wide = separator == " " and lines[0].count(" ") != 2
    name = chance.choice(["r.csv", "r.csv.gz", "r.zip", "sub/r.csv", "r[1].csv", "r*.csv"])
    _clear(folder)
    path = folder / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_packed(name, content))
    form = {"columns": COLUMNS, "separator": separator, "header": False}
    entry = {"files": {"ratings": name}, "format": form, "bad_lines": 1}
    out = folder / "out"
    if refused(lambda: prepare("it", entry, folder / "data", out)):
        assert not any(out.glob("*")), "half-written output"
        return "refused"
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    there = pl.read_parquet(out / "interactions.parquet").height
    counted = there + summary["duplicates_collapsed"] + summary["bad_lines"]
    assert counted == len(lines), (counted, len(lines), content)
    if not first_is_wide:
        assert summary["bad_lines"] == wrong, (summary["bad_lines"], wrong, content)
        assert there == len(pairs), (there, len(pairs), content)
    return "read"


def _packed(name, content):
    if name.endswith(".gz"):
        return gzip.compress(content)
    if name.endswith(".zip"):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("r.csv", content)
        return packed.getvalue()
    return content


def _parquet():
    buffer = io.BytesIO()
    pl.DataFrame({"u": [1, 2, 2], "i": [3, 3, 4], "r": [1.0, 2.0, 5.0]}).write_parquet(buffer)
    return buffer.getvalue()


KINDS = [
    ("r.csv", {"columns": COLUMNS}, b"1,2,3\n1,3,4\n2,2,5\n"),
    ("r.csv", {"columns": {"user": "u", "item": "i"}}, b'u,i,t\n1,"a",3\n2,"b",4\n'),
    ("r.csv.gz", {"columns": COLUMNS}, gzip.compress(b"1,2,3\n1,3,4\n", mtime=0)),
    ("r.zip", {"columns": COLUMNS}, _packed("r.zip", b"1,2,3\n1,3,4\n2,2,5\n")),
    ("r.parquet", {"columns": {"user": "u", "item": "i", "rating": "r"}}, _parquet()),
    ("r.txt", {"kind": "matrix"}, b"1 0 3\n0 2 5\n4 0 0\n"),
    ("r.txt", {"kind": "netflix"}, b"1:\n5,3,2005-01-02\n6,4,2005-01-03\n2:\n5,1,2004-02-29\n"),
    ("r.txt", {"kind": "yahoo-music"}, b"1|2\n5\t90\t3\t10:11:12\n6\t0\t3\t10:11:13\n"),
]


def _other(folder, chance):
    """A good file of any kind with random changes: read, or refused by a sentence, never half written."""
    name, form, content = chance.choice(KINDS)
    changed = bytearray(content)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(changed) + 1)
        action = chance.randrange(5)
        if action == 0:
            del changed[at:]
        elif action == 1:
            changed[at:at] = chance.randbytes(chance.randrange(1, 9))
        elif action == 2:
            del changed[at : at + chance.randrange(1, 9)]
        elif action == 3 and at < len(changed):
            changed[at] ^= 1 << chance.randrange(8)
        else:
            changed[at:at] = chance.choice(
                [b'"', b"\0", b"\r", b"\n\n", b"\xff\xfe", b"1e999", b","]
            )
    _clear(folder)
    path = folder / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(changed)
    role = "train" if form.get("kind") == "yahoo-music" else "ratings"
    entry = {"files": {role: name}, "format": form}
    if chance.random() < 0.5:
        entry["bad_lines"] = 1
    out = folder / "out"
    if refused(lambda: prepare("it", entry, folder / "data", out)):
        assert not any(out.glob("*")), "half-written output"
        return "refused"
    ratings = pl.read_parquet(out / "interactions.parquet")["rating"]
    assert ratings.is_finite().all(), "a rating is no number"
    return "read"


def _clear(folder):
    for part in ("data", "out"):
        shutil.rmtree(folder / part, ignore_errors=True)
