"""One dataset as an experiment sees it."""

from pathlib import Path

from mnar.core.script import logged
from mnar.data.densify import make_view

with logged(snakemake.log[0]):
    view = make_view(Path(snakemake.input.interactions).parent, snakemake.params.settings)
    view.save(snakemake.output[0])
    print(view.facts)
