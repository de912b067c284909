"""What was measured, one value a row."""

from typing import Any


class Notes:
    """Rows of contestant, threads, repetition, quantity, value; threads 0: they do not matter."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(self, contestant: str, threads: int = 0, repetition: int = 0, **values: Any) -> None:
        about = {"contestant": contestant, "threads": threads, "repetition": repetition}
        self.rows += [about | {"quantity": name, "value": value} for name, value in values.items()]
