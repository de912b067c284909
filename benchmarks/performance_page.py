"""docs/performance.md: the page is written from docs/performance/*.csv, number by number.

`write_page` takes over what was measured last and draws the figures; `page_text` is a function of the CSV
files alone, so that a test can tell whether the page fits them.
"""

import shutil
from pathlib import Path

import pandas as pd
from contest import ROOT
from contest_cells import CELLS, cells_table
from growth_figures import growth_figure, growth_table
from ratios import ratio_figure, ratios
from report import TITLES, in_order, target_table
from roofline import kernel_table, roofline_figure, shares
from shapes import NAMED

from mnar.core.files import write_text
from mnar.reporting.figure_format import Figure

PAGE = ROOT / "docs" / "performance.md"
NUMBERS = ROOT / "docs" / "performance"
# Cores that other programs may keep busy beside a measurement.
QUIET = 0.2
# What vector code must gain over plain loops, in times as fast.
WORTH = 1.5
# Parts that measure no time.
TIMELESS = ("peers", "whole")
KINDS = {
    "read": "read, view and split",
    "kernel": "train and score",
    "write": "write tables, figures and pages",
    "compile": "compile",
}
START = """# Performance

This page shows how fast the project is: beside other libraries, beside what the machine can do, and as data
grow.

<!-- Written by `make bench` from docs/performance/*.csv. Do not edit it: a test compares the two. -->
"""


def write_page(results: Path, numbers: Path = NUMBERS, page: Path = PAGE) -> None:
    """Takes over the CSV files of `results`, draws figures beside them, writes the page."""
    numbers.mkdir(parents=True, exist_ok=True)
    new, old = (_read(folder, "measured") for folder in (results, numbers))
    if new is not None:
        for part in new["part"]:
            shutil.copyfile(results / f"{part}.csv", numbers / f"{part}.csv")
        # Parts that were not measured again stay as they were.
        kept = new if old is None else pd.concat([old[~old["part"].isin(new["part"])], new])
        kept.sort_values("part").to_csv(numbers / "measured.csv", index=False, lineterminator="\n")
    for name, figure in figures(numbers).items():
        figure.canvas.savefig(numbers / f"{name}.svg", metadata={"Date": None})
    write_text(page, page_text(numbers))


def page_text(numbers: Path) -> str:
    """The page that fits these numbers."""
    parts = [START, measured(numbers), beside_others(numbers), builds(numbers), limits(numbers)]
    parts += [llvm(numbers), growth(numbers), whole(numbers)]
    return "\n".join(part.strip() + "\n" for part in parts if part)


def figures(numbers: Path) -> dict[str, Figure]:
    """The figures that there are numbers for."""
    found = {}
    contests = _contests(numbers)
    if contests is not None and len(compared := ratios(contests)):
        found["ratios"] = ratio_figure(compared)
    machine, kernels = (_read(numbers, name) for name in ("machine", "kernels"))
    if machine is not None and kernels is not None:
        found["roofline"] = roofline_figure(shares(kernels, machine), machine)
    grown = _grown(numbers)
    if grown is not None:
        found["growth"] = growth_figure(grown)
    return found


def _read(numbers: Path, name: str) -> pd.DataFrame | None:
    file = numbers / f"{name}.csv"
    return pd.read_csv(file) if file.exists() else None


def _contests(numbers: Path) -> pd.DataFrame | None:
    files = [file for task in TITLES for file in sorted(numbers.glob(f"{task}-*.csv"))]
    return pd.concat([pd.read_csv(file) for file in files], ignore_index=True) if files else None


def _grown(numbers: Path) -> pd.DataFrame | None:
    files = sorted(numbers.glob("growth-*.csv"))
    if not files:
        return None
    grown = pd.concat([pd.read_csv(file) for file in files], ignore_index=True)
    return grown.sort_values(["task", "shape"], key=in_order, kind="stable")


def _lacking(title: str, command: str) -> str:
    return f"## {title}\n\nNot measured yet at this version: `python benchmarks/run.py {command} page`."


