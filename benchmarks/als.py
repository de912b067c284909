"""Least squares: seconds until the objective is within 0.5 % of the converged one.

First the objective after each sweep of everybody, which is the first repetition on most threads;
then as many sweeps as each needs. The clock is held while vectors are kept. Time counts from the
matrix of users × items in hand: to transpose it is part of it.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from contest import HERE, OURS, TASKS, Contestant, Failed, rounds, run, run_script
from notes import Notes

# All start from random vectors of about the same size: implicit and LensKit 0.01, irspack 0.014.
SETTINGS = {"factors": 50, "missing_weight": 0.1, "ridge": 10.0, "start": 0.01, "seed": 1}
CLOSE = 1.005
# Sweeps in which everybody must come close; on large data, and with many factors, the objective hardly
# moves after as many.
SWEEPS = {"l": 12, "s@256": 12}
MOST_SWEEPS = 30
REFERENCE = f"{OURS}, float64"


def sweeps_at(shape: str) -> int:
    return SWEEPS.get(shape, MOST_SWEEPS)


def measure(
    data: Path, threads: list[int], repeat: int, sweeps: int, factors: int | None = None
) -> Notes:
    notes = Notes()
    curves = {}
    settings = SETTINGS | ({"factors": factors} if factors else {})
    for contestant in TASKS["als"]:
        try:
            curves[contestant.name] = curve(contestant, data, settings, max(threads), sweeps)
        except Failed as reason:
            notes.add(contestant.name, failed=str(reason))
    converged = min(curves[REFERENCE]["objective"])
    needed = {}
    for name, found in curves.items():
        objectives = np.array(found["objective"]) / converged
        close = np.flatnonzero(objectives <= CLOSE)
        needed[name] = int(close[0]) + 1 if len(close) else None
        notes.add(name, sweeps=needed[name] or f"more than {sweeps}", adg=found["adg"])
        notes.add(name, last_objective=float(objectives[-1]))
    timed = [contestant for contestant in TASKS["als"] if contestant.name in needed]
    digests = set()
    for repetition, count, contestant in rounds(timed, threads, repeat):
        wanted = needed[contestant.name]
        if repetition == 0 and count == max(threads):
            found = curves[contestant.name]
        else:
            # Three at least, so that there are sweeps after the first to be averaged.
            given = settings | {"sweeps": max(wanted or 3, 3)}
            found = run(contestant, "als", data, given, count)
        sweep_seconds = float(np.diff(found["times"]).mean())
        notes.add(contestant.name, count, repetition, seconds_a_sweep=sweep_seconds)
        if wanted:
            notes.add(contestant.name, count, repetition, seconds=found["times"][wanted - 1])
        if contestant.name == OURS:
            digests.add(found["digests"][(wanted or 3) - 1])
    notes.add(OURS, same_bits=len(digests) == 1)
    return notes


def curve(
    contestant: Contestant, data: Path, settings: dict[str, Any], threads: int, sweeps: int
) -> dict[str, Any]:
    """The objective after each sweep, and ADG on held-out ratings after the last."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings | {"sweeps": sweeps}
        found = run(contestant, "als", data, settings, threads, Path(folder))
        command = [HERE / "quality.py", data, folder, json.dumps(settings)]
        return found | run_script(command, threads)
