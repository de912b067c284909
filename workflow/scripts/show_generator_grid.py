"""In how many generator settings each claim about behaviour holds, as a table of pradel2012."""

from pathlib import Path

from mnar.core.files import read_csv, write_checksums
from mnar.core.script import logged
from mnar.experiments.pradel2012.generator_table import generator_table
from mnar.reporting.table_format import write_table

with logged(snakemake.log[0]):
    rows = read_csv(snakemake.input[0])
    *forms, checksums = snakemake.output
    write_table(generator_table(rows), Path(forms[0]).with_suffix(""))
    write_checksums(checksums, forms)
