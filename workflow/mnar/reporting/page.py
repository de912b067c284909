"""The page: the answer, the claims, every table and figure; one file, nothing loaded from elsewhere."""

import base64
import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mnar.config.settings import has
from mnar.reporting import edges, interactive, recording
from mnar.reporting.glossary import Glossary, glossary_of
from mnar.reporting.outline import outline
from mnar.reporting.page_findings import Numbers, printed, story
from mnar.reporting.page_parts import RESULTS, address, laid_out, page_figure, page_table
from mnar.reporting.run_facts import PAPER, RECORDED, TEMPLATES, TITLES, recorded_files
from mnar.reporting.table_format import markdown


def render(
    page: str,
    sections: list[tuple[str, str]],
    claims: dict[str, Any],
    config: dict[str, Any],
    versions: dict[str, str],
) -> str:
    """`claims` are as mnar.claims.verdict_files gives them."""
    glossary = glossary_of(config)
    papers = _papers(page, sections, config, glossary)
    told = story(Numbers(sections, config))
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    scripts = [interactive.library()] if _has_charts(papers) else []
    scripts.append((TEMPLATES / "page.js").read_text(encoding="utf-8"))
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        title=TITLES.get(page, f"{page} on the paper's own datasets"),
        policy=_policy(style, scripts),
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        story=told,
        headline=_headline(papers, told["headline"]),
        papers=papers,
        claims=claims,
        glossary=glossary,
        hint=interactive.HINT,
        edges=_edges(sections),
        settings=yaml.safe_dump(config, sort_keys=False, allow_unicode=True),
        seed=config["seed"],
        versions=versions,
    )


def _papers(
    page: str, sections: list[tuple[str, str]], config: dict[str, Any], glossary: Glossary
) -> dict[str, dict[str, Any]]:
    papers: dict[str, dict[str, Any]] = {}
    for experiment, dataset in sections:
        paper = papers.setdefault(experiment, {"title": outline(experiment).title, "datasets": {}})
        folder = RESULTS / experiment / dataset
        paper["datasets"][dataset] = _shown(experiment, dataset, folder, config, glossary)
    for experiment, dataset in _recorded(sections, config):
        folder = RECORDED / experiment / dataset
        shown = _shown(experiment, dataset, folder, config, glossary, recorded=True)
        when = recording.told(RECORDED, experiment, dataset)
        papers[experiment]["datasets"][dataset] = {
            "lead": shown["lead"],
            "rest": [],
            "nothing": [],
            "recorded": when,
            "folder": address(folder, RESULTS),
        }
    for experiment, paper in papers.items():
        plan = outline(experiment)
        titles = dict(plan.general)
        if page in (PAPER, experiment):
            titles = {name: plan.tables[name] for name in plan.across} | titles
        paper["across"] = [
            page_table(RESULTS / experiment / name, title, plan.see.get(name, ""), glossary)
            for name, title in titles.items()
        ]
        paper["further"] = plan.further | _estimates(paper["datasets"], plan.studies, config)
        paper["across"] += [
            {**laid_out(markdown(table), glossary), "title": title, "name": f"printed-{number}"}
            # No run can change them: folded, whatever their length.
            | {"see": "", "data": "", "long": True}
            for number, (title, table) in enumerate(printed(experiment).items())
        ]
    return papers


def _recorded(sections: list[tuple[str, str]], config: dict[str, Any]) -> list[tuple[str, str]]:
    """What the project has on record beyond this run: the papers' own datasets, else one stand-in."""
    there = {tuple(path.parts[-3:-1]) for path in recorded_files() if path.suffix == ".csv"}
    pairs = []
    for experiment in dict.fromkeys(one for one, _ in sections):
        entry = config["experiments"][experiment]
        new = {dataset for one, dataset in there if one == experiment}
        new -= {dataset for one, dataset in sections if one == experiment}
        own = [dataset for dataset in entry["paper_datasets"] if dataset in new]
        others = [dataset for dataset in entry["stand_ins"] if dataset in new]
        pairs += [(experiment, dataset) for dataset in own or others[:1]]
    return pairs


