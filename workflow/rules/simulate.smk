# Experiments where the truth is known: theorems on complete data, and behaviour over generators.


def simulated_files(wildcards):
    """The view that keeps all ratings and, of generated datasets, the truth."""
    files = {"view": f"results/views/{wildcards.dataset}/theorems.npz"}
    if wildcards.dataset in GENERATED:
        files["truth"] = f"results/data/{wildcards.dataset}/truth.npz"
    return files


def simulation_code(wildcards):
    ranking = models.module_name(config["theorems"]["ranking"]["method"])
    taken = getattr(simulations.load(wildcards.simulation), "MEASURES", ())
    simulation = simulations.module_name(wildcards.simulation)
    return fingerprint("simulate.py", simulation, ranking, *measures.modules_of(taken))


def generator_grid_code(wildcards):
    methods = [models.module_name(name) for name in generators.METHODS]
    protocols = [f"mnar.splits.{name.replace('-', '_')}" for name in generators.PROTOCOLS]
    taken = measures.modules_of(generators.MEASURES)
    return fingerprint("generator_grid.py", *methods, *protocols, *taken)


rule simulate:
    input:
        unpack(simulated_files),
    output:
        "results/simulations/{dataset}/{simulation}.csv",
    log:
        "logs/simulate/{dataset}/{simulation}.log",
    benchmark:
        "logs/benchmarks/simulate/{dataset}/{simulation}.tsv"
    params:
        settings=config["theorems"],
        seed=config["seed"],
        code=simulation_code,
    group:
        "simulate"
    resources:
        mem_mb=mem_mb(450, 20),
        runtime=runtime(30, 1),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/simulate.py"


rule generator_grid:
    output:
        "results/simulations/generator_grid.csv",
    log:
        "logs/generator_grid.log",
    benchmark:
        "logs/benchmarks/generator_grid.tsv"
    params:
        grid=config["synthetic_grid"],
        seed=config["seed"],
        code=generator_grid_code,
    resources:
        mem_mb=mem_mb(500),
        runtime=runtime(20),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/generator_grid.py"
