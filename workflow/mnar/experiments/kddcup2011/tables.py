"""Tables of kddcup2011."""

import pandas as pd

from mnar.experiments.kddcup2011 import ONE_MOMENT, TRACK1, TRACK2
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

TRACKS = {TRACK1: "1", TRACK2: "2", ONE_MOMENT: "1, one moment"}


def chosen(results: Results) -> Table:
    """The setting chosen in each fold of both tracks, and of Track 1 split at one moment."""
    return _tracks(results, chosen_table)


def grid(results: Results) -> Table:
    """Every setting tried in the same three, with its score on validation."""
    return _tracks(results, grid_table)


def _tracks(results: Results, make) -> Table:
    # Not every dataset can be split at one moment.
    tables = {TRACKS[study]: make(results, study) for study in TRACKS if results.methods(study)}
    tidy, shown = (
        pd.concat(
            [getattr(table, part).assign(track=track) for track, table in tables.items()],
            ignore_index=True,
        )
        for part in ("tidy", "shown")
    )
    shown = shown[["track", *shown.columns[:-1]]]
    first, *others = tables.values()
    notes = [note for note in first.notes if all(note in other.notes for other in others)]
    notes += [
        f"Track {track}: {note}"
        for track, table in tables.items()
        for note in table.notes
        if note not in notes
    ]
    return Table(tidy, shown, first.caption, notes)
