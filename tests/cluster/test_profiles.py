"""Every experiment through both profiles on a real scheduler: the bytes of a local run."""

import re

import pytest
from running import ROOT, assert_same, results_of, snakemake, tiny_config


@pytest.mark.parametrize("profile", ["slurm", "cluster"])
def test_every_experiment(slurm, local_run, tmp_path, profile):
    done = snakemake(
        tmp_path,
        *("--profile", str(ROOT / "workflow/profiles" / profile)),
        config=tiny_config(),
        cores=4,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert_same(results_of(tmp_path), results_of(local_run))
    jobs = int(re.findall(r"^total\s+(\d+)$", done.stdout + done.stderr, flags=re.M)[0])
    submissions = re.findall(r"SLURM jobid|with external jobid", done.stderr)
    assert 0 < len(submissions) <= jobs / 3
    assert list((tmp_path / "logs/cluster").glob("*.log")) or profile == "slurm"
