# What jobs are given (files, settings, library code): training, and training once more.

# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def training_rules():
    """Name, methods, studies, datasets and priority of every rule that trains.

    One rule takes any method on large data; small data have one for each group of methods.
    """
    large = [name for name, entry in config["datasets"].items() if not entry.get("quick")]
    yield "train", ("{method}",), one_of(config["studies"]), one_of(large), 0
    for study in config["studies"]:
        groups = {}
        for dataset, entry in config["datasets"].items():
            for methods in settings.together(config, study, dataset) if entry.get("quick") else ():
                groups.setdefault(methods, []).append(dataset)
        for number, (methods, datasets) in enumerate(groups.items(), 1):
            name = f"train_{study.replace('-', '_')}_{number}"
            work = models_to_train(study, datasets[0], methods)
            yield name, methods, re.escape(study), one_of(datasets), work


def models_to_train(study, dataset, methods):
    """The longest jobs go first, so that no single one is waited for at the end."""
    entries = [settings.method_settings(config, study, dataset, method) for method in methods]
    points = sum(len(search.grid_points(entry["grid"])) for entry in entries)
    return points * settings.folds(config, study, dataset)


def trained(wildcards, methods):
    """The methods of a job by name: those of its group, or the one in its path."""
    return [method.format(method=wildcards.get("method")) for method in methods]


def train_mb_per_mb(methods):
    """The values per user of all methods and folds of a job are kept until its end."""

    def amount(wildcards):
        first, last = map(int, wildcards.folds.split("-"))
        return 5.5 * (last - first + 1) * len(methods)

    return amount


def trained_settings(methods):
    def by_method(wildcards):
        return settings_of(wildcards, trained(wildcards, methods))

    return by_method


def trained_code(methods):
    def code(wildcards):
        entries = {method: config["methods"][method] for method in trained(wildcards, methods)}
        modules = {
            entry.get("module", method).replace("-", "_") for method, entry in entries.items()
        }
        return fingerprint("train.py", *(f"mnar.models.{name}" for name in sorted(modules)))

    return code


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
