"""Sorting with runs on disk gives what sorting in memory gives."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from mnar.data.sorted_runs import SortedRuns

PIECES = st.lists(
    st.lists(
        st.tuples(
            st.integers(0, 12),
            st.integers(0, 5),
            st.integers(0, 9),
            st.one_of(st.none(), st.integers(0, 3)),
        ),
        max_size=20,
    ),
    max_size=6,
)
SCHEMA = {"user": pl.Int64, "item": pl.Int64, "rating": pl.Float32, "timestamp": pl.Int64}


def plainly(rows, key):
    """The newest row of each pair, the later one where the time is the same or none."""
    newest = {}
    for user, item, rating, time in rows:
        kept = newest.get((user, item))
        if kept is None or (-1 if time is None else time) >= (-1 if kept[1] is None else kept[1]):
            newest[user, item] = (rating, time)
    return [(user, item, *newest[user, item]) for user, item in sorted(newest, key=key)]


@given(PIECES, st.sampled_from([3, 10, 1000]), st.sampled_from(["never", "before", "after"]))
def test_sorted_runs(tmp_path_factory, pieces, rows_in_memory, text):
    runs = SortedRuns(tmp_path_factory.mktemp("runs") / "run", rows_in_memory)
    for piece in pieces:
        frame = pl.DataFrame(piece, SCHEMA, orient="row")
        if text == "before":
            frame = frame.cast({"user": pl.String})
        runs.add(frame)
    if text == "after":
        runs.make_text("user")
    rows = [row for piece in pieces for row in piece]
    convert = int if text == "never" else str
    expected = plainly(rows, lambda pair: (convert(pair[0]), pair[1]))
    found = list(runs.ranges())
    assert [row for piece in found for row in piece.rows()] == [
        (convert(user), *rest) for user, *rest in expected
    ]
    assert runs.duplicates == len(rows) - len(expected)
    users = [set(piece["user"]) for piece in found]
    assert sum(map(len, users)) == len(set().union(*users))
