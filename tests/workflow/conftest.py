"""One finished run that several tests look at."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from helpers.running import snakemake, tiny_config


def run_everything(folder: Path) -> None:
    """Every experiment on the tiny dataset, on two cores."""
    done = snakemake(folder, config=tiny_config())
    assert done.returncode == 0, done.stderr[-5000:]


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run; processes that test side by side each have a copy of one run."""
    folder = tmp_path_factory.mktemp("whole")
    if "PYTEST_XDIST_WORKER" not in os.environ:
        run_everything(folder)
        return folder
    # The folder above that of a process is the same for all of them.
    common = tmp_path_factory.getbasetemp().parent
    shared, finished = common / "whole-run", common / "whole-run.finished"
    with (common / "whole-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            shutil.rmtree(shared, ignore_errors=True)
            shared.mkdir()
            run_everything(shared)
            finished.touch()
    shutil.copytree(shared, folder, symlinks=True, dirs_exist_ok=True)
    return folder
