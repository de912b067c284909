"""One model at the setting that was chosen in a fold, with the ids of its users and items."""

from mnar import splits
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import StoredModel, choices

with logged(snakemake.log[0]):
    params, wildcards = snakemake.params, snakemake.wildcards
    view = View.load(snakemake.input.view)
    number = int(wildcards.fold)
    fold = Fold.of(view, splits.load_split(snakemake.input.splits, number))
    choice = choices(params.method, snakemake.input.scores)[number]
    seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
    model = choice.train(fold.train, seed, snakemake.threads)
    relevant_from = float(view.facts["relevant_from"])
    StoredModel(model, choice, view.user_ids, view.item_ids, relevant_from).save(
        snakemake.output[0]
    )
    print(choice)
