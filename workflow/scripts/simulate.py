"""One simulation on one dataset."""

from mnar import simulations
from mnar.core.files import write_csv
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.synthetic import Truth
from mnar.matrices.view import View
from mnar.simulations.case import Case

with logged(snakemake.log[0]):
    params, files, wildcards = snakemake.params, snakemake.input, snakemake.wildcards
    truth = Truth.load(files.truth) if files.get("truth") else None
    seed = seed_of(params.seed, wildcards.dataset, "theorems")
    case = Case(View.load(files.view), truth, params.settings, seed)
    simulation = simulations.load(wildcards.simulation)
    method = params.settings["ranking"]["method"]
    columns = simulation.COLUMNS
    rows = [[method, *(row[name] for name in columns)] for row in simulation.rows(case)]
    write_csv(snakemake.output[0], ["method", *columns], rows)
    print(f"{len(rows)} rows")
