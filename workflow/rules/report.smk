# tables + figures -> one page
PAGES = ["summary", "placed", "paper", *EXPERIMENTS]


def page_sections(page):
    """The (experiment, dataset) pairs that a page shows."""
    pairs = []
    for experiment in EXPERIMENTS:
        entry = config["experiments"][experiment]
        if page == "summary":
            datasets = entry["datasets"]
        elif page == "placed":
            both = dict.fromkeys([*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]])
            datasets = [dataset for dataset in both if not missing_files(dataset)]
        elif page in ("paper", experiment):
            datasets = entry["paper_datasets"]
        else:
            datasets = []
        pairs += [(experiment, dataset) for dataset in datasets]
    return pairs


def page_inputs(wildcards):
    files = []
    for experiment, dataset in page_sections(wildcards.page):
        plan = experiments.outline(experiment)
        stem = f"results/{experiment}/{dataset}"
        files += [f"{stem}/{name}.{end}" for name in plan.tables for end in ("md", "csv")]
        figures = plan.figures_of(config["datasets"][dataset].get("has", []))
        files += [f"{stem}/{name}.{end}" for name in figures for end in ("svg", "txt", "csv")]
    for experiment in EXPERIMENTS:
        if wildcards.page in ("paper", experiment):
            names = experiments.outline(experiment).across
            files += [f"results/{experiment}/{name}.md" for name in names]
    return files


def page_sections_of(wildcards):
    return page_sections(wildcards.page)


rule page:
    input:
        page_inputs,
    output:
        report(
            "results/{page}.html",
            caption="../report/page.rst",
            category="summary",
            labels={"page": "{page}"},
        ),
    wildcard_constraints:
        page="|".join(PAGES),
    log:
        "logs/page/{page}.log",
    benchmark:
        "logs/benchmarks/page/{page}.tsv"
    params:
        sections=page_sections_of,
        config=config,
        template=str(WORKFLOW / "report" / "page.html.j2"),
        code=fingerprint("page.py"),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/page.py"
