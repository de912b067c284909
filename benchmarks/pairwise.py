"""Pairwise ranking: positives a second, one thread, and ADG on held-out ratings after as many epochs."""

import tempfile
from pathlib import Path

import numpy as np
from contest import HERE, TASKS, Failed, rounds, run, run_script
from notes import Notes

# `rate` and `lambda` are of this pipeline; peers have their own defaults.
SETTINGS = {"factors": 50, "seed": 1, "rate": 0.05, "lambda": 0.01}
EPOCHS = 20


def measure(data: Path, repeat: int, epochs: int = EPOCHS) -> Notes:
    notes = Notes()
    with np.load(data) as stored:
        positives = len(stored["train_items"])
    settings = SETTINGS | {"epochs": epochs}
    working = []
    for contestant in TASKS["pairwise"]:
        try:
            with tempfile.TemporaryDirectory() as folder:
                run(contestant, "pairwise", data, settings, 1, Path(folder))
                found = run_script([HERE / "quality.py", data, folder, "{}"], 2)
        except Failed as reason:
            notes.add(contestant.name, failed=str(reason))
        else:
            notes.add(contestant.name, adg=found["adg"])
            working.append(contestant)
    for repetition, threads, contestant in rounds(working, [1], repeat):
        found = run(contestant, "pairwise", data, settings, threads)
        speeds = positives / np.diff([0.0, *found["times"]])
        notes.add(
            contestant.name,
            threads,
            repetition,
            positives_a_second=epochs * positives / found["times"][-1],
            first_epoch=float(speeds[0]),
            last_epoch=float(speeds[-1]),
            **found.get("draws", {}),
        )
    return notes
