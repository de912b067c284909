"""Scores of MF-AUC and MF-ADG while they train, well past the paper's number of iterations."""

from mnar import splits
from mnar.analyses.learning_curve import learning_curve, write_curves
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.tuning.chosen_models import chosen_settings
from mnar.tuning.fold_search import Fold

with logged(snakemake.log[0]):
    params, wildcards = snakemake.params, snakemake.wildcards
    view = View.load(snakemake.input.view)
    rows = []
    for number in range(params.curve["folds"]):
        fold = Fold.of(view, splits.load_split(snakemake.input.splits, number))
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
        for name, method in params.methods.items():
            chosen = chosen_settings(snakemake.input[name])[number]
            settings = {**method["settings"], **chosen}
            points = params.curve["checkpoints"]
            curve = learning_curve(
                fold, method["module"], settings, points, seed, snakemake.threads
            )
            rows += [(name, number, *point) for point in curve]
            print(f"fold {number}: {name} at {chosen}")
    write_curves(snakemake.output[0], rows)
