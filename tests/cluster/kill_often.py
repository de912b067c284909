"""Kill a run at random moments, resume it each time, compare: tests/cluster/kill_often.py KILLS

Every kill takes Snakemake and all of its jobs at once, after a random time; the next start goes on
from what is there. When a run ends, its results are compared with those of an undisturbed one and it
starts from nothing, until that number of kills is reached. Prints one line for every run, and a last one.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.running import (
    ROOT,
    assert_same,
    command,
    results_of,
    snakemake,
    tiny_config,
    write_config,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kills", type=int)
    parser.add_argument("--seconds", type=float, default=20, help="longest time until a kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--default", action="store_true", help="the default run, not the tiny one")
    parser.add_argument("--experiments", nargs="*", default=[], help="of the tiny run: only these")
    arguments = parser.parse_args()
    # Told to stop, it ends the run that it started, which has a session of its own.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    config = default_config() if arguments.default else tiny_config(*arguments.experiments)
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        undisturbed, disturbed = folder / "undisturbed", folder / "disturbed"
        undisturbed.mkdir()
        done = snakemake(undisturbed, config=config)
        assert done.returncode == 0, done.stderr[-3000:]
        wanted = results_of(undisturbed)
        kills = runs = 0
        while kills < arguments.kills:
            shutil.rmtree(disturbed, ignore_errors=True)
            disturbed.mkdir()
            write_config(disturbed, config)
            seconds: float | None = chance.uniform(0, arguments.seconds)
            while not finished(disturbed, seconds):
                kills += 1
                print(f"kill {kills}: {len(results_of(disturbed))} files are there", flush=True)
                more = kills < arguments.kills
                seconds = chance.uniform(0, arguments.seconds) if more else None
            assert_same(results_of(disturbed), wanted)
            runs += 1
            print(f"run {runs} ended after {kills} kills in all: the same {len(wanted)} files")
    print(f"{kills} kills in {runs} runs, the same bytes every time")


def default_config() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def finished(folder: Path, seconds: float | None) -> bool:
    """Start or resume a run; False if it took longer than that many seconds and was killed."""
    with (folder / "output.log").open("w", encoding="utf-8") as output:
        running = subprocess.Popen(
            # Without a lock: a killed run leaves its own, and unlocking would take another start.
            command(folder, "--nolock"),
            cwd=folder,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            code = running.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        finally:
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
    assert code == 0, (folder / "output.log").read_text(encoding="utf-8")[-3000:]
    return True


if __name__ == "__main__":
    main()
