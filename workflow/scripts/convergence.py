"""The objective after each sweep at the chosen settings, on the first fold of a study."""

from mnar import splits
from mnar.analyses.convergence import objectives, operations, write_convergence
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.tuning.chosen_models import choices
from mnar.tuning.fold_search import Fold

with logged(snakemake.log[0]):
    params, wildcards = snakemake.params, snakemake.wildcards
    fold = Fold.of(View.load(snakemake.input.view), splits.load_split(snakemake.input.splits, 0))
    seed = seed_of(params.seed, wildcards.dataset, wildcards.study, 0)
    rows = []
    for name, method in params.methods.items():
        choice = choices(method, snakemake.input[name])[0]
        work = operations(choice, fold.train)
        curve = objectives(choice, fold.train, seed, snakemake.threads)
        rows += [(name, sweep, value, work) for sweep, value in enumerate(curve, start=1)]
        print(f"{name}: {rows[-1]}")
    write_convergence(snakemake.output[0], rows)
