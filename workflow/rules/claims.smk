# tables of a page + list of claims -> verdicts


# Seconds, at the end, when nothing else is left to do: not worth a submission.
localrules:
    claims,
    claims_of_page,


rule claims:
    input:
        tables=claims_tables,
        claims=WORKFLOW / "claims.yaml",
    output:
        csv="results/claims.csv",
        markdown=report("results/claims.md", caption="../report/claims.rst", category="summary"),
    log:
        "logs/claims/summary.log",
    benchmark:
        "logs/benchmarks/claims/summary.tsv"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(10),
    params:
        page="summary",
        sections=claims_sections,
        datasets=config["datasets"],
        code=code_of("claims.py"),
    script:
        "../scripts/claims.py"


use rule claims as claims_of_page with:
    output:
        csv="results/{page}.claims.csv",
        markdown="results/{page}.claims.md",
    log:
        "logs/claims/{page}.log",
    benchmark:
        "logs/benchmarks/claims/{page}.tsv"
    wildcard_constraints:
        page=one_of(PAGES[1:]),
    params:
        page=page_name,
        sections=claims_sections,
        datasets=config["datasets"],
        code=code_of("claims.py"),
