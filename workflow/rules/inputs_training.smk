# What jobs are given (files, settings, library code): training, and training once more.

# train


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def training_rules():
    """Name, parts, studies, datasets, log and priority of every rule that trains.

    A part is a study, its folds and some of its methods. Large data have a rule for each method, where
    study and folds are wildcards; small data one for each paper, or several if it has many methods.
    """
    large = [name for name in config["datasets"] if name not in QUICK]
    for method in config["methods"] if large else ():
        studies = [name for name, study in config["studies"].items() if method in study["methods"]]
        work = max((points(study, large[0], [method]) for study in studies), default=0)
        if studies:
            name = f"train_{method.replace('-', '_')}"
            parts = (("{study}", "{folds}", (method,)),)
            log = f"{{study}}/{{dataset}}/{method}/{{folds}}"
            yield name, parts, one_of(studies), one_of(large), log, work
    for experiment, studies in studies_by_experiment().items():
        groups = {}
        for dataset in QUICK:
            for parts in settings.together(config, studies, dataset):
                groups.setdefault(parts, []).append(dataset)
        for number, (parts, datasets) in enumerate(groups.items(), 1):
            work = sum(
                points(study, datasets[0], methods) * settings.folds(config, study, datasets[0])
                for study, _, methods in parts
            )
            name = f"{experiment}_{number}"
            yield f"train_{name}", parts, ".*", one_of(datasets), f"{name}/{{dataset}}", work


def studies_by_experiment():
    """All studies of the config, each once: with the first paper that needs it, or by itself."""
    left, found = list(config["studies"]), {}
    for experiment in EXPERIMENTS:
        mine = [study for study in experiments.outline(experiment).studies if study in left]
        found[experiment] = mine
        left = [study for study in left if study not in mine]
    return found | {study.replace("-", "_"): [study] for study in left}


def points(study, dataset, methods):
    """How many settings are tried: long jobs go first, so that none is waited for at the end."""
    entries = [settings.method_settings(config, study, dataset, method) for method in methods]
    return sum(len(search.grid_points(entry["grid"])) for entry in entries)


def filled(parts, wildcards):
    """The parts of a job that has these wildcards."""
    words = dict(wildcards.items())
    return [(study.format(**words), folds.format(**words), names) for study, folds, names in parts]


def training_inputs(parts):
    def inputs(wildcards):
        files = {"compiled": ancient("results/runs/compiled")}
        for study, _, _ in filled(parts, wildcards):
            for kind, path in files_of_study(study, wildcards.dataset).items():
                files[f"{kind} of {study}"] = path
        return files

    return inputs


def trained_runs(parts, ending):
    """The score files that a job writes, in the order in which its script comes to them."""
    return [
        f"results/runs/{study}/{{dataset}}/{method}/{folds}.{ending}"
        for study, folds, methods in parts
        for method in methods
    ]


def train_mb_per_mb(parts):
    """A fold takes a few copies of its ratings; of several, values per user are kept until the end.

    The input is that of all parts, which are trained one after the other.
    """

    def amount(wildcards):
        fits = 0
        for _, folds, methods in filled(parts, wildcards):
            first, last = map(int, folds.split("-"))
            fits = max(fits, (last - first + 1) * len(methods))
        return 5.5 if fits == 1 else 3 * fits / len(parts)

    return amount


def trained_settings(parts):
    """Of each part: study and its settings, methods and theirs, folds."""

    def by_study(wildcards):
        return [
            {
                "name": study,
                "settings": settings.study_settings(config, study),
                "folds": list(map(int, folds.split("-"))),
                "methods": settings_of(study, wildcards.dataset, methods),
            }
            for study, folds, methods in filled(parts, wildcards)
        ]

    return by_study


def trained_code(parts):
    names = {config["methods"][m].get("module", m) for _, _, methods in parts for m in methods}
    return code_of("train.py", *sorted(f"mnar.models.{name.replace('-', '_')}" for name in names))


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


def settings_of(study, dataset, methods):
    return {m: settings.method_settings(config, study, dataset, m) for m in methods}


def curve_inputs(wildcards):
    return scored_inputs(wildcards, config["learning_curve"]["methods"])


def curve_methods(wildcards):
    return settings_of(wildcards.study, wildcards.dataset, config["learning_curve"]["methods"])


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
    return settings_of(wildcards.study, wildcards.dataset, methods_of(wildcards))


def foldable_inputs(wildcards):
    return scored_inputs(wildcards, methods_of(wildcards, LEAST_SQUARES))


def foldable_methods(wildcards):
    return settings_of(wildcards.study, wildcards.dataset, methods_of(wildcards, LEAST_SQUARES))


def alternating_inputs(wildcards):
    return scored_inputs(wildcards, methods_of(wildcards, ALTERNATING))


def alternating_methods(wildcards):
    return settings_of(wildcards.study, wildcards.dataset, methods_of(wildcards, ALTERNATING))


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
