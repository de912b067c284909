"""All folds of a protocol on a view."""

from mnar import splits
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View

with logged(snakemake.log[0]):
    view = View.load(snakemake.input[0])
    wildcards, settings = snakemake.wildcards, snakemake.params.settings
    seed = seed_of(snakemake.params.seed, wildcards.dataset, wildcards.view, wildcards.protocol)
    folds = splits.all_folds(wildcards.protocol, view, settings, seed)
    splits.save_splits(snakemake.output[0], folds)
