"""One method on some folds: every setting of its grid is scored, and one is chosen on validation."""

import numpy as np

from mnar import splits
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.complete import Complete
from mnar.estimators.of_fold import fold_of
from mnar.matrices.view import View
from mnar.tuning import scores
from mnar.tuning.fold_search import train_fold
from mnar.tuning.search import in_fold

with logged(snakemake.log[0]):
    params, files, wildcards = snakemake.params, snakemake.input, snakemake.wildcards
    view = View.load(files.view)
    complete = Complete.load(files.complete) if files.get("complete") else None
    first, last = map(int, wildcards.folds.split("-"))
    outcomes = {}
    for number in range(first, last + 1):
        # Without the method: all methods of a fold start from the same parameters.
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
        split = splits.load_split(files.splits, number)
        fold = fold_of(view, split)
        if complete is not None:
            evaluated = np.unique(fold.sets["validation"].users)
            fold = fold_of(view, split, complete.matrix(fold.seen, evaluated, seed))
        method = params.method | {"settings": in_fold(params.method["settings"], number)}
        outcome = train_fold(fold, method, params.study, seed, snakemake.threads)
        outcomes[number] = outcome
        tried, chosen = len(outcome.points), outcome.points[outcome.chosen]
        print(f"fold {number}: {tried} settings, chosen {chosen}")
        for point, fault in outcome.faults.items():
            where = f"{wildcards.method} in fold {number} at {outcome.points[point]}"
            print(f"No result: {where}: {fault}.")
    scores.write_scores(snakemake.output.scores, outcomes)
    kept = params.study.get("per_user", "chosen")
    scores.write_user_values(snakemake.output.users, outcomes, kept)
