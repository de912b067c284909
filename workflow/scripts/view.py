"""One dataset as an experiment sees it."""

from pathlib import Path

from mnar.densify import make_view
from mnar.job import logged

with logged(snakemake.log[0]):
    view = make_view(Path(snakemake.input.interactions).parent, snakemake.params.settings)
    view.save(snakemake.output[0])
    print(view.facts)
