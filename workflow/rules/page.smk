# Tables, figures and the list of claims: a verdict on each claim, and one page to read offline.


localrules:
    page,
    page_of,


PAGES = ["placed", "paper", *EXPERIMENTS]


def page_name(wildcards):
    """The page to make: the default one has no name in its rule."""
    return wildcards.get("page", "summary")


def page_sections(wildcards):
    """The (experiment, dataset) pairs that a page shows."""
    page, pairs = page_name(wildcards), []
    for experiment in EXPERIMENTS:
        entry = config["experiments"][experiment]
        if page == "summary":
            datasets = entry["datasets"]
        elif page == "placed":
            known = [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
            datasets = [dataset for dataset in dict.fromkeys(known) if not missing_files(dataset)]
        else:
            datasets = entry["paper_datasets"] if page in ("paper", experiment) else []
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_inputs(wildcards):
    """All tables and figures of a page, and the data behind them, by which claims are judged."""
    files, page = [], page_name(wildcards)
    for experiment, dataset in page_sections(wildcards):
        plan = experiments.outline(experiment)
        stem = f"results/{experiment}/{dataset}"
        files += [f"{stem}/{name}.{end}" for name in plan.tables for end in ("md", "csv")]
        files += [f"{stem}/{name}.{end}" for name in plan.figures for end in ("svg", "txt", "csv")]
        across = plan.across if page in ("paper", experiment) else ()
        names = [*plan.general, *across]
        files += [f"results/{experiment}/{name}.{end}" for name in names for end in ("md", "csv")]
    return list(dict.fromkeys(files))


def stability_of(wildcards):
    """Verdicts of the default run with several seeds side by side (make stability)."""
    path = Path(os.path.relpath(WORKFLOW)) / "claims_stability.csv"
    return str(path) if page_name(wildcards) == "summary" and path.exists() else []


def page_code(wildcards):
    outlines = [f"mnar.experiments.{experiment}" for experiment in EXPERIMENTS]
    return fingerprint("page.py", *outlines, files=[*template_files(), *claim_files()])


rule page:
    input:
        page_inputs,
        stability=stability_of,
    output:
        page=report(
            "results/summary.html",
            caption="../report/page.rst",
            category="summary",
            labels={"page": "summary"},
        ),
        claims="results/claims.csv",
        claims_text=report(
            "results/claims.md",
            caption="../report/claims.rst",
            category="summary",
            labels={"page": "claims"},
        ),
    log:
        "logs/page/summary.log",
    benchmark:
        "logs/benchmarks/page/summary.tsv"
    params:
        page=page_name,
        sections=page_sections,
        config=config,
        versions=versions(),
        code=page_code,
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(10),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/page.py"


use rule page as page_of with:
    output:
        page=report(
            "results/{page}.html",
            caption="../report/page.rst",
            category="summary",
            labels={"page": "{page}"},
        ),
        claims="results/{page}.claims.csv",
        claims_text="results/{page}.claims.md",
    log:
        "logs/page/{page}.log",
    benchmark:
        "logs/benchmarks/page/{page}.tsv"
    wildcard_constraints:
        page=one_of(PAGES),
