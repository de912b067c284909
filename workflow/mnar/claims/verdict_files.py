"""Verdicts as CSV and Markdown, and as the page shows them."""

from pathlib import Path
from typing import Any

import pandas as pd

from mnar.claims.outcome import (
    DEMONSTRATION,
    DEPENDS,
    FAILS,
    HOLDS,
    UNDECIDED,
    UNTESTABLE,
    VERDICTS,
)
from mnar.core.files import atomic, write_text
from mnar.reporting.table_format import unlinked

# The columns that identify a verdict, in a run and between runs.
KEYS = ("id", "dataset", "fingerprint")
# Between readings, whose texts have commas and semicolons of their own.
BULLET = " • "
# Kinds of verdicts that are counted apart, and their titles.
GROUPS = {
    "mathematics": "theorems and identities",
    "own data": "statements on the paper's own data",
    "stand-in": "the same on a stand-in",
}
SURVIVES = 0.05
DECIDED = (HOLDS, FAILS, DEPENDS)


def write(rows: pd.DataFrame, csv: str | Path, markdown: str | Path) -> None:
    with atomic(csv) as temporary:
        rows.to_csv(temporary, index=False, lineterminator="\n")
    write_text(markdown, as_markdown(rows))


def read(csv: str | Path) -> pd.DataFrame:
    return pd.read_csv(csv, dtype=str, keep_default_na=False)


def stability_files() -> list[Path]:
    """Verdicts of the default run with several seeds, where `make stability` has made them."""
    path = Path(__file__).with_name("stability.csv")
    return [path] if path.exists() else []


def read_for_page(
    csv: str | Path, stability: str | Path | None = None, made_by: str = ""
) -> dict[str, Any]:
    """Verdicts as the page's template takes them; `stability` may be none, or of other code."""
    return for_page(read(csv), read(stability) if stability else None, made_by)


def of_claim(verdicts: pd.Series) -> str:
    """One verdict for a claim: decided datasets count; where they disagree it depends on them."""
    found = set(verdicts)
    decided = found & set(DECIDED)
    if decided:
        return decided.pop() if len(decided) == 1 else DEPENDS
    return next(v for v in (UNDECIDED, DEMONSTRATION, UNTESTABLE) if v in found)


def datasets_it_depends_on(rows: pd.DataFrame) -> str:
    """Where a claim's datasets disagree: what it does on which of them."""
    decided = rows[rows["verdict"].isin(DECIDED)]
    if decided["verdict"].nunique() < 2:
        return ""
    where = decided.groupby("verdict", sort=False)["dataset"].agg(", ".join)
    parts = [f"{verdict} on {names}" for verdict, names in where.items()]
    return f"depends on the dataset: {'; '.join(parts)}"


