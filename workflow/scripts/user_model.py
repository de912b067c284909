"""The user model of pradel2012 section 3 on the items of a generated dataset."""

from pathlib import Path

from mnar.experiments.pradel2012.user_model import draw, sweep
from mnar.figures import write_figure
from mnar.job import logged

with logged(snakemake.log[0]):
    rows = sweep(snakemake.params.generator)
    stem = Path(snakemake.output[0]).with_suffix("")
    write_figure(draw(rows, snakemake.wildcards.dataset), stem)
    print(f"{len(rows)} rankings compared with the true one")
