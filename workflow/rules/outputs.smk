# What tables, figures, claims and pages are made from.

# show


# Memory that what a paper shows takes: at least, and per MB of input (tests/cluster/needs.py).
SHOW_MB = {
    "lim2015": (460, 2),
    "steck2010": (600, 4),
    "kddcup2011": (520, 8),
    "pradel2012": (460, 2),
    "theorems": (460, 2),
}


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


def page_name(wildcards):
    """The page that is made: the default one has no name in its rule."""
    return wildcards.get("page", "summary")


def page_sections_of(wildcards):
    return page_sections(page_name(wildcards))


def page_inputs(wildcards):
    """All tables and figures of a page, and the data behind them, by which claims are judged."""
    page = page_name(wildcards)
    files = []
    for experiment, dataset in page_sections(page):
        plan = experiments.outline(experiment)
        stem = f"results/{experiment}/{dataset}"
        files += [f"{stem}/{name}.{end}" for name in plan.tables for end in ("md", "csv")]
        figures = plan.figures_of(settings.has(config, dataset))
        files += [f"{stem}/{name}.{end}" for name in figures for end in ("svg", "txt", "csv")]
        files += [f"results/{experiment}/{n}.{end}" for n in plan.general for end in ("md", "csv")]
    for experiment in EXPERIMENTS:
        if page in ("paper", experiment):
            names = experiments.outline(experiment).across
            files += [f"results/{experiment}/{n}.{end}" for n in names for end in ("md", "csv")]
    return list(dict.fromkeys(files))


def stability_of(wildcards):
    """Verdicts of the default run with several seeds side by side (make stability)."""
    path = WORKFLOW / "claims_stability.csv"
    return str(path) if page_name(wildcards) == "summary" and path.exists() else []
