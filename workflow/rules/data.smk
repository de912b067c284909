# The files of a dataset: downloaded, placed or generated, then prepared in one tidy form.


localrules:
    download,


def dataset_entry(wildcards):
    return config["datasets"][wildcards.dataset]


def dataset_folder(wildcards):
    return str(folder_of(wildcards.dataset))


def dataset_relevant(wildcards):
    return config["datasets"][wildcards.dataset]["relevant"]


def generator_settings(wildcards):
    return config["datasets"][wildcards.dataset]["generator"]


def missing_files(dataset):
    """A message about files that must be placed and are missing; None if nothing is missing."""
    if dataset in GENERATED:
        return None
    return places.missing_message(dataset, config["datasets"][dataset], folder_of(dataset))


def files_to_prepare(wildcards):
    """The files to read; the run stops here, before any work, if a file must be placed first."""
    entry = config["datasets"][wildcards.dataset]
    if "download" in entry:
        return f"results/data/{wildcards.dataset}/download.json"
    message = missing_files(wildcards.dataset)
    if message:
        raise WorkflowError(message)
    return [str(path) for path in places.inputs(entry, folder_of(wildcards.dataset))]


def files_mb(wildcards):
    """The size of the files to read: a downloaded dataset's input is only a note about it.

    Above 120 MB, rows are sorted on disk, and more of them take no more memory.
    """
    entry = config["datasets"][wildcards.dataset]
    paths = places.inputs(entry, folder_of(wildcards.dataset))
    return min(120, sum(path.stat().st_size for path in paths) / 1e6)


def prepare_code(wildcards):
    return fingerprint("prepare.py", places.reader_module(config["datasets"][wildcards.dataset]))


rule download:
    output:
        "results/data/{dataset}/download.json",
    log:
        "logs/download/{dataset}.log",
    benchmark:
        "logs/benchmarks/download/{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(name for name, entry in config["datasets"].items() if "download" in entry),
    params:
        entry=dataset_entry,
        folder=dataset_folder,
        offline=config["offline"],
        code=code_of("download.py"),
    resources:
        mem_mb=mem_mb(150),
        runtime=runtime(240),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/download.py"


rule prepare:
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
    params:
        entry=dataset_entry,
        folder=dataset_folder,
        code=prepare_code,
    resources:
        mem_mb=mem_mb(350, 20, files_mb),
        runtime=runtime(20, 0.5, files_mb),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/prepare.py"


rule generate:
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
    params:
        settings=generator_settings,
        code=code_of("generate.py"),
    resources:
        mem_mb=mem_mb(500),
        runtime=runtime(10),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/generate.py"


rule recipe:
    input:
        interactions="results/data/{dataset}/interactions.parquet",
    output:
        "results/recipes/{dataset}.csv",
    log:
        "logs/recipe/{dataset}.log",
    benchmark:
        "logs/benchmarks/recipe/{dataset}.tsv"
    params:
        relevant=dataset_relevant,
        code=code_of("recipe.py", files=published_files("lim2015")),
    resources:
        mem_mb=mem_mb(600, 12),
        runtime=runtime(30, 1),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/recipe.py"
