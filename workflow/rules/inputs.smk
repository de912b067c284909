# What the rules are given: input files, parameters and code, by stage of the data.


# data


def dataset_entry(wildcards):
    return config["datasets"][wildcards.dataset]


def dataset_folder(wildcards):
    return str(folder_of(wildcards.dataset))


def dataset_relevant(wildcards):
    return config["datasets"][wildcards.dataset]["relevant"]


def generator_settings(wildcards):
    return config["datasets"][wildcards.dataset]["generator"]


def missing_files(dataset):
    """A message about files that must be placed and are missing; None if nothing is missing."""
    if dataset in GENERATED:
        return None
    return places.missing_message(dataset, config["datasets"][dataset], folder_of(dataset))


def files_to_prepare(wildcards):
    """The files to read; the run stops here, before any work, if a file must be placed first."""
    entry = config["datasets"][wildcards.dataset]
    if "download" in entry:
        return f"results/data/{wildcards.dataset}/download.json"
    message = missing_files(wildcards.dataset)
    if message:
        raise WorkflowError(message)
    return [str(path) for path in places.inputs(entry, folder_of(wildcards.dataset))]


def files_mb(wildcards):
    """The size of the files to read: a downloaded dataset's input is only a note about it.

    Above 120 MB, rows are sorted on disk, and more of them take no more memory.
    """
    entry = config["datasets"][wildcards.dataset]
    paths = places.inputs(entry, folder_of(wildcards.dataset))
    return min(120, sum(path.stat().st_size for path in paths) / 1e6)


def prepare_code(wildcards):
    return fingerprint("prepare.py", places.reader_module(config["datasets"][wildcards.dataset]))


# split


def view_settings(wildcards):
    return settings.view_settings(config, wildcards.dataset, wildcards.view)


def protocol_settings(wildcards):
    return settings.protocol_settings(config, wildcards.dataset, wildcards.protocol)


def protocol_code(wildcards):
    return fingerprint("split.py", f"mnar.splits.{wildcards.protocol.replace('-', '_')}")


# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def training_code(wildcards):
    """The library files of the method and of the measures that the study takes."""
    taken = settings.measures_of(config, wildcards.study)
    return fingerprint("train.py", module_of(wildcards.method), *measures.modules_of(taken))


def train_mb_per_mb(wildcards):
    """A fold takes a few copies of its ratings; values per user of several are kept to the end."""
    first, last = map(int, wildcards.folds.split("-"))
    return 5.5 if first == last else 3 * (last - first + 1)


def chosen_scores(wildcards):
    return score_files(wildcards.study, wildcards.dataset, wildcards.method)


def model_code(wildcards):
    return fingerprint("model.py", module_of(wildcards.method))


# analyse


def analysed_methods(wildcards):
    """The methods of a study that an analysis looks at."""
    there = settings.methods(config, wildcards.study, wildcards.dataset)
    names = {method: config["methods"][method].get("module", method) for method in there}
    return analyses.load(wildcards.analysis).methods(names)


def analysed_files(wildcards):
    """View, splits, the scores that tell the chosen settings, and views with other catalogues."""
    study, dataset = wildcards.study, wildcards.dataset
    methods = {m: score_files(study, dataset, m) for m in analysed_methods(wildcards)}
    catalogues = config["studies"][study].get("catalogues", [])
    views = {name: f"results/views/{dataset}/{name}.npz" for name in catalogues}
    return study_files(wildcards) | methods | views


def analysed_settings(wildcards):
    return {
        method: settings.method_settings(config, wildcards.study, wildcards.dataset, method)
        for method in analysed_methods(wildcards)
    }


def analysis_settings(wildcards):
    return config["analyses"].get(wildcards.analysis, {})


def folds_of_study(wildcards):
    return settings.folds(config, wildcards.study, wildcards.dataset)


def analysis_code(wildcards):
    methods = [module_of(method) for method in analysed_methods(wildcards)]
    taken = settings.measures_of(config, wildcards.study)
    analysis = f"mnar.analyses.{wildcards.analysis}"
    return fingerprint("analyse.py", analysis, *methods, *measures.modules_of(taken))


# simulate


def simulated_files(wildcards):
    """The view that keeps all ratings and, of generated datasets, the truth."""
    files = {"view": f"results/views/{wildcards.dataset}/theorems.npz"}
    if wildcards.dataset in GENERATED:
        files["truth"] = f"results/data/{wildcards.dataset}/truth.npz"
    return files


def simulation_code(wildcards):
    ranking = models.module_name(config["theorems"]["ranking"]["method"])
    taken = getattr(simulations.load(wildcards.simulation), "MEASURES", ())
    simulation = simulations.module_name(wildcards.simulation)
    return fingerprint("simulate.py", simulation, ranking, *measures.modules_of(taken))


