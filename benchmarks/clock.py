"""A stopwatch that can be held, for work that others' code does in one go; and memory."""

import time
from pathlib import Path


class Clock:
    """Counts the seconds between `go` and `hold`."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._since = 0.0

    def go(self) -> None:
        self._since = time.perf_counter()

    def hold(self) -> float:
        """Stop counting; the seconds so far."""
        self.seconds += time.perf_counter() - self._since
        return self.seconds


def peak_gb() -> float:
    """The most memory that this program held (Linux); getrusage counts its parent's, too."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    [peak] = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peak) * 1024 / 1e9
