# Prepared data, as an experiment sees it, and split into folds.


def view_settings(wildcards):
    return settings.view_settings(config, wildcards.dataset, wildcards.view)


def protocol_settings(wildcards):
    return settings.protocol_settings(config, wildcards.dataset, wildcards.protocol)


def protocol_code(wildcards):
    return fingerprint("split.py", f"mnar.splits.{wildcards.protocol.replace('-', '_')}")


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
    params:
        settings=view_settings,
        code=code_of("view.py"),
    group:
        "split"
    resources:
        mem_mb=mem_mb(200, 20),
        runtime=runtime(10, 0.2),
    conda:
        "../../envs/environment.yaml"
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
    params:
        settings=protocol_settings,
        seed=config["seed"],
        code=protocol_code,
    group:
        "split"
    resources:
        mem_mb=mem_mb(350, 8),
        runtime=runtime(10, 0.1),
    conda:
        "../../envs/environment.yaml"
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
    params:
        seed=config["seed"],
        code=code_of("complete.py"),
    group:
        "split"
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(15),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/complete.py"
