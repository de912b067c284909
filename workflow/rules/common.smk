# What all rules share: the library on the path, the checked config, and where things lie.
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

WORKFLOW = Path(str(workflow.current_basedir)).parent
sys.path.insert(0, str(WORKFLOW))
# Jobs are processes of their own: they find the library the same way.
os.environ["PYTHONPATH"] = os.pathsep.join([str(WORKFLOW), os.environ.get("PYTHONPATH", "")]).strip(
    os.pathsep
)

from mnar import config as settings
from mnar import experiments, models
from mnar.errors import UserError
from mnar.sources import fingerprint

try:
    settings.check(config)
except UserError as error:
    raise WorkflowError(f"config: {error}")

METHOD_MODULES = [name.replace("-", "_") for name in models.names()]
READERS = [f"mnar.data.readers.{file.stem}" for file in (WORKFLOW / "mnar/data/readers").glob("[a-z]*.py")]
EXPERIMENTS = list(config["experiments"])
GENERATED = [name for name, entry in config["datasets"].items() if "generator" in entry]


wildcard_constraints:
    dataset="|".join(map(re.escape, config["datasets"])),
    view="|".join(map(re.escape, config["views"])),
    protocol="|".join(map(re.escape, config["protocols"])),
    study="|".join(map(re.escape, config["studies"])),
    method="|".join(map(re.escape, config["methods"])),
    experiment="|".join(map(re.escape, EXPERIMENTS)),
    folds=r"\d+-\d+",


def mem_mb(base, per_input_mb):
    """Memory for a rule: a base and so much per MB of input, doubled with each attempt."""

    def amount(wildcards, input, attempt):
        return int((base + per_input_mb * input.size_mb) * 2 ** (attempt - 1))

    return amount


def view_of(wildcards):
    study = config["studies"][wildcards.study]
    return f"results/views/{wildcards.dataset}/{study['view']}.npz"


def splits_of(wildcards):
    study = config["studies"][wildcards.study]
    return f"results/splits/{wildcards.dataset}/{study['view']}/{study['protocol']}.npz"


def runs_of(study, dataset, ending):
    """The score files of all methods of a study on a dataset."""
    return [
        f"results/runs/{study}/{dataset}/{method}/{folds}.{ending}"
        for method in settings.methods(config, study, dataset)
        for folds in settings.batches(config, study, dataset)
    ]
