# What all rules share: the library on the path, the checked config, and where things lie.
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

WORKFLOW = Path(str(workflow.current_basedir)).parent
sys.path.insert(0, str(WORKFLOW))

from mnar import config as settings
from mnar import experiments, models
from mnar.data import places
from mnar.errors import UserError
from mnar.sources import fingerprint, share_with_jobs

share_with_jobs()

try:
    settings.check(config)
except UserError as error:
    raise WorkflowError(f"config: {error}")

METHOD_MODULES = [name.replace("-", "_") for name in models.names()]
READERS = [
    f"mnar.data.readers.{file.stem}" for file in (WORKFLOW / "mnar/data/readers").glob("[a-z]*.py")
]
EXPERIMENTS = list(config["experiments"])
PAGES = ["summary", "placed", "paper", *EXPERIMENTS]
GENERATED = [name for name, entry in config["datasets"].items() if "generator" in entry]


wildcard_constraints:
    dataset="|".join(map(re.escape, config["datasets"])),
    view="|".join(map(re.escape, config["views"])),
    protocol="|".join(map(re.escape, config["protocols"])),
    study="|".join(map(re.escape, config["studies"])),
    method="|".join(map(re.escape, config["methods"])),
    experiment="|".join(map(re.escape, EXPERIMENTS)),
    folds=r"\d+-\d+",


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


def view_of(wildcards):
    study = config["studies"][wildcards.study]
    return f"results/views/{wildcards.dataset}/{study['view']}.npz"


def splits_of(wildcards):
    view = config["studies"][wildcards.study]["view"]
    protocol = settings.protocol_of(config, wildcards.study, wildcards.dataset)
    return f"results/splits/{wildcards.dataset}/{view}/{protocol}.npz"


def complete_of(wildcards):
    """The complete ratings, where a study scores them and the dataset has them."""
    study = config["studies"][wildcards.study]
    if "complete" not in study["sets"] or wildcards.dataset not in GENERATED:
        return []
    return [f"results/complete/{wildcards.dataset}/{study['view']}.npz"]


def runs_of(study, dataset, ending):
    """The score files of all methods of a study on a dataset."""
    return [
        f"results/runs/{study}/{dataset}/{method}/{folds}.{ending}"
        for method in settings.methods(config, study, dataset)
        for folds in settings.batches(config, study, dataset)
    ]


# data


def folder_of(dataset):
    """Where the files of a dataset lie: with the project if embedded, else beside the run."""
    embedded = config["datasets"][dataset].get("embedded", False)
    return (WORKFLOW.parent if embedded else Path()) / "data" / dataset


def missing_files(dataset):
    """What to say of files that must be placed and are not there; None if nothing is missing."""
    entry = config["datasets"][dataset]
    if dataset in GENERATED:
        return None
    return places.missing_message(dataset, entry, folder_of(dataset))


def files_to_prepare(wildcards):
    """The files to read; the run stops here, before any work, if they must be placed and are not."""
    entry = config["datasets"][wildcards.dataset]
    if "download" in entry:
        return f"results/data/{wildcards.dataset}/download.json"
    message = missing_files(wildcards.dataset)
    if message:
        raise WorkflowError(message)
    return [str(path) for path in places.inputs(entry, folder_of(wildcards.dataset))]


def files_mb(wildcards):
    """The size of the files that are read; of a download, the input is but a note that it is there.

    Above 120 MB rows are sorted on disk, and more of them take no more memory.
    """
    entry = config["datasets"][wildcards.dataset]
    paths = places.inputs(entry, folder_of(wildcards.dataset))
    return min(120, sum(path.stat().st_size for path in paths) / 1e6)


def dataset_entry(wildcards):
    return config["datasets"][wildcards.dataset]


def dataset_relevant(wildcards):
    return config["datasets"][wildcards.dataset]["relevant"]


def dataset_folder(wildcards):
    return str(folder_of(wildcards.dataset))


def one_of(names):
    """A pattern for some names only; for none of them, one that nothing matches."""
    return "|".join(map(re.escape, names)) or "(?!)"


# split


def view_settings(wildcards):
    return settings.view_settings(config, wildcards.dataset, wildcards.view)


