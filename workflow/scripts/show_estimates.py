"""The estimators that a study asks for, with Γ of each two methods, as a table."""

from pathlib import Path

from mnar.core.files import read_csv
from mnar.core.script import logged
from mnar.reporting.estimates_table import estimates_table
from mnar.reporting.table_format import write_table

with logged(snakemake.log[0]):
    study, dataset = snakemake.wildcards.study, snakemake.wildcards.dataset
    table = estimates_table(read_csv(snakemake.input[0]), study, dataset)
    write_table(table, Path(snakemake.output[0]).with_suffix(""))
