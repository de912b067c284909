# The files of a dataset: downloaded, placed or generated, then prepared in one tidy form.


localrules:
    download,


rule download:
    """Fetch the file of a dataset and check its checksum"""
    output:
        "results/data/{dataset}/download.json",
    log:
        "logs/download/{dataset}.log",
    benchmark:
        "logs/benchmarks/download/{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(name for name, entry in config["datasets"].items() if "download" in entry),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(120),
        runtime=runtime(240),
    params:
        entry=download_settings,
        folder=dataset_folder,
        code=code_of("download.py"),
    script:
        "../scripts/download.py"


rule prepare:
    """Read the files of a dataset into tidy tables"""
    input:
        files_to_prepare,
    output:
        interactions="results/data/{dataset}/interactions.parquet",
        random="results/data/{dataset}/random.parquet",
        catalogue="results/data/{dataset}/items.parquet",
        summary="results/data/{dataset}/summary.json",
    log:
        "logs/prepare/{dataset}.log",
    benchmark:
        "logs/benchmarks/prepare/{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(name for name in config["datasets"] if name not in GENERATED),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450, 20, files_mb),
        runtime=runtime(20, 0.5, files_mb),
    params:
        entry=reading_settings,
        folder=dataset_folder,
        code=prepare_code,
    script:
        "../scripts/prepare.py"


rule generate:
    """Draw a synthetic dataset whose complete truth is known"""
    output:
        interactions="results/data/{dataset}/interactions.parquet",
        random="results/data/{dataset}/random.parquet",
        catalogue="results/data/{dataset}/items.parquet",
        summary="results/data/{dataset}/summary.json",
        truth="results/data/{dataset}/truth.npz",
    log:
        "logs/generate/{dataset}.log",
    benchmark:
        "logs/benchmarks/generate/{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(GENERATED),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(500),
        runtime=runtime(10),
    params:
        settings=generator_settings,
        code=code_of("generate.py"),
    script:
        "../scripts/generate.py"


rule recipe:
    """Count a dataset under every pair of minima, to find the published size"""
    input:
        interactions="results/data/{dataset}/interactions.parquet",
    output:
        "results/recipes/{dataset}.csv",
    log:
        "logs/recipe/{dataset}.log",
    benchmark:
        "logs/benchmarks/recipe/{dataset}.tsv"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(600, 12),
        runtime=runtime(30, 1),
    params:
        relevant=dataset_relevant,
        code=code_of("recipe.py", files=published_files("lim2015")),
    script:
        "../scripts/recipe.py"