def by_claim(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each claim and kind of data: paper, on, id, verdict."""
    grouped = rows.groupby(["paper", "on", "id"], sort=False)["verdict"]
    return grouped.agg(of_claim).reset_index()


# How a verdict that is a verb goes with a number above one.
MANY = {HOLDS: "hold", FAILS: "do not hold", DEPENDS: "depend"}


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """Claims by verdict, a row for each paper and kind of data and for all papers together."""
    claims = by_claim(rows)
    both = pd.concat([claims, claims.assign(paper="all")])
    table = pd.crosstab([both["paper"], both["on"]], both["verdict"])
    keys = dict.fromkeys(zip(both["paper"], both["on"], strict=True))
    order = [(p, on) for p in dict.fromkeys(both["paper"]) for on in GROUPS if (p, on) in keys]
    index = pd.MultiIndex.from_tuples(order, names=["paper", "on"])
    table = table.reindex(index=index, columns=list(VERDICTS), fill_value=0)
    return table.assign(claims=table.sum(axis=1))


def summary(rows: pd.DataFrame) -> str:
    """The headline: claims, not rows, apart by kind."""
    tested = rows.loc[rows["verdict"] != UNTESTABLE, "id"].nunique()
    counts = counted(rows).loc["all"]
    parts = []
    for on, count in counts.iterrows():
        words = [_times(count[verdict], verdict) for verdict in VERDICTS if count[verdict]]
        parts.append(f"{GROUPS[str(on)].capitalize()}: {', '.join(words)}.")
    lost = not_surviving(rows)
    verdicts = "verdict" if len(lost) == 1 else "verdicts"
    note = f" {len(lost)} {verdicts} would not survive a false-discovery rate of 5 %"
    note += f" ({', '.join(lost)})."
    start = f"{tested} of {rows['id'].nunique()} claims could be tested on at least one dataset."
    return " ".join([start, *parts]) + (note if lost else "")


def _times(count: int, verdict: str) -> str:
    """1 holds, 2 hold."""
    return f"{count} {verdict if count == 1 else MANY.get(verdict, verdict)}"


def not_surviving(rows: pd.DataFrame) -> list[str]:
    """Claims decided on sampled data whose q is above 5 %."""
    decided = rows["verdict"].isin([HOLDS, FAILS])
    q = pd.to_numeric(rows["q"], errors="coerce")
    return list(dict.fromkeys(rows.loc[decided & (q > SURVIVES), "id"]))


def as_markdown(rows: pd.DataFrame) -> str:
    """For reading: the counts, then a short block for each claim by paper."""
    counts = counted(rows).reset_index()
    lines = ["| " + " | ".join(map(str, counts.columns)) + " |", "|" + "---|" * counts.shape[1]]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in counts.itertuples(index=False)]
    parts = ["# The papers' claims, checked", summary(rows), "\n".join(lines)]
    for paper, mine in rows.astype(object).where(rows.notna(), "").groupby("paper", sort=False):
        parts.append(f"## {paper}")
        parts += [_block(group) for _, group in mine.groupby("id", sort=False)]
    return "\n\n".join(parts) + "\n"


def _block(rows: pd.DataFrame) -> str:
    records = rows.to_dict("records")
    first, depends = records[0], datasets_it_depends_on(rows)
    lines = [f"**{first['id']}** ({first['kind']}; {first['place']}) {first['statement']}"]
    lines += [f"It {depends}."] if depends else []
    for row in records:
        p = "".join(f", {name} {float(row[name]):.2g}" for name in ("p", "q") if row[name] != "")
        # Where data are missing, this names their source as the config has it.
        details = unlinked("; ".join(text for text in (row["numbers"], row["how"]) if text))
        where = f"{row['dataset'] or 'any data'} ({row['on']})"
        lines.append(f"- {where}: **{row['verdict']}**{p}. {details}")
        lines += [f"  - {unlinked(text)}" for text in row["readings"].split(BULLET)[1:]]
    return "\n".join(lines)


def for_page(
    rows: pd.DataFrame, stability: pd.DataFrame | None, made_by: str = ""
) -> dict[str, Any]:
    """Input of the template: counts, then claims by paper, each with its rows.

    Runs with other seeds are compared where the same code and config made them.
    """
    other_code = False
    if stability is not None and "made_by" in stability:
        other_code = set(stability["made_by"]) != {made_by}
        stability = None if other_code else stability.drop(columns="made_by")
    seeds = [] if stability is None else [name for name in stability if name not in KEYS]
    runs = {} if stability is None else stability.set_index(list(KEYS)).to_dict("index")
    counts = counted(rows)
    papers: dict[str, dict[str, Any]] = {}
    for paper, mine in rows.groupby("paper", sort=False):
        claims = []
        for _, group in mine.groupby("id", sort=False):
            records = group.to_dict("records")
            for record in records:
                record |= _stability(record, runs.get(tuple(record[key] for key in KEYS), {}))
                record["readings"] = record["readings"].split(BULLET)
                record["badge"] = record["verdict"].split()[0]
            found = {
                key: list(dict.fromkeys(r[key] for r in records)) for key in ("verdict", "dataset")
            }
            overall = of_claim(group["verdict"])
            claims.append(
                {**records[0], "rows": records, "overall": overall, "badge": overall.split()[0]}
                | {"depends": datasets_it_depends_on(group)}
                | {f"{key}s": values for key, values in found.items()}
            )
        papers[str(paper)] = {"claims": claims, "counts": counts.loc[paper].to_dict("index")}
    shown = [row for paper in papers.values() for c in paper["claims"] for row in c["rows"]]
    return {
        "summary": summary(rows),
        "verdicts": VERDICTS,
        "counts": {
            f"{paper}, {GROUPS[on]}": row for (paper, on), row in counts.to_dict("index").items()
        },
        "papers": papers,
        "seeds": seeds,
        "other_code": other_code,
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
