"""Tables of steck2010."""

from mnar.experiments.steck2010 import REL4, STUDY
from mnar.experiments.steck2010.differences import differences
from mnar.experiments.steck2010.table2 import (
    table2,
    table2_differences,
    table2_published_settings,
    table2_rel4,
)
from mnar.experiments.steck2010.table3 import readings, sampling, table3
from mnar.experiments.steck2010.training_tables import cost, fold_in, weights
from mnar.reporting.results import Results
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.table_format import Table

__all__ = [
    "chosen",
    "chosen_rel4",
    "cost",
    "differences",
    "fold_in",
    "grid",
    "readings",
    "sampling",
    "table2",
    "table2_differences",
    "table2_published_settings",
    "table2_rel4",
    "table3",
    "weights",
]


def chosen(results: Results) -> Table:
    """The setting chosen with each seed; an optimum at the edge of its grid is flagged."""
    return chosen_table(results, STUDY)


def chosen_rel4(results: Results) -> Table:
    """The same for 4 and 5 stars as relevant."""
    return chosen_table(results, REL4)


def grid(results: Results) -> Table:
    """Every setting tried, with its score on xv."""
    return grid_table(results, STUDY)
