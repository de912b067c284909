"""What one analysis finds in the models of a study, trained again at their chosen settings."""

from mnar import analyses
from mnar.core.script import logged
from mnar.matrices.view import View
from mnar.tuning.chosen_models import choices
from mnar.tuning.chosen_study import ChosenStudy

with logged(snakemake.log[0]):
    params, files, wildcards = snakemake.params, snakemake.input, snakemake.wildcards
    study = ChosenStudy(
        name=wildcards.study,
        dataset=wildcards.dataset,
        settings=params.study,
        view=View.load(files.view),
        split_file=files.splits,
        folds=params.folds,
        methods={name: choices(method, files[name]) for name, method in params.methods.items()},
        catalogues={name: files[name] for name in params.study.get("catalogues", [])},
        seed=params.seed,
        threads=snakemake.threads,
    )
    found = analyses.load(wildcards.analysis).analyse(study, params.settings)
    found.save(snakemake.output.table, snakemake.output.arrays)
