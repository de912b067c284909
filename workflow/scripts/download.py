"""The download of a dataset: fetched once, or found in its folder with the right checksum."""

from pathlib import Path

from mnar.core.files import write_json
from mnar.core.script import logged
from mnar.data.download import obtain
from mnar.data.sources import sha256

with logged(snakemake.log[0], keep_stderr=True):
    params = snakemake.params
    # No parameter: it changes no result, so it reruns nothing.
    offline = snakemake.config["offline"]
    path = obtain(snakemake.wildcards.dataset, params.entry, Path(params.folder), offline)
    write_json(snakemake.output[0], {"file": path.name, "sha256": sha256(path)})
