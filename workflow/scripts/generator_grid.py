"""Every combination of generator settings: where each measure has its optimum, and who wins."""

from mnar.core.files import atomic
from mnar.core.script import logged
from mnar.simulations.generators.grid import run

with logged(snakemake.log[0]):
    rows = run(snakemake.params.grid, snakemake.params.seed, snakemake.threads)
    with atomic(snakemake.output[0]) as temporary:
        rows.to_csv(temporary, index=False, lineterminator="\n")
    print(f"{len(rows)} generator settings")
