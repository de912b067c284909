# scores -> the papers' figures
for experiment in EXPERIMENTS:

    rule:
        name:
            f"plot_{experiment}"
        input:
            figure_inputs_of(experiment),
        output:
            figures=report(
                expand(
                    f"results/{experiment}/{{{{dataset}}}}/{{name}}.svg",
                    name=experiments.outline(experiment).figures,
                ),
                caption="../report/figure.rst",
                category=experiment,
                subcategory="{dataset}",
                labels={"dataset": "{dataset}", "kind": "figure"},
            ),
            others=expand(
                f"results/{experiment}/{{{{dataset}}}}/{{name}}.{{ending}}",
                name=experiments.outline(experiment).figures,
                ending=["pdf", "png", "csv", "txt"],
            ),
        log:
            f"logs/plot/{experiment}/{{dataset}}.log",
        benchmark:
            f"logs/benchmarks/plot/{experiment}/{{dataset}}.tsv"
        conda:
            "../../envs/environment.yaml"
        resources:
            mem_mb=mem_mb(600, 6),
        params:
            experiment=experiment,
            config=shown_config(experiment),
            code=fingerprint("plot.py", f"mnar.experiments.{experiment}.figures"),
        script:
            "../scripts/plot.py"