def _estimates(
    datasets: Iterable[str], studies: Iterable[str], config: dict[str, Any]
) -> dict[str, str]:
    """The tables of estimators that studies ask for: file -> what it shows."""
    asked = [study for study in studies if config["studies"][study].get("estimators")]
    return {
        f"results/estimates/{study}/{dataset}.md": f"Estimators of study {study} on {dataset}"
        for study in asked
        for dataset in datasets
    }


def _shown(
    experiment: str,
    dataset: str,
    folder: Path,
    config: dict[str, Any],
    glossary: Glossary,
    *,
    recorded: bool = False,
) -> dict[str, list[dict[str, Any]]]:
    """Tables and figures of one dataset: those that lead, and the rest; of a record those that lead."""
    plan = outline(experiment)
    tables, figures = plan.tables, plan.on_page(has(config, dataset))
    if recorded:
        kept = {path.stem for path in folder.glob("*.md")} | {p.stem for p in folder.glob("*.svg")}
        tables, figures = (
            {name: title for name, title in part.items() if name in kept and name in plan.lead}
            for part in (tables, figures)
        )
    parts = []
    for name, title in tables.items():
        table = page_table(folder / name, title, plan.see.get(name, ""), glossary)
        parts.append({**table, "kind": "table"})
    for name, title in figures.items():
        figure = page_figure(folder / name, title, plan.see.get(name, ""), glossary)
        charts = [
            interactive.chart_data(folder / f"{name}.csv", chart, config["methods"])
            for chart in plan.charts.get(name, ())
        ]
        there = [chart for chart in charts if chart]
        more = {"own_captions": any(chart["caption"] for chart in there)}
        parts.append({**figure, "kind": "figure", "charts": [_safe(c) for c in there], **more})
    for part in parts:
        part["stem"] = f"{experiment}-{dataset}"
        part["top"] = part["name"] == plan.headline
    order = list(plan.lead)
    nothing = [part for part in parts if "nothing" in part]
    parts = [part for part in parts if "nothing" not in part]
    lead = [part for part in parts if part["name"] in order]
    return {
        "lead": sorted(lead, key=lambda part: order.index(part["name"])),
        "rest": [part for part in parts if part["name"] not in order],
        "nothing": nothing,
    }


def _safe(data: dict[str, Any]) -> Markup:
    """JSON that cannot end the script that holds it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _has_charts(papers: dict[str, dict[str, Any]]) -> bool:
    shown = [part for paper in papers.values() for part in paper["datasets"].values()]
    return any(f.get("charts") for part in shown for f in [*part["lead"], *part["rest"]])


def _headline(papers: dict[str, dict[str, Any]], datasets: list[str]) -> dict[str, Any] | None:
    """The figure at the top, of the dataset that the answer speaks of; it is not shown once more below."""
    found = [
        (dataset not in datasets, shown, part)
        for paper in papers.values()
        for dataset, shown in paper["datasets"].items()
        for part in shown["lead"]
        if part["top"]
    ]
    if not found:
        return None
    _, shown, part = min(found, key=lambda one: one[0])
    shown["lead"].remove(part)
    when = shown.get("recorded")
    return {**part, "title": f"{part['title']}, {when}" if when else part["title"]}


def _edges(sections: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Every choice at an edge of its search, and where its table stands."""
    return [
        {**row, "dataset": dataset, "link": f"#{experiment}-{dataset}-chosen"}
        for experiment, dataset in sections
        for row in edges.listed(RESULTS / experiment / dataset)
    ]


def _policy(style: str, scripts: list[str]) -> str:
    """Content-Security-Policy: nothing from elsewhere, and no script or style but those written here."""
    run = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {run}; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()
