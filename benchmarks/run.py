"""`make bench`: this pipeline and its peers side by side, and how far both are from the machine's limits.

    python benchmarks/run.py als pairwise evaluate --shapes s l --repeat 5
    … als --shapes s@256              with 256 factors
    … machine         what the machine can do, and how near each kernel comes to it
    … llvm            what each LLVM function is worth
    … peers           how each peer was built
    … growth --points 1000000 16000000 netflix
    … whole           where the time of the last `make` went; --run and --name for another folder
    … report          tables and figures of all that was measured: results/bench
    … page            docs/performance.md, from all that was measured

Each task and shape has its own file in results/bench, so that a part can be measured again alone.
"""

import argparse
import csv
from pathlib import Path

import als
import growth
import kernel_work
import llvm_worth
import machine_limits
import pairwise
import peers
import performance_page
import ranking_measures
import report
import whole_run
from contest import RESULTS, ROOT
from notes import Notes
from shapes import NAMED, data_file, shape_of
from surroundings import Surroundings

from mnar.core.files import atomic

PEER_TASKS = ("als", "pairwise", "evaluate", "dense")
OTHERS = ("machine", "llvm", "peers", "growth", "whole", "report", "page")
FACTORS = [50, 128]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+", choices=[*PEER_TASKS, *OTHERS])
    parser.add_argument("--shapes", nargs="+")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sweeps", type=int)
    parser.add_argument("--points", nargs="+", default=growth.POINTS)
    parser.add_argument("--run", type=Path, default=ROOT, help="the folder of a finished run")
    parser.add_argument("--name", default="default", help="what that run is called on the page")
    given = parser.parse_args()
    for task in given.tasks:
        if task == "report":
            report.write_all(RESULTS)
        elif task == "page":
            performance_page.write_page(RESULTS)
        else:
            measure(task, given)


def measure(task: str, given: argparse.Namespace) -> None:
    """One part, file by file."""
    if task in PEER_TASKS:
        for shape in given.shapes or _shapes(task):
            noted(f"{task}-{shape}", lambda shape=shape: contest(task, shape, given))
    elif task == "growth":
        for point in given.points:
            noted(f"growth-{point}", lambda point=point: growth.measure(point, max(given.threads)))
    elif task == "machine":
        # Short measurements: the best of many.
        repeat, shape = 5 * given.repeat, shape_of((given.shapes or ["s"])[0])
        share = 0.01 if shape == NAMED["tiny"] else 1.0
        noted("machine", lambda: machine_limits.measure(given.threads, repeat, share))
        noted("kernels", lambda: kernel_work.measure(given.threads, FACTORS, repeat, shape))
    elif task == "llvm":
        noted("llvm", lambda: llvm_worth.measure(FACTORS, 3 * given.repeat))
        shapes = map(shape_of, given.shapes or llvm_worth.HINTED)
        noted("hints", lambda: llvm_worth.measure_hints(FACTORS[:1], given.repeat, list(shapes)))
    elif task == "peers":
        noted("peers", peers.measure)
    else:
        noted(f"whole-{given.name}", lambda: whole_run.measure(given.run))


def noted(name: str, work) -> None:
    """Do the work, write its rows, and note when and beside what it was done."""
    around = Surroundings()
    write(work(), name)
    file = RESULTS / "measured.csv"
    known = []
    if file.exists():
        with file.open(newline="", encoding="utf-8") as stream:
            known = [row for row in csv.DictReader(stream) if row["part"] != name]
    write([*known, around.facts(name)], "measured")


def contest(task: str, shape: str, given: argparse.Namespace) -> list[dict]:
    """`shape` may end in @ and a number of factors."""
    drawn, _, factors = shape.partition("@")
    data = data_file(drawn, RESULTS / "data")
    if task == "als":
        notes: Notes = als.measure(
            data,
            given.threads,
            given.repeat,
            given.sweeps or als.sweeps_at(shape),
            int(factors) if factors else None,
        )
    elif task == "pairwise":
        notes = pairwise.measure(data, given.repeat)
    else:
        notes = ranking_measures.measure(data, given.threads, given.repeat, task)
    return [{"task": task, "shape": shape, **row} for row in notes.rows]


def write(rows: list[dict], name: str) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    with atomic(RESULTS / f"{name}.csv") as path, path.open("w", newline="") as stream:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        table = csv.DictWriter(stream, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def _shapes(task: str) -> list[str]:
    placed = any((ROOT / "data" / "movielens-1m").glob("ml-1m*"))
    many_factors = ["s@256"] if task == "als" else []
    return ["s", "l", *many_factors, *(["movielens-1m"] if placed else [])]


if __name__ == "__main__":
    main()
