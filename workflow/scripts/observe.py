"""Measures on a part of the relevant items against those on all: bias, and where it comes from."""

from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.synthetic import Truth
from mnar.matrices.view import View
from mnar.simulations.theorems import bias, broken, irrelevant, random_auc
from mnar.simulations.theorems.ground_truth import complete_data
from mnar.simulations.theorems.observing import RankedItems
from mnar.simulations.theorems.rows import write_rows

with logged(snakemake.log[0]):
    settings, output = snakemake.params.theorems, snakemake.output
    ranking = settings["ranking"]
    method = ranking["method"]
    seed = seed_of(snakemake.params.seed, snakemake.wildcards.dataset, "theorems")
    place = snakemake.input.get("truth")
    truth = Truth.load(place) if place else None
    data = complete_data(View.load(snakemake.input.view), truth, ranking, settings["users"], seed)
    ranked = RankedItems.of(data.model, data.ratings)
    print(f"{ranked.n_users} users, {len(ranked.user)} relevant items")

    shares = sorted(settings["shares"])
    simulation = bias.simulate(ranked, shares, settings["user_repetitions"], seed)
    write_rows(output.bias, method, bias.BIAS_COLUMNS, bias.bias_rows(simulation))
    write_rows(output.factor, method, bias.FACTOR_COLUMNS, bias.factor_rows(simulation))
    rows = broken.broken_rows(data, ranked, settings["broken"], seed)
    write_rows(output.broken, method, broken.COLUMNS, rows)
    rows = irrelevant.irrelevant_rows(data, seed)
    write_rows(output.irrelevant, method, irrelevant.COLUMNS, rows)
    # Random ratings are drawn from all of a user's; where these are not known there is no row.
    rows = random_auc.random_auc_rows(data, seed=seed, **settings["random_auc"]) if truth else ()
    write_rows(output.random_auc, method, random_auc.COLUMNS, rows)
