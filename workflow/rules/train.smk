# One method on one dataset under one protocol: every setting of its grid is trained and scored on each
# fold, and one setting a fold is chosen on validation. Folds of large data have a job each.


rule train:
    """Train and score a method at every setting of its grid"""
    input:
        unpack(training_files),
    output:
        scores="results/scores/{study}/{dataset}/{method}/{folds}.csv",
        users="results/scores/{study}/{dataset}/{method}/{folds}.npz",
    log:
        "logs/train/{study}/{dataset}/{method}/{folds}.log",
    benchmark:
        "logs/benchmarks/train/{study}/{dataset}/{method}/{folds}.tsv"
    group:
        "train"
    conda:
        "../../envs/environment.yaml"
    threads: needs.threads
    resources:
        mem_mb=mem_mb(methods_mb, needs.train_mb_per_mb),
        runtime=runtime(30, 1),
    params:
        method=method_settings,
        study=trained_settings,
        seed=config["seed"],
        code=training_code,
    script:
        "../scripts/train.py"


rule model:
    """Train and keep a method at its chosen setting"""
    input:
        unpack(study_files),
        scores=chosen_scores,
    output:
        "results/models/{study}/{dataset}/{method}/{fold}.npz",
    log:
        "logs/model/{study}/{dataset}/{method}/{fold}.log",
    benchmark:
        "logs/benchmarks/model/{study}/{dataset}/{method}/{fold}.tsv"
    wildcard_constraints:
        method=one_of(m for m, entry in config["methods"].items() if "scores" not in entry),
    group:
        "train"
    conda:
        "../../envs/environment.yaml"
    threads: threads_of_dataset
    resources:
        mem_mb=mem_mb(methods_mb, 12),
        runtime=runtime(30, 1),
    params:
        method=method_settings,
        seed=config["seed"],
        code=model_code,
    script:
        "../scripts/model.py"
