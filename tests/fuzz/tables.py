"""Random tables of ratings and scores, as mnar.evaluate and score files get them: all rows, or a sentence."""

import io

import numpy as np
import pandas as pd
import polars as pl
from helpers.csv_records import PIECES, expected

from fuzz.refused import refused
from mnar.data import named_table
from mnar.evaluation.alignment import model_of, ratings_of, shared_ids
from mnar.evaluation.inputs import triplets
from mnar.exchange.score_files import read_scores
from mnar.matrices.ids import Ids

NO_NUMBERS = ("", "x", "nan", "inf", "1e39", "-1e39", "1_0", "5 5", "0x1")
USERS, ITEMS = ("1", "22", "é", "x y"), tuple(str(item) for item in range(30))


def cases(folder):
    def case(chance):
        return chance.choice([_hostile, _csv, _frame, _changed])(folder, chance)

    return case


def _hostile(folder, chance):
    """Text with any quotes: the rows of strict csv, or refused where that has an objection."""
    text = "user,item,x\n" + "".join(chance.choices(PIECES, k=chance.randrange(40)))
    (folder / "t.csv").write_bytes(text.encode())
    wanted, reported = expected(text, ",", '"', False)
    found = []
    kinds = {"user": "id", "item": "id"}
    if refused(lambda: found.append(named_table.read(folder / "t.csv", kinds, list(kinds)))):
        assert reported, (text, wanted)
        return "refused"
    assert not reported, (text, reported)
    # The header is a record, too, and no row.
    assert found[0].rows() == wanted[1:], (text, found[0].rows(), wanted)
    return "read"


def _csv(folder, chance):
    """Known rows with some bad ones, as ratings and as scores: every row counts, or none is read."""
    lines, wrong = [], 0
    pairs = chance.sample(
        [(user, item) for user in USERS for item in ITEMS], k=chance.randrange(40)
    )
    for user, item in pairs:
        value = chance.choice(["1", "4.5", "-3", "1e2"])
        title = chance.choice(["t", "", '"a, b"', '"two\nlines"', '12" mix', '"say ""so"""'])
        if chance.random() < 0.03:
            value, wrong = chance.choice(NO_NUMBERS), wrong + 1
        elif chance.random() < 0.03:
            title, wrong = chance.choice(['"open', '"x"y', "a,b"]), wrong + 1
        lines.append(f"{user},{item},{value},{title}")
    kind = chance.choice(["rating", "score"])
    end = chance.choice(["\n", "\n", "\r\n"])
    content = end.join([f"user,item,{kind},title", *lines]) + chance.choice(["", end, end * 2])
    path = folder / "t.csv"
    path.write_bytes(content.encode())
    found = []
    ids = Ids(np.array(USERS, object), np.array(ITEMS, object))

    def read():
        whole = triplets(path, "test", kind)
        listed = read_scores(path, ids) if kind == "score" else ratings_of(whole, ids, "all", "it")
        found[:] = len(whole.users), len(listed.items)

    if refused(read):
        assert wrong or (kind == "score" and not lines), content
        return "refused"
    assert not wrong, content
    assert found == [len(lines), len(lines)], (found, content)
    return "read"


def _frame(folder, chance):
    """A table in memory or as Parquet, with numbers and ids that are none: a sentence, or finite numbers."""
    kind, rows = chance.choice(["rating", "score"]), chance.randrange(1, 6)
    values = [chance.choice([1.0, 4.5, -3.0]) for _ in range(rows)]
    users: list = [float(user) for user in range(rows)]
    form = chance.choice(["pandas", "polars", "parquet"])
    wrong = chance.random() < 0.5
    if wrong and chance.random() < 0.5:
        value = chance.choice([np.nan, np.inf, 1e39, -1e39, 1e308])
        values[chance.randrange(rows)] = value
        # Scores in memory are ranked in double precision.
        wrong = kind == "rating" or form == "parquet" or not np.isfinite(value)
    elif wrong:
        users[chance.randrange(rows)] = chance.choice([np.nan, np.inf, -np.inf, None])
    frame = pd.DataFrame({"user": users, "item": range(rows), kind: values})
    given = {"pandas": frame, "polars": pl.DataFrame(frame), "parquet": folder / "t.parquet"}[form]
    if form == "parquet":
        frame.to_parquet(given)

    def read():
        whole = triplets(given, "it", kind)
        ids = shared_ids([whole], None)
        if kind == "rating":
            assert np.isfinite(ratings_of(whole, ids, "all", "it").values).all()
        elif form == "parquet":
            read_scores(given, ids)
        else:
            model_of(whole, ids, "it")

    if refused(read):
        assert wrong, frame
        return "refused"
    assert not wrong, frame
    return "read"


def _good(kind):
    frame = pd.DataFrame({"user": ["1", "22"], "item": ["3", "4"], "score": [0.5, 1.5]})
    buffer = io.BytesIO()
    if kind == "csv":
        frame.to_csv(buffer, index=False)
    elif kind == "parquet":
        frame.to_parquet(buffer)
    else:
        ones = np.ones((2, 2), np.float32)
        np.savez(
            buffer, users=frame["user"], items=frame["item"], user_vectors=ones, item_vectors=ones
        )
    return buffer.getvalue()


def _changed(folder, chance):
    """A good file of scores with random changes: read, or refused by a sentence."""
    kind = chance.choice(["csv", "parquet", "npz"])
    content = bytearray(_good(kind))
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(content) + 1)
        action = chance.randrange(4)
        if action == 0:
            del content[at:]
        elif action == 1:
            content[at:at] = chance.choice([b'"', b"\0", b"\r", b"\n", b",", chance.randbytes(3)])
        elif at < len(content):
            content[at] ^= 1 << chance.randrange(8)
    path = folder / f"t.{kind}"
    path.write_bytes(content)
    ids = Ids(np.array(USERS, object), np.array(ITEMS, object))
    return "refused" if refused(lambda: read_scores(path, ids)) else "read"
