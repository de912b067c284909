"""Users and items left out of training and folded in, against the model trained on all."""

from mnar import splits
from mnar.analyses.fold_in_loss import folding_scores, write_folding
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.tuning.chosen_models import choices
from mnar.tuning.fold_search import Fold

with logged(snakemake.log[0]):
    params, wildcards = snakemake.params, snakemake.wildcards
    view = View.load(snakemake.input.view)
    methods = {
        name: choices(method, snakemake.input[name]) for name, method in params.methods.items()
    }
    rows = []
    for number in range(params.folds):
        fold = Fold.of(view, splits.load_split(snakemake.input.splits, number))
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
        for name, chosen in methods.items():
            scores = folding_scores(fold, chosen[number], seed, snakemake.threads)
            rows += [(name, number, *score) for score in scores]
            print(f"fold {number}: {name}")
    write_folding(snakemake.output[0], rows)
