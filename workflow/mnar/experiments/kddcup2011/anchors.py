"""Numbers that the text of kddcup2011 prints."""

from functools import cache

import pandas as pd

from mnar.reporting.published_numbers import read_published
from mnar.reporting.results import Results

# The tracks have a dataset each; a claim about a track is about its dataset.
PAPER = {"track1": "yahoo-music", "track2": "yahoo-music-2"}


def anchor(results: Results, track: str, quantity: str, condition: str) -> float:
    """A number of the paper's text, where this is the dataset it speaks of."""
    anchors = _anchors()
    found = anchors[
        (anchors["dataset"] == track)
        & (anchors["quantity"] == quantity)
        & (anchors["condition"] == condition)
    ]
    known = PAPER[track] == results.dataset and len(found)
    return float(found["value"].iloc[0]) if known else float("nan")


@cache
def _anchors() -> pd.DataFrame:
    return read_published("kddcup2011", "anchors")
