"""Learning curves of the pairwise methods: scores at checkpoints of one long training run."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnar import measures, models
from mnar.core.files import atomic
from mnar.tuning.fold_search import Fold

MEASURES = ("adg", "atop", "recall@10")
COLUMNS = ("method", "fold", "iterations", "steps", "draws", "measure", "value")


def learning_curve(
    fold: Fold,
    module: str,
    settings: dict[str, Any],
    checkpoints: list[int],
    seed: int,
    threads: int,
) -> Iterator[tuple[int, int, int, str, float]]:
    """Iterations, gradient steps and draws so far, measure and its value on test, by users."""
    method = models.load(module)
    state = method.start(fold.train, settings, seed)
    for checkpoint in sorted(checkpoints):
        method.advance(state, settings, checkpoint - state.iterations)
        values = measures.evaluate(
            state.model(),
            fold.sets["test"],
            fold.seen,
            MEASURES,
            fold.contexts["test"],
            threads,
        )
        for measure, scores in values.items():
            mean = float(scores.mean("user"))
            yield state.iterations, state.steps, state.draws, measure, mean


def write_curves(path: str | Path, rows: list[tuple]) -> None:
    with atomic(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
