# view + split -> scores of every setting of a method, and the setting chosen on validation


def method_settings(wildcards):
    return settings.method_settings(config, wildcards.study, wildcards.dataset, wildcards.method)


def study_settings(wildcards):
    return settings.study_settings(config, wildcards.study)


def method_code(wildcards):
    name = config["methods"][wildcards.method].get("module", wildcards.method)
    return fingerprint("train.py", f"mnar.models.{name.replace('-', '_')}")


rule compile:
    output:
        touch("results/runs/compiled"),
    log:
        "logs/compile.log",
    benchmark:
        "logs/benchmarks/compile.tsv"
    params:
        code=fingerprint("compile.py", *(f"mnar.models.{name}" for name in METHOD_MODULES)),
    resources:
        mem_mb=1000,
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/compile.py"


rule train:
    input:
        compiled=ancient("results/runs/compiled"),
        view=view_of,
        splits=splits_of,
    output:
        scores="results/runs/{study}/{dataset}/{method}/{folds}.csv",
        users="results/runs/{study}/{dataset}/{method}/{folds}.npz",
    log:
        "logs/train/{study}/{dataset}/{method}/{folds}.log",
    benchmark:
        "logs/benchmarks/train/{study}/{dataset}/{method}/{folds}.tsv"
    params:
        method=method_settings,
        study=study_settings,
        seed=config["seed"],
        code=method_code,
    resources:
        mem_mb=mem_mb(500, 20),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/train.py"


def curve_inputs(wildcards):
    files = {"view": view_of(wildcards), "splits": splits_of(wildcards)}
    for method in config["learning_curve"]["methods"]:
        files[method] = [
            f"results/runs/{wildcards.study}/{wildcards.dataset}/{method}/{folds}.csv"
            for folds in settings.batches(config, wildcards.study, wildcards.dataset)
        ]
    return files


def curve_methods(wildcards):
    return {
        method: settings.method_settings(config, wildcards.study, wildcards.dataset, method)
        for method in config["learning_curve"]["methods"]
    }


rule learning_curve:
    input:
        unpack(curve_inputs),
    output:
        "results/curves/{study}/{dataset}.csv",
    log:
        "logs/learning_curve/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/learning_curve/{study}/{dataset}.tsv"
    params:
        curve=config["learning_curve"],
        methods=curve_methods,
        study=study_settings,
        seed=config["seed"],
        code=fingerprint("learning_curve.py", "mnar.models.mf_adg", "mnar.models.mf_auc"),
    resources:
        mem_mb=mem_mb(500, 20),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/learning_curve.py"


def blend_inputs(wildcards):
    files = {"view": view_of(wildcards), "splits": splits_of(wildcards)}
    for file in runs_of(wildcards.study, wildcards.dataset, "csv"):
        files.setdefault(Path(file).parent.name, []).append(file)
    return files


def blend_methods(wildcards):
    study, dataset = wildcards.study, wildcards.dataset
    names = settings.methods(config, study, dataset)
    return {name: settings.method_settings(config, study, dataset, name) for name in names}


def blend_folds(wildcards):
    return settings.folds(config, wildcards.study, wildcards.dataset)


rule blend:
    input:
        unpack(blend_inputs),
    output:
        scores="results/runs/{study}/{dataset}/blend/all.csv",
        users="results/runs/{study}/{dataset}/blend/all.npz",
    log:
        "logs/blend/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/blend/{study}/{dataset}.tsv"
    params:
        methods=blend_methods,
        folds=blend_folds,
        study=study_settings,
        seed=config["seed"],
        code=fingerprint("blend.py", *(f"mnar.models.{name}" for name in METHOD_MODULES)),
    resources:
        mem_mb=mem_mb(500, 20),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/blend.py"
