"""What one analysis finds in the models of a study, trained again at their chosen settings."""

from mnar import analyses
from mnar.core.script import logged
from mnar.matrices.view import View
from mnar.tuning.chosen_models import choices, diverged
from mnar.tuning.chosen_study import ChosenStudy

with logged(snakemake.log[0]):
    params, files, wildcards = snakemake.params, snakemake.input, snakemake.wildcards
    left_out = [name for name in params.methods if diverged(files[name])]
    for name in left_out:
        print(f"{name} is left out: its model has diverged in folds {diverged(files[name])}.")
    kept = {name: method for name, method in params.methods.items() if name not in left_out}
    study = ChosenStudy(
        name=wildcards.study,
        dataset=wildcards.dataset,
        settings=params.study,
        view=View.load(files.view),
        split_file=files.splits,
        folds=params.folds,
        methods={name: choices(method, files[name]) for name, method in kept.items()},
        catalogues={name: files[name] for name in params.study.get("catalogues", [])},
        seed=params.seed,
        threads=snakemake.threads,
        diverged=left_out,
    )
    found = analyses.load(wildcards.analysis).analyse(study, params.settings)
    found.save(snakemake.output.table, snakemake.output.arrays)
