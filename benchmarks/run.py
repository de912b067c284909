"""`make bench`: this pipeline and its peers side by side.

    python benchmarks/run.py als pairwise evaluate --shapes s l --repeat 5
    … growth --points 1000000 16000000 netflix
    … whole           where the time of the last `make` went
    … report          tables and figures of all that was measured

Each task and shape has its own file in results/bench, so that a part can be measured again alone.
"""

import argparse
import csv

import als
import evaluation
import growth
import pairwise
import report
import whole_run
from contest import RESULTS, ROOT
from notes import Notes
from shapes import data_file

from mnar.core.files import atomic

PEER_TASKS = ("als", "pairwise", "evaluate")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+", choices=[*PEER_TASKS, "growth", "whole", "report"])
    parser.add_argument("--shapes", nargs="+", default=_shapes())
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sweeps", type=int)
    parser.add_argument("--points", nargs="+", default=growth.POINTS)
    given = parser.parse_args()
    for task in given.tasks:
        if task == "growth":
            for point in given.points:
                write(growth.measure(point, max(given.threads)), f"growth-{point}")
        elif task == "whole":
            write(whole_run.measure(), "whole")
        elif task == "report":
            report.write_all(RESULTS)
        else:
            for shape in given.shapes:
                write(contest(task, shape, given), f"{task}-{shape}")


def contest(task: str, shape: str, given: argparse.Namespace) -> list[dict]:
    data = data_file(shape, RESULTS / "data")
    if task == "als":
        notes: Notes = als.measure(
            data, given.threads, given.repeat, given.sweeps or als.sweeps_at(shape)
        )
    elif task == "pairwise":
        notes = pairwise.measure(data, given.repeat)
    else:
        notes = evaluation.measure(data, given.threads, given.repeat)
    return [{"task": task, "shape": shape, **row} for row in notes.rows]


def write(rows: list[dict], name: str) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    with atomic(RESULTS / f"{name}.csv") as path, path.open("w", newline="") as stream:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        table = csv.DictWriter(stream, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def _shapes() -> list[str]:
    placed = any((ROOT / "data" / "movielens-1m").glob("ml-1m*"))
    return ["s", "l", *(["movielens-1m"] if placed else [])]


if __name__ == "__main__":
    main()
