# prepared data -> view (what an experiment sees of a dataset) -> split (who trains, who is scored)


rule view:
    input:
        interactions="results/data/{dataset}/interactions.parquet",
        random="results/data/{dataset}/random.parquet",
        catalogue="results/data/{dataset}/items.parquet",
        summary="results/data/{dataset}/summary.json",
    output:
        "results/views/{dataset}/{view}.npz",
    log:
        "logs/view/{dataset}/{view}.log",
    benchmark:
        "logs/benchmarks/view/{dataset}/{view}.tsv"
    priority: AWAITED
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(180, 20),
        runtime=runtime(10, 0.2),
    params:
        settings=view_settings,
        code=code_of("view.py"),
    script:
        "../scripts/view.py"


rule split:
    input:
        "results/views/{dataset}/{view}.npz",
    output:
        "results/splits/{dataset}/{view}/{protocol}.npz",
    log:
        "logs/split/{dataset}/{view}/{protocol}.log",
    benchmark:
        "logs/benchmarks/split/{dataset}/{view}/{protocol}.tsv"
    priority: AWAITED
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(protocol_mb, 8),
        runtime=runtime(10, 0.1),
    params:
        settings=protocol_settings,
        seed=config["seed"],
        code=protocol_code,
    script:
        "../scripts/split.py"


for name, views, pairs, datasets in splitting_rules():

    rule:
        name:
            name
        input:
            interactions="results/data/{dataset}/interactions.parquet",
            random="results/data/{dataset}/random.parquet",
            catalogue="results/data/{dataset}/items.parquet",
            summary="results/data/{dataset}/summary.json",
        output:
            views=[f"results/views/{{dataset}}/{view}.npz" for view in views],
            splits=[f"results/splits/{{dataset}}/{view}/{protocol}.npz" for view, protocol in pairs],
        log:
            f"logs/split/{{dataset}}/{name}.log",
        benchmark:
            f"logs/benchmarks/split/{{dataset}}/{name}.tsv"
        wildcard_constraints:
            dataset=datasets,
        priority: AWAITED
        group:
            "split"
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=mem_mb(350 if any(pair[1] in BY_TIME for pair in pairs) else 180, 20),
            runtime=runtime(10, 1),
        params:
            views=settings_of_views(views),
            splits=settings_of_splits(pairs),
            seed=config["seed"],
            code=code_of(
                "view_and_split.py",
                *(f"mnar.splits.{protocol.replace('-', '_')}" for _, protocol in pairs),
            ),
        script:
            "../scripts/view_and_split.py"

    workflow.ruleorder(name, "view")
    workflow.ruleorder(name, "split")


rule complete:
    input:
        view="results/views/{dataset}/{view}.npz",
        truth="results/data/{dataset}/truth.npz",
    output:
        "results/complete/{dataset}/{view}.npz",
    log:
        "logs/complete/{dataset}/{view}.log",
    benchmark:
        "logs/benchmarks/complete/{dataset}/{view}.tsv"
    wildcard_constraints:
        dataset=one_of(GENERATED),
    priority: AWAITED
    group:
        "split"
    conda:
        "../../envs/environment.yaml"
    resources:
        mem_mb=mem_mb(450),
        runtime=runtime(15),
    params:
        seed=config["seed"],
        code=code_of("complete.py"),
    script:
        "../scripts/complete.py"
