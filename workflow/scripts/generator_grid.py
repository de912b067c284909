"""Every combination of generator settings: where each measure has its optimum, and who wins."""

from mnar.core.files import write_csv
from mnar.core.script import logged
from mnar.simulations.generators.grid import run

with logged(snakemake.log[0]):
    rows = run(snakemake.params.grid, snakemake.params.seed, snakemake.threads)
    write_csv(snakemake.output[0], list(rows.columns), rows.itertuples(index=False))
    print(f"{len(rows)} generator settings")
