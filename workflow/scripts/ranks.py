"""Ranks of the held-out items at the chosen settings, in every catalogue of a study."""

from mnar import splits
from mnar.analyses.ranks import in_catalogue, ranks_in_fold, renamed, same_catalogue
from mnar.core.files import write_arrays
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.tuning.chosen_models import choices

with logged(snakemake.log[0]):
    params, wildcards, threads = snakemake.params, snakemake.wildcards, snakemake.threads
    methods = {
        name: choices(method, snakemake.input[name]) for name, method in params.methods.items()
    }
    arrays, views = {}, {}
    for catalogue, path in zip(params.catalogues, snakemake.input.catalogues, strict=True):
        view = View.load(path)
        same = next((name for name, other in views.items() if same_catalogue(view, other)), None)
        if same:
            arrays.update(renamed(arrays, same, catalogue))
            continue
        views[catalogue] = view
        for number in range(params.folds):
            fold = in_catalogue(view, splits.load_split(snakemake.input.splits, number))
            seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
            trained = (
                (name, chosen[number].train(fold.train, seed, threads))
                for name, chosen in methods.items()
            )
            arrays.update(ranks_in_fold(fold, trained, f"{catalogue}/{number}", threads))
            print(f"{catalogue}, fold {number}: {view.shape[1]} items")
    write_arrays(snakemake.output[0], arrays)
