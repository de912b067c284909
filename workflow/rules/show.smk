# scores -> the papers' tables, ours beside published, and figures


for experiment in EXPERIMENTS:
    for number, (figures, datasets) in enumerate(figure_sets(experiment).items()):

        rule:
            name:
                f"show_{experiment}_{number}" if number else f"show_{experiment}"
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
                table_forms=expand(
                    f"results/{experiment}/{{{{dataset}}}}/{{name}}.{{ending}}",
                    name=experiments.outline(experiment).tables,
                    ending=["csv", "tex"],
                ),
                figures=report(
                    expand(f"results/{experiment}/{{{{dataset}}}}/{{name}}.svg", name=figures),
                    caption="../report/figure.rst",
                    category=experiment,
                    subcategory="{dataset}",
                    labels={"dataset": "{dataset}", "kind": "figure"},
                ),
                figure_forms=expand(
                    f"results/{experiment}/{{{{dataset}}}}/{{name}}.{{ending}}",
                    name=figures,
                    ending=["pdf", "png", "csv", "txt"],
                ),
            log:
                f"logs/show/{experiment}/{{dataset}}.log",
            benchmark:
                f"logs/benchmarks/show/{experiment}/{{dataset}}.tsv"
            wildcard_constraints:
                dataset=one_of(datasets),
            priority: len(figures)
            group:
                "show"
            conda:
                "../../envs/environment.yaml"
            resources:
                mem_mb=mem_mb(*SHOW_MB.get(experiment, (490, 2))),
                runtime=runtime(15, 0.5),
            params:
                experiment=experiment,
                figures=figures,
                config=shown_config(experiment),
                code=code_of(
                    "show.py",
                    f"mnar.experiments.{experiment}.tables",
                    f"mnar.experiments.{experiment}.figures",
                ),
            script:
                "../scripts/show.py"

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
