# What jobs are given (files, settings, library code): training, and training once more.

# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def training_rules():
    """Name, methods, studies, datasets and priority of every rule that trains.

    Large data have a rule for each method, small data one for each group of methods.
    """
    large = [name for name, entry in config["datasets"].items() if not entry.get("quick")]
    for method in config["methods"] if large else ():
        studies = [name for name, study in config["studies"].items() if method in study["methods"]]
        work = max((points(study, large[0], [method]) for study in studies), default=0)
        if studies:
            name = f"train_{method.replace('-', '_')}"
            yield name, (method,), one_of(studies), one_of(large), work
    for study in config["studies"]:
        groups = {}
        for dataset, entry in config["datasets"].items():
            for methods in settings.together(config, study, dataset) if entry.get("quick") else ():
                groups.setdefault(methods, []).append(dataset)
        for number, (methods, datasets) in enumerate(groups.items(), 1):
            name = f"train_{study.replace('-', '_')}_{number}"
            work = points(study, datasets[0], methods) * settings.folds(config, study, datasets[0])
            yield name, methods, re.escape(study), one_of(datasets), work


def points(study, dataset, methods):
    """How many settings are tried: long jobs go first, so that none is waited for at the end."""
    entries = [settings.method_settings(config, study, dataset, method) for method in methods]
    return sum(len(search.grid_points(entry["grid"])) for entry in entries)


def train_mb_per_mb(methods):
    """A fold takes a few copies of its ratings; of several, values per user are kept until the end."""

    def amount(wildcards):
        first, last = map(int, wildcards.folds.split("-"))
        fits = (last - first + 1) * len(methods)
        return 5.5 if fits == 1 else 3 * fits

    return amount


def trained_settings(methods):
    def by_method(wildcards):
        return settings_of(wildcards, methods)

    return by_method


def trained_code(methods):
    modules = {config["methods"][method].get("module", method) for method in methods}
    return code_of("train.py", *sorted(f"mnar.models.{name.replace('-', '_')}" for name in modules))


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
    """The methods of a study on a dataset; of some modules: the last method that each makes."""
    methods = settings.methods(config, wildcards.study, wildcards.dataset)
    if modules is None:
        return methods
    made = {config["methods"][method].get("module", method): method for method in methods}
    return [method for module, method in made.items() if module in modules]


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
