# The papers' tables and figures. Each paper's own rules lie in its folder of the library.


rule tabulate_across:
    """Lay one table out across the datasets of a paper"""
    input:
        across_inputs,
    output:
        multiext("results/{experiment}/{table}", ".csv", ".md", ".tex", ".checksums.json"),
    log:
        "logs/tabulate_across/{experiment}/{table}.log",
    benchmark:
        "logs/benchmarks/tabulate_across/{experiment}/{table}.tsv"
    wildcard_constraints:
        table=one_of({name for e in EXPERIMENTS for name in outline(e).across}),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(250),
        runtime=runtime(10),
    params:
        code=code_of("tabulate_across.py"),
    script:
        "../scripts/tabulate_across.py"


rule show_estimates:
    """Write the estimators that a study asks for as a table"""
    input:
        "results/analyses/{study}/{dataset}/estimates.csv",
    output:
        multiext("results/estimates/{study}/{dataset}", ".csv", ".md", ".tex"),
    log:
        "logs/show_estimates/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/show_estimates/{study}/{dataset}.tsv"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(250),
        runtime=runtime(10),
    params:
        code=code_of("show_estimates.py"),
    script:
        "../scripts/show_estimates.py"


for experiment in EXPERIMENTS:

    include: f"../mnar/experiments/{experiment}/rules.smk"
