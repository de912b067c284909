"""All figures of a paper on one dataset."""

from importlib import import_module
from pathlib import Path

from mnar.figures import write_figure
from mnar.job import logged
from mnar.results import Results

with logged(snakemake.log[0]):
    experiment = snakemake.params.experiment
    results = Results(snakemake.wildcards.dataset, list(snakemake.input), snakemake.params.config)
    module = import_module(f"mnar.experiments.{experiment}.figures")
    folder = Path(snakemake.output.figures[0]).parent
    for name in snakemake.params.figures:
        write_figure(getattr(module, name)(results), folder / name)
        print(f"wrote {name}")
