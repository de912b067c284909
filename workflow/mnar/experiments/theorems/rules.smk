# The theorems of lim2015 and steck2010: tables and figures on one dataset, and the target for the paper's own datasets.


rule show_theorems:
    """Write the tables and figures of theorems on a dataset"""
    input:
        shown_inputs("theorems"),
    output:
        tables=shown("theorems", "table"),
        table_forms=shown("theorems", "table", "csv", "tex"),
        figures=shown("theorems", "figure"),
        figure_forms=shown("theorems", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/theorems/{dataset}/checksums.json",
    log:
        "logs/show/theorems/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/theorems/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(460, 2),
        runtime=runtime(15, 0.5),
    params:
        experiment="theorems",
        config=shown_config("theorems"),
        code=shown_code("theorems"),
    script:
        "../../../scripts/show.py"


rule theorems:
    """theorems on its own datasets: results/theorems.html"""
    input:
        "results/theorems.html",
