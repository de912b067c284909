# Experiments where the truth is known: theorems on complete data, and behaviour over generators.


rule simulate:
    input:
        unpack(simulated_files),
    output:
        "results/simulations/{dataset}/{simulation}.csv",
    log:
        "logs/simulate/{dataset}/{simulation}.log",
    benchmark:
        "logs/benchmarks/simulate/{dataset}/{simulation}.tsv"
    group:
        "simulate"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450, 20),
        runtime=runtime(30, 1),
    params:
        settings=config["theorems"],
        seed=config["seed"],
        code=simulation_code,
    script:
        "../scripts/simulate.py"


rule generator_grid:
    output:
        "results/simulations/generator_grid.csv",
    log:
        "logs/generator_grid.log",
    benchmark:
        "logs/benchmarks/generator_grid.tsv"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(500),
        runtime=runtime(20),
    params:
        grid=config["synthetic_grid"],
        seed=config["seed"],
        code=generator_grid_code,
    script:
        "../scripts/generator_grid.py"
