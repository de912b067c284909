"""All tables and figures of a paper on one dataset."""

from importlib import import_module
from pathlib import Path

from mnar.core.script import logged
from mnar.experiments import outline
from mnar.reporting.figures import write_figure
from mnar.reporting.results import Results
from mnar.reporting.tables import write_table

with logged(snakemake.log[0]):
    wildcards, params, output = snakemake.wildcards, snakemake.params, snakemake.output
    tables, figures = (
        import_module(f"mnar.experiments.{params.experiment}.{part}")
        for part in ("tables", "figures")
    )
    folder = Path(output.tables[0]).parent
    # Some figures are drawn from tables, which are written by then.
    results = Results(wildcards.dataset, [*snakemake.input, *output.table_forms], params.config)
    for name in outline(params.experiment).tables:
        write_table(getattr(tables, name)(results), folder / name)
        print(f"wrote {name}")
    for name in params.figures:
        write_figure(getattr(figures, name)(results), folder / name)
        print(f"wrote {name}")
