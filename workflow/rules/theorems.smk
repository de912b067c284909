# view (+ truth, where it is known) -> measures on observed or held-out items against the others


rule observe:
    input:
        unpack(theorem_inputs),
    output:
        bias="results/checks/{dataset}/bias.csv",
        factor="results/checks/{dataset}/ndcg_factor.csv",
        broken="results/checks/{dataset}/broken.csv",
        irrelevant="results/checks/{dataset}/irrelevant.csv",
        random_auc="results/checks/{dataset}/random_auc.csv",
    log:
        "logs/observe/{dataset}.log",
    benchmark:
        "logs/benchmarks/observe/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450, 20),
        runtime=runtime(30, 1),
    params:
        theorems=config["theorems"],
        seed=config["seed"],
        code=code_of("observe.py", ranking_module()),
    script:
        "../scripts/observe.py"


rule hold_out:
    input:
        unpack(theorem_inputs),
    output:
        holdout="results/checks/{dataset}/holdout.csv",
        unseen="results/checks/{dataset}/unseen.csv",
    log:
        "logs/hold_out/{dataset}.log",
    benchmark:
        "logs/benchmarks/hold_out/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450, 20),
        runtime=runtime(30, 1),
    params:
        theorems=config["theorems"],
        seed=config["seed"],
        code=code_of("hold_out.py", ranking_module()),
    script:
        "../scripts/hold_out.py"