def protocol_settings(wildcards):
    return settings.protocol_settings(config, wildcards.dataset, wildcards.protocol)


def protocol_mb(wildcards):
    """Protocols that go by time use a compiled kernel, and its compiler takes the most memory."""
    return 300 if wildcards.protocol in ("last-five", "track1") else 90


def protocol_code(wildcards):
    return fingerprint("split.py", f"mnar.splits.{wildcards.protocol.replace('-', '_')}")


# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def train_mb_per_mb(wildcards):
    """The values per user of all folds of a job are kept until its end."""
    first, last = map(int, wildcards.folds.split("-"))
    return 5.5 * (last - first + 1)


def method_code(wildcards):
    name = config["methods"][wildcards.method].get("module", wildcards.method)
    return fingerprint("train.py", f"mnar.models.{name.replace('-', '_')}")


def scores_of(study, dataset, method):
    """The score files of one method, for all folds."""
    batches = settings.batches(config, study, dataset)
    return [f"results/runs/{study}/{dataset}/{method}/{folds}.csv" for folds in batches]


def scored_inputs(wildcards, methods):
    """View, splits, and by method the scores that tell the chosen settings."""
    files = {"view": view_of(wildcards), "splits": splits_of(wildcards)}
    for method in methods:
        files[method] = scores_of(wildcards.study, wildcards.dataset, method)
    return files


def settings_of(wildcards, methods):
    return {
        method: settings.method_settings(config, wildcards.study, wildcards.dataset, method)
        for method in methods
    }


def curve_inputs(wildcards):
    return scored_inputs(wildcards, config["learning_curve"]["methods"])


def curve_methods(wildcards):
    return settings_of(wildcards, config["learning_curve"]["methods"])


# retrain


METHOD_CODE = [f"mnar.models.{name}" for name in METHOD_MODULES]


LEAST_SQUARES = ["observed-only", "allrank-regression", "dense-svd", "allrank-binary-regression"]
ALTERNATING = [*LEAST_SQUARES, "allrank-binary-logistic"]


def methods_of(wildcards, modules=None):
    """The methods of a study on a dataset; some modules': only those that are made by them."""
    methods = settings.methods(config, wildcards.study, wildcards.dataset)
    return [m for m in methods if not modules or config["methods"][m].get("module", m) in modules]


def chosen_inputs(wildcards):
    return scored_inputs(wildcards, methods_of(wildcards))


def chosen_methods(wildcards):
    return settings_of(wildcards, methods_of(wildcards))


def foldable_inputs(wildcards):
    return scored_inputs(wildcards, methods_of(wildcards, LEAST_SQUARES))


def foldable_methods(wildcards):
    return settings_of(wildcards, methods_of(wildcards, LEAST_SQUARES))


def alternating_inputs(wildcards):
    return scored_inputs(wildcards, methods_of(wildcards, ALTERNATING))


def alternating_methods(wildcards):
    return settings_of(wildcards, methods_of(wildcards, ALTERNATING))


def catalogue_names(wildcards):
    study = config["studies"][wildcards.study]
    return study.get("catalogues", [study["view"]])


def catalogues_of(wildcards):
    names = catalogue_names(wildcards)
    return [f"results/views/{wildcards.dataset}/{name}.npz" for name in names]


def folds_of(wildcards):
    return settings.folds(config, wildcards.study, wildcards.dataset)


def scores_of_method(wildcards):
    return scores_of(wildcards.study, wildcards.dataset, wildcards.method)


# theorems


def theorem_inputs(wildcards):
    """The view that keeps all ratings and, of generated datasets, the truth."""
    files = {
        "compiled": ancient("results/runs/compiled"),
        "view": f"results/views/{wildcards.dataset}/theorems.npz",
    }
    if wildcards.dataset in GENERATED:
        files["truth"] = f"results/data/{wildcards.dataset}/truth.npz"
    return files


def ranking_module():
    """The library module of the method whose ranking is looked at."""
    return f"mnar.models.{config['theorems']['ranking']['method'].replace('-', '_')}"


# generator


GRID_MODULES = [f"mnar.models.{name}" for name in ("allrank_regression", "mf_adg", "mf_auc")]


