"""Learning curves of the pairwise methods: scores at checkpoints of one long training run."""

from collections.abc import Iterator, Mapping
from typing import Any

from mnar import measures, models
from mnar.splits.fold import Fold
from mnar.tuning.chosen_study import ChosenStudy, Findings

MEASURES = ("adg", "atop", "recall@10")
COLUMNS = ("method", "fold", "iterations", "steps", "draws", "measure", "value")


PAIR = ("mf-auc", "mf-adg")


def methods(modules: Mapping[str, str]) -> list[str]:
    """The two methods of lim2015, each in the form that has its module's name."""
    return [name for name in modules if name in PAIR]


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Findings:
    """Curves at the chosen settings, on the first folds."""
    rows = []
    for number in range(min(settings["folds"], study.folds)):
        fold, seed = study.fold(number), study.fold_seed(number)
        for name, chosen in study.methods.items():
            choice, points = chosen[number], settings["checkpoints"]
            curve = learning_curve(
                fold, choice.module, choice.settings, points, seed, study.threads
            )
            rows += [(name, number, *point) for point in curve]
            print(f"fold {number}: {name} at {choice.settings}")
    return Findings(COLUMNS, rows)


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
