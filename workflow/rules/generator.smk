# generator settings -> what the papers say of behaviour, where the truth is known


rule synthetic_grid:
    input:
        compiled=ancient("results/runs/compiled"),
    output:
        multiext("results/pradel2012/synthetic_grid", ".csv", ".md", ".tex"),
    log:
        "logs/synthetic_grid.log",
    benchmark:
        "logs/benchmarks/synthetic_grid.tsv"
    priority: AWAITED
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(500),
        runtime=runtime(20),
    params:
        grid=config["synthetic_grid"],
        seed=config["seed"],
        code=code_of("synthetic_grid.py", *GRID_MODULES),
    script:
        "../scripts/synthetic_grid.py"
