# What jobs are given (files, settings, library code): data, splits, theorems, generator.

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


# Protocols that go by time use a compiled kernel, and its compiler takes the most memory.
BY_TIME = ("last-five", "track1")


def protocol_mb(wildcards):
    return 300 if wildcards.protocol in BY_TIME else 90


def protocol_code(wildcards):
    return fingerprint("split.py", f"mnar.splits.{wildcards.protocol.replace('-', '_')}")


def splitting_rules():
    """Name, views, (view, protocol) pairs and datasets of every rule that makes all of a paper's at once.

    On quick data: there, the start of a job takes longer than what it does.
    """
    made = set()
    for experiment in EXPERIMENTS:
        names = experiments.outline(experiment).studies
        studies = {name: config["studies"][name] for name in names}
        used = [
            v for study in studies.values() for v in [study["view"], *study.get("catalogues", [])]
        ]
        groups = {}
        for dataset in QUICK:
            # Of those that papers share, the first has them made.
            views = [view for view in dict.fromkeys(used) if (dataset, view) not in made]
            made.update((dataset, view) for view in views)
            pairs = [
                (study["view"], settings.protocol_of(config, name, dataset))
                for name, study in studies.items()
                if study["view"] in views
            ]
            groups.setdefault((tuple(views), tuple(dict.fromkeys(pairs))), []).append(dataset)
        for number, ((views, pairs), datasets) in enumerate(groups.items()):
            if pairs:
                name = f"split_{experiment}_{number}" if number else f"split_{experiment}"
                yield name, views, pairs, one_of(datasets)


def settings_of_views(views):
    def by_view(wildcards):
        return [settings.view_settings(config, wildcards.dataset, view) for view in views]

    return by_view


def settings_of_splits(pairs):
    """View, protocol and its settings of each pair."""

    def by_pair(wildcards):
        return [
            (view, protocol, settings.protocol_settings(config, wildcards.dataset, protocol))
            for view, protocol in pairs
        ]

    return by_pair


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
