"""The verdict on every claim, from the tables of a page."""

from pathlib import Path

from mnar.claims import entries, evaluation, report
from mnar.job import logged

with logged(snakemake.log[0]):
    params = snakemake.params
    claims = evaluation.on_page(entries.load(snakemake.input.claims), params.sections, params.page)
    rows = evaluation.Evaluation(Path("results"), params.sections, params.datasets).rows(claims)
    report.write(rows, snakemake.output.csv, snakemake.output.markdown)
    print(report.summary(rows))
