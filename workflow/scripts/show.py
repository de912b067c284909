"""All tables and figures of a paper on one dataset."""

from importlib import import_module
from pathlib import Path

from mnar.core.files import write_checksums
from mnar.core.script import logged
from mnar.reporting.faults import marked
from mnar.reporting.figure_format import nothing_to_draw, write_figure
from mnar.reporting.outline import outline
from mnar.reporting.results import Results
from mnar.reporting.table_format import write_table

with logged(snakemake.log[0]):
    params, output, dataset = snakemake.params, snakemake.output, snakemake.wildcards.dataset
    tables, figures = (
        import_module(f"mnar.experiments.{params.experiment}.{part}")
        for part in ("tables", "figures")
    )
    folder, plan = Path(output.tables[0]).parent, outline(params.experiment)
    # Some figures are drawn from tables, which are written by then.
    results = Results(dataset, [*snakemake.input, *output.table_forms], params.config)
    for name in plan.tables:
        write_table(marked(getattr(tables, name)(results), results, plan.studies), folder / name)
        print(f"wrote {name}")
    for name in plan.figures:
        missing = plan.missing(name, params.config["has"])
        if missing:
            figure = nothing_to_draw(f"{dataset} has no {missing}: there is nothing to draw.")
        else:
            figure = getattr(figures, name)(results)
        write_figure(figure, folder / name)
        print(f"wrote {name}")
    write_checksums(output.checksums, [path for path in output if path != output.checksums])
