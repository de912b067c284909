# What jobs are given, from data to training: files, settings, library code.

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


GRID_MODULES = [
    f"mnar.models.{name}"
    for name in (
        "allrank_binary_regression",
        "allrank_regression",
        "bestseller_count",
        "bestseller_count_relevant",
        "bestseller_mean",
        "mf_adg",
        "mf_auc",
        "observed_only",
        "svd",
    )
] + [f"mnar.splits.{name}" for name in ("four_folds", "last_five", "strong")]


def generator_settings(wildcards):
    return config["datasets"][wildcards.dataset]["generator"]
