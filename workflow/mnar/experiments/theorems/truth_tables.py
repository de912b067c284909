"""Tables of the theorems that only data with a known truth can fill."""

import pandas as pd

from mnar import measures
from mnar.experiments.theorems.cells import found, ranged, signed
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table, number
from mnar.simulations.theorems.unseen import CORRECTED
from mnar.statistics.bootstrap import SAMPLES


def _truth_needed(tidy: pd.DataFrame, caption: str) -> Table:
    why = "The complete truth is not known; only generated datasets have it."
    return Table(tidy, pd.DataFrame(), caption, [why])


def unseen(results: Results) -> Table:
    """Test − never observed, with its interval, under both observation models."""
    caption = f"Held-out observed items against relevant items never observed, {results.dataset}."
    tidy = found(results, "unseen")
    if tidy.empty:
        return _truth_needed(tidy, caption)
    lines = [
        [
            row.observation,
            "NDCG, corrected" if row.measure == CORRECTED else measures.label(row.measure),
            number(row.test),
            number(row.unseen),
            signed(row.mean, 4),
            ranged(row.low, row.high, 4),
            signed(row.z),
        ]
        for row in tidy.itertuples()
    ]
    columns = [
        "observation",
        "measure",
        "test",
        "never observed",
        "difference",
        "95 % interval",
        "standard errors",
    ]
    notes = [
        "uniform: each relevant item of a user is as likely to be observed; popularity: in "
        "proportion to α, as the dataset is generated.",
        "NDCG, corrected: times the factor of Theorem 2 from the number of test items to that of "
        "items never observed, which is not known outside of generated data.",
        "Intervals hold for all measures of an observation model at once (Bonferroni), standard "
        f"errors by bootstrap over users ({SAMPLES} samples).",
    ]
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def random_auc(results: Results) -> Table:
    """AUC on m random ratings of each user, and the effect of leaving out users of one class."""
    caption = f"AUC from random ratings against AUC on all items, {results.dataset}."
    tidy = found(results, "random_auc")
    if tidy.empty:
        return _truth_needed(tidy, caption)
    tidy["inside"] = tidy["z"].abs() < tidy["bound"]
    lines = [
        [
            str(row.ratings),
            f"{row.both_classes:.1%}",
            number(row.mean),
            signed(row.bias, 5),
            signed(row.z),
            signed(row.selection, 5),
        ]
        for row in tidy.itertuples()
    ]
    columns = [
        "random ratings",
        "users with both classes",
        "AUC",
        "bias",
        "standard errors",
        "selection",
    ]
    first = tidy.iloc[0]
    notes = [
        f"Bias: against the complete AUC of the same users; {first['n']} repetitions with "
        f"{first['users']:,} users; 99 % of all bias is within {first['bound']:.2f} standard errors "
        "(Bonferroni, Student's t).",
        "Selection: complete AUC of users with both classes among their random ratings, minus that "
        f"of all users ({number(first['complete'])}).",
    ]
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)
