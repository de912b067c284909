"""Plant each fault of faults.yaml in a copy of the project and see whether the tests of its room fail.

    python tests/mutants/run.py [--only WORD ...] [--workers N]

A fault is caught if a test fails with it and passes without it.
"""

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("faults.yaml")
# All else is copied. Compiled kernels go along: their stamps are contents, so only a fault's own
# kernels are compiled.
LEFT_OUT = ("data", "results", "logs")
EMBEDDED = "data/movielens-small"
# pytest's exit code when tests ran and at least one failed; any other says that they could not run.
FAILED, PASSED = 1, 0
LONGEST = 1800
VERDICTS = CAUGHT, MISSED, BROKEN, HUNG = "caught", "MISSED", "BROKEN", "HUNG"
# No shuffling and no shrinking: the first failure is all that is asked for.
PYTEST = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist")
PYTEST += ("--hypothesis-profile=first-failure",)
# None of these may import the library: each process imports that of its own copy.
PRELOADED = ["numba", "pandas", "matplotlib", "scipy.stats", "scipy.sparse", "scipy.special"]
PRELOADED += ["jsonschema", "hypothesis.strategies", "pytest"]
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(PRELOADED)


@dataclass(frozen=True)
class Fault:
    """One mistake: in `file`, `find` becomes `replace`; `tests` are run first, then their room."""

    file: str
    find: str
    replace: str
    why: str
    tests: tuple[str, ...] = ()
    blind: bool = False

    @property
    def room(self) -> Path:
        """The folder of the tests of the library room that the fault is planted in."""
        return Path("tests", "unit", Path(self.file).parts[2])

    def planted(self, text: str) -> str:
        """The text of the file with the fault in it; the place must be unmistakable."""
        if (count := text.count(self.find)) != 1:
            raise ValueError(f"{self.file}: found {count} times, must be once: {self.find!r}")
        return text.replace(self.find, self.replace)

    def test_files(self, root: Path) -> list[str]:
        """Test files to run: those named, those that carry the file's name, the rest of the room."""
        words = set("_".join(Path(self.file).with_suffix("").parts[3:]).split("_"))
        others = sorted(
            (str(file.relative_to(root)) for file in (root / self.room).rglob("test_*.py")),
            key=lambda file: -len(words & set(Path(file).stem.split("_")[1:])),
        )
        return list(dict.fromkeys([*self.tests, *others]))


@dataclass(frozen=True)
class Outcome:
    """What became of a fault, and the first test that failed."""

    fault: Fault
    verdict: str
    by: str
    seconds: float


def faults(table: Path = TABLE) -> list[Fault]:
    """The faults of a table."""
    rows: list[dict[str, Any]] = yaml.safe_load(table.read_text(encoding="utf-8"))
    return [Fault(**{**row, "tests": tuple(row.get("tests", ()))}) for row in rows]


def copy_project(source: Path, target: Path) -> None:
    """Copy what the unit tests need, with time stamps, so that bytecode and kernels stay valid."""

    def left_out(folder: str, names: list[str]) -> list[str]:
        at_root = Path(folder) == source
        return [name for name in names if at_root and (name in LEFT_OUT or name[0] == ".")]

    shutil.copytree(source, target, ignore=left_out)
    shutil.copytree(source / EMBEDDED, target / EMBEDDED)


def run_tests(folder: Path, *arguments: str) -> tuple[int | None, list[str]]:
    """Exit code of pytest in a copy (None: it did not end), and its lines."""
    output = folder / "output.txt"
    # Forked from a process that has imported what all tests import: most runs are shorter than that.
    child = PROCESSES.Process(target=_pytest, args=(folder, output, arguments))
    child.start()
    child.join(LONGEST)
    if child.exitcode is None:
        child.kill()
        child.join()
        return None, []
    return child.exitcode, output.read_text(encoding="utf-8").splitlines()


def _pytest(folder: Path, output: Path, arguments: Sequence[str]) -> None:
    """Runs in a process of its own, which it leaves with pytest's exit code."""
    import pytest

    with output.open("w") as stream:
        for descriptor in (1, 2):
            os.dup2(stream.fileno(), descriptor)
    os.chdir(folder)
    os.environ |= {"PYTHONPATH": str(folder / "workflow"), "OPENBLAS_NUM_THREADS": "1"}
    sys.dont_write_bytecode = False
    sys.exit(int(pytest.main([*PYTEST, *arguments])))


def failures(lines: Sequence[str]) -> list[str]:
    """The names of the tests that failed."""
    found = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return [line.split(" ", 1)[1].split(" - ")[0] for line in found]


def try_fault(fault: Fault, base: Path) -> Outcome:
    """Plant one fault in a copy of its own and run the tests of its room."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = Path(name) / "project"
        shutil.copytree(base, folder)
        file = folder / fault.file
        file.write_text(fault.planted(file.read_text(encoding="utf-8")), encoding="utf-8")
        before = time.monotonic()
        code, lines = run_tests(folder, "-x", *fault.test_files(folder))
        seconds = time.monotonic() - before
    verdict = {FAILED: CAUGHT, PASSED: MISSED, None: HUNG}.get(code, BROKEN)
    return Outcome(fault, verdict, next(iter(failures(lines)), "no test failed"), seconds)


def outcomes(chosen: Sequence[Fault], base: Path, workers: int) -> Iterator[Outcome]:
    with ThreadPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(try_fault, fault, base) for fault in chosen]):
            yield done.result()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[""], help="words in the file or the reason")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    given = parser.parse_args(arguments)
    chosen = [
        fault
        for fault in faults()
        if any(word in f"{fault.file} {fault.why}" for word in given.only)
    ]
    found = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        base = Path(name) / "project"
        copy_project(ROOT, base)
        # Bytecode is made once; copies of it keep their time stamps.
        run_tests(base, "--collect-only", *sorted({str(fault.room) for fault in chosen}))
        for done in outcomes(chosen, base, given.workers):
            found.append(done)
            print(f"{done.verdict} {done.seconds:.0f} s {done.fault.file}: {done.fault.why}")
            print(f"    {done.by}", flush=True)
        by = sorted({done.by for done in found if done.verdict == CAUGHT})
        # A test that fails without a fault catches nothing.
        always = failures(run_tests(base, *by)[1]) if by else []
    counts = {word: sum(done.verdict == word for done in found) for word in VERDICTS}
    print(f"{len(found)} planted:", ", ".join(f"{n} {word}" for word, n in counts.items()))
    for test in always:
        print(f"fails without any fault, too: {test}")
    return 0 if counts[CAUGHT] == len(chosen) and not always else 1


if __name__ == "__main__":
    sys.exit(main())
