# Analyses of the models at their chosen settings: ranks, fold-in loss, convergence, blends.


rule analyse:
    """Compute an analysis from chosen models"""
    input:
        unpack(analysed_files),
    output:
        table="results/analyses/{study}/{dataset}/{analysis}.csv",
        arrays="results/analyses/{study}/{dataset}/{analysis}.npz",
    log:
        "logs/analyse/{study}/{dataset}/{analysis}.log",
    benchmark:
        "logs/benchmarks/analyse/{study}/{dataset}/{analysis}.tsv"
    group:
        "analyse"
    conda:
        "../../envs/environment.yaml"
    threads: threads_of_dataset
    resources:
        mem_mb=mem_mb(methods_mb, 12),
        runtime=runtime(30, 1),
    params:
        methods=analysed_settings,
        study=study_settings,
        folds=folds_of_study,
        settings=analysis_settings,
        seed=config["seed"],
        code=analysis_code,
    script:
        "../scripts/analyse.py"
