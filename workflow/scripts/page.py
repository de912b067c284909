"""One page with every table and figure, to be read offline."""

from mnar.files import write_text
from mnar.job import logged
from mnar.page import render

with logged(snakemake.log[0]):
    params = snakemake.params
    text = render(snakemake.wildcards.page, params.sections, params.config, params.template)
    write_text(snakemake.output[0], text)
