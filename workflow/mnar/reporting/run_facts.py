"""What the workflow must know of the page before it is made; nothing here takes long to import."""

import platform
import tomllib
from importlib import metadata
from pathlib import Path

TEMPLATES = Path(__file__).with_name("templates")
PACKAGES = ["snakemake", "numpy", "scipy", "pandas", "polars", "numba", "matplotlib"]
# Of the pages that show every experiment, the default one first; the others show one experiment each.
TITLES = {
    "summary": "The default run: every experiment on the embedded datasets",
    "placed": "Every experiment on every dataset whose files are here",
    "paper": "Every experiment on the papers' own datasets",
}
SUMMARY, PLACED, PAPER = TITLES
# Results of the papers' own datasets that were recorded with the project, laid out like results/.
PROJECT = Path(__file__).parents[3]
RECORDED = PROJECT / "docs" / "reproduction"


def template_files() -> list[Path]:
    """Everything that the page takes from the folder of templates."""
    return sorted(path for path in TEMPLATES.iterdir() if path.is_file())


def recorded_files() -> list[Path]:
    """The recorded tables and figures, which the page shows and reads findings from, and their record."""
    return sorted([*RECORDED.glob("*/*/*.*"), *RECORDED.glob("record.json")])


def versions() -> dict[str, str]:
    """Of this project, Python, and the packages that results depend on."""
    found = {name: metadata.version(name) for name in PACKAGES}
    return {"mnar": version(), "python": platform.python_version(), **found}


def version() -> str:
    """As pyproject.toml says: an editable installation keeps the number of the day it was made."""
    file = PROJECT / "pyproject.toml"
    if not file.exists():
        return metadata.version("mnar")
    return str(tomllib.loads(file.read_text(encoding="utf-8"))["project"]["version"])
