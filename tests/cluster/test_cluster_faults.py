"""What goes wrong on a cluster: tried again or said clearly, and the bytes of an undisturbed run."""

import re
import shutil
import subprocess
import time
from contextlib import contextmanager

import pytest
from helpers.running import (
    ROOT,
    assert_same,
    command,
    results_of,
    snakemake,
    tiny_config,
    write_config,
)

TARGET = "results/scores/lim2015/tiny/svd/0-1.csv"
RULE = "train"
PROFILES = ["slurm", "cluster"]


def profile(name):
    return ("--profile", str(ROOT / "workflow/profiles" / name))


@contextmanager
def started(folder, *arguments):
    """Snakemake in the background, and its output in a file."""
    # A job of an earlier test may be about to end.
    wait_for(lambda: not jobs("RUNNING"))
    with (folder / "output.log").open("w", encoding="utf-8") as output:
        running = subprocess.Popen(
            command(folder, *arguments, TARGET), cwd=folder, stdout=output, stderr=output
        )
        try:
            yield running
        finally:
            running.kill()
            running.wait()


def wait_for(condition, seconds=120):
    for _ in range(seconds * 10):
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def jobs(state):
    listed = subprocess.run(
        ["squeue", "--noheader", f"--states={state}", "--format=%i"], capture_output=True, text=True
    )
    return listed.stdout.split()


def output_of(folder):
    return (folder / "output.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PROFILES)
def test_too_little_memory_is_tried_again_with_more(slurm, local_run, unfinished, name):
    # Snakemake and the script need more than the first amount, less than the second.
    amount = f"{RULE}:mem_mb=120 * 8 ** (attempt - 1)"
    done = snakemake(unfinished, *profile(name), "--set-resources", amount, "--", TARGET)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Trying to restart" in done.stderr
    assert_same(results_of(unfinished), results_of(local_run))


def test_a_cancelled_job_is_tried_again(slurm, local_run, unfinished):
    with started(unfinished, *profile("slurm")) as running:
        [job] = wait_for(lambda: jobs("RUNNING"))
        subprocess.run(["scancel", job], check=True)
        assert running.wait(300) == 0, output_of(unfinished)
    assert "CANCELLED" in output_of(unfinished)
    assert_same(results_of(unfinished), results_of(local_run))


def test_a_drained_node(slurm, local_run, unfinished):
    """The job that runs on it ends well; what comes after waits until the node is back."""
    shutil.rmtree(unfinished / "results/splits/tiny/lim2015")
    node = ["scontrol", "update", "nodename=localhost"]
    with started(unfinished, *profile("cluster")) as running:
        wait_for(lambda: jobs("RUNNING"))
        subprocess.run([*node, "state=drain", "reason=test"], check=True)
        try:
            wait_for(lambda: jobs("PENDING"))
        finally:
            subprocess.run([*node, "state=resume"], check=True)
        assert running.wait(300) == 0, output_of(unfinished)
    assert_same(results_of(unfinished), results_of(local_run))


def test_a_job_that_fails_for_good_leaves_the_rest_running(slurm, local_run, unfinished):
    config = tiny_config("lim2015")
    # One method cannot work; jobs outside its submission go on.
    fit = "def fit(train, settings, seed, threads):\n    raise ValueError('an error on purpose')\n"
    (unfinished / "broken.py").write_text(fit)
    config["methods"]["dense-svd"]["module"] = "broken.py"
    write_config(unfinished, config)
    shutil.rmtree(unfinished / "results/scores/lim2015/tiny/dense-svd")
    broken = "results/scores/lim2015/tiny/dense-svd/0-1.csv"
    other = "results/views/tiny/pradel2012.npz"
    done = snakemake(unfinished, *profile("slurm"), "--retries", "0", "--", broken, other)
    assert done.returncode != 0
    log = (unfinished / "logs/train/lim2015/tiny/dense-svd/0-1.log").read_text(encoding="utf-8")
    last = log.strip().splitlines()[-1]
    assert re.search("[Ee]rror", last)
    assert last in done.stdout + done.stderr
    assert not (unfinished / broken).exists()
    assert (unfinished / other).exists()


def test_a_full_disk(local_run, unfinished):
    folder = unfinished / TARGET.rpartition("/")[0]
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", folder], check=True)
    try:
        done = snakemake(unfinished, TARGET)
        assert done.returncode != 0
        assert "No space left on device" in done.stdout + done.stderr
        assert list(folder.iterdir()) == []
    finally:
        subprocess.run(["umount", folder], check=True)
    done = snakemake(unfinished, TARGET)
    assert done.returncode == 0, done.stderr[-3000:]
    assert_same(results_of(unfinished), results_of(local_run))
