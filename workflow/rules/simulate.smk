# Experiments where the truth is known: theorems on complete data, and behaviour over generators.


rule simulate:
    """Check a theorem on complete data"""
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
        mem_mb=mem_mb(needs.simulate_mb, 20),
        runtime=runtime(30, 1),
    params:
        settings=simulation_settings,
        seed=config["seed"],
        code=simulation_code,
    script:
        "../scripts/simulate.py"


rule generator_grid:
    """Train over a grid of generator settings"""
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
        grid=config["synthetic_grid"] | config["search"],
        seed=config["seed"],
        code=code_of("generator_grid.py", *generators.modules()),
    script:
        "../scripts/generator_grid.py"
