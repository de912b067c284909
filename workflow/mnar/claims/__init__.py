"""The papers' statements as a list that is checked: a verdict for each claim and dataset.

Beside each paper, `claims.yaml` has a claim's words, place, kind and files, and `claims.py` its
test: the function with the claim's id (lim_05 for lim-05), which takes `Data` and returns an
`Outcome`. `GRID["lim-05"]`, if there is one, takes the grid of generators and says in which
settings the statement is true; `lim_05_readings` names other ways to read the paper. A test is
written with

    data.pick, data.each       numbers of a table with their intervals (tables)
    data.rows, data.number     its rows, and a number without sampling error
    above, below, at_least, at_most, between, close
                               a number against a bound, the interval decides (judging)
    difference                 of two independent numbers
    significant, share_of_samples, usual, published, unbiased, is_so
                               p-values, bootstrap shares, shares of divisions, printed numbers,
                               mathematics
    all_of, any_of, same       several tests (outcome)
    untestable, Missing        why a claim cannot be tested

identities      statements of mathematics, checked on random rankings
generated       what a statement about behaviour is worth on generated data
entries         reads the lists
page_verdicts   every claim on every dataset of a page
verdict_files   the verdicts as CSV, Markdown and for the page
compare         verdicts of several runs side by side (a command)
"""

from mnar.claims.judging import (
    above,
    at_least,
    at_most,
    below,
    between,
    close,
    difference,
    is_so,
    published,
    share_of_samples,
    significant,
    unbiased,
    usual,
)
from mnar.claims.outcome import Measured, Missing, Outcome, all_of, any_of, same, untestable
from mnar.claims.tidy_tables import Data

__all__ = [
    "Data",
    "Measured",
    "Missing",
    "Outcome",
    "above",
    "all_of",
    "any_of",
    "at_least",
    "at_most",
    "below",
    "between",
    "close",
    "difference",
    "is_so",
    "published",
    "same",
    "share_of_samples",
    "significant",
    "unbiased",
    "untestable",
    "usual",
]
