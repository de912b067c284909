# Pradel, Usunier, Gallinari 2012: tables and figures on one dataset, and the target for the paper's own datasets.


rule show_pradel2012:
    """Write the tables and figures of pradel2012 on a dataset"""
    input:
        shown_inputs("pradel2012"),
    output:
        tables=shown("pradel2012", "table"),
        table_forms=shown("pradel2012", "table", "csv", "tex"),
        figures=shown("pradel2012", "figure"),
        figure_forms=shown("pradel2012", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/pradel2012/{dataset}/checksums.json",
    log:
        "logs/show/pradel2012/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/pradel2012/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(460, 2),
        runtime=runtime(15, 0.5),
    params:
        experiment="pradel2012",
        config=shown_config("pradel2012"),
        code=shown_code("pradel2012"),
    script:
        "../../../scripts/show.py"


rule show_generator_grid:
    """Write the table of the generator grid"""
    input:
        "results/simulations/generator_grid.csv",
    output:
        report(
            "results/pradel2012/synthetic_grid.md",
            caption="../../../report/table.rst",
            category="pradel2012",
            subcategory="generated data",
            labels={
                "dataset": "all generated",
                "table": outline("pradel2012").general["synthetic_grid"],
            },
        ),
        multiext("results/pradel2012/synthetic_grid", ".csv", ".tex", ".checksums.json"),
    log:
        "logs/show/pradel2012/synthetic_grid.log",
    benchmark:
        "logs/benchmarks/show/pradel2012/synthetic_grid.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(300),
        runtime=runtime(10),
    params:
        code=code_of("show_generator_grid.py"),
    script:
        "../../../scripts/show_generator_grid.py"


rule pradel2012:
    """pradel2012 on its own datasets: results/pradel2012.html"""
    input:
        "results/pradel2012.html",
