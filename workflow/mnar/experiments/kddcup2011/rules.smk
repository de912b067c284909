# Dror, Koenigstein, Koren, Weimer 2011: tables and figures on one dataset, and the target for the paper's own datasets.


rule show_kddcup2011:
    """Write the tables and figures of kddcup2011 on a dataset"""
    input:
        shown_inputs("kddcup2011"),
    output:
        tables=shown("kddcup2011", "table"),
        table_forms=shown("kddcup2011", "table", "csv", "tex"),
        figures=shown("kddcup2011", "figure"),
        figure_forms=shown("kddcup2011", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/kddcup2011/{dataset}/checksums.json",
    log:
        "logs/show/kddcup2011/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/kddcup2011/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(520, 8),
        runtime=runtime(15, 0.5),
    params:
        experiment="kddcup2011",
        config=shown_config("kddcup2011"),
        code=shown_code("kddcup2011"),
    script:
        "../../../scripts/show.py"


rule kddcup2011:
    """kddcup2011 on its own datasets: results/kddcup2011.html"""
    input:
        "results/kddcup2011.html",
