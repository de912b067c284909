"""The frame of every script around its one call into the library."""

import gc
import re
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path

from mnar.core.errors import UserError


@contextmanager
def logged(log: str, keep_stderr: bool = False) -> Iterator[None]:
    """Send printed text to the rule's log; end bad input with one sentence and exit code 1.

    A job that shows progress keeps its standard error on the terminal.
    """
    path = Path(log)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", buffering=1) as stream:
        try:
            other = nullcontext() if keep_stderr else redirect_stderr(stream)
            with redirect_stdout(stream), other:
                yield
            seconds = f"{time.process_time():.1f} CPU seconds"
            print(f"used: {_peak_mb()} MB of memory at most, {seconds}", file=stream)
            # Python would look for cycles among a million objects before it exits.
            gc.freeze()
        except UserError as error:
            print(f"Error: {error}", file=stream)
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=stream)
            sys.exit(1)


def used(log: str | Path) -> tuple[float, float] | None:
    """MB of memory at most and CPU seconds of the job that wrote a log; None if it does not say."""
    path = Path(log)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = re.search(r"^used: (\d+) MB of memory at most, ([\d.]+) CPU seconds$", text, re.M)
    return (float(found[1]), float(found[2])) if found else None


def _peak_mb() -> str:
    """The most memory this process ever held, as Linux counts it; benchmarks sample and may miss it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        [peak] = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    except (OSError, ValueError):
        return "unknown"
    return f"{int(peak) / 1024:.0f}"
