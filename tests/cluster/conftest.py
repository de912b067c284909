"""A running Slurm, and finished local runs whose bytes every other run must reach."""

import shutil
from pathlib import Path

import pytest
from helpers import slurm as real_slurm
from helpers.running import snakemake, tiny_config


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory):
    """A Slurm of one node; where there can be none, every test that needs it fails and says why."""
    try:
        with real_slurm.running(tmp_path_factory.mktemp("slurm")):
            yield
    except real_slurm.NoSlurm as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def default_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make` runs, without a scheduler."""
    folder = tmp_path_factory.mktemp("default")
    done = snakemake(folder)
    assert done.returncode == 0, done.stderr[-5000:]
    return folder


@pytest.fixture(scope="session")
def local_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """lim2015 on the tiny dataset, without a scheduler."""
    folder = tmp_path_factory.mktemp("local")
    done = snakemake(folder, config=tiny_config("lim2015"))
    assert done.returncode == 0, done.stderr[-5000:]
    return folder


@pytest.fixture
def unfinished(local_run: Path, tmp_path: Path) -> Path:
    """A copy of the finished run in which one training job is left to do."""
    folder = tmp_path / "unfinished"
    shutil.copytree(local_run, folder, symlinks=True)
    shutil.rmtree(folder / "results/scores/lim2015/tiny/svd")
    return folder
