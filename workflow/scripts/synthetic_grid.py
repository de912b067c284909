"""Every combination of generator settings: where each measure has its optimum, and who wins."""

from pathlib import Path

from mnar.experiments.pradel2012.synthetic_grid import run, table
from mnar.job import logged
from mnar.tables import write_table

with logged(snakemake.log[0]):
    rows = run(snakemake.params.grid, snakemake.params.seed, snakemake.threads)
    write_table(table(rows), Path(snakemake.output[0]).with_suffix(""))
    print(f"{len(rows)} generator settings")
