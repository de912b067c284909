# Prepared data, as an experiment sees it, and split into folds.


rule view:
    """Select the part of a dataset that an experiment sees"""
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
    """Split a view into training, validation and test, all folds"""
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
        mem_mb=mem_mb(needs.split_mb, 6),
        runtime=runtime(10, 0.1),
    params:
        settings=protocol_settings,
        seed=config["seed"],
        code=protocol_code,
    script:
        "../scripts/split.py"


rule complete:
    """Collect the true ratings of evaluation users"""
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


rule export:
    """Write a fold with the ids of the data, for other libraries"""
    input:
        unpack(study_files),
    output:
        train="results/export/{study}/{dataset}/{fold}/train.parquet",
        fold_in="results/export/{study}/{dataset}/{fold}/fold_in.parquet",
        validation="results/export/{study}/{dataset}/{fold}/validation.parquet",
        test="results/export/{study}/{dataset}/{fold}/test.parquet",
        readme="results/export/{study}/{dataset}/{fold}/README.md",
    log:
        "logs/export/{study}/{dataset}/{fold}.log",
    benchmark:
        "logs/benchmarks/export/{study}/{dataset}/{fold}.tsv"
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(300, 20),
        runtime=runtime(10, 0.1),
    params:
        code=code_of("export.py"),
    script:
        "../scripts/export.py"
