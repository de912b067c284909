"""Scores of MF-AUC and MF-ADG while they train, well past the paper's number of iterations."""

from mnar import splits
from mnar.chosen_models import chosen_settings
from mnar.curves import learning_curve, write_curves
from mnar.job import logged
from mnar.seeds import seed_of
from mnar.training import Fold
from mnar.view import View

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
