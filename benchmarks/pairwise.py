"""Pairwise ranking: positives a second, one thread, and ADG on held-out ratings after as many epochs.

Whoever has settings to search gets as many tries as the others, scored on one half of the held-out
ratings, from another seed; the other half tells how good what was chosen is.
"""

import json
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from contest import HERE, TASKS, Contestant, Failed, rounds, run, run_script
from notes import Notes

from mnar.core.files import write_text

SETTINGS = {"factors": 50, "seed": 1}
SEARCH_SEED = 2
Grid = dict[str, list[float]]
GRIDS: dict[str, Grid] = {
    "ours": {"rate": [0.015, 0.02, 0.03], "lambda": [0.1, 0.14, 0.19]},
    "lightfm_peer": {"learning_rate": [0.005, 0.01, 0.02], "alpha": [0, 1e-6, 1e-5]},
}
# With more ratings and fewer epochs a smaller search, of what matters to each.
LARGE_GRIDS: dict[str, Grid] = {
    "ours": {"rate": [0.04], "lambda": [0.09, 0.12, 0.16]},
    "lightfm_peer": {"learning_rate": [0.005, 0.01, 0.02], "alpha": [0]},
}
# By shape: until ADG no longer rises.
EPOCHS = {"s": 30, "movielens-1m": 30, "l": 5, "tiny": 2}


def measure(data: Path, repeat: int) -> Notes:
    notes = Notes()
    with np.load(data) as stored:
        positives = len(stored["train_items"])
    shape = data.stem
    failed = set()
    for repetition, threads, contestant in rounds(TASKS["pairwise"], [1], repeat):
        if contestant.name in failed:
            continue
        try:
            chosen = searched(contestant, shape, data)
            settings = SETTINGS | {"epochs": EPOCHS[shape]} | chosen
            found = train(contestant, data, settings, repetition == 0)
        except Failed as reason:
            failed.add(contestant.name)
            notes.add(contestant.name, failed=str(reason))
            continue
        speeds = positives / np.diff([0.0, *found["times"]])
        notes.add(
            contestant.name,
            threads,
            repetition,
            positives_a_second=EPOCHS[shape] * positives / found["times"][-1],
            first_epoch=float(speeds[0]),
            last_epoch=float(speeds[-1]),
        )
        if repetition == 0:
            notes.add(contestant.name, adg=found["adg"], **chosen, **found.get("draws", {}))
    return notes


def searched(contestant: Contestant, shape: str, data: Path) -> dict[str, Any]:
    """The best settings of a grid by ADG on the searched half; every try is kept in a file."""
    grid = (LARGE_GRIDS if shape == "l" else GRIDS).get(contestant.module)
    if grid is None:
        return {}
    settings = SETTINGS | {"epochs": EPOCHS[shape], "seed": SEARCH_SEED}
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    file = data.parent / f"search-{shape}-{contestant.module}-{contestant.variant}.json"
    tries = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    # Another grid is searched again.
    if [one["settings"] for one in tries] != [settings | point for point in points]:
        tries = []
        for point in points:
            found = train(contestant, data, settings | point, scored=True)
            tries.append({"settings": settings | point, "adg": found["searched_adg"]})
        write_text(file, json.dumps(tries, indent=1) + "\n")
    best = max(tries, key=lambda one: one["adg"])["settings"]
    return {name: best[name] for name in grid}


def train(
    contestant: Contestant, data: Path, settings: dict[str, Any], scored: bool
) -> dict[str, Any]:
    """One training on one thread; if `scored`, with ADG on held-out ratings."""
    with tempfile.TemporaryDirectory() as folder:
        found = run(contestant, "pairwise", data, settings, 1, Path(folder) if scored else None)
        if scored:
            found |= run_script([HERE / "quality.py", data, folder, "{}"], 2)
    return found
