"""`snakemake --logger brief`: a run in a screenful. Snakemake finds the package by its name.

One line tells how far the run is; a terminal keeps it in place, a file gets at most twenty of them.
A failed job shows its log's last lines. Snakemake's own full log stays in .snakemake/log.
"""

import inspect
import logging
import re
import shutil
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

# Of the log of a failed job.
SHOWN_LINES = 15
# A file gets a line each time that this share of the jobs is done.
STEP = 0.05
# Seconds after which a terminal gets its line again, however long a job takes.
REFRESH = 5
# A message of the workflow about an input, such as a missing file; Snakemake adds where in the code.
STOPPED = re.compile(
    r"InputFunctionException .*?\n\s*WorkflowError:\n(.*?)\nWildcards:\n", re.DOTALL
)


class LogHandler(LogHandlerBase):
    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.stream = sys.stderr
        self.live = self.stream.isatty()
        self.progress = Progress()
        self.printed_at = -STEP
        self.closed = threading.Event()
        if self.live:
            threading.Thread(target=self.keep_fresh, daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self.progress.plan(record.stats)
            self.say(self.progress.plan_line())
        elif event == LogEvent.JOB_INFO:
            self.progress.start(record.jobid, record.rule_name, record.wildcards)
            self.show()
        elif event == LogEvent.JOB_FINISHED:
            self.progress.finish(record.job_id)
        elif event == LogEvent.PROGRESS:
            self.progress.done, self.progress.total = record.done, record.total
            # A file gets its line when the next job starts, to name what runs.
            if self.live or record.done == record.total:
                self.show()
        elif event == LogEvent.JOB_ERROR:
            self.say(*self.progress.failure(record.jobid, record.rule_name, record.log))
        elif missing := re.match(r"No rule to produce (\S+)", str(record.msg).split(":\n")[-1]):
            self.say(f"Error: {unknown(missing[1])}")
        elif stop := STOPPED.match(str(record.msg)):
            self.say(f"Error: {inspect.cleandoc(stop[1])}")
        elif record.levelno >= logging.WARNING:
            self.say(self.format(record))
        elif str(record.msg).startswith(("Nothing to be done", "Complete log")):
            self.say(str(record.msg))

    def keep_fresh(self) -> None:
        while not self.closed.wait(REFRESH):
            # The lock under which messages come, too.
            with self.lock or threading.RLock():
                if self.progress.running:
                    self.show()

    def show(self) -> None:
        """The line of progress: in place on a terminal, now and then in a file."""
        line = self.progress.line()
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r\033[K{line[:width]}")
        elif self.progress.share >= min(1, self.printed_at + STEP):
            self.printed_at = self.progress.share if self.progress.share < 1 else 2
            self.stream.write(f"{line}\n")
        self.stream.flush()

    def say(self, *lines: str) -> None:
        """Lines that stay."""
        start = "\r\033[K" if self.live else ""
        self.stream.write(start + "\n".join(lines) + "\n")
        self.stream.flush()

    def close(self) -> None:
        self.closed.set()
        if self.live and self.progress.total:
            self.stream.write("\n")
        super().close()


class Progress:
    """Jobs done, jobs running, and the time that may be left."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.done = self.total = 0
        self.waiting: Counter[str] = Counter()
        # Job -> rule, name and start.
        self.running: dict[int, tuple[str, str, float]] = {}
        # Rule -> seconds of its finished jobs.
        self.seconds: dict[str, list[float]] = {}

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0

    def plan(self, stats: dict[str, int]) -> None:
        self.total = stats["total"]
        self.waiting = Counter({rule: n for rule, n in stats.items() if rule != "total"})

    def plan_line(self) -> str:
        parts = ", ".join(f"{n} {rule}" for rule, n in self.waiting.most_common())
        return f"{self.total} jobs to do: {parts}."

    def start(self, job: int, rule: str, wildcards: dict[str, str] | None) -> None:
        name = " ".join([rule, *map(str, (wildcards or {}).values())])
        self.running[job] = (rule, name, time.monotonic())
        self.waiting[rule] -= 1

    def finish(self, job: int) -> None:
        if job in self.running:
            rule, _, began = self.running.pop(job)
            self.seconds.setdefault(rule, []).append(time.monotonic() - began)

    def failure(self, job: int, rule: str, logs: list[str]) -> list[str]:
        """What failed, where its log lies, and how the log ends."""
        _, name, _ = self.running.pop(job, (rule, rule, 0.0))
        lines = [f"Failed: {name}"]
        for log in map(Path, logs):
            text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
            last = text.splitlines()[-SHOWN_LINES:] or ["(empty)"]
            lines += [f"The end of {log}:", *(f"  {line}" for line in last)]
        return lines

    def left(self) -> float | None:
        """Seconds still to go: by the mean of each rule so far, and of all jobs for rules not yet seen.

        Unknown while most of the jobs left are of rules of which none has ended.
        """
        every = [seconds for some in self.seconds.values() for seconds in some]
        now = time.monotonic()
        # The first few jobs say little about the rest.
        if len(every) < 5 or now <= self.began:
            return None
        rest = self.waiting + Counter(rule for rule, _, _ in self.running.values())
        if 2 * sum(n for rule, n in rest.items() if rule not in self.seconds) > rest.total():
            return None
        usual = sum(every) / len(every)
        means = {rule: sum(some) / len(some) for rule, some in self.seconds.items()}
        work = sum(max(0, n) * means.get(rule, usual) for rule, n in self.waiting.items())
        for rule, _, began in self.running.values():
            work += max(0.0, means.get(rule, usual) - (now - began))
        at_once = max(1.0, sum(every) / (now - self.began))
        return work / at_once

    def line(self) -> str:
        text = f"{self.done} of {self.total} jobs, {_duration(time.monotonic() - self.began)}"
        if self.done < self.total and (left := self.left()) is not None:
            text += f", about {_duration(left)} left"
        if self.running:
            names = [name for _, name, _ in self.running.values()]
            more = f" and {len(names) - 2} more" if len(names) > 2 else ""
            text += f"; running: {', '.join(names[:2])}{more}"
        return text


def unknown(target: str) -> str:
    """What to say of a target that no rule makes."""
    # Snakemake loads this package at every start; the library would slow it down.
    from mnar.commands.list_targets import unknown

    return unknown(target)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
