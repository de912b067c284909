"""The verdict on every claim, and one page with every table and figure, to be read offline."""

from mnar.claims import entries, evaluation, report
from mnar.core.files import write_text
from mnar.core.script import logged
from mnar.reporting.page import render

with logged(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    page, sections, config = params.page, params.sections, params.config
    claims = evaluation.on_page(entries.load(), sections, page)
    rows = evaluation.Evaluation(snakemake.input, sections, config["datasets"]).rows(claims)
    report.write(rows, output.claims, output.claims_text)
    print(report.summary(rows))
    # Seeds were compared for the default page alone.
    stability = report.stability_files() if page == "summary" else []
    shown = report.read_for_page(output.claims, *stability)
    write_text(output.page, render(page, sections, shown, config, params.versions))
