"""Verdicts as CSV and Markdown, and as the page shows them."""

from pathlib import Path
from typing import Any

import pandas as pd

from mnar.claims.outcome import UNTESTABLE, VERDICTS
from mnar.core.files import atomic, write_text

# What tells a verdict from others, in a run and between runs.
KEYS = ("id", "dataset", "fingerprint")
# Between readings, whose texts have commas and semicolons of their own.
BULLET = " • "


def write(rows: pd.DataFrame, csv: str | Path, markdown: str | Path) -> None:
    with atomic(csv) as temporary:
        rows.to_csv(temporary, index=False, lineterminator="\n")
    write_text(markdown, as_markdown(rows))


def read(csv: str | Path) -> pd.DataFrame:
    return pd.read_csv(csv, dtype=str, keep_default_na=False)


def read_for_page(csv: str | Path, stability: str | Path | None) -> dict[str, Any]:
    """Verdicts as the page's template takes them; `stability` may be none."""
    return for_page(read(csv), read(stability) if stability else None)


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """How often each verdict was given, by paper and in all; and how many claims were tested."""
    table = pd.crosstab(rows["paper"], rows["verdict"]).reindex(
        index=dict.fromkeys(rows["paper"]), columns=VERDICTS, fill_value=0
    )
    tested = rows["verdict"] != UNTESTABLE
    table["claims"] = rows.groupby("paper")["id"].nunique()
    table["tested"] = rows[tested].groupby("paper")["id"].nunique()
    table.loc["all"] = table.sum()
    return table.fillna(0).astype(int)


def summary(rows: pd.DataFrame) -> str:
    counts = counted(rows).loc["all"]
    verdicts = ", ".join(f"{counts[verdict]} × {verdict}" for verdict in VERDICTS)
    return (
        f"{counts['tested']} of {counts['claims']} claims could be tested on at least one dataset. "
        f"Verdicts, one for each claim and dataset: {verdicts}."
    )


def as_markdown(rows: pd.DataFrame) -> str:
    counts = counted(rows).rename_axis("paper").reset_index()
    parts = ["# The papers' claims, checked", summary(rows), counts.to_markdown(index=False)]
    for paper, mine in rows.groupby("paper", sort=False):
        shown = mine[
            ["id", "statement", "place", "dataset", "verdict", "numbers", "how", "readings"]
        ]
        shown = shown.map(lambda text: text.replace("|", "\\|").replace("\n", " "))
        parts += [f"## {paper}", shown.to_markdown(index=False, disable_numparse=True)]
    return "\n\n".join(parts) + "\n"


def for_page(rows: pd.DataFrame, stability: pd.DataFrame | None) -> dict[str, Any]:
    """What the template needs: counts, then claims by paper, each with its rows."""
    seeds = [] if stability is None else [name for name in stability if name not in KEYS]
    runs = {} if stability is None else stability.set_index(list(KEYS)).to_dict("index")
    papers = {}
    for paper, mine in rows.groupby("paper", sort=False):
        claims = []
        for _, group in mine.groupby("id", sort=False):
            records = group.to_dict("records")
            for record in records:
                record |= _stability(record, runs.get(tuple(record[key] for key in KEYS), {}))
                record["readings"] = record["readings"].split(BULLET)
                record["badge"] = record["verdict"].split()[0]
            claims.append({**records[0], "rows": records})
        papers[str(paper)] = {"claims": claims, "counts": counted(mine).loc["all"].to_dict()}
    shown = [row for paper in papers.values() for c in paper["claims"] for row in c["rows"]]
    return {
        "summary": summary(rows),
        "verdicts": VERDICTS,
        "counts": counted(rows).to_dict("index"),
        "papers": papers,
        "seeds": seeds,
        "compared": sum(row["compared"] for row in shown),
        "unsteady": sum(row["compared"] and not row["steady"] for row in shown),
    }


def _stability(record: dict[str, str], by_seed: dict[str, str]) -> dict[str, Any]:
    """Whether other runs came to the same verdict; a claim that has changed since has none."""
    found = {*by_seed.values(), record["verdict"]}
    return {
        "compared": bool(by_seed) and found != {UNTESTABLE},
        "steady": len(found) == 1,
        "by_seed": ", ".join(f"{seed} {verdict}" for seed, verdict in by_seed.items()),
    }
