"""Train and score methods on some folds: every setting of their grids, chosen on validation."""

import numpy as np

from mnar import splits
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.complete import Complete
from mnar.matrices.view import View
from mnar.tuning import scores as runs
from mnar.tuning.fold_search import Fold, train_fold

with logged(snakemake.log[0]):
    params, given, output = snakemake.params, snakemake.input, snakemake.output
    dataset = snakemake.wildcards.dataset
    files = zip(output.scores, output.users, strict=True)
    for study in params.studies:
        name, settings = study["name"], study["settings"]
        view = View.load(given[f"view of {name}"])
        place = given.get(f"complete of {name}")
        complete = Complete.load(place) if place else None
        first, last = study["folds"]
        outcomes = {method: {} for method in study["methods"]}
        for fold in range(first, last + 1):
            # The method is not part of the seed: all methods of a fold start from the same parameters.
            seed = seed_of(params.seed, dataset, name, fold)
            split = splits.load_split(given[f"splits of {name}"], fold)
            parts = Fold.of(view, split)
            if complete is not None:
                evaluated = np.unique(parts.sets["validation"].users)
                parts = Fold.of(view, split, complete.matrix(parts.seen, evaluated, seed))
            for method, search in study["methods"].items():
                outcome = train_fold(parts, search, settings, seed, snakemake.threads)
                outcomes[method][fold] = outcome
                tried, chosen = len(outcome.points), outcome.points[outcome.chosen]
                print(f"{name}, {method}, fold {fold}: {tried} settings, chosen {chosen}")
        kept = settings.get("per_user", "chosen")
        for by_fold in outcomes.values():
            scores, users = next(files)
            runs.write_scores(scores, by_fold)
            runs.write_user_values(users, by_fold, kept)
