# tables + figures -> one page


localrules:
    page,


rule page:
    input:
        page_inputs,
        claims=claims_of,
        stability=stability_of,
    output:
        report(
            "results/{page}.html",
            caption="../report/page.rst",
            category="summary",
            labels={"page": "{page}"},
        ),
    log:
        "logs/page/{page}.log",
    benchmark:
        "logs/benchmarks/page/{page}.tsv"
    wildcard_constraints:
        page="|".join(PAGES),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(260),
        runtime=runtime(10),
    params:
        sections=page_sections_of,
        config=config,
        template=str(WORKFLOW / "report" / "page.html.j2"),
        code=code_of("page.py"),
    script:
        "../scripts/page.py"
