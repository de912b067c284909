"""Held-out items against others: validation against test, and test against what was never seen."""

from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.synthetic import Truth
from mnar.matrices.view import View
from mnar.simulations.theorems import holdout, unseen
from mnar.simulations.theorems.rows import write_rows

with logged(snakemake.log[0]):
    settings, output = snakemake.params.theorems, snakemake.output
    ranking = settings["ranking"]
    method = ranking["method"]
    seed = seed_of(snakemake.params.seed, snakemake.wildcards.dataset, "theorems")
    view = View.load(snakemake.input.view)

    scores = holdout.held_out_scores(view, ranking, settings["holdout"], seed)
    rows = holdout.holdout_rows(scores, view.shape[0], seed)
    write_rows(output.holdout, method, holdout.COLUMNS, rows)
    rows = ()
    if place := snakemake.input.get("truth"):
        truth = Truth.load(place)
        rows = unseen.unseen_rows(view, truth, ranking, settings["unseen"], settings["users"], seed)
    write_rows(output.unseen, method, unseen.COLUMNS, rows)
