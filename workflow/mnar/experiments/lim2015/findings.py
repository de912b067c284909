"""What lim2015's tables say to someone who has a minute."""

import pandas as pd

from mnar import measures
from mnar.core.palette import BLUE, GREY, RED
from mnar.experiments.lim2015 import MEASURES, PAIR
from mnar.experiments.lim2015.differences import ALLRANK
from mnar.reporting.figure_format import Canvas, subplots
from mnar.reporting.page_findings import Finding, Numbers, listed

NAMES = {PAIR[0]: "MF-AUC", PAIR[1]: "MF-ADG", ALLRANK: "AllRank-Regression"}
# A measure that missing data do not bias moves by less than this between validation and test, in %.
SMALL = 5


def answer(numbers: Numbers) -> list[str]:
    """One sentence on training, by what the intervals say."""
    found = _against(numbers, ALLRANK, PAIR[1])
    if found.empty:
        return []
    pair = _against(numbers, PAIR[1], PAIR[0])
    first = f"In training, {_told(found, ALLRANK, PAIR[1])}"
    if pair.empty:
        return [f"{first}."]
    same = len(pair) == len(found) and set(pair["dataset"]) == set(found["dataset"])
    return [f"{first}; {_told(pair, PAIR[1], PAIR[0], short=same)}."]


def advice(numbers: Numbers) -> list[str]:
    found = _against(numbers, ALLRANK, PAIR[1])
    told = []
    if len(found) and (found["low"] > 0).all():
        told.append(
            f"Give missing ratings a small weight in training ({NAMES[ALLRANK]}) before you try a loss "
            "made for one measure."
        )
    moved = _moved(numbers)
    if len(moved) and _survive(moved):
        bad = [measures.label(m) for m in moved.index if not measures.unbiased(m)]
        told.append(
            f"Compare {listed(bad)} only between test sets with equally many items: they depend on "
            "that number."
        )
    return told


def findings(numbers: Numbers) -> list[Finding]:
    found = [
        _duel(numbers, PAIR[1], PAIR[0], "Does MF-ADG beat MF-AUC?"),
        _duel(numbers, ALLRANK, PAIR[1], "Is a loss made for one measure the best training?"),
        _survivors(numbers),
    ]
    return [finding for finding in found if finding is not None]


def _against(numbers: Numbers, first: str, second: str) -> pd.DataFrame:
    """first − second in % of second by dataset and measure, with intervals; real data where there are."""
    values, gaps = numbers.table("lim2015", "table1"), numbers.table("lim2015", "differences")
    if first == PAIR[1]:
        rows = values[values["method"] == first] if len(values) else values
        rows = rows.rename(columns={"gain": "gap", "gain_low": "low", "gain_high": "high"})
    else:
        mine = (gaps["method"] == first) & (gaps["fact"] == f"minus {second}") if len(gaps) else []
        rows = gaps[mine].rename(columns={"mean": "gap"}) if len(gaps) else gaps
    if rows.empty or "gap" not in rows:
        return pd.DataFrame()
    rows = rows[rows["measure"].isin(MEASURES)]
    base = values[values["method"] == second].set_index(["dataset", "measure"])["mean"]
    below = base.reindex(pd.MultiIndex.from_frame(rows[["dataset", "measure"]])).to_numpy()
    shares = {name: 100 * rows[name].to_numpy() / below for name in ("gap", "low", "high")}
    rows = rows[["dataset", "measure", "recorded"]].assign(**shares)
    real = rows["dataset"].map(numbers.is_real)
    return (rows[real] if real.any() else rows).reset_index(drop=True)


def _told(rows: pd.DataFrame, first: str, second: str, *, short: bool = False) -> str:
    """By how many measures the first is surely better, and on which data unless they were named before."""
    better, worse = (rows["low"] > 0).sum(), (rows["high"] < 0).sum()
    where = listed(list(dict.fromkeys(rows["dataset"])))
    said = f"{NAMES[first]} beats {NAMES[second]} in {better} of {_compared(rows)} on {where}"
    if short:
        said = f"{NAMES[first]} beats {NAMES[second]} in {better}"
    elif better == len(rows):
        said = f"{NAMES[first]} beats {NAMES[second]} in all {len(MEASURES)} measures on {where}"
    return said + (f" and loses in {worse}" if worse else "")


def _named(part: pd.DataFrame, rows: pd.DataFrame) -> list[str]:
    """The measures of a part; with their datasets where others have another outcome."""
    names = []
    for measure, mine in part.groupby("measure", sort=False):
        there = set(rows.loc[rows["measure"] == measure, "dataset"])
        where = "" if there == set(mine["dataset"]) else f" ({', '.join(mine['dataset'])})"
        names.append(f"{measures.label(str(measure))}{where}")
    return names


def _compared(rows: pd.DataFrame) -> str:
    """How many differences there are, and of what: of measures, or of measures on several datasets."""
    several = rows["dataset"].nunique() > 1
    return f"{len(rows)} comparisons (measure × dataset)" if several else f"{len(rows)} measures"


