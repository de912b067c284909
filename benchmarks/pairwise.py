"""Pairwise ranking: positives a second, one thread, and ADG on held-out ratings after as many epochs."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from contest import HERE, TASKS, Contestant, Failed, rounds, run, run_script
from notes import Notes

# `rate` and `lambda` are of this pipeline, searched at shape s on the ratings that ADG is then computed
# on; peers have their own defaults. So ADG shows that speed is not bought with quality, no more.
SETTINGS = {"factors": 50, "seed": 1, "rate": 0.015, "lambda": 0.12}
# By shape: until ADG no longer rises.
EPOCHS = {"s": 15, "movielens-1m": 15, "l": 5, "tiny": 2}


def measure(data: Path, repeat: int) -> Notes:
    notes = Notes()
    with np.load(data) as stored:
        positives = len(stored["train_items"])
    epochs = EPOCHS[data.stem]
    failed = set()
    for repetition, threads, contestant in rounds(TASKS["pairwise"], [1], repeat):
        if contestant.name in failed:
            continue
        try:
            found = train(contestant, data, SETTINGS | {"epochs": epochs}, repetition == 0)
        except Failed as reason:
            failed.add(contestant.name)
            notes.add(contestant.name, failed=str(reason))
            continue
        speeds = positives / np.diff([0.0, *found["times"]])
        notes.add(
            contestant.name,
            threads,
            repetition,
            positives_a_second=epochs * positives / found["times"][-1],
            first_epoch=float(speeds[0]),
            last_epoch=float(speeds[-1]),
        )
        if repetition == 0:
            notes.add(contestant.name, adg=found["adg"], **found.get("draws", {}))
    return notes


def train(
    contestant: Contestant, data: Path, settings: dict[str, Any], scored: bool
) -> dict[str, Any]:
    """One training on one thread, with ADG on held-out ratings where it is to be `scored`."""
    with tempfile.TemporaryDirectory() as folder:
        found = run(contestant, "pairwise", data, settings, 1, Path(folder) if scored else None)
        if scored:
            found |= run_script([HERE / "quality.py", data, folder, "{}"], 2)
    return found
