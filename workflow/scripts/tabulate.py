"""All tables of a paper on one dataset."""

from importlib import import_module
from pathlib import Path

from mnar.experiments import outline
from mnar.job import logged
from mnar.results import Results
from mnar.tables import write_table

with logged(snakemake.log[0]):
    experiment = snakemake.params.experiment
    results = Results(snakemake.wildcards.dataset, list(snakemake.input), snakemake.params.config)
    module = import_module(f"mnar.experiments.{experiment}.tables")
    folder = Path(snakemake.output.tables[0]).parent
    for name in outline(experiment).tables:
        write_table(getattr(module, name)(results), folder / name)
        print(f"wrote {name}")
