# scores -> the papers' figures
for experiment in EXPERIMENTS:
    for number, (figures, datasets) in enumerate(figure_sets(experiment).items()):

        rule:
            name:
                f"plot_{experiment}_{number}" if number else f"plot_{experiment}"
            input:
                figure_inputs_of(experiment),
            output:
                figures=report(
                    expand(f"results/{experiment}/{{{{dataset}}}}/{{name}}.svg", name=figures),
                    caption="../report/figure.rst",
                    category=experiment,
                    subcategory="{dataset}",
                    labels={"dataset": "{dataset}", "kind": "figure"},
                ),
                others=expand(
                    f"results/{experiment}/{{{{dataset}}}}/{{name}}.{{ending}}",
                    name=figures,
                    ending=["pdf", "png", "csv", "txt"],
                ),
            log:
                f"logs/plot/{experiment}/{{dataset}}.log",
            benchmark:
                f"logs/benchmarks/plot/{experiment}/{{dataset}}.tsv"
            wildcard_constraints:
                dataset=one_of(datasets),
            group:
                "show"
            conda:
                "../../envs/environment.yaml"
            resources:
                mem_mb=mem_mb(460, 2),
                runtime=runtime(15, 0.5),
            params:
                experiment=experiment,
                figures=figures,
                config=shown_config(experiment),
                code=code_of("plot.py", f"mnar.experiments.{experiment}.figures"),
            script:
                "../scripts/plot.py"
