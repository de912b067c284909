# generator settings -> what the papers say of behaviour, where the truth is known


rule user_model:
    output:
        "results/pradel2012/{dataset}/user_model.csv",
        report(
            "results/pradel2012/{dataset}/user_model.svg",
            caption="../report/figure.rst",
            category="pradel2012",
            subcategory="{dataset}",
            labels={"dataset": "{dataset}", "kind": "figure"},
        ),
        multiext("results/pradel2012/{dataset}/user_model", ".pdf", ".png", ".txt"),
    log:
        "logs/user_model/{dataset}.log",
    benchmark:
        "logs/benchmarks/user_model/{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(GENERATED),
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=1000,
    params:
        generator=generator_settings,
        code=fingerprint("user_model.py"),
    script:
        "../scripts/user_model.py"


rule synthetic_grid:
    input:
        compiled=ancient("results/runs/compiled"),
    output:
        multiext("results/pradel2012/synthetic_grid", ".csv", ".md", ".tex"),
    log:
        "logs/synthetic_grid.log",
    benchmark:
        "logs/benchmarks/synthetic_grid.tsv"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=1000,
    params:
        grid=config["synthetic_grid"],
        seed=config["seed"],
        code=fingerprint("synthetic_grid.py", *GRID_MODULES),
    script:
        "../scripts/synthetic_grid.py"
