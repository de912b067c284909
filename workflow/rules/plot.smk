# scores -> the papers' figures


def figure_sets(experiment):
    """The figures that can be drawn, each list of them with the datasets that have what it needs."""
    plan = experiments.outline(experiment)
    sets = {}
    for dataset, entry in config["datasets"].items():
        sets.setdefault(tuple(plan.figures_of(entry.get("has", []))), []).append(dataset)
    return sets.items()


for experiment in EXPERIMENTS:
    for number, (figures, datasets) in enumerate(figure_sets(experiment), start=1):

        rule:
            name:
                f"plot_{experiment}_{number}"
            input:
                inputs_of(experiment),
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
            wildcard_constraints:
                dataset=one_of(datasets),
            log:
                f"logs/plot/{experiment}/{{dataset}}.log",
            benchmark:
                f"logs/benchmarks/plot/{experiment}/{{dataset}}.tsv"
            params:
                experiment=experiment,
                figures=figures,
                config=shown_config(experiment),
                code=fingerprint("plot.py", f"mnar.experiments.{experiment}.figures"),
            resources:
                mem_mb=mem_mb(600, 6),
            conda:
                "../../envs/environment.yaml"
            script:
                "../scripts/plot.py"
