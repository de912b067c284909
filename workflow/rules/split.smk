# Prepared data, as an experiment sees it, and split into folds.


rule view:
    input:
        interactions="results/data/{dataset}/interactions.parquet",
        random="results/data/{dataset}/random.parquet",
        catalogue="results/data/{dataset}/items.parquet",
        summary="results/data/{dataset}/summary.json",
    output:
        "results/views/{dataset}/{view}.npz",
    log:
        "logs/view/{dataset}/{view}.log",
    benchmark:
        "logs/benchmarks/view/{dataset}/{view}.tsv"
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(200, 20),
        runtime=runtime(10, 0.2),
    params:
        settings=view_settings,
        code=code_of("view.py"),
    script:
        "../scripts/view.py"


rule split:
    input:
        "results/views/{dataset}/{view}.npz",
    output:
        "results/splits/{dataset}/{view}/{protocol}.npz",
    log:
        "logs/split/{dataset}/{view}/{protocol}.log",
    benchmark:
        "logs/benchmarks/split/{dataset}/{view}/{protocol}.tsv"
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(220, 8),
        runtime=runtime(10, 0.1),
    params:
        settings=protocol_settings,
        seed=config["seed"],
        code=protocol_code,
    script:
        "../scripts/split.py"


rule complete:
    input:
        view="results/views/{dataset}/{view}.npz",
        truth="results/data/{dataset}/truth.npz",
    output:
        "results/complete/{dataset}/{view}.npz",
    log:
        "logs/complete/{dataset}/{view}.log",
    benchmark:
        "logs/benchmarks/complete/{dataset}/{view}.tsv"
    wildcard_constraints:
        dataset=one_of(GENERATED),
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(15),
    params:
        seed=config["seed"],
        code=code_of("complete.py"),
    script:
        "../scripts/complete.py"
