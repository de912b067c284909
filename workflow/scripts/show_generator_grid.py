"""In how many generator settings each claim about behaviour holds, as a table of pradel2012."""

from pathlib import Path

from mnar.core.files import read_csv
from mnar.core.script import logged
from mnar.experiments.pradel2012.generator_table import generator_table
from mnar.reporting.tables import write_table

with logged(snakemake.log[0]):
    rows = read_csv(snakemake.input[0])
    write_table(generator_table(rows), Path(snakemake.output[0]).with_suffix(""))
