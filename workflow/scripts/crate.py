"""A finished run as one zip that archives understand."""

from pathlib import Path

from mnar.core.files import check_listed
from mnar.core.script import logged
from mnar.reporting import crate

with logged(snakemake.log[0]):
    check_listed(snakemake.input)
    params = snakemake.params
    crate.write(
        snakemake.output[0], snakemake.input, Path(params.project), params.config, params.versions
    )
