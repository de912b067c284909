"""Every combination of generator settings: where each measure has its optimum, and who wins."""

from pathlib import Path

from mnar.core.script import logged
from mnar.reporting.tables import write_table
from mnar.simulations.generators.grid import run, table

with logged(snakemake.log[0]):
    rows = run(snakemake.params.grid, snakemake.params.seed, snakemake.threads)
    write_table(table(rows), Path(snakemake.output[0]).with_suffix(""))
    print(f"{len(rows)} generator settings")
