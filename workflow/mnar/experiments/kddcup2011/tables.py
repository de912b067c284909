"""Tables of kddcup2011."""

import pandas as pd

from mnar.experiments.kddcup2011 import TRACK1, TRACK2
from mnar.experiments.kddcup2011.data_tables import profile, table1
from mnar.experiments.kddcup2011.differences import differences
from mnar.experiments.kddcup2011.time_tables import leaks, one_moment
from mnar.experiments.kddcup2011.track_tables import blend, steps, track1, track2
from mnar.reporting.results import Results
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.table_format import Table

__all__ = [
    "blend",
    "chosen",
    "differences",
    "grid",
    "leaks",
    "one_moment",
    "profile",
    "steps",
    "table1",
    "track1",
    "track2",
]


def chosen(results: Results) -> Table:
    """The setting chosen in each fold of both tracks."""
    return _both_tracks(results, chosen_table)


def grid(results: Results) -> Table:
    """Every setting tried in both tracks, with its score on validation."""
    return _both_tracks(results, grid_table)


def _both_tracks(results: Results, make) -> Table:
    tables = {study: make(results, study) for study in (TRACK1, TRACK2)}
    tidy, shown = (
        pd.concat(
            [getattr(table, part).assign(track=study[-1]) for study, table in tables.items()],
            ignore_index=True,
        )
        for part in ("tidy", "shown")
    )
    shown = shown[["track", *shown.columns[:-1]]]
    first, second = tables.values()
    notes = [note for note in first.notes if note in second.notes]
    notes += [
        f"Track {study[-1]}: {note}"
        for study, table in tables.items()
        for note in table.notes
        if note not in notes
    ]
    return Table(tidy, shown, first.caption, notes)
