"""When, where and beside what a part was measured."""

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

from contest import ROOT


class Surroundings:
    """Made before a measurement; `facts` afterwards say how many cores others kept busy meanwhile."""

    def __init__(self) -> None:
        self._start = time.time(), _busy(), _own()

    def facts(self, part: str) -> dict[str, Any]:
        start, busy, own = self._start
        seconds = max(time.time() - start, 1e-9)
        others = max((_busy() - busy) - (_own() - own), 0) / seconds
        return {
            "part": part,
            "date": time.strftime("%Y-%m-%d", time.gmtime(start)),
            "commit": _commit(),
            "seconds": round(seconds),
            "cores_busy_with_other_work": round(others, 2),
            "processor": _processor(),
            "cores": os.cpu_count(),
        }


def _busy() -> float:
    """Seconds that all processors together have worked (Linux; 0 elsewhere)."""
    file = Path("/proc/stat")
    if not file.exists():
        return 0.0
    times = [int(number) for number in file.read_text(encoding="utf-8").split("\n")[0].split()[1:9]]
    idle, waiting = times[3], times[4]
    return (sum(times) - idle - waiting) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    """Seconds of this process and of those that it started and waited for."""
    return sum(os.times()[:4])


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    pairs = [line.partition(":") for line in lines]
    facts = {name.strip(): value.strip() for name, _, value in pairs if value}
    if "model name" not in facts:
        return platform.processor()
    # Hosts may give one name to several generations.
    return f"{facts['model name']} (family {facts.get('cpu family')}, model {facts.get('model')})"
