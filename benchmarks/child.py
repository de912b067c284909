"""One measurement of one contestant, in a process of its own. Prints one line of JSON.

    python benchmarks/child.py <contestant> <variant> <task> <job.json>

A contestant is a file in contestants/ with a function for each task it can do; this file and those
of the peers need numpy and scipy alone, for they run in the peers' environments. A variant is the
name of a solver or loss of the contestant ("-" where it has one only).
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
from clock import Clock, peak_gb
from scipy.sparse import csr_matrix

# 2 GB of dense scores.
MOST_CELLS = 1 << 30


class Job:
    """The task, its data, and the folder of its results."""

    def __init__(self, facts: dict) -> None:
        self.threads: int = facts["threads"]
        self.settings: dict = facts["settings"]
        self.keep = Path(facts["keep"]) if facts.get("keep") else None
        self.clock = Clock()
        self.times: list[float] = []
        with np.load(facts["data"]) as stored:
            self.arrays = dict(stored)
        self.n_items = int(self.arrays["n_items"])

    def part(self, name: str) -> csr_matrix:
        """The training or held-out ratings, all of value 1."""
        indptr, items = self.arrays[f"{name}_indptr"], self.arrays[f"{name}_items"]
        ones = np.ones(len(items), np.float32)
        shape = (len(indptr) - 1, self.n_items)
        return csr_matrix((ones, items, indptr.astype(np.int32)), shape=shape)

    def model(self) -> tuple[np.ndarray, np.ndarray]:
        """User and item vectors of a trained model, to be evaluated."""
        with np.load(self.settings["model"]) as stored:
            return stored["user_vectors"], stored["item_vectors"]

    def dense(self) -> np.ndarray:
        """The scores of that model for all users and items, where they fit into memory."""
        users, items = self.model()
        if len(users) * len(items) > MOST_CELLS:
            raise MemoryError(f"{len(users)} × {len(items)} dense scores are too many")
        return users @ items.T

    def lap(self, parameters: Callable[[], tuple[np.ndarray, ...]]) -> None:
        """Called after each sweep or epoch: notes the time; keeps the model if it is wanted.

        `parameters` gives user vectors, item vectors and, where there is one, the item bias; it is
        called when the clock does not run.
        """
        self.note(self.clock.hold(), parameters)
        self.clock.go()

    def note(self, seconds: float, parameters: Callable[[], tuple[np.ndarray, ...]]) -> None:
        """As `lap`, for who measures the seconds up to this sweep by itself."""
        self.times.append(seconds)
        if self.keep:
            users, items, *bias = parameters()
            np.savez(
                self.keep / f"{len(self.times)}.npz",
                user_vectors=np.ascontiguousarray(users, np.float32),
                item_vectors=np.ascontiguousarray(items, np.float32),
                item_bias=np.ascontiguousarray(
                    bias[0] if bias else np.zeros(len(items)), np.float32
                ),
            )


def main() -> None:
    contestant, variant, task, job_file = sys.argv[1:]
    job = Job(json.loads(Path(job_file).read_text(encoding="utf-8")))
    found = getattr(import_module(f"contestants.{contestant}"), task)(job, variant) or {}
    print(json.dumps({"times": job.times, "peak_gb": peak_gb(), **found}))


if __name__ == "__main__":
    main()
