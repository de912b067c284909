"""How time and memory grow with the ratings: split, a sweep of least squares, MF-ADG, evaluation.

The exponent is fitted on shapes with Netflix' catalogue and ratings per user; then come the shapes
of Netflix and Yahoo! Music Track 1 themselves. Each point is measured in a process of its own.
"""

from contest import HERE, RESULTS, run_script
from shapes import NAMED, Shape, data_file

# Numbers of ratings with Netflix' catalogue, and named shapes.
POINTS = ["1000000", "4000000", "16000000", "64000000", "262810175", "netflix", "yahoo-music"]
TASKS = ("split", "als", "pairwise", "evaluate")


def measure(point: str, threads: int) -> list[dict]:
    """Rows of (label, shape, task, threads, seconds, peak_gb, share_done; draws of a positive)."""
    label, shape = ("growth", _of_netflix(int(point))) if point.isdigit() else (point, point)
    data = data_file(shape, RESULTS / "data")
    rows = []
    for task in TASKS:
        found = run_script([HERE / "growth_point.py", task, data, threads], threads)
        rows.append({"label": label, "shape": shape, "task": task, "threads": threads, **found})
    data.unlink()
    return rows


def _of_netflix(ratings: int) -> str:
    """As many ratings per user and as many items as Netflix has."""
    netflix = NAMED["netflix"]
    return str(Shape(round(ratings * netflix.users / netflix.ratings), netflix.items, ratings))
