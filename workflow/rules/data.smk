# download, find or generate the files of a dataset -> prepare it: one tidy form for all of them
from mnar.data import places


def folder_of(dataset):
    """Where the files of a dataset lie: with the project if embedded, else beside the run."""
    embedded = config["datasets"][dataset].get("embedded", False)
    return (WORKFLOW.parent if embedded else Path()) / "data" / dataset


def missing_files(dataset):
    """What to say of files that must be placed and are not there; None if nothing is missing."""
    entry = config["datasets"][dataset]
    if dataset in GENERATED:
        return None
    return places.missing_message(dataset, entry, folder_of(dataset))


def files_to_prepare(wildcards):
    """The files to read; the run stops here, before any work, if they must be placed and are not."""
    entry = config["datasets"][wildcards.dataset]
    if "download" in entry:
        return f"results/data/{wildcards.dataset}/download.json"
    message = missing_files(wildcards.dataset)
    if message:
        raise WorkflowError(message)
    return [str(path) for path in places.inputs(entry, folder_of(wildcards.dataset))]


def dataset_entry(wildcards):
    return config["datasets"][wildcards.dataset]


def dataset_folder(wildcards):
    return str(folder_of(wildcards.dataset))


def one_of(names):
    """A pattern for some names only; for none of them, one that nothing matches."""
    return "|".join(map(re.escape, names)) or "(?!)"


localrules:
    download,


rule download:
    output:
        "results/data/{dataset}/download.json",
    wildcard_constraints:
        dataset=one_of(name for name, entry in config["datasets"].items() if "download" in entry),
    log:
        "logs/download/{dataset}.log",
    benchmark:
        "logs/benchmarks/download/{dataset}.tsv"
    params:
        entry=dataset_entry,
        folder=dataset_folder,
        offline=config["offline"],
        code=fingerprint("download.py"),
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
    wildcard_constraints:
        dataset=one_of(name for name in config["datasets"] if name not in GENERATED),
    log:
        "logs/prepare/{dataset}.log",
    benchmark:
        "logs/benchmarks/prepare/{dataset}.tsv"
    params:
        entry=dataset_entry,
        folder=dataset_folder,
        code=fingerprint("prepare.py", *READERS),
    resources:
        mem_mb=mem_mb(800, 4),
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
    wildcard_constraints:
        dataset=one_of(GENERATED),
    log:
        "logs/generate/{dataset}.log",
    benchmark:
        "logs/benchmarks/generate/{dataset}.tsv"
    params:
        settings=lambda wildcards: config["datasets"][wildcards.dataset]["generator"],
        code=fingerprint("generate.py"),
    resources:
        mem_mb=1000,
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/generate.py"
