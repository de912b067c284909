"""Write environment.yaml, the packages of a job for conda, with the versions of requirements.txt.

`make lock` calls it: python envs/write_environment.py. A test compares the file with what it would write.
"""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ENVS = Path(__file__).parent
PYTHON = "3.11"
# conda-forge splits matplotlib: this part has no GUI.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
# A job needs neither: the Snakemake that starts it is outside, and the library is found by PYTHONPATH.
NOT_IN_JOBS = {"snakemake", "setuptools"}

HEAD = """\
# For conda: PYTHONPATH=workflow snakemake --software-deployment-method conda
# (jobs in a conda environment find the library by that path). Written from the lock by `make lock`.
# Not tried with conda itself; the tests run with pip and requirements.txt.
channels:
  - conda-forge
  - nodefaults
dependencies:
"""


def environment() -> str:
    project = tomllib.loads((ENVS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [Requirement(text).name for text in project["dependencies"]]
    locked = versions((ENVS / "requirements.txt").read_text(encoding="utf-8"))
    lines = [f"  - python ={PYTHON}"]
    lines += [
        f"  - {CONDA_NAMES.get(name, name)} ={locked[name]}"
        for name in names
        if name not in NOT_IN_JOBS
    ]
    return HEAD + "\n".join(lines) + "\n"


def versions(lock: str) -> dict[str, str]:
    """The version of each package that the lock has for this Python."""
    found = {}
    for line in lock.splitlines():
        if "==" not in line or line.startswith((" ", "#")):
            continue
        wanted = Requirement(line.rstrip("\\").strip())
        here = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0"}
        if wanted.marker is None or wanted.marker.evaluate(here):
            [found[wanted.name]] = (one.version for one in wanted.specifier)
    return found


if __name__ == "__main__":
    (ENVS / "environment.yaml").write_text(environment(), encoding="utf-8")
