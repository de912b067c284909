"""List targets, datasets, tables and figures: python -m mnar list-targets"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from mnar.config.paths import is_generated
from mnar.data.locations import missing_message
from mnar.reporting.outline import outline
from mnar.reporting.run_facts import SUMMARY, TITLES

Config = dict[str, Any]

ENDINGS = {"tables": ("md", "csv", "tex"), "figures": ("svg", "pdf", "png", "csv", "txt")}


def main(arguments: Sequence[str] = ()) -> int:
    config = _config()
    print("Targets (make NAME, or snakemake -c2 NAME)")
    for name, title in _named(config).items():
        print(f"  {name:<12} {title}")
    print("\nDatasets")
    for name in config["datasets"]:
        print(f"  {name:<19} {_state(name, config)}")
    print(
        "\nFiles: results/<experiment>/<dataset>/<table>.md (csv, tex), <figure>.svg (pdf, png, csv)"
    )
    for experiment in config["experiments"]:
        plan = outline(experiment)
        print(f"  {experiment}: {', '.join([*plan.tables, *plan.figures])}")
    return 0


def unknown(target: str) -> str:
    """What to say of a target that no rule makes, with names that are near."""
    config = _config()
    known = [*_named(config), *_commands(), *_files(config)]
    near = get_close_matches(target, known, n=3)
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    return f"There is no target {target!r}. {hint}`make targets` lists all targets and datasets."


def _config() -> Config:
    return yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))


def _named(config: Config) -> dict[str, str]:
    names = {"all" if page == SUMMARY else page: title for page, title in TITLES.items()}
    return names | {name: outline(name).title for name in config["experiments"]}


def _commands() -> list[str]:
    """What `make help` lists, since a word after `make` may be meant as one of these."""
    makefile = Path("Makefile")
    text = makefile.read_text(encoding="utf-8") if makefile.exists() else ""
    return re.findall(r"^([a-z-]+):.*## ", text, re.M)


def _files(config: Config) -> Iterator[str]:
    for experiment in config["experiments"]:
        plan = outline(experiment)
        for dataset in config["datasets"]:
            for kind, endings in ENDINGS.items():
                for name in getattr(plan, kind):
                    yield from (
                        f"results/{experiment}/{dataset}/{name}.{ending}" for ending in endings
                    )
    yield from (f"results/{page}.html" for page in [SUMMARY, *_named(config)] if page != "all")


def _state(name: str, config: Config) -> str:
    entry = config["datasets"][name]
    if is_generated(config, name):
        return "generated"
    if entry.get("embedded"):
        return "comes with the project"
    folder = Path("data") / name
    if not missing_message(name, entry, folder):
        return f"in {folder}"
    if "download" in entry:
        return "downloaded when a target needs it"
    return f"to be placed in {folder} (data/README.md)"
