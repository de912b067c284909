"""Estimators × datasets: the one figure of experiment trust."""

from pathlib import Path

import pandas as pd

from mnar.core.files import read_csv
from mnar.core.script import logged
from mnar.experiments.trust.across import across_figure
from mnar.reporting.figure_format import write_figure

with logged(snakemake.log[0]):
    summaries = pd.concat([read_csv(path) for path in snakemake.input], ignore_index=True)
    write_figure(across_figure(summaries), Path(snakemake.output[0]).with_suffix(""))
