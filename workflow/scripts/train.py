"""Train and score methods on some folds: every setting of their grids, chosen on validation."""

import numpy as np

from mnar import runs, splits
from mnar.complete import Complete
from mnar.job import logged
from mnar.seeds import seed_of
from mnar.training import Fold, train_fold
from mnar.view import View

with logged(snakemake.log[0]):
    wildcards, params = snakemake.wildcards, snakemake.params
    view = View.load(snakemake.input.view)
    complete = Complete.load(snakemake.input.complete[0]) if snakemake.input.complete else None
    first, last = map(int, wildcards.folds.split("-"))
    outcomes = {method: {} for method in params.methods}
    for fold in range(first, last + 1):
        # The method is not part of the seed: all methods of a fold start from the same parameters.
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, fold)
        split = splits.load_split(snakemake.input.splits, fold)
        parts = Fold.of(view, split)
        if complete is not None:
            evaluated = np.unique(parts.sets["validation"].users)
            parts = Fold.of(view, split, complete.matrix(parts.seen, evaluated, seed))
        for method, settings in params.methods.items():
            outcome = train_fold(parts, settings, params.study, seed, snakemake.threads)
            outcomes[method][fold] = outcome
            chosen = outcome.points[outcome.chosen]
            print(f"{method}, fold {fold}: {len(outcome.points)} settings, chosen {chosen}")
    kept = params.study.get("per_user", "chosen")
    files = zip(snakemake.output.scores, snakemake.output.users, strict=True)
    for by_fold, (scores, users) in zip(outcomes.values(), files, strict=True):
        runs.write_scores(scores, by_fold)
        runs.write_user_values(users, by_fold, kept)
