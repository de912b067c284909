"""Tables of kddcup2011 on time: what training knows of the future, and a split that hides it."""

import numpy as np
import pandas as pd

from mnar import splits
from mnar.analyses.time_leak import time_leak
from mnar.experiments.kddcup2011 import ONE_MOMENT, TRACK1, VIEW
from mnar.experiments.kddcup2011.cells import cell, completed
from mnar.reporting.edges import at_edges, note, with_mark
from mnar.reporting.results import Results, fold_values
from mnar.reporting.table_format import Table
from mnar.splits import TEST, VALIDATION
from mnar.statistics.comparison import mean_and_error

SHARES = {
    "by_anyone": "anyone rated later",
    "by_item": "the item was rated later",
    "by_user": "the user rated later",
    "later_training": "share of training that is later",
}
NO_TIMES = (
    "The dataset does not tell when ratings were given, so that leaks through time are unknown."
)

NOT_ASKED = (
    "Study kddcup2011-time does not name this dataset: ratings need times, and enough users who rate "
    "both before and after the moment."
)


def leaks(results: Results) -> Table:
    """The share of held-out ratings of which training has seen the future, by protocol."""
    rows = []
    view = results.view(VIEW)
    if view.ratings.timed:
        for path in results.files_in("splits", results.dataset, VIEW):
            folds = [splits.load_split(path, number) for number in range(splits.count(path))]
            # Protocol strong has no test ratings of its own.
            role = TEST if (folds[0].roles == TEST).any() else VALIDATION
            found = [time_leak(view, fold, role) for fold in folds]
            for name in SHARES:
                mean, sem = mean_and_error(np.array([getattr(leak, name) for leak in found]))
                row = {"method": path.stem, "measure": name, "mean": mean, "sem": sem}
                rows.append(row | {"n": len(found), "held_out": found[0].held_out})
    columns = ["method", "measure", "mean", "sem", "n", "held_out"]
    tidy = completed(pd.DataFrame(rows, columns=columns).assign(dataset=results.dataset))
    lines = [
        [protocol, f"{mine['held_out'].iloc[0]:,.0f}", *map(_percent, mine["mean"])]
        for protocol, mine in tidy.groupby("method", sort=False)
    ]
    shown = pd.DataFrame(lines, columns=["protocol", "held out", *SHARES.values()])
    notes = [
        "Shares of the held-out ratings (test; of strong validation), mean over folds; a rating of the "
        "same second is not later. Fold-in ratings count as training.",
        "last-five, track1 and probe cut each user by itself: the user's own future is hidden, that of "
        "everyone else is not. four-folds, strong, track2 and selected draw by chance and hide neither.",
    ]
    caption = f"What training knows of the future on {results.dataset}."
    return Table(tidy, shown, caption, notes if lines else [NO_TIMES])


def one_moment(results: Results) -> Table:
    """RMSE under the split of Track 1 and under one moment for all users."""
    rows, lines = [], []
    for method in results.methods(ONE_MOMENT):
        cells = []
        for study in (TRACK1, ONE_MOMENT):
            values = fold_values(results.chosen(study), method, "rmse")
            mean, sem = mean_and_error(values)
            protocol = results.config["studies"][study]["protocol"]
            row = {"method": method, "measure": "rmse", "mean": mean, "sem": sem, "n": len(values)}
            edge = at_edges(results, study).get(method, "")
            rows.append(row | {"protocol": protocol, "edge": edge})
            cells.append(with_mark(cell(pd.Series(rows[-1])), edge))
        lines.append([method, *cells])
    columns = ["method", "measure", "mean", "sem", "n", "protocol", "edge"]
    tidy = completed(pd.DataFrame(rows, columns=columns).assign(dataset=results.dataset))
    shown = pd.DataFrame(lines, columns=["method", "RMSE, track1", "RMSE, global-time"])
    if not lines:
        return Table(tidy, shown, f"One moment for all users on {results.dataset}.", [NOT_ASKED])
    view = results.view(VIEW)
    split = splits.load_split(results.file("splits", results.dataset, VIEW, "global-time.npz"), 0)
    counts = split.counts(view)
    notes = [
        "track1 holds out the last six ratings of each user. global-time learns from the first 80 % of "
        "all ratings and is tested on the last 10 %, whoever gave them. The two tests have other "
        "ratings, so compare the order of the methods, not the numbers.",
        f"global-time tests {counts['test']:,} ratings of {counts['users_in_test']:,} users; "
        f"{counts['users_without_training']:,} of {counts['users']:,} users came later than training "
        "and are left out. It has one fold, so no standard error.",
        *note(
            f"{row.method} under {row.protocol}: {row.edge}"
            for row in tidy[tidy["edge"] != ""].itertuples()
        ),
    ]
    return Table(tidy, shown, f"One moment for all users on {results.dataset}.", notes)


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{share:.1%}"
