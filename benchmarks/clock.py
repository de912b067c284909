"""A stopwatch that can be held, for work that others' code does in one go."""

import time


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
