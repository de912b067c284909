"""One table of a paper, across the paper's datasets."""

from pathlib import Path

import pandas as pd

from mnar.core.files import check_listed, write_checksums
from mnar.core.script import logged
from mnar.reporting.table_format import across, write_table

with logged(snakemake.log[0]):
    check_listed(snakemake.input)
    tables = [path for path in snakemake.input if path.endswith(".csv")]
    parts = pd.concat([pd.read_csv(path) for path in tables], ignore_index=True)
    *forms, checksums = snakemake.output
    write_table(across(parts, snakemake.wildcards.table), Path(forms[0]).with_suffix(""))
    write_checksums(checksums, forms)
