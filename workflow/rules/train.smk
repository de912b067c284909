# One method on one dataset under one protocol: every setting of its grid is trained and scored on each
# fold, and one setting a fold is chosen on validation. Folds of large data have a job each.


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


rule train:
    input:
        unpack(study_files),
    output:
        scores="results/scores/{study}/{dataset}/{method}/{folds}.csv",
        users="results/scores/{study}/{dataset}/{method}/{folds}.npz",
    log:
        "logs/train/{study}/{dataset}/{method}/{folds}.log",
    benchmark:
        "logs/benchmarks/train/{study}/{dataset}/{method}/{folds}.tsv"
    params:
        method=method_settings,
        study=study_settings,
        seed=config["seed"],
        code=training_code,
    group:
        "train"
    threads: threads_by_size
    resources:
        mem_mb=mem_mb(340, train_mb_per_mb),
        runtime=runtime(30, 1),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/train.py"


rule model:
    input:
        unpack(study_files),
        scores=chosen_scores,
    output:
        "results/models/{study}/{dataset}/{method}/{fold}.npz",
    log:
        "logs/model/{study}/{dataset}/{method}/{fold}.log",
    benchmark:
        "logs/benchmarks/model/{study}/{dataset}/{method}/{fold}.tsv"
    params:
        method=method_settings,
        seed=config["seed"],
        code=model_code,
    group:
        "train"
    threads: threads_of_dataset
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/model.py"
