"""The page: every table and figure of the experiments, self-contained, nothing loaded from elsewhere."""

import base64
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from mnar.config.settings import has
from mnar.reporting.outline import outline

RESULTS = Path("results")
TEMPLATES = Path(__file__).with_name("templates")
PACKAGES = ["snakemake", "numpy", "scipy", "pandas", "polars", "numba", "matplotlib"]
TITLES = {
    "summary": "The default run: every experiment on the embedded datasets",
    "placed": "Every experiment on every dataset whose files are here",
    "paper": "Every experiment on the papers' own datasets",
}

# Raw HTML in a table's text is shown as text, never interpreted.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


def render(
    page: str,
    sections: list[tuple[str, str]],
    claims: dict[str, Any],
    config: dict[str, Any],
    versions: dict[str, str],
) -> str:
    """`claims` are as mnar.claims.report gives them."""
    papers: dict[str, dict[str, Any]] = {}
    for experiment, dataset in sections:
        paper = papers.setdefault(
            experiment, {"title": outline(experiment).title, "datasets": {}, "across": []}
        )
        paper["datasets"][dataset] = _shown(experiment, dataset, has(config, dataset))
    for experiment, paper in papers.items():
        plan = outline(experiment)
        titles = dict(plan.general)
        if page in ("paper", experiment):
            titles = {name: plan.tables[name] for name in plan.across} | titles
        paper["across"] = [_table(RESULTS / experiment / n, title) for n, title in titles.items()]
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        title=TITLES.get(page, f"{page} on the paper's own datasets"),
        papers=papers,
        claims=claims,
        edges=_edges(papers),
        settings=yaml.safe_dump(config, sort_keys=False, allow_unicode=True),
        seed=config["seed"],
        versions=versions,
    )


def template_files() -> list[Path]:
    return sorted(TEMPLATES.glob("*.j2"))


def versions() -> dict[str, str]:
    """Of Python and the packages that results depend on."""
    found = {name: metadata.version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **found}


def _shown(experiment: str, dataset: str, there: list[str]) -> dict[str, list[dict[str, Any]]]:
    plan = outline(experiment)
    figures = {n: t for n, t in plan.figures.items() if not plan.missing(n, there)}
    folder = RESULTS / experiment / dataset
    return {
        "tables": [_table(folder / name, title) for name, title in plan.tables.items()],
        "figures": [_figure(folder / name, title) for name, title in figures.items()],
    }


def _table(stem: Path, title: str) -> dict[str, Any]:
    text = stem.with_suffix(".md").read_text(encoding="utf-8")
    return {
        "name": stem.name,
        "title": title,
        "body": Markup(_markdown.render(text)),
        "rows": text.count("\n|"),
        "data": stem.with_suffix(".csv").relative_to(RESULTS).as_posix(),
    }


def _figure(stem: Path, title: str) -> dict[str, Any]:
    image = base64.b64encode(stem.with_suffix(".svg").read_bytes()).decode()
    return {
        "name": stem.name,
        "title": title,
        "image": f"data:image/svg+xml;base64,{image}",
        "caption": stem.with_suffix(".txt").read_text(encoding="utf-8").strip(),
        "data": stem.with_suffix(".csv").relative_to(RESULTS).as_posix(),
    }


def _edges(papers: dict[str, dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Experiment, dataset, method and parameter of each optimum at the edge of its grid."""
    import pandas as pd

    found = []
    for experiment, paper in papers.items():
        for dataset in paper["datasets"]:
            path = RESULTS / experiment / dataset / "chosen.csv"
            if not path.exists():
                continue
            chosen = pd.read_csv(path, keep_default_na=False)
            for method, rows in chosen[chosen["edge"] != ""].groupby("method", sort=False):
                parameters = " ".join(sorted(set(" ".join(rows["edge"]).split())))
                found.append((experiment, dataset, str(method), parameters))
    return found