def generator_settings(wildcards):
    return config["datasets"][wildcards.dataset]["generator"]


# tabulate


def experiment_inputs(experiment, dataset):
    """Everything a paper's tables and figures on a dataset are made from."""
    plan = experiments.outline(experiment)
    extras = plan.extras + (plan.truth_extras if dataset in GENERATED else ())
    files = [extra.format(dataset=dataset) for extra in extras]
    for study in plan.studies:
        files += runs_of(study, dataset, "csv") + runs_of(study, dataset, "npz")
        files.append(f"results/views/{dataset}/{config['studies'][study]['view']}.npz")
    return list(dict.fromkeys(files))


def inputs_of(experiment):
    def inputs(wildcards):
        return experiment_inputs(experiment, wildcards.dataset)

    return inputs


def figure_inputs_of(experiment):
    """As for the tables, and the tables that figures are drawn from."""

    def inputs(wildcards):
        stem = f"results/{experiment}/{wildcards.dataset}"
        tables = [f"{stem}/{name}.csv" for name in experiments.outline(experiment).drawn]
        return experiment_inputs(experiment, wildcards.dataset) + tables

    return inputs


def figure_sets(experiment):
    """The figures that can be drawn -> the datasets that have just what these figures need."""
    plan = experiments.outline(experiment)
    sets = {}
    for dataset in config["datasets"]:
        sets.setdefault(tuple(plan.figures_of(settings.has(config, dataset))), []).append(dataset)
    return sets


def shown_config(experiment):
    """The part of the config that tables and figures speak of."""
    plan = experiments.outline(experiment)
    methods = {m for study in plan.studies for m in config["studies"][study]["methods"]}
    return {
        "seed": config["seed"],
        "generated": GENERATED,
        "studies": {study: config["studies"][study] for study in plan.studies},
        "methods": {method: config["methods"][method] for method in sorted(methods)},
    }


# report


def page_sections(page):
    """The (experiment, dataset) pairs that a page shows."""
    pairs = []
    for experiment in EXPERIMENTS:
        entry = config["experiments"][experiment]
        if page == "summary":
            datasets = entry["datasets"]
        elif page == "placed":
            both = dict.fromkeys(
                [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
            )
            datasets = [dataset for dataset in both if not missing_files(dataset)]
        elif page in ("paper", experiment):
            datasets = entry["paper_datasets"]
        else:
            datasets = []
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_inputs(wildcards):
    return files_of_page(wildcards.page)


def files_of_page(page):
    files = []
    for experiment, dataset in page_sections(page):
        plan = experiments.outline(experiment)
        stem = f"results/{experiment}/{dataset}"
        files += [f"{stem}/{name}.{end}" for name in plan.tables for end in ("md", "csv")]
        figures = plan.figures_of(settings.has(config, dataset))
        files += [f"{stem}/{name}.{end}" for name in figures for end in ("svg", "txt", "csv")]
        files += [f"results/{experiment}/{name}.md" for name in plan.general]
    for experiment in EXPERIMENTS:
        if page in ("paper", experiment):
            names = experiments.outline(experiment).across
            files += [f"results/{experiment}/{name}.md" for name in names]
    return list(dict.fromkeys(files))


def page_sections_of(wildcards):
    return page_sections(wildcards.page)


# claims


def page_name(wildcards):
    """The page that claims are for: the default one has no name in its path."""
    return wildcards.get("page", "summary")


def claims_sections(wildcards):
    return page_sections(page_name(wildcards))


def claims_tables(wildcards):
    """The data of all tables and figures of a page."""
    files = [Path(name) for name in files_of_page(page_name(wildcards))]
    tables = [str(file.with_suffix(".csv")) for file in files if file.suffix in (".csv", ".md")]
    return list(dict.fromkeys(tables))


def claims_of(wildcards):
    stem = "claims" if wildcards.page == "summary" else f"{wildcards.page}.claims"
    return f"results/{stem}.csv"


def stability_of(wildcards):
    """Verdicts of several runs side by side, if somebody has compared them."""
    path = Path("results/claims_stability.csv")
    return str(path) if wildcards.page == "summary" and path.exists() else []
