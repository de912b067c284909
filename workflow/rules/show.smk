# The papers' tables and figures. Each paper's own rules lie in its folder of the library.


def shown_inputs(experiment):
    """Everything that a paper's tables and figures on a dataset are made from."""
    plan = experiments.outline(experiment)

    def inputs(wildcards):
        dataset = wildcards.dataset
        extras = plan.extras + (plan.truth_extras if dataset in GENERATED else ())
        files = [extra.format(dataset=dataset) for extra in extras]
        for study in plan.studies:
            files.append(f"results/views/{dataset}/{config['studies'][study]['view']}.npz")
            for method in settings.methods(config, study, dataset):
                for ending in ("csv", "npz"):
                    files += score_files(study, dataset, method, ending)
        return list(dict.fromkeys(files))

    return inputs


def shown(experiment, kind, *endings):
    """The files of a paper's tables or figures, those to look at under their own label in the report."""
    plan = experiments.outline(experiment)
    titles = plan.tables if kind == "table" else plan.figures
    stem = f"results/{experiment}/{{dataset}}"
    if endings:
        return [f"{stem}/{name}.{ending}" for name in titles for ending in endings]
    ending, files = "md" if kind == "table" else "svg", []
    for name, title in titles.items():
        file = report(
            f"{stem}/{name}.{ending}",
            caption=f"../report/{kind}.rst",
            category=experiment,
            subcategory="{dataset}",
            labels={"dataset": "{dataset}", kind: title},
        )
        files.append(file)
    return files


def shown_config(experiment):
    """The part of the config that a paper's tables and figures speak of."""
    studies = experiments.outline(experiment).studies

    def part(wildcards):
        methods = {method for study in studies for method in config["studies"][study]["methods"]}
        return {
            "seed": config["seed"],
            "has": settings.has(config, wildcards.dataset),
            "generated": GENERATED,
            "studies": {study: config["studies"][study] for study in studies},
            "methods": {method: config["methods"][method] for method in sorted(methods)},
        }

    return part


def shown_code(experiment):
    """The library files of a paper, the measures it shows, and its published numbers."""
    parts = [f"mnar.experiments.{experiment}.{part}" for part in ("tables", "figures")]
    taken = [
        measure
        for study in experiments.outline(experiment).studies
        for measure in settings.measures_of(config, study)
    ]
    files = published_files(experiment)
    return code_of("show.py", *parts, *measures.modules_of(taken), files=files)


def across_inputs(wildcards):
    datasets = config["experiments"][wildcards.experiment]["paper_datasets"]
    return [f"results/{wildcards.experiment}/{name}/{wildcards.table}.csv" for name in datasets]


rule tabulate_across:
    input:
        across_inputs,
    output:
        multiext("results/{experiment}/{table}", ".csv", ".md", ".tex"),
    log:
        "logs/tabulate_across/{experiment}/{table}.log",
    benchmark:
        "logs/benchmarks/tabulate_across/{experiment}/{table}.tsv"
    wildcard_constraints:
        table=one_of({name for e in EXPERIMENTS for name in experiments.outline(e).across}),
    params:
        code=code_of("tabulate_across.py"),
    resources:
        mem_mb=mem_mb(250),
        runtime=runtime(10),
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_across.py"


for experiment in EXPERIMENTS:

    include: f"../mnar/experiments/{experiment}/rules.smk"
