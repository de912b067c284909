"""Table 2 of kddcup2011: how often teams submitted. No run can give it, but its sums can be checked."""

import pandas as pd

from mnar.reporting.published_numbers import read_published
from mnar.reporting.table_format import Table

TRACKS = ("track1", "track2")


def printed() -> dict[str, Table]:
    """By title: the printed histogram, its sums as computed here, and the totals in the paper's text."""
    histogram = read_published("kddcup2011", "table2")
    ends = zip(histogram["submissions_from"], histogram["submissions_to"], strict=True)
    lines = [
        [f"{low} to {high}", *(f"{int(row[f'teams_{track}']):,}" for track in TRACKS)]
        for (low, high), (_, row) in zip(ends, histogram.iterrows(), strict=True)
    ]
    lines.append(["teams, summed here", *(f"{histogram[f'teams_{t}'].sum():,}" for t in TRACKS)])
    lines.append(["teams, in the text", *(_text(t, "teams", "ever submitted") for t in TRACKS)])
    lines.append(["submissions, bounds summed here", *(_bounds(histogram, t) for t in TRACKS)])
    lines.append(["submissions, in the text", *(_text(t, "submissions", None) for t in TRACKS)])
    shown = pd.DataFrame(
        lines, columns=["submissions of a team", "teams, Track 1", "teams, Track 2"]
    )
    caption = "Published alone: it describes the contest, so there is nothing to compute again."
    return {"Table 2: submissions of teams in the contest": Table(histogram, shown, caption)}


def _text(track: str, quantity: str, condition: str | None) -> str:
    anchors = read_published("kddcup2011", "anchors")
    mine = anchors[(anchors["dataset"] == track) & (anchors["quantity"] == quantity)]
    mine = mine[mine["condition"].isna() if condition is None else mine["condition"] == condition]
    return f"{int(mine['value'].iloc[0]):,}"


def _bounds(histogram: pd.DataFrame, track: str) -> str:
    """The fewest and the most submissions that the histogram allows for."""
    teams = histogram[f"teams_{track}"]
    low, high = ((teams * histogram[f"submissions_{end}"]).sum() for end in ("from", "to"))
    return f"{low:,} to {high:,}"