def measured(numbers: Path) -> str:
    """How it is measured, and beside what other work each part was."""
    found = _read(numbers, "measured")
    if found is None:
        return ""
    machines = found.groupby(["processor", "cores"], sort=False).groups
    machine = " and ".join(f"{processor} with {cores} cores" for processor, cores in machines)
    shapes = pd.DataFrame(
        [
            {"shape": name, "users": f"{one.users:,}", "items": f"{one.items:,}"}
            | {"ratings": f"{one.ratings:,}"}
            for name, one in NAMED.items()
            if name in ("s", "l")
        ]
    )
    order = found.sort_values("part")
    lines = [
        f"{row['part']} {row['date']} at {row['commit']} ({_time(row['seconds'])}, "
        f"{row['cores_busy_with_other_work']:.1f})"
        for _, row in order.iterrows()
    ]
    timed = found[~found["part"].str.startswith(TIMELESS)]
    busy = timed.loc[timed["cores_busy_with_other_work"] > QUIET, "part"]
    warning = f"\n\n**Taken on a busy machine, to be measured again: {', '.join(busy)}.**" * bool(
        len(busy)
    )
    return f"""## How it is measured

`make bench` installs the other libraries with locked hashes, apart from this project, and runs them and this
project on the same data, with the same objective. Every measurement of a library is a process of its own, and
the libraries take turns. Times are medians of several repetitions; times of single kernels are the best of
many.

All parts were measured on {machine}. The parts, with the duration of each and, last in the
brackets, how many cores other programs kept busy meanwhile (0 is what a measurement needs):
{"; ".join(lines)}.{warning}

{shapes.to_markdown(index=False, disable_numparse=True)}

`@256` after a shape stands for 256 factors; all others have 50."""


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def beside_others(numbers: Path) -> str:
    title = "Beside other libraries"
    contests = _contests(numbers)
    if contests is None:
        return _lacking(title, "als pairwise evaluate dense")
    tables = []
    for task, name in TITLES.items():
        found = contests[contests["task"] == task]
        if len(found):
            tables.append(
                f"**{name}.** {CELLS[task].explained}\n\n{cells_table(found, CELLS[task])}"
            )
        else:
            tables.append(f"**{name}**: not measured yet (`python benchmarks/run.py {task} page`).")
    compared = ratios(contests)
    aims = target_table(compared) if len(compared) else ""
    shown = "\n\n".join(tables)
    figure = "![How many times as fast as each peer](performance/ratios.svg)" if aims else ""
    return f"""## {title}

Ratios are the other library's time divided by ours, within a repetition: median (smallest to largest). The
aims were set beforehand.

{aims}

{figure}

The numbers themselves, medians on 1 / 2 threads, with the quality that each reached. Ours takes full ranks
and the exact expectation over ties; the others break ties by position, so recall differs slightly.

{shown}"""


def builds(numbers: Path) -> str:
    found = _read(numbers, "peers")
    if found is None:
        return _lacking("How the others were built", "peers")
    shown = found.astype(object).where(found.notna(), "")
    for name in ("zmm", "ymm", "vfmadd"):
        shown[name] = [f"{value:.0f}" if value != "" else "" for value in shown[name]]
    return f"""## How the others were built

Lines of machine code in each package's own files that use registers of 512 bits (zmm), of 256 bits (ymm),
and fused multiply-adds (vfmadd).

{shown.to_markdown(index=False, disable_numparse=True)}"""


