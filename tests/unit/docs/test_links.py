"""No dead relative link in any Markdown file, and a CITATION.cff that fits the package."""

import re
import subprocess
import tomllib
from collections import Counter
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from markdown_it import MarkdownIt

from mnar.reporting.run_facts import versions

ROOT = Path(__file__).parents[3]
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def markdown_files():
    """Tracked files, and new ones that are not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())


def parsed(path):
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def links_of(path):
    for token in parsed(path):
        for part in token.children or []:
            for attribute in ("href", "src"):
                if target := part.attrGet(attribute):
                    yield str(target)


def slug(text):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


@cache
def anchors_of(path):
    """A heading that occurs again gets a number."""
    times: Counter[str] = Counter()
    found = set()
    for opening, inline in pairwise(parsed(path)):
        if opening.type == "heading_open":
            name = slug("".join(part.content for part in inline.children or []))
            found.add(f"{name}-{times[name]}" if times[name] else name)
            times[name] += 1
    return found


def fault(page, link):
    """Why a link of a page leads nowhere; None if it does not, or leads out of the repository."""
    if OUTSIDE.match(link):
        return None
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return f"{link}: there is no {path}"
    if not target.is_relative_to(ROOT):
        return f"{link}: lies outside the repository"
    if anchor and target.suffix == ".md" and anchor not in anchors_of(target):
        return f"{link}: {target.name} has no heading #{anchor}"
    return None


@pytest.mark.parametrize("name", markdown_files())
def test_relative_links_lead_somewhere(name):
    page = ROOT / name
    assert [why for link in links_of(page) if (why := fault(page, link))] == []


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("nowhere.md", "there is no nowhere.md"),
        ("#nowhere", "no heading #nowhere"),
        ("datasets.md#nowhere", "datasets.md has no heading"),
        ("../../elsewhere", "there is no"),
    ],
)
def test_dead_links_are_found(link, says):
    assert says in fault(ROOT / "docs" / "README.md", link)


def test_every_page_is_in_the_index():
    index = set(links_of(ROOT / "docs" / "README.md"))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - index == set()


def test_every_page_starts_with_its_purpose():
    for path in (ROOT / "docs").glob("*.md"):
        heading, empty, purpose = path.read_text(encoding="utf-8").splitlines()[:3]
        assert heading.startswith("# "), path
        assert not empty, path
        assert purpose.startswith("This page "), path


def test_citation_fits_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["cff-version"] == "1.2.0"
    assert all(citation[key] for key in ("message", "title", "keywords"))
    assert all(author["name"] for author in citation["authors"])
    assert citation["version"] == project["version"]
    assert date.fromisoformat(citation["date-released"])
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith(f"{citation['license']} License")


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    newest = re.search(
        r"^## (\S+)(?: \((\S+)\))?$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )
    assert newest is not None
    assert newest[1] == project["version"] == citation["version"] == versions()["mnar"]
    assert newest[2] == str(citation["date-released"])
