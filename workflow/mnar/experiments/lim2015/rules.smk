# Lim, McAuley, Lanckriet 2015: tables and figures on one dataset, and the target for the paper's own datasets.


rule show_lim2015:
    """Write the tables and figures of lim2015 on a dataset"""
    input:
        shown_inputs("lim2015"),
    output:
        tables=shown("lim2015", "table"),
        table_forms=shown("lim2015", "table", "csv", "tex"),
        figures=shown("lim2015", "figure"),
        figure_forms=shown("lim2015", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/lim2015/{dataset}/checksums.json",
    log:
        "logs/show/lim2015/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/lim2015/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(460, 2),
        runtime=runtime(15, 0.5),
    params:
        experiment="lim2015",
        config=shown_config("lim2015"),
        code=shown_code("lim2015"),
    script:
        "../../../scripts/show.py"


rule lim2015:
    """lim2015 on its own datasets: results/lim2015.html"""
    input:
        "results/lim2015.html",
