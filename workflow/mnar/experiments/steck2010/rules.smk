# Steck 2010: tables and figures on one dataset, and the target for the paper's own datasets.


rule show_steck2010:
    """Write the tables and figures of steck2010 on a dataset"""
    input:
        shown_inputs("steck2010"),
    output:
        tables=shown("steck2010", "table"),
        table_forms=shown("steck2010", "table", "csv", "tex"),
        figures=shown("steck2010", "figure"),
        figure_forms=shown("steck2010", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/steck2010/{dataset}/checksums.json",
    log:
        "logs/show/steck2010/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/steck2010/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(600, 4),
        runtime=runtime(15, 0.5),
    params:
        experiment="steck2010",
        config=shown_config("steck2010"),
        code=shown_code("steck2010"),
    script:
        "../../../scripts/show.py"


rule steck2010:
    """steck2010 on its own datasets: results/steck2010.html"""
    input:
        "results/steck2010.html",