def limits(numbers: Path) -> str:
    title = "How far from the machine's limit"
    machine, kernels = (_read(numbers, name) for name in ("machine", "kernels"))
    if machine is None or kernels is None:
        return _lacking(title, "machine")
    wide = machine.pivot_table(
        "value", ["what", "level", "unit"], "threads", sort=False
    ).reset_index()
    wide.columns = [
        f"{name} thread{'s' * (name > 1)}" if isinstance(name, int) else str(name)
        for name in wide.columns
    ]
    for name in wide.columns[3:]:
        wide[name] = wide[name].map("{:.0f}".format)
    found = kernel_table(shares(kernels, machine))
    return f"""## {title}

What the machine does at most:

{wide.to_markdown(index=False, disable_numparse=True)}

What each kernel reaches of it, on 1 / 2 threads where it uses threads. Operations count as carried out,
with the padding to whole registers; "useful" is the share that the formula asks for. A kernel below 40 % of
both limits is bound by neither: it waits for single loads, or for one step to end before the next.

{found.to_markdown(index=False, disable_numparse=True)}

![Operations a second against operations a byte](performance/roofline.svg)"""


def llvm(numbers: Path) -> str:
    functions, hints = (_read(numbers, name) for name in ("llvm", "hints"))
    if functions is None or hints is None:
        return _lacking("What LLVM code is worth", "llvm")
    rows = []
    for (name, number), own in functions.groupby(["function", "number"], sort=False):
        row = {"function": name, "numbers": number}
        ratios = own[["factors", "ratio"]].values
        rows.append(row | {f"{k} factors": _bold_below(r, WORTH) for k, r in ratios})
    table = pd.DataFrame(rows).rename(columns=lambda name: str(name).replace(".0 ", " "))
    wide = hints.pivot_table("ratio", "function", "shape", sort=False)
    wide = wide.map("{:.2f}".format).reset_index()
    return f"""## What LLVM code is worth

Times as fast as the same function in plain numba loops; {WORTH} is asked of each, and less is bold.

{table.to_markdown(index=False, disable_numparse=True)}

Hints to load what is needed soon, with against without, in the kernels that give them (users × items ×
ratings):

{wide.to_markdown(index=False, disable_numparse=True)}"""


def _bold_below(ratio: float, asked: float) -> str:
    return f"{ratio:.1f}" if ratio >= asked else f"**{ratio:.1f}**"


def growth(numbers: Path) -> str:
    grown = _grown(numbers)
    if grown is None:
        return _lacking("As data grow", "growth")
    return f"""## As data grow

With the catalogue and the ratings per user of Netflix, then the shapes of Netflix and Yahoo! Music Track 1.
Time grows with a power of the number of ratings: its exponent is fitted. "Scaled up from" says that only
that share of the positives, or of the users, was done.

{growth_table(grown)}

![Time and memory against the number of ratings](performance/growth.svg)"""


def whole(numbers: Path) -> str:
    title = "Where the time of a run goes"
    files = sorted(numbers.glob("whole-*.csv"))
    if not files:
        return _lacking(title, "whole")
    parts = [f"## {title}", "The jobs of a run, with the CPU seconds that their logs tell."]
    for file in files:
        spent = pd.read_csv(file)
        jobs = spent[~spent["kind"].isin(["parse", "start"])]
        longest = jobs.nlargest(10, "cpu_seconds")
        rules = [f"`{row['what']}` {row['cpu_seconds']:.0f}" for _, row in longest.iterrows()]
        parts += [
            f"**{file.stem.removeprefix('whole-')}**: {jobs['jobs'].sum()} jobs, "
            f"{jobs['cpu_seconds'].sum():.0f} CPU seconds.",
            _kinds(jobs),
            f"What takes most, in CPU seconds: {', '.join(rules)}.",
        ]
    return "\n\n".join(parts)


def _kinds(jobs: pd.DataFrame) -> str:
    kinds = jobs.groupby("kind")[["jobs", "cpu_seconds"]].sum()
    kinds = kinds.sort_values("cpu_seconds", ascending=False).reset_index()
    kinds["share"] = (kinds["cpu_seconds"] / kinds["cpu_seconds"].sum()).map("{:.0%}".format)
    kinds["cpu_seconds"] = kinds["cpu_seconds"].map("{:.0f}".format)
    kinds["kind"] = kinds["kind"].map(KINDS)
    kinds.columns = ["jobs that mostly", "number", "CPU seconds", "share"]
    return kinds.to_markdown(index=False, disable_numparse=True)
