"""The verdict on every claim, and one page with every table and figure, to be read offline."""

from mnar.claims import entries, page_verdicts, verdict_files
from mnar.core.files import check_listed, write_text
from mnar.core.script import logged
from mnar.reporting.page import render
from mnar.reporting.run_facts import SUMMARY

with logged(snakemake.log[0]):
    check_listed(snakemake.input)
    params, output = snakemake.params, snakemake.output
    page, sections, config = params.page, params.sections, params.config
    claims = page_verdicts.on_page(entries.load(), sections, page)
    rows = page_verdicts.PageVerdicts(snakemake.input, sections, config["datasets"]).rows(claims)
    verdict_files.write(rows, output.claims, output.claims_text)
    print(verdict_files.summary(rows))
    # Seeds were compared for the default page alone.
    stability = verdict_files.stability_files() if page == SUMMARY else []
    shown = verdict_files.read_for_page(output.claims, *stability, made_by=params.made_by)
    write_text(output.page, render(page, sections, shown, config, params.versions))
