# Trust: many systems ordered by every estimator and by the truth, then tables and figures.


include: "functions.smk"


rule simulate_trust:
    """Order many systems by every estimator and by the truth"""
    input:
        unpack(trusted_files),
    output:
        expand("results/simulations/{{dataset}}/trust_{frame}.csv", frame=TRUST_FRAMES),
    log:
        "logs/simulate_trust/{dataset}.log",
    benchmark:
        "logs/benchmarks/simulate_trust/{dataset}.tsv"
    group:
        "simulate"
    conda:
        "../../../../envs/environment.yaml"
    threads: 2
    resources:
        mem_mb=mem_mb(trust_mb, 35),
        runtime=runtime(60, 1),
    params:
        about=trust_settings,
        seed=config["seed"],
        code=trust_code,
    script:
        "../../../scripts/simulate_trust.py"


rule export_trust:
    """Write a fold of trust with the ids of the data, for other libraries"""
    input:
        view="results/views/{dataset}/trust.npz",
    output:
        train="results/export/trust/{dataset}/{fold}/train.parquet",
        fold_in="results/export/trust/{dataset}/{fold}/fold_in.parquet",
        validation="results/export/trust/{dataset}/{fold}/validation.parquet",
        test="results/export/trust/{dataset}/{fold}/test.parquet",
        readme="results/export/trust/{dataset}/{fold}/README.md",
    log:
        "logs/export/trust/{dataset}/{fold}.log",
    benchmark:
        "logs/benchmarks/export/trust/{dataset}/{fold}.tsv"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(300, 20),
        runtime=runtime(10, 0.1),
    params:
        protocol=trust_protocol,
        seed=config["seed"],
        code=code_of("export_trust.py", splits.module_name("selected")),
    script:
        "../../../scripts/export_trust.py"


rule show_trust:
    """Write the tables and figures of trust on a dataset"""
    input:
        shown_inputs("trust"),
    output:
        tables=shown("trust", "table"),
        table_forms=shown("trust", "table", "csv", "tex"),
        figures=shown("trust", "figure"),
        figure_forms=shown("trust", "figure", "pdf", "png", "csv", "txt"),
        checksums="results/trust/{dataset}/checksums.json",
    log:
        "logs/show/trust/{dataset}.log",
    benchmark:
        "logs/benchmarks/show/trust/{dataset}.tsv"
    group:
        "show"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(460, 4),
        runtime=runtime(15, 0.5),
    params:
        experiment="trust",
        config=shown_config("trust"),
        code=shown_code("trust"),
    script:
        "../../../scripts/show.py"


rule show_trust_across:
    """Draw trust over all its real datasets"""
    input:
        trusted_summaries,
    output:
        report(
            "results/trust/across.svg",
            caption="../../../report/figure.rst",
            category="trust",
            labels={"dataset": "all", "figure": "Which number can you believe?"},
        ),
        multiext("results/trust/across", ".pdf", ".png", ".csv", ".txt"),
    log:
        "logs/show_trust_across.log",
    benchmark:
        "logs/benchmarks/show_trust_across.tsv"
    conda:
        "../../../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(460, 4),
        runtime=runtime(15),
    params:
        code=code_of("show_trust_across.py"),
    script:
        "../../../scripts/show_trust_across.py"


rule trust:
    """trust on its own datasets: results/trust.html"""
    input:
        "results/trust.html",
