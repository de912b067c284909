"""The grid of generator settings as a table: in how many of them each claim about behaviour holds."""

import pandas as pd

from mnar.experiments.pradel2012.all_models import label
from mnar.reporting.table_format import Table
from mnar.simulations.generators.grid import CLAIMS
from mnar.simulations.generators.missing_weights import GOALS


def generator_table(rows: pd.DataFrame) -> Table:
    """Shown: in how many settings each claim holds, with and without the two effects."""
    popularity, positivity = rows["popularity_exponent"] > 0, rows["positivity"] > 0
    groups = {
        "all": popularity | True,
        "both effects": popularity & positivity,
        "no popularity": ~popularity,
        "no positivity": ~positivity,
    }
    lines = []
    for claim, title in CLAIMS.items():
        cells = [f"{int(rows[claim][mine].sum())} of {int(mine.sum())}" for mine in groups.values()]
        lines.append([title, *cells])
    optima = []
    for name, mine in groups.items():
        medians = [f"{label(goal)} {rows[f'best_w_m_{goal}'][mine].median():g}" for goal in GOALS]
        optima.append(f"Median best w_m, {name}: {', '.join(medians)}.")
    edges = [name for name in rows if name.startswith("edges_")]
    marked = int((rows[edges].fillna("") != "").any(axis=1).sum())
    words = f"In {marked} of {len(rows)} settings a choice lies at an edge of its search"
    notes = [*optima, f"{words}: columns {', '.join(edges)} of the CSV say which."]
    tidy = rows.copy()
    tidy.insert(0, "dataset", "synthetic grid")
    caption = (
        f"In how many of {len(rows)} generator settings, fixed beforehand, each claim about behaviour "
        "holds; one run each."
    )
    return Table(tidy, pd.DataFrame(lines, columns=["claim", *groups]), caption, notes)
