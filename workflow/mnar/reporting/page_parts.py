"""Tables and figures as the page shows them: read from the files that were written before."""

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from markupsafe import Markup

from mnar.reporting.glossary import Glossary

RESULTS = Path("results")
# Tables with more lines are folded.
LONG = 40
# Tables with more lines are not on the page; their data are a click away.
TOO_LONG = 250
# Figures that are wider, in points, are scrolled on a phone: shrunk, nobody could read them.
WIDE = 450

# Raw HTML in a table's text is shown as text, never interpreted; pictures and links neither.
_markdown = MarkdownIt("commonmark", {"html": False}).disable(["image", "link", "autolink"])
_INTERVAL = re.compile(r"\[?([+-]?[\d.]+(?:e-?\d+)?)(?:, | to )([+-]?[\d.]+(?:e-?\d+)?)\]?$")
_CELL = re.compile(r"(?<!\\)\|")


def page_table(stem: Path, title: str, see: str, glossary: Glossary) -> dict[str, Any]:
    """A table that a job has written; of one that has no rows, why it has none."""
    text = stem.with_suffix(".md").read_text(encoding="utf-8")
    if "\n|" not in text:
        return {"name": stem.name, "title": title, "nothing": _reason(text)}
    table = laid_out(text, glossary)
    told = glossary.mark(see)
    return {**table, "name": stem.name, "title": title, "see": told, "data": _data(stem)}


def _data(stem: Path) -> str:
    """The address of the numbers, as seen from the page."""
    return address(stem.with_suffix(".csv"), RESULTS)


def address(path: Path, results: Path) -> str:
    """The address of a file as seen from a page in `results`; none of a file outside of the run's folder.

    Else the bytes of a page would depend on where the run lies.
    """
    if not path.absolute().is_relative_to(results.absolute().parent):
        return ""
    return Path(os.path.relpath(path, results)).as_posix()


def _reason(text: str) -> str:
    notes = [line.removeprefix("- ") for line in text.split("\n") if line.startswith("- ")]
    return " ".join(notes)


def laid_out(text: str, glossary: Glossary) -> dict[str, Any]:
    """The Markdown of a table as lines of HTML."""
    caption, (head, *rows), right, notes = _parsed(text)
    lines = [_line("th", head, right, glossary), *(_line("td", r, right, glossary) for r in rows)]
    return {
        "caption": glossary.mark(caption),
        "head": lines[0],
        "body": lines[1:] if len(rows) <= TOO_LONG else [],
        "notes": Markup(_markdown.render(notes)) if notes else "",
        "rows": len(rows),
        "long": len(rows) > LONG,
    }


def page_figure(stem: Path, title: str, see: str, glossary: Glossary) -> dict[str, Any]:
    image = stem.with_suffix(".svg").read_text(encoding="utf-8")
    caption = stem.with_suffix(".txt").read_text(encoding="utf-8").strip()
    return {
        "name": stem.name,
        "title": title,
        "see": glossary.mark(see),
        "image": svg_address(image),
        "wide": _width(image) > WIDE,
        # Plain for who cannot see the figure, and with links.
        "caption": caption,
        "explained": glossary.mark(caption),
        "data": _data(stem),
    }


def _width(image: str) -> float:
    """Of an SVG that matplotlib wrote, in points."""
    found = re.search(r'<svg[^>]* width="([\d.]+)pt"', image)
    return float(found[1]) if found else 0.0


def svg_address(image: str) -> Markup:
    """An SVG as an address of its own; text is shorter than base64, and needs no escapes."""
    return Markup("data:image/svg+xml," + quote(slim(image), safe=" =:/;,'()!*-._~@?"))


def slim(image: str) -> str:
    """An SVG of matplotlib without what no reader sees: a third shorter.

    Comments, unused and long names go, hundredths of a point are kept.
    """
    text = re.sub(
        r"<!--.*?-->|<metadata>.*?</metadata>", "", image[image.index("<svg") :], flags=re.S
    )
    text = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", text))
    named = set(re.findall(r"#([\w.-]+)", text))
    text = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in named else "", text)
    # Glyphs are drawn 64 times too large.
    text = re.sub(r"(?<!scale\(0)(?<=\d)(\.\d\d)\d+", r"\1", text)
    short: dict[str, str] = {}
    for name in re.findall(r' id="([^"]*)"', text):
        short.setdefault(name, f"g{len(short)}")
    text = re.sub(r' id="([^"]*)"', lambda found: f' id="{short[found[1]]}"', text)
    text = re.sub(r"#([\w.-]+)", lambda found: f"#{short.get(found[1], found[1])}", text)
    text = re.sub(r"(?<=[;:]) (?=[^<>]*>)", "", text)
    # These quotes need no escape in the page.
    return re.sub(r"""="([^"']*)\"""", r"='\1'", text)


def _parsed(text: str) -> tuple[str, list[list[str]], list[bool], str]:
    """Caption, cells, whether each column holds numbers, and the notes below."""
    lines = text.split("\n")
    table = [number for number, line in enumerate(lines) if line.startswith("|")]
    cells = [_cells(lines[number]) for number in table]
    right = [cell.endswith(":") for cell in cells[1]]
    notes = "\n".join(lines[table[-1] + 1 :]).strip()
    return "\n".join(lines[: table[0]]).strip(), [cells[0], *cells[2:]], right, notes


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip())[1:-1]]


def contains_zero(text: str) -> bool:
    """Whether a cell ends in an interval with 0 inside: [−0.1, 0.2] or −0.1 to 0.2."""
    found = _INTERVAL.search(text.replace("−", "-"))
    return found is not None and float(found[1]) < 0 < float(found[2])


def _number(text: str) -> Markup:
    """A number; its error or interval may stand on a line of its own."""
    value, mark, rest = text.partition(" [") if " [" in text else text.partition(" (")
    if not mark or not value:
        return Markup("{}").format(text)
    return Markup('{} <span class="pm">{}{}</span>').format(value, mark.strip(), rest)


def _line(tag: str, cells: list[str], right: list[bool], glossary: Glossary) -> Markup:
    """One row of a table; the first cell is the head of its row."""
    parts = []
    for number, (cell, numeric) in enumerate(zip(cells, right, strict=True)):
        bold = cell.startswith("**") and cell.endswith("**")
        text = cell.strip("*") if bold else cell
        inner = _number(text) if numeric and tag == "td" else glossary.mark(text)
        inner = Markup("<strong>{}</strong>").format(inner) if bold else inner
        head = number == 0 and tag == "td" and inner
        name = "th" if head else tag
        scope = Markup(' scope="row"') if head else Markup(' scope="col"' if tag == "th" else "")
        # A head without words would be an empty one to a screen reader.
        name, scope = (name, scope) if text or tag == "td" else ("td", Markup(""))
        unsure = " unsure" if tag == "td" and contains_zero(text) else ""
        look = Markup(' class="n{}"').format(unsure) if numeric else Markup("")
        parts.append(Markup("<{0}{1}{2}>{3}</{0}>").format(Markup(name), scope, look, inner))
    return Markup("<tr>{}</tr>").format(Markup("").join(parts))
