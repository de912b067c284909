"""One fold with the ids of the data, for models that are trained elsewhere."""

from pathlib import Path

from mnar import splits
from mnar.core.script import logged
from mnar.exchange.export import export_fold
from mnar.matrices.view import View

with logged(snakemake.log[0]):
    wildcards = snakemake.wildcards
    split = splits.load_split(snakemake.input.splits, int(wildcards.fold))
    title = f"{wildcards.study} on {wildcards.dataset}, fold {wildcards.fold}"
    view = View.load(snakemake.input.view)
    export_fold(view, split, Path(snakemake.output.train).parent, title)
