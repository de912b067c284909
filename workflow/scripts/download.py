"""The download of a dataset: fetched once, or found in its folder with the right checksum."""

from pathlib import Path

from mnar.data.download import fetch
from mnar.files import write_json
from mnar.job import logged

with logged(snakemake.log[0]):
    params = snakemake.params
    facts = fetch(params.download, Path(params.folder), params.offline)
    write_json(snakemake.output[0], facts)
