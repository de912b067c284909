"""Train and score one method on some folds: every setting of its grid, chosen on validation."""

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
    outcomes = {}
    for fold in range(first, last + 1):
        # The method is not part of the seed: all methods of a fold start from the same parameters.
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, fold)
        split = splits.load_split(snakemake.input.splits, fold)
        parts = Fold.of(view, split)
        if complete is not None:
            evaluated = np.unique(parts.sets["validation"].users)
            parts = Fold.of(view, split, complete.matrix(parts.seen, evaluated, seed))
        outcomes[fold] = train_fold(parts, params.method, params.study, seed, snakemake.threads)
        chosen = outcomes[fold].points[outcomes[fold].chosen]
        print(f"fold {fold}: {len(outcomes[fold].points)} settings tried, chosen {chosen}")
    runs.write_scores(snakemake.output.scores, outcomes)
    runs.write_user_values(snakemake.output.users, outcomes, params.study.get("per_user", "chosen"))
