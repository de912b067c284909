# scores -> the papers' tables, ours beside published


def experiment_inputs(experiment, dataset):
    """Everything a paper's tables and figures on a dataset are made from."""
    plan = experiments.outline(experiment)
    files = [extra.format(dataset=dataset) for extra in plan.extras]
    for study in plan.studies:
        files += runs_of(study, dataset, "csv") + runs_of(study, dataset, "npz")
        files.append(f"results/views/{dataset}/{config['studies'][study]['view']}.npz")
    return list(dict.fromkeys(files))


def inputs_of(experiment):
    def inputs(wildcards):
        return experiment_inputs(experiment, wildcards.dataset)

    return inputs


def shown_config(experiment):
    """The part of the config that tables and figures speak of."""
    plan = experiments.outline(experiment)
    methods = {m for study in plan.studies for m in config["studies"][study]["methods"]}
    return {
        "seed": config["seed"],
        "studies": {study: config["studies"][study] for study in plan.studies},
        "methods": {method: config["methods"][method] for method in sorted(methods)},
    }


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
        params:
            experiment=experiment,
            config=shown_config(experiment),
            code=fingerprint("tabulate.py", f"mnar.experiments.{experiment}.tables"),
        resources:
            mem_mb=mem_mb(600, 6),
        conda:
            "../../envs/environment.yaml"
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
            wildcard_constraints:
                table="|".join(experiments.outline(experiment).across),
            log:
                f"logs/tabulate/{experiment}/{{table}}.log",
            benchmark:
                f"logs/benchmarks/tabulate/{experiment}/{{table}}.tsv"
            params:
                code=fingerprint("tabulate_across.py"),
            conda:
                "../../envs/environment.yaml"
            script:
                "../scripts/tabulate_across.py"
