"""What happens to lines that cannot be read: named, counted, and no more of them than allowed."""

from mnar.core.errors import UserError
from mnar.data.sources import Source


class BadLines:
    """Counts the bad lines of a dataset; the first one is kept for the message."""

    def __init__(self, allowed: float) -> None:
        self.allowed = allowed
        self.count = 0
        self.good = 0
        self._first = ""

    def report(self, source: Source, where: str, content: str, why: str) -> None:
        if len(content) > 200:
            content = content[:200] + "…"
        message = f"{source}, {where}: {why}" + (f", in {content!r}" if content else "")
        if not self.allowed:
            raise UserError(
                f"{message}; mend the file, or allow a share of bad lines (`bad_lines`)."
            )
        self.count += 1
        self._first = self._first or message

    def finish(self) -> None:
        """To be called when all is read; `good` is counted by the readers."""
        lines = self.good + self.count
        if self.count > self.allowed * lines:
            raise UserError(
                f"{self.count:,} of {lines:,} lines are bad, a share of {self.allowed:g} is "
                f"allowed (`bad_lines`); the first is {self._first}."
            )
