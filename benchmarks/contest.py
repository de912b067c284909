"""Who takes part in which task, and how one of them is run: each time in a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = ROOT / "results" / "bench"
ENVIRONMENTS = ROOT / ".venv-bench"


class Failed(Exception):
    """A contestant that cannot be installed or does not run; the message says why."""


@dataclass(frozen=True)
class Contestant:
    """A file in contestants/, the variant asked for, and the environment that it runs in."""

    name: str
    module: str
    variant: str = "-"
    environment: str = ""

    @property
    def python(self) -> Path:
        """The Python of the environment, where it could be installed."""
        if not self.environment:
            return Path(sys.executable)
        folder = ENVIRONMENTS / self.environment
        if (folder / "failed").exists():
            raise Failed((folder / "failed").read_text(encoding="utf-8").strip())
        if not folder.exists():
            raise Failed("is not installed")
        return folder / "bin" / "python"


OURS = "this pipeline"
TASKS = {
    "als": [
        Contestant(OURS, "ours", "float32"),
        Contestant(f"{OURS}, float64", "ours", "float64"),
        Contestant("irspack CG", "irspack_peer", "cg", "compiled"),
        Contestant("irspack Cholesky", "irspack_peer", "cholesky", "compiled"),
        Contestant("irspack iALS++", "irspack_peer", "ialspp", "compiled"),
        Contestant("implicit CG", "implicit_peer", "-", "compiled"),
        Contestant("cmfrec CG", "cmfrec_peer", "cg", "cmfrec"),
        Contestant("cmfrec Cholesky", "cmfrec_peer", "cholesky", "cmfrec"),
        Contestant("LensKit", "lenskit_peer", "-", "lenskit"),
    ],
    "pairwise": [
        Contestant(OURS, "ours", "10"),
        Contestant(f"{OURS}, the paper's limit on draws", "ours", "paper"),
        Contestant("LightFM WARP", "lightfm_peer", "10", "compiled"),
        Contestant("RankFM WARP", "rankfm_peer", "10", "rankfm"),
        Contestant("implicit BPR", "implicit_peer", "-", "compiled"),
    ],
    "evaluate": [
        Contestant(OURS, "ours"),
        Contestant("irspack", "irspack_peer", "-", "compiled"),
        Contestant("implicit", "implicit_peer", "-", "compiled"),
        Contestant("RecoMetrics", "recometrics_peer", "top", "recometrics"),
        Contestant("RecoMetrics, with areas", "recometrics_peer", "all", "recometrics"),
        Contestant("RecTools", "rectools_peer", "-", "rectools"),
    ],
    # The same task on a matrix of scores, which irspack alone of these takes.
    "dense": [
        Contestant(OURS, "ours", "dense"),
        Contestant("irspack", "irspack_peer", "dense", "compiled"),
    ],
}


def run(
    contestant: Contestant,
    task: str,
    data: Path,
    settings: dict[str, Any],
    threads: int,
    keep: Path | None = None,
) -> dict[str, Any]:
    """One measurement; with `keep`, the models after each sweep or epoch stay in that folder."""
    python = contestant.python
    facts = {
        "threads": threads,
        "data": str(data),
        "settings": settings,
        "keep": keep and str(keep),
    }
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps(facts), encoding="utf-8")
        command = [HERE / "child.py", contestant.module, contestant.variant, task, job]
        return run_script(command, threads, python)


def run_script(
    command: Sequence[Any], threads: int, python: Path | str = sys.executable
) -> dict[str, Any]:
    """What a script prints as its last line, in JSON; `threads` goes to all that counts threads."""
    libraries = ROOT / "workflow"
    counted = ("OMP", "MKL", "NUMBA", "RAYON", "POLARS_MAX", "LK", "LK_NUM_BACKEND")
    names = [f"{who}_THREADS" if "_" in who else f"{who}_NUM_THREADS" for who in counted]
    given = dict.fromkeys(names, str(threads)) | {
        # What implicit asks for; the others have threads of their own above BLAS.
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(libraries), str(HERE)]),
        "PYTHONWARNINGS": "ignore",
    }
    done = subprocess.run(
        [python, *map(str, command)],
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
        raise Failed(lines[-1][:200])
    return json.loads(done.stdout.strip().splitlines()[-1])


def rounds(
    contestants: Sequence[Contestant], threads: Sequence[int], repeat: int
) -> Iterator[tuple[int, int, Contestant]]:
    """Repetition, threads, contestant: one after the other, so that a slow minute hits them all."""
    for repetition in range(repeat):
        for count in threads:
            for contestant in contestants:
                yield repetition, count, contestant