def _duel(numbers: Numbers, first: str, second: str, question: str) -> Finding | None:
    rows = _against(numbers, first, second)
    if rows.empty:
        return None
    better, worse = rows[rows["low"] > 0], rows[rows["high"] < 0]
    open_ones = rows.drop([*better.index, *worse.index])
    groups = {"better in": better, "worse in": worse, "not surely different in": open_ones}
    parts = [f"{words} {listed(_named(part, rows))}" for words, part in groups.items() if len(part)]
    datasets = list(dict.fromkeys(rows["dataset"]))
    where = listed(datasets) + numbers.recorded(rows)
    sentence = f"{NAMES[first]} is {', '.join(parts)}, compared with {NAMES[second]} on {where}."
    sentence += _trained_longer(numbers, first, second, datasets)
    sure = "yes" if len(better) == len(rows) else "no" if better.empty else "partly"
    brief = ", ".join(parts)
    if len(datasets) > 1:
        brief = f"better in {len(better)} of {_compared(rows)}, worse in {len(worse)}"
    if question.startswith("Is a loss"):
        sure = {"yes": "no", "no": "yes"}.get(sure, sure)
        brief = f"{NAMES[first]} beats {NAMES[second]} in {len(better)} of {_compared(rows)}"
    return Finding(
        question=question,
        sentence=sentence,
        number=f"{len(better)} of {len(rows)}",
        about=f"{_compared(rows).partition(' ')[2]} in which {NAMES[first]} is surely better "
        "(95 % intervals over users)",
        answer=sure,
        brief=brief,
        picture=_gains_picture(rows, first, second),
        alt=f"Differences between {NAMES[first]} and {NAMES[second]} in percent, with intervals.",
        link=numbers.link("lim2015", datasets[0], "table1"),
    )


def _trained_longer(numbers: Numbers, first: str, second: str, datasets: list[str]) -> str:
    """ADG of both at the end of their learning curves, by dataset; nothing where there is none."""
    curves = numbers.table("lim2015", "learning_curve")
    if curves.empty:
        return ""
    told = []
    for dataset in datasets:
        mine = curves[(curves["dataset"] == dataset) & (curves["measure"] == "adg")]
        last = mine[mine["iterations"] == mine["iterations"].max()].set_index("method")
        values = last["mean"].reindex([first, second])
        if values.notna().all():
            told.append(
                f"{values[first]:.3f} against {values[second]:.3f} after "
                f"{last['iterations'].iloc[0]:,.0f} iterations each ({dataset})"
            )
    return f" {measures.label('adg')} is {listed(told)}." if told else ""


def _gains_picture(rows: pd.DataFrame, first: str, second: str) -> Canvas:
    canvas, axis = subplots(figsize=(3.4, 2.1))
    datasets = list(dict.fromkeys(rows["dataset"]))
    for shift, (_, mine) in enumerate(rows.groupby("dataset", sort=False)):
        mine = mine.set_index("measure").reindex(MEASURES)
        at = [n + 0.25 * (shift - (len(datasets) - 1) / 2) for n in range(len(MEASURES))][::-1]
        gaps = [mine["gap"] - mine["low"], mine["high"] - mine["gap"]]
        axis.errorbar(mine["gap"], at, xerr=gaps, fmt="o", color=BLUE, ms=4, lw=1)
    axis.margins(x=0.1)
    axis.axvline(0, color="black", lw=0.8)
    axis.set_yticks(range(len(MEASURES)), [measures.label(m) for m in MEASURES][::-1])
    axis.set_xlabel(f"{NAMES[first]} over {NAMES[second]}, %")
    return canvas


def _moved(numbers: Numbers) -> pd.Series:
    """By measure: the median over methods of (validation − test)/test, in %."""
    table = numbers.table("lim2015", "table2")
    if table.empty:
        return pd.Series(dtype=float)
    real = table["dataset"].map(numbers.is_real)
    table = table[real] if real.any() else table
    return (
        table[table["measure"].isin(MEASURES)].groupby("measure")["mean"].median()[list(MEASURES)]
    )


def _survive(moved: pd.Series) -> bool:
    steady = [m for m in moved.index if measures.unbiased(m)]
    others = moved.drop(steady)
    return bool((moved[steady].abs() < SMALL).all() and (others.abs() > SMALL).all())


def _survivors(numbers: Numbers) -> Finding | None:
    moved = _moved(numbers)
    if moved.empty:
        return None
    steady = [m for m in moved.index if measures.unbiased(m)]
    others = [m for m in moved.index if m not in steady]
    spans = {
        name: listed([f"{moved[m]:+.1f} %".replace("-", "−") for m in group])
        for name, group in (("steady", steady), ("others", others))
    }
    holds = _survive(moved)
    contrast = "while" if holds else "and"
    table = numbers.table("lim2015", "table2")
    real = [d for d in dict.fromkeys(table["dataset"]) if numbers.is_real(d)]
    where = real or list(dict.fromkeys(table["dataset"]))
    shown = table[table["dataset"].isin(where)]
    worst = max(others, key=lambda m: abs(moved[m]))
    return Finding(
        question="Which measures can I compare between sets of different size?",
        sentence=(
            f"Validation holds half as many items as test: {_names(others)} move ({spans['others']}), "
            f"{contrast} {_names(steady)} {'hardly do' if holds else 'do, too'} ({spans['steady']}; "
            f"{listed(where)}, median over methods){numbers.recorded(shown)}."
        ),
        number=f"{moved[worst]:+.0f} %".replace("-", "−"),
        about=f"{measures.label(worst)} on validation against test",
        answer="",
        brief=f"{_names(steady)}; not {_names(others)}" if holds else "none for sure",
        picture=_moves_picture(moved, steady),
        alt="Relative difference between validation and test for five measures.",
        link=numbers.link("lim2015", where[0], "table2"),
    )


def _names(those: list[str]) -> str:
    return listed([measures.label(measure) for measure in those])


def _moves_picture(moved: pd.Series, steady: list[str]) -> Canvas:
    canvas, axis = subplots(figsize=(3.4, 2.1))
    names = list(moved.index)[::-1]
    colours = [BLUE if name in steady else RED for name in names]
    axis.barh(range(len(names)), moved[names], color=colours, height=0.6)
    axis.axvline(0, color=GREY, lw=0.8)
    axis.set_yticks(range(len(names)), [measures.label(m) for m in names])
    axis.set_xlabel("(validation − test) / test, %")
    return canvas
