# scores -> the papers' tables, ours beside published


for experiment in EXPERIMENTS:

    rule:
        name:
            f"tabulate_{experiment}"
        input:
            inputs_of(experiment),
        output:
            tables=report(
                expand(
                    f"results/{experiment}/{{{{dataset}}}}/{{name}}.md",
                    name=experiments.outline(experiment).tables,
                ),
                caption="../report/table.rst",
                category=experiment,
                subcategory="{dataset}",
                labels={"dataset": "{dataset}", "kind": "table"},
            ),
            others=expand(
                f"results/{experiment}/{{{{dataset}}}}/{{name}}.{{ending}}",
                name=experiments.outline(experiment).tables,
                ending=["csv", "tex"],
            ),
        log:
            f"logs/tabulate/{experiment}/{{dataset}}.log",
        benchmark:
            f"logs/benchmarks/tabulate/{experiment}/{{dataset}}.tsv"
        group:
            "show"
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=mem_mb(*TABLE_MB.get(experiment, (490, 2))),
            runtime=runtime(15, 0.5),
        params:
            experiment=experiment,
            config=shown_config(experiment),
            code=code_of("tabulate.py", f"mnar.experiments.{experiment}.tables"),
        script:
            "../scripts/tabulate.py"

    if experiments.outline(experiment).across:

        rule:
            name:
                f"tabulate_{experiment}_across"
            input:
                expand(
                    f"results/{experiment}/{{dataset}}/{{{{table}}}}.csv",
                    dataset=config["experiments"][experiment]["paper_datasets"],
                ),
            output:
                multiext(f"results/{experiment}/{{table}}", ".csv", ".md", ".tex"),
            log:
                f"logs/tabulate/{experiment}/{{table}}.log",
            benchmark:
                f"logs/benchmarks/tabulate/{experiment}/{{table}}.tsv"
            wildcard_constraints:
                table="|".join(experiments.outline(experiment).across),
            conda:
                "../../envs/environment.yaml"
            resources:
                mem_mb=mem_mb(250),
                runtime=runtime(10),
            params:
                code=code_of("tabulate_across.py"),
            script:
                "../scripts/tabulate_across.py"
