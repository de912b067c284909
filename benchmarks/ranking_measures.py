"""Evaluation: every measure on full ranks here, against the top 100 of the peers."""

import tempfile
from pathlib import Path

from als import SETTINGS
from contest import OURS, TASKS, Failed, rounds, run
from notes import Notes

# The model to be evaluated: a few sweeps of least squares.
SWEEPS = 3


def measure(data: Path, threads: list[int], repeat: int, task: str = "evaluate") -> Notes:
    """`task`: evaluate (by vectors) or dense (the same scores as a matrix)."""
    notes = Notes()
    ours = []
    failed = set()
    with tempfile.TemporaryDirectory() as folder:
        run(TASKS["als"][0], "als", data, SETTINGS | {"sweeps": SWEEPS}, 1, Path(folder))
        settings = {"factors": SETTINGS["factors"], "model": f"{folder}/{SWEEPS}.npz"}
        for repetition, count, contestant in rounds(TASKS[task], threads, repeat):
            if contestant.name in failed:
                continue
            try:
                found = run(contestant, "evaluate", data, settings, count)
            except Failed as reason:
                failed.add(contestant.name)
                notes.add(contestant.name, failed=str(reason))
                continue
            notes.add(contestant.name, count, repetition, seconds=found["seconds"])
            if (repetition, count) == (0, threads[0]):
                notes.add(contestant.name, **found["quality"])
            if contestant.name == OURS:
                ours.append(found["values"])
    if ours:
        notes.add(OURS, same_bits=all(values == ours[0] for values in ours))
    return notes
