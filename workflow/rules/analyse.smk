# What is computed from the models at their chosen settings: ranks, fold-in loss, convergence, blends.


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


rule analyse:
    input:
        unpack(analysed_files),
    output:
        table="results/analyses/{study}/{dataset}/{analysis}.csv",
        arrays="results/analyses/{study}/{dataset}/{analysis}.npz",
    log:
        "logs/analyse/{study}/{dataset}/{analysis}.log",
    benchmark:
        "logs/benchmarks/analyse/{study}/{dataset}/{analysis}.tsv"
    params:
        methods=analysed_settings,
        study=study_settings,
        folds=folds_of_study,
        settings=analysis_settings,
        seed=config["seed"],
        code=analysis_code,
    group:
        "analyse"
    threads: threads_of_dataset
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/analyse.py"
