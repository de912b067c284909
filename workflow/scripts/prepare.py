"""The files of a dataset in one tidy form."""

from pathlib import Path

from mnar.core.script import logged
from mnar.data.prepare import prepare

with logged(snakemake.log[0]):
    out = Path(snakemake.output.summary).parent
    params = snakemake.params
    # No parameter: it changes no result, so it reruns nothing.
    offline = snakemake.config["offline"]
    prepare(snakemake.wildcards.dataset, params.entry, Path(params.folder), out, offline)
    print(Path(snakemake.output.summary).read_text(encoding="utf-8"))
