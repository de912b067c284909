"""A synthetic dataset, with its complete truth beside it."""

from pathlib import Path

from mnar.core.script import logged
from mnar.data.synthetic import Settings, generate, write

with logged(snakemake.log[0]):
    settings = Settings.from_config(snakemake.params.settings)
    write(generate(settings), Path(snakemake.output.summary).parent)
    print(Path(snakemake.output.summary).read_text(encoding="utf-8"))
