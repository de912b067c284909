# view + split -> scores of every setting of a method, and the setting chosen on validation


rule compile:
    output:
        touch("results/runs/compiled"),
    log:
        "logs/compile.log",
    benchmark:
        "logs/benchmarks/compile.tsv"
    priority: AWAITED
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(380),
        runtime=runtime(15),
    params:
        code=code_of("compile.py", *(f"mnar.models.{name}" for name in METHOD_MODULES)),
    script:
        "../scripts/compile.py"


for name, parts, studies, datasets, log, work in training_rules():

    rule:
        name:
            name
        input:
            unpack(training_inputs(parts)),
        output:
            scores=trained_runs(parts, "csv"),
            users=trained_runs(parts, "npz"),
        log:
            f"logs/train/{log}.log",
        benchmark:
            f"logs/benchmarks/train/{log}.tsv"
        wildcard_constraints:
            study=studies,
            dataset=datasets,
        priority: work
        group:
            "train"
        conda:
            "../../envs/environment.yaml"
        threads: threads_by_size
        resources:
            mem_mb=mem_mb(340, train_mb_per_mb(parts)),
            runtime=runtime(30, sum(len(methods) for _, _, methods in parts)),
        params:
            studies=trained_settings(parts),
            seed=config["seed"],
            code=trained_code(parts),
        script:
            "../scripts/train.py"


rule learning_curve:
    input:
        unpack(curve_inputs),
    output:
        "results/curves/{study}/{dataset}.csv",
    log:
        "logs/learning_curve/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/learning_curve/{study}/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(310, 15),
        runtime=runtime(30, 1),
    params:
        curve=config["learning_curve"],
        methods=curve_methods,
        study=study_settings,
        seed=config["seed"],
        code=code_of("learning_curve.py", "mnar.models.mf_adg", "mnar.models.mf_auc"),
    script:
        "../scripts/learning_curve.py"


rule blend:
    input:
        unpack(chosen_inputs),
    output:
        scores="results/runs/{study}/{dataset}/blend/all.csv",
        users="results/runs/{study}/{dataset}/blend/all.npz",
    log:
        "logs/blend/{study}/{dataset}.log",
    benchmark:
        "logs/benchmarks/blend/{study}/{dataset}.tsv"
    priority: AWAITED
    group:
        "retrain"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(350, 12),
        runtime=runtime(30, 1),
    params:
        methods=chosen_methods,
        folds=folds_of,
        study=study_settings,
        seed=config["seed"],
        code=code_of("blend.py", *(f"mnar.models.{name}" for name in METHOD_MODULES)),
    script:
        "../scripts/blend.py"
