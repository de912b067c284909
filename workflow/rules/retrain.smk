# chosen settings -> models trained once more: ranks in other catalogues, fold-in, convergence, files


rule ranks:
    input:
        unpack(chosen_inputs),
        catalogues=catalogues_of,
    output:
        "results/ranks/{study}/{dataset}.npz",
    log:
        "logs/ranks/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/ranks/{study}/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    threads: threads_to_retrain
    resources:
        mem_mb=mem_mb(350, 3),
        runtime=runtime(30, 1),
    params:
        methods=chosen_methods,
        catalogues=catalogue_names,
        folds=folds_of,
        seed=config["seed"],
        code=code_of("ranks.py", *METHOD_CODE),
    script:
        "../scripts/ranks.py"


rule folding:
    input:
        unpack(foldable_inputs),
    output:
        "results/folding/{study}/{dataset}.csv",
    log:
        "logs/folding/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/folding/{study}/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    threads: threads_to_retrain
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    params:
        methods=foldable_methods,
        folds=folds_of,
        seed=config["seed"],
        code=code_of("folding.py", *METHOD_CODE),
    script:
        "../scripts/folding.py"


rule convergence:
    input:
        unpack(alternating_inputs),
    output:
        "results/convergence/{study}/{dataset}.csv",
    log:
        "logs/convergence/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/convergence/{study}/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    threads: threads_to_retrain
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    params:
        methods=alternating_methods,
        seed=config["seed"],
        code=code_of("convergence.py", *METHOD_CODE),
    script:
        "../scripts/convergence.py"


rule model:
    input:
        view=view_of,
        splits=splits_of,
        scores=scores_of_method,
    output:
        "results/models/{study}/{dataset}/{method}/{fold}.npz",
    log:
        "logs/model/{study}/{dataset}/{method}/{fold}.log",
    benchmark:
        "logs/benchmarks/model/{study}/{dataset}/{method}/{fold}.tsv"
    wildcard_constraints:
        fold=r"\d+",
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    threads: threads_to_retrain
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    params:
        method=method_settings,
        seed=config["seed"],
        code=code_of("model.py", *METHOD_CODE),
    script:
        "../scripts/model.py"
