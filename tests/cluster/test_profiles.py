"""The default run through both profiles on a real scheduler: the bytes of a local run."""

import re

import pytest
from helpers.running import ROOT, assert_same, results_of, snakemake


@pytest.mark.parametrize("profile", ["slurm", "cluster"])
def test_default_run(slurm, default_run, tmp_path, profile):
    arguments = ("--profile", str(ROOT / "workflow/profiles" / profile))
    done = snakemake(tmp_path, *arguments, cores=4)
    assert done.returncode == 0, done.stderr[-5000:]
    assert_same(results_of(tmp_path), results_of(default_run))
    # Short jobs share a submission.
    submissions = re.findall(r"SLURM jobid|with external jobid", done.stderr)
    assert 0 < len(submissions) <= 60
    assert list((tmp_path / "logs/cluster").glob("*.log")) or profile == "slurm"
