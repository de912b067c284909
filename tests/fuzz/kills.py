"""Kills at random moments: each run is resumed and ends with the same bytes."""

import math
import os
import signal
import subprocess
import sys
import time

from helpers.running import ROOT

# Seconds in which a run that is told to stop may remove its folder.
GRACE = 20


def run(folder, number, seed, until):
    """The faults; tests/cluster/kill_often.py does the work and prints one line for every run."""
    script = ROOT / "tests/cluster/kill_often.py"
    start = [sys.executable, str(script), str(number), "--seed", str(seed), "--seconds", "12"]
    running = subprocess.Popen(
        [*start, "--experiments", "lim2015", "pradel2012"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A group of its own, so that Snakemake and its jobs end with it.
        start_new_session=True,
    )
    try:
        left = None if math.isinf(until) else max(1.0, until - time.monotonic())
        output, errors = running.communicate(timeout=left)
    except subprocess.TimeoutExpired:
        lines = end(running).splitlines()
        print(f"kills: the time is up; {lines[-1] if lines else 'none was made'}")
        return []
    finally:
        end(running)
    print(f"kills: {(output.splitlines() or ['none'])[-1]}")
    return [] if running.returncode == 0 else [f"kills {seed}: {errors[-3000:]}"]


def end(running):
    """Ends a run with all that it started, and gives its output; does nothing if it has ended."""
    if running.poll() is not None:
        return ""
    os.killpg(running.pid, signal.SIGTERM)
    try:
        return running.communicate(timeout=GRACE)[0]
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        return running.communicate()[0]
