"""Learning curves of the pairwise methods: scores at checkpoints of one long training run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mnar import measures, models
from mnar.core.declared import Setting, Whole
from mnar.splits.fold import Fold
from mnar.tuning.chosen_study import Analysed, ChosenStudy

MEASURES = ("adg", "atop", "recall@10")
COLUMNS = ("method", "fold", "iterations", "steps", "draws", "measure", "value")
PAIR = ("mf-auc", "mf-adg")


def methods(modules: Mapping[str, str]) -> list[str]:
    """The two methods of lim2015, each in the form that has its module's name."""
    return [name for name in modules if name in PAIR]


@dataclass(frozen=True)
class Rising(Setting):
    """Whole numbers in rising order."""

    @property
    def expected(self) -> str:
        return "a list of whole numbers from 1 up, each larger than the one before"

    def accepts(self, value: Any) -> bool:
        whole = isinstance(value, list) and bool(value) and all(map(ONE.accepts, value))
        return whole and all(a < b for a, b in pairwise(value))


ONE = Whole("checkpoint", "iterations after which is measured")
SETTINGS = (Rising("checkpoints", ONE.meaning), Whole("folds", "how many folds"))


def analyse(study: ChosenStudy, settings: Mapping[str, Any]) -> Analysed:
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
    return Analysed(COLUMNS, rows)


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
        model, test, context = state.model(), fold.sets["test"], fold.contexts["test"]
        fault = models.fault(model)
        if fault is not None:
            # Longer training than that of the search may diverge: there is no value from here on.
            print(f"{module} after {state.iterations} iterations: {fault}.")
        values = measures.evaluate(model, test, fold.seen, MEASURES, context, threads)
        for measure, scores in values.items():
            mean = float(scores.mean("user")) if fault is None else float("nan")
            yield state.iterations, state.steps, state.draws, measure, mean
