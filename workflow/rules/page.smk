# Tables, figures and the list of claims: a verdict on each claim, and one page to read offline.


localrules:
    page,
    page_of,


rule page:
    input:
        page_inputs,
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
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(10),
    params:
        page=page_name,
        sections=sections_of,
        config=config,
        versions=versions(),
        code=page_code,
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
        page=one_of(["placed", "paper", *EXPERIMENTS]),
