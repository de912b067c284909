"""One fold of experiment trust with the ids of the data, for systems that are trained elsewhere."""

from pathlib import Path

from mnar import splits
from mnar.core.script import logged
from mnar.exchange.export import export_fold
from mnar.matrices.view import View

with logged(snakemake.log[0]):
    wildcards, params = snakemake.wildcards, snakemake.params
    view = View.load(snakemake.input.view)
    split = splits.split("selected", view, params.protocol, int(wildcards.fold), params.seed)
    title = f"trust on {wildcards.dataset}, fold {wildcards.fold}"
    export_fold(view, split, Path(snakemake.output.train).parent, title)
