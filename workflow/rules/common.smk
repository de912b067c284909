# Shared by all rules: the checked config, patterns of names, and the needs of a job.
import os
import re
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    import mnar
    from mnar import analyses, measures, simulations, splits
    from mnar.config import checking, needs, paths, settings
    from mnar.core.errors import UserError
    from mnar.claims import entries
    from mnar.claims.made_by import made_by
    from mnar.claims.verdict_files import stability_files
    from mnar.core.provenance import fingerprint
    from mnar.data import locations
    from mnar.estimators import estimator_names as estimators
    from mnar.reporting import crate
    from mnar.reporting.outline import (
        check_studies,
        fitting_inputs,
        outline,
        page_files,
        page_modules,
        page_sections,
        shown_modules,
    )
    from mnar.reporting.published_numbers import published_files
    from mnar.reporting.run_facts import TITLES, recorded_files, template_files, versions
    from mnar.simulations import generators
    from mnar.simulations.generators import grid_settings
except ModuleNotFoundError as error:
    raise WorkflowError(f"{error}: run `make setup`, or install this project with pip.")

WORKFLOW = Path(str(workflow.current_basedir)).parent
if Path(mnar.__file__).parents[1] != WORKFLOW and (WORKFLOW / "mnar").is_dir():
    raise WorkflowError(
        f"The library was imported from {Path(mnar.__file__).parent}, not from this project: "
        "run `make setup` here, or activate this project's environment."
    )

try:
    checking.check(config)
    analyses.check(config["analyses"])
    grid_settings.check(config["synthetic_grid"])
    check_studies(config)
except UserError as error:
    raise WorkflowError(f"config: {error}")

EXPERIMENTS = list(config["experiments"])
# The default one first.
PAGES = [*TITLES, *EXPERIMENTS]
GENERATED = [name for name, entry in config["datasets"].items() if "generator" in entry]


def one_of(names):
    """A pattern for these names only; for no names, a pattern that matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    dataset=one_of(config["datasets"]),
    view=one_of(config["views"]),
    protocol=one_of(config["protocols"]),
    study=one_of(config["studies"]),
    method=one_of(config["methods"]),
    analysis=one_of(analyses.names()),
    simulation=one_of(simulations.names()),
    experiment=one_of(EXPERIMENTS),
    folds=r"\d+-\d+",
    fold=r"\d+",


def code_of(script, *modules, files=()):
    """A hash of the script and the library files that it uses."""

    def code(wildcards):
        return fingerprint(script, *modules, files=files)

    return code


def mem_mb(base, per_mb=0, size=None):
    """Memory of a job (see `growing`)."""
    amount = growing(base, per_mb, size)

    def with_snakemake(wildcards, input, attempt):
        # On a cluster, the Snakemake that starts the script runs in the same job. It takes about
        # 280 MB, and twice that for a moment, since a scheduler counts its fork as a second one.
        around = 550 if workflow.non_local_exec else 0
        return amount(wildcards, input, attempt) + around

    return with_snakemake


def growing(base, per_mb=0, size=None):
    """A base and an amount per MB of input, doubled with each attempt."""

    def amount(wildcards, input, attempt):
        start = base(wildcards, input) if callable(base) else base
        slope = per_mb(wildcards) if callable(per_mb) else per_mb
        megabytes = size(wildcards) if size else input.size_mb
        return int((start + slope * megabytes) * 2 ** (attempt - 1))

    return amount


# Minutes after which a scheduler may end a job.
runtime = growing


def threads_of_dataset(wildcards):
    """One thread on quick data, where a second core helps another job more."""
    return 1 if config["datasets"][wildcards.dataset].get("quick") else 4


def folder_of(dataset):
    """The folder of a dataset's files: the project's if embedded, else the run's."""
    embedded = config["datasets"][dataset].get("embedded", False)
    # Relative, so that a moved project reruns nothing.
    return Path(os.path.relpath(WORKFLOW.parent) if embedded else "") / "data" / dataset


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def module_of(method):
    """The library module (or the user's own file) that a method of the config is made of."""
    return settings.module_of(config, method)
