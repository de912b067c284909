"""One finished run that several tests look at."""

from pathlib import Path

import pytest
from helpers.running import snakemake, tiny_config


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of every experiment on the tiny dataset, on two cores."""
    folder = tmp_path_factory.mktemp("whole")
    done = snakemake(folder, config=tiny_config())
    assert done.returncode == 0, done.stderr[-5000:]
    return folder
