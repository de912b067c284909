"""One table of a paper, across the paper's datasets."""

from pathlib import Path

import pandas as pd

from mnar.core.script import logged
from mnar.reporting.tables import across, write_table

with logged(snakemake.log[0]):
    parts = pd.concat([pd.read_csv(path) for path in snakemake.input], ignore_index=True)
    write_table(across(parts, snakemake.wildcards.table), Path(snakemake.output[0]).with_suffix(""))
