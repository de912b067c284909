# Tables, figures and the list of claims: a verdict on each claim, and one page to read offline.


localrules:
    page,
    page_of,
    crate,


rule page:
    """Judge the claims and write the page of the default run"""
    input:
        page_inputs,
    output:
        # Not in the report, which has the same tables and figures.
        page="results/summary.html",
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
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(600),
        runtime=runtime(10),
    params:
        page=page_name,
        sections=sections_of,
        config=config,
        versions=versions(),
        # Read only where other seeds were tried.
        made_by=made_by(config) if stability_files() else "",
        code=page_code,
    script:
        "../scripts/page.py"


use rule page as page_of with:
    """Judge the claims, and write another page"""
    output:
        page="results/{page}.html",
        claims="results/{page}.claims.csv",
        claims_text="results/{page}.claims.md",
    log:
        "logs/page/{page}.log",
    benchmark:
        "logs/benchmarks/page/{page}.tsv"
    wildcard_constraints:
        page=one_of(PAGES[1:]),


rule crate:
    """Pack a page, all it is made from, config, code and checksums of data as an RO-Crate"""
    input:
        crate_inputs,
    output:
        "results/{page}.crate.zip",
    log:
        "logs/crate/{page}.log",
    benchmark:
        "logs/benchmarks/crate/{page}.tsv"
    wildcard_constraints:
        page=one_of(PAGES),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(250, 2),
        runtime=runtime(10),
    params:
        project=os.path.relpath(WORKFLOW.parent),
        config=config,
        versions=versions(),
        code=code_of("crate.py", files=crate.project_files(WORKFLOW.parent)),
    script:
        "../scripts/crate.py"
