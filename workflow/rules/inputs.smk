# Functions of the rules: input files, parameters and code, by stage of the data.


# data


def dataset_entry(wildcards):
    return config["datasets"][wildcards.dataset]


def download_settings(wildcards):
    return settings.download_settings(config, wildcards.dataset)


def reading_settings(wildcards):
    return settings.reading_settings(config, wildcards.dataset)


def dataset_folder(wildcards):
    return str(folder_of(wildcards.dataset))


def dataset_relevant(wildcards):
    return dataset_entry(wildcards)["relevant"]


def generator_settings(wildcards):
    return dataset_entry(wildcards)["generator"]


def missing_files(dataset):
    """A message about files that must be placed and are missing; None if nothing is missing."""
    if dataset in GENERATED:
        return None
    return locations.missing_message(dataset, config["datasets"][dataset], folder_of(dataset))


def files_to_prepare(wildcards):
    """The files to read; the run stops here, before any work, if a file must be placed first."""
    entry = dataset_entry(wildcards)
    if "download" in entry:
        return f"results/data/{wildcards.dataset}/download.json"
    if message := missing_files(wildcards.dataset):
        raise WorkflowError(message)
    # Local: a prefix of the workflow that uses this one is for results, not for files of the user.
    return [local(str(path)) for path in locations.inputs(entry, folder_of(wildcards.dataset))]


def files_mb(wildcards):
    """The size of the files to read: a downloaded dataset's input is only a note about it."""
    # Above 120 MB, rows are sorted on disk, and more of them take no more memory.
    return min(120, locations.size_mb(dataset_entry(wildcards), folder_of(wildcards.dataset)))


def prepare_code(wildcards):
    return fingerprint("prepare.py", locations.reader_module(dataset_entry(wildcards)))


# split


def view_settings(wildcards):
    return settings.view_settings(config, wildcards.dataset, wildcards.view)


def protocol_settings(wildcards):
    return settings.protocol_settings(config, wildcards.dataset, wildcards.protocol)


def protocol_code(wildcards):
    return fingerprint("split.py", splits.module_name(wildcards.protocol))


# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def trained_settings(wildcards):
    return settings.trained_settings(config, wildcards.study)


def training_code(wildcards):
    """The library files of the method and of the measures that the study takes."""
    taken = settings.measures_of(config, wildcards.study)
    return fingerprint("train.py", module_of(wildcards.method), *estimators.modules_of(taken))


def methods_mb(wildcards, input):
    """What a job that trains takes on no ratings at all."""
    one = "method" in wildcards.keys()
    methods = [wildcards.method] if one else analysed_methods(wildcards)
    return 340 + needs.methods_mb(config, methods, input.view)


def study_files(wildcards):
    return paths.study_files(config, wildcards.study, wildcards.dataset)


def training_files(wildcards):
    return paths.training_files(config, **wildcards)


def chosen_scores(wildcards):
    return paths.score_files(config, wildcards.study, wildcards.dataset, wildcards.method)


def model_code(wildcards):
    return fingerprint("model.py", module_of(wildcards.method))


# analyse


def analysed_methods(wildcards):
    """The methods of a study that an analysis looks at."""
    modules = settings.modules(config, wildcards.study, wildcards.dataset)
    return analyses.load(wildcards.analysis).methods(modules)


def analysed_files(wildcards):
    methods = analysed_methods(wildcards)
    return paths.analysed_files(config, wildcards.study, wildcards.dataset, methods)


def analysed_settings(wildcards):
    methods = analysed_methods(wildcards)
    return settings.settings_of_methods(config, wildcards.study, wildcards.dataset, methods)


def analysis_settings(wildcards):
    return config["analyses"].get(wildcards.analysis, {})


def folds_of_study(wildcards):
    return settings.folds(config, wildcards.study, wildcards.dataset)


def analysis_code(wildcards):
    analysis, named = wildcards.analysis, settings.estimates_of(config, wildcards.study)
    modules = [module_of(method) for method in analysed_methods(wildcards)]
    modules += estimators.modules_of([*named, *analyses.measures_of(analysis)])
    return fingerprint("analyse.py", f"mnar.analyses.{analysis}", *modules)


# simulate


def simulated_files(wildcards):
    return paths.simulated_files(config, wildcards.dataset)


def simulation_settings(wildcards):
    return simulations.settings_of(wildcards.simulation, config["theorems"])


def simulation_code(wildcards):
    taken = simulations.modules_of(wildcards.simulation, config["theorems"])
    return fingerprint("simulate.py", *taken)


# show


def shown_inputs(experiment):
    """What a paper's tables and figures are made from; the run stops if the dataset does not fit."""

    def inputs(wildcards):
        try:
            return fitting_inputs(config, experiment, wildcards.dataset)
        except UserError as error:
            raise WorkflowError(str(error))

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
            caption=f"../../../report/{kind}.rst",
            category=experiment,
            subcategory="{dataset}",
            labels={"dataset": "{dataset}", kind: title},
        )
        files.append(file)
    return files


def shown_config(experiment):
    def part(wildcards):
        return settings.shown_config(config, outline(experiment).studies, wildcards.dataset)

    return part


def shown_code(experiment):
    """The library files of a paper, of its methods and measures, and its published numbers."""
    files = published_files(experiment)
    return code_of("show.py", *shown_modules(config, experiment), files=files)


def across_inputs(wildcards):
    return paths.across_files(config, wildcards.experiment, wildcards.table)


# page


def page_name(wildcards):
    """The page to make: the default one has no name in its rule."""
    return wildcards.get("page", PAGES[0])


def sections_of(wildcards):
    return page_sections(config, page_name(wildcards), missing_files)


def page_inputs(wildcards):
    return page_files(page_name(wildcards), sections_of(wildcards))


def crate_inputs(wildcards):
    return crate.inputs(page_name(wildcards), sections_of(wildcards))


def page_code(wildcards):
    """The library files of outlines, findings, claims and glossary, and the files that they read."""
    files = [*template_files(), *entries.files(), *stability_files(), *recorded_files()]
    words = [*map(module_of, config["methods"]), *measures.modules(), *entries.lists().values()]
    return fingerprint("page.py", *page_modules(EXPERIMENTS), *words, files=files)
