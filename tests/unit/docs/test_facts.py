"""What pages and profiles say of rooms, rules, groups and files is what the project has."""

import re
import subprocess
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml

from mnar.estimators import take_home

ROOT = Path(__file__).parents[3]
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
RULES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in [ROOT / "Snakefile", *sorted((ROOT / "workflow").rglob("*.smk"))]
)
GROUPS = set(re.findall(r'group:\s+"(\w+)"', RULES))
FOLDERS = "benchmarks|docs|envs|tests|workflow"


def section(text, heading):
    return re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.S | re.M)[1]


def first_column(text):
    return re.findall(r"^\| `([^`|]+)`", text, re.M)


def test_rooms_are_in_the_order_of_the_contract():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [contract] = project["tool"]["importlinter"]["contracts"]
    rooms = contract["layers"][::-1]
    assert first_column(section(ARCHITECTURE, "The rooms of the library")) == rooms
    drawn = (ROOT / "docs/architecture.svg").read_text(encoding="utf-8")
    assert re.findall(r'class="room".*?class="text"[^>]*>(\w+)<', drawn) == rooms


def test_the_gammas_that_data_suggest_are_those_of_the_page():
    page = (ROOT / "docs/trust.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| [^|]+ \|$", page, re.M)
    told = [{name: float(row[column]) for name, *row in rows} for column in (0, 1)]
    assert told == list(take_home.SUGGESTED.values())


@pytest.mark.parametrize("dataset", ["coat", "cm100k"])
def test_the_gammas_that_data_suggest_are_the_recorded_ones(dataset):
    """Of a recorded run, where it has these datasets."""
    name = {"coat": "Coat", "cm100k": "CM100k"}[dataset]
    for path in ROOT.glob(f"docs/reproduction/trust/{dataset}/gamma.csv"):
        needed = pd.read_csv(path).groupby("around")["needed"].mean()
        found = [needed["naive"], needed["snips(popularity, gamma=1)"]]
        assert found == pytest.approx(
            [one[name] for one in take_home.SUGGESTED.values()], abs=0.005
        )


def test_every_rule_and_target_has_a_row():
    named = set(re.findall(r"^(?:rule|use rule \w+ as) (\w+)", RULES, re.M))
    papers = {path.parent.name for path in ROOT.glob("workflow/mnar/experiments/*/rules.smk")}
    rows = "\n".join(re.findall(r"^\| `.*", section(ARCHITECTURE, "The way of the data"), re.M))
    told = set(re.findall(r"`(\w+)`", rows))
    if "`show_<paper>`" in rows:
        told |= {f"show_{paper}" for paper in papers}
    assert named
    assert named - told == set()
    assert told - named == set()
    assert f"There are {len(named)} rules" in ARCHITECTURE


@pytest.mark.parametrize("name", ["slurm", "cluster"])
def test_profiles_know_the_groups_of_the_rules(name):
    profile = yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())
    assert {part.partition("=")[0] for part in profile["group-components"]} == GROUPS


def test_the_page_on_clusters_knows_the_groups():
    page = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    assert set(first_column(section(page, "Groups"))) == GROUPS


def pages():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return sorted({*names, "config.yaml"} - {"CHANGELOG.md"})


@pytest.mark.parametrize("page", pages())
def test_files_that_a_page_names_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(rf"(?<![\w/.])(?:{FOLDERS})/[\w./*<>-]*[\w/*>]", text))
    # <paper> and the like stand for any name.
    patterns = {name: re.sub("<.*?>", "*", name).rstrip("/") for name in named}
    assert sorted(name for name in named if not list(ROOT.glob(patterns[name]))) == []


def test_make_help_lists_every_command():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(re.search(r"^\.PHONY: (.*)$", text, re.M)[1].split())
    helped = set(re.findall(r"^([a-z-]+):.*## ", text, re.M))
    assert phony == helped
    checked = re.findall(r"^make ([a-z-]+)$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.M)
    assert "test" in checked
    assert set(checked) <= helped
