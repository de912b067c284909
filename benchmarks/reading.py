"""How fast large files are read, and in how much memory; the files are written here first.

    python benchmarks/reading.py lines 10_000_000     `::`-separated lines, against polars on plain csv
    python benchmarks/reading.py yahoo 262_810_175    files in the format of Yahoo! Music Track 1

Prints one line of JSON. Times are ratios to a peer in the same run where there is one.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
from made_up_yahoo_music import PARTS, write_track1

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow"))

from mnar.data.bad_lines import BadLines
from mnar.data.prepare import prepare
from mnar.data.readers import table
from mnar.data.sources import Source

LINES = {
    "files": {"ratings": "ratings.dat"},
    "format": {"separator": "::", "columns": {"user": 1, "item": 2, "rating": 3, "timestamp": 4}},
    "scale": [0.5, 5],
}
YAHOO = {
    "files": dict(zip(("train", "validation", "test"), PARTS, strict=True)),
    "format": {"kind": "yahoo-music"},
    "scale": [0, 100],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["lines", "yahoo"])
    parser.add_argument("rows", type=int)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        measure = measure_lines if arguments.what == "lines" else measure_yahoo
        facts = measure(Path(folder), arguments.rows, arguments.repeat)
    facts["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"what": arguments.what, "rows": arguments.rows, **facts}))


def measure_lines(folder: Path, rows: int, repeat: int) -> dict[str, float]:
    write_lines(folder, rows)
    ours, theirs = [], []
    for _ in range(repeat):
        start = time.perf_counter()
        settings = {**LINES["format"], "scale": LINES["scale"]}
        sources = {"ratings": [Source(folder / "ratings.dat")]}
        read = sum(len(frame) for _, frame in table.rows(sources, settings, BadLines(0)))
        ours.append(time.perf_counter() - start)
        assert read == rows
        start = time.perf_counter()
        assert len(pl.read_csv(folder / "ratings.csv", has_header=False)) == rows
        theirs.append(time.perf_counter() - start)
    ratios = np.array(ours) / np.array(theirs)
    return {
        "seconds": min(ours),
        "polars_csv_seconds": min(theirs),
        "ratio": float(np.median(ratios)),
    }


def measure_yahoo(folder: Path, rows: int, repeat: int) -> dict[str, float]:
    write_track1(folder, rows)
    start = time.perf_counter()
    prepare("yahoo-music", YAHOO, folder, folder / "out")
    return {"seconds": time.perf_counter() - start}


def write_lines(folder: Path, rows: int) -> None:
    random = np.random.default_rng(0)
    columns = {
        "user": np.sort(random.integers(1, 72_000, rows)),
        "item": random.integers(1, 65_000, rows),
        "rating": random.integers(1, 11, rows) / 2,
        "time": random.integers(789_652_009, 1_231_131_736, rows),
    }
    frame = pl.DataFrame(columns)
    frame.write_csv(folder / "ratings.csv", include_header=False)
    text = pl.concat_str(pl.all().cast(pl.String), separator="::")
    frame.select(text).write_csv(folder / "ratings.dat", include_header=False, quote_style="never")


if __name__ == "__main__":
    main()
