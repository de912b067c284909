"""One page with every table and figure, to be read offline."""

from mnar.claims.report import read_for_page
from mnar.files import write_text
from mnar.job import logged
from mnar.page import render

with logged(snakemake.log[0]):
    params = snakemake.params
    claims = read_for_page(snakemake.input.claims, snakemake.input.stability)
    page = snakemake.wildcards.page
    text = render(page, params.sections, claims, params.config, params.template)
    write_text(snakemake.output[0], text)
