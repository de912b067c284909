# Trust: many systems ordered by every estimator and by the truth, then tables and figures.


include: "functions.smk"


rule simulate_trust:
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
        mem_mb=mem_mb(700, 20),
        runtime=runtime(60, 1),
    params:
        about=trust_settings,
        seed=config["seed"],
        code=trust_code,
    script:
        "../../../scripts/simulate_trust.py"


rule show_trust:
    input:
        shown_inputs("trust"),
    output:
        tables=shown("trust", "table"),
        table_forms=shown("trust", "table", "csv", "tex"),
        figures=shown("trust", "figure"),
        figure_forms=shown("trust", "figure", "pdf", "png", "csv", "txt"),
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


rule trust:
    input:
        "results/trust.html",