def generator_grid_code(wildcards):
    methods = [models.module_name(name) for name in generators.METHODS]
    protocols = [f"mnar.splits.{name.replace('-', '_')}" for name in generators.PROTOCOLS]
    taken = measures.modules_of(generators.MEASURES)
    return fingerprint("generator_grid.py", *methods, *protocols, *taken)


# show


def shown_inputs(experiment):
    """Everything that a paper's tables and figures on a dataset are made from."""
    plan = outline(experiment)

    def inputs(wildcards):
        dataset = wildcards.dataset
        extras = plan.extras + (plan.truth_extras if dataset in GENERATED else ())
        files = [extra.format(dataset=dataset) for extra in extras]
        for study in plan.studies:
            files.append(f"results/views/{dataset}/{config['studies'][study]['view']}.npz")
            for method in settings.methods(config, study, dataset):
                for ending in ("csv", "npz"):
                    files += score_files(study, dataset, method, ending)
        return list(dict.fromkeys(files))

    return inputs


def shown(experiment, kind, *endings):
    """The files of a paper's tables or figures, those to look at under their own label in the report."""
    plan = outline(experiment)
    titles = plan.tables if kind == "table" else plan.figures
    stem = f"results/{experiment}/{{dataset}}"
    if endings:
        return [f"{stem}/{name}.{ending}" for name in titles for ending in endings]
    ending, files = "md" if kind == "table" else "svg", []
    for name, title in titles.items():
        file = report(
            f"{stem}/{name}.{ending}",
            caption=f"../report/{kind}.rst",
            category=experiment,
            subcategory="{dataset}",
            labels={"dataset": "{dataset}", kind: title},
        )
        files.append(file)
    return files


def shown_config(experiment):
    """The part of the config that a paper's tables and figures speak of."""
    studies = outline(experiment).studies

    def part(wildcards):
        methods = {method for study in studies for method in config["studies"][study]["methods"]}
        return {
            "seed": config["seed"],
            "has": settings.has(config, wildcards.dataset),
            "generated": GENERATED,
            "studies": {study: config["studies"][study] for study in studies},
            "methods": {method: config["methods"][method] for method in sorted(methods)},
        }

    return part


def shown_code(experiment):
    """The library files of a paper, the measures it shows, and its published numbers."""
    parts = [f"mnar.experiments.{experiment}.{part}" for part in ("tables", "figures")]
    taken = [
        measure
        for study in outline(experiment).studies
        for measure in settings.measures_of(config, study)
    ]
    files = published_files(experiment)
    return code_of("show.py", *parts, *measures.modules_of(taken), files=files)


def across_inputs(wildcards):
    datasets = config["experiments"][wildcards.experiment]["paper_datasets"]
    return [f"results/{wildcards.experiment}/{name}/{wildcards.table}.csv" for name in datasets]


# page


def page_name(wildcards):
    """The page to make: the default one has no name in its rule."""
    return wildcards.get("page", "summary")


def page_sections(wildcards):
    """The (experiment, dataset) pairs that a page shows."""
    page, pairs = page_name(wildcards), []
    for experiment in EXPERIMENTS:
        entry = config["experiments"][experiment]
        if page == "summary":
            datasets = entry["datasets"]
        elif page == "placed":
            known = [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
            datasets = [dataset for dataset in dict.fromkeys(known) if not missing_files(dataset)]
        else:
            datasets = entry["paper_datasets"] if page in ("paper", experiment) else []
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_inputs(wildcards):
    """All tables and figures of a page, and the data behind them, by which claims are judged."""
    files, page = [], page_name(wildcards)
    for experiment, dataset in page_sections(wildcards):
        plan = outline(experiment)
        stem = f"results/{experiment}/{dataset}"
        files += [f"{stem}/{name}.{end}" for name in plan.tables for end in ("md", "csv")]
        files += [f"{stem}/{name}.{end}" for name in plan.figures for end in ("svg", "txt", "csv")]
        across = plan.across if page in ("paper", experiment) else ()
        names = [*plan.general, *across]
        files += [f"results/{experiment}/{name}.{end}" for name in names for end in ("md", "csv")]
    return list(dict.fromkeys(files))


def stability_of(wildcards):
    """Verdicts of the default run with several seeds side by side (make stability)."""
    path = Path(os.path.relpath(WORKFLOW)) / "claims_stability.csv"
    return str(path) if page_name(wildcards) == "summary" and path.exists() else []


def page_code(wildcards):
    outlines = [f"mnar.experiments.{experiment}" for experiment in EXPERIMENTS]
    return fingerprint("page.py", *outlines, files=[*template_files(), *claim_files()])
