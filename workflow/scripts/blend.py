"""All methods of a study at their chosen settings, blended: weights on validation, scores on test."""

from mnar import models, splits
from mnar.analyses.blend import blend
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.matrices.view import View
from mnar.measures import Task, evaluate_all
from mnar.tuning import scores as runs
from mnar.tuning.chosen_models import chosen_settings
from mnar.tuning.fold_search import Fold, Outcome

with logged(snakemake.log[0]):
    wildcards, params, threads = snakemake.wildcards, snakemake.params, snakemake.threads
    view = View.load(snakemake.input.view)
    chosen = {name: chosen_settings(snakemake.input[name]) for name in params.methods}
    candidates = params.study["candidates"][0]
    measured = [*params.study["measures"], *params.study.get("chosen_measures", [])]
    outcomes = {}
    for number in range(params.folds):
        fold = Fold.of(view, splits.load_split(snakemake.input.splits, number))
        seed = seed_of(params.seed, wildcards.dataset, wildcards.study, number)
        trained = []
        for name, method in params.methods.items():
            settings = {**method["settings"], **chosen[name][number]}
            trained += models.fit_grid(method["module"], fold.train, [settings], seed, threads)
        model, weights = blend(fold, trained)
        point = {name: float(w) for name, w in zip(params.methods, weights, strict=True)}
        outcomes[number] = Outcome([point], 0)
        names = params.study["sets"]
        tasks = [Task(fold.sets[name], measured, fold.contexts[name]) for name in names]
        seen = None if candidates == "all" else fold.seen
        for name, values in zip(names, evaluate_all(model, tasks, seen, threads), strict=True):
            outcomes[number].scores[0, candidates, name] = values
        print(f"fold {number}: {point}")
    runs.write_scores(snakemake.output.scores, outcomes)
    runs.write_user_values(snakemake.output.users, outcomes, "chosen")
