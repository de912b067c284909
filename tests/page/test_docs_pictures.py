"""Where the default run is finished, the pictures in docs/ show its data."""

import subprocess
import sys

import pytest
from helpers.running import ROOT


@pytest.mark.skipif(not (ROOT / "results/summary.html").exists(), reason="no default run here")
def test_pictures_are_of_the_results():
    command = [sys.executable, "-m", "mnar", "pictures", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
