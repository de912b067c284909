"""RMSE and Track 2 error against the number of factors."""

import pandas as pd

from mnar.experiments.kddcup2011 import TRACK1, TRACK2
from mnar.reporting.results import Results
from mnar.reporting.sweeps import over_folds, sweep, swept_methods

PARAMETER = "factors"


def factor_sweep(results: Results) -> pd.DataFrame:
    """Test values of the methods with factors in their grid, other settings tuned on validation.

    `relative` is the change in percent since the fewest factors that all of them have.
    """
    parts = []
    for study, measure in ((TRACK1, "rmse"), (TRACK2, "track2_error")):
        for method in swept_methods(results, study, PARAMETER):
            rows = over_folds(sweep(results, study, method, PARAMETER), PARAMETER)
            rows = rows[(rows["set"] == "test") & (rows["measure"] == measure)]
            parts.append(rows.assign(method=method, track=study[-6:]))
    data = pd.concat(parts, ignore_index=True)
    data.insert(0, "dataset", results.dataset)
    keys = ["track", "method"]
    fewest = data.groupby(keys)[PARAMETER].min().max()
    start = data[data[PARAMETER] == fewest].set_index(keys)["mean"]
    start = pd.MultiIndex.from_frame(data[keys]).map(start)
    return data.assign(relative=100 * (data["mean"] / start.to_numpy() - 1))
