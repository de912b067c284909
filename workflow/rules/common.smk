# What all rules share: the library on the path, the checked config, and where things lie.
import re
import sys
import threading
from pathlib import Path

from snakemake import benchmark as sampling
from snakemake.exceptions import WorkflowError

WORKFLOW = Path(str(workflow.current_basedir)).parent
sys.path.insert(0, str(WORKFLOW))

from mnar.config import settings
from mnar import experiments, models
from mnar.tuning import search
from mnar.data import places
from mnar.core.errors import UserError
from mnar.core.provenance import fingerprint, share_with_jobs

share_with_jobs()

try:
    settings.check(config)
except UserError as error:
    raise WorkflowError(f"config: {error}")

# Snakemake looks at the memory of each job that runs, every half a second: a third of its own time. What a
# job took at most, and its CPU seconds, are at the end of its log, where nothing is missed.
sampling.BENCHMARK_INTERVAL_SHORT = 5

METHOD_MODULES = [name.replace("-", "_") for name in models.names()]
READERS = [
    f"mnar.data.readers.{file.stem}" for file in (WORKFLOW / "mnar/data/readers").glob("[a-z]*.py")
]
EXPERIMENTS = list(config["experiments"])
PAGES = ["summary", "placed", "paper", *EXPERIMENTS]
GENERATED = [name for name, entry in config["datasets"].items() if "generator" in entry]
QUICK = [name for name, entry in config["datasets"].items() if entry.get("quick")]
# Priority of jobs that others wait for. Those that train have one by their work, those that show by their
# figures: long jobs go first, so that none is waited for at the end.
AWAITED = 1000


wildcard_constraints:
    dataset="|".join(map(re.escape, config["datasets"])),
    view="|".join(map(re.escape, config["views"])),
    protocol="|".join(map(re.escape, config["protocols"])),
    study="|".join(map(re.escape, config["studies"])),
    method="|".join(map(re.escape, config["methods"])),
    experiment="|".join(map(re.escape, EXPERIMENTS)),
    folds=r"\d+-\d+",


def end_timers():
    """Drop Snakemake's timers (max-jobs-per-timespan): it would wait for them before it leaves."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


def code_of(script, *modules):
    """The library code of a rule, looked up for the jobs that there are: not for all, at each start."""

    def code(wildcards):
        return fingerprint(script, *modules)

    return code


def mem_mb(base, per_mb=0, size=None):
    """Memory for a rule: a base and so much per MB of input, doubled with each attempt."""
    amount = runtime(base, per_mb, size)

    def with_snakemake(wildcards, input, attempt):
        # On a cluster, the Snakemake that starts a script runs in the same job, and counts.
        around = 250 if workflow.non_local_exec else 0
        return amount(wildcards, input, attempt) + around

    return with_snakemake


def runtime(base, per_mb=0, size=None):
    """Minutes for a rule, after which a scheduler may end it; computed as its memory."""

    def amount(wildcards, input, attempt):
        start = base(wildcards) if callable(base) else base
        slope = per_mb(wildcards) if callable(per_mb) else per_mb
        megabytes = size(wildcards) if size else input.size_mb
        return int((start + slope * megabytes) * 2 ** (attempt - 1))

    return amount


def threads_by_size(wildcards, input):
    """One thread for every 200 MB of input, up to eight: small jobs gain nothing from more."""
    there = [path for path in map(Path, input) if path.exists()]
    return max(1, min(8, int(sum(path.stat().st_size for path in there) / 200e6)))


def threads_to_retrain(wildcards):
    """One on quick data, where a second core does more good in another job."""
    return 1 if wildcards.dataset in QUICK else 4


def view_of(wildcards):
    return files_of_study(wildcards.study, wildcards.dataset)["view"]


def splits_of(wildcards):
    return files_of_study(wildcards.study, wildcards.dataset)["splits"]


def files_of_study(study, dataset):
    """View, splits and, where a study scores them and the dataset has them, the complete ratings."""
    entry = config["studies"][study]
    view, protocol = entry["view"], settings.protocol_of(config, study, dataset)
    files = {
        "view": f"results/views/{dataset}/{view}.npz",
        "splits": f"results/splits/{dataset}/{view}/{protocol}.npz",
    }
    if "complete" in entry["sets"] and dataset in GENERATED:
        files["complete"] = f"results/complete/{dataset}/{view}.npz"
    return files


def runs_of(study, dataset, ending):
    """The score files of all methods of a study on a dataset."""
    return [
        f"results/runs/{study}/{dataset}/{method}/{folds}.{ending}"
        for method in settings.methods(config, study, dataset)
        for folds in settings.batches(config, study, dataset)
    ]
