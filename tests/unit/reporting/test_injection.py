"""Text from data, labels and licences is shown as text: no link, picture, script or command comes of it."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml
from markdown_it import MarkdownIt

from mnar.reporting.page import render
from mnar.reporting.table_format import Table, write_table

ROOT = Path(__file__).parents[3]
HOSTILE = [
    "![x](https://example.org/pixel.png)",
    "[click](javascript:alert(1))",
    "[click][1]",
    "<https://example.org>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><iframe src=//example.org>",
    "<!-- hidden -->",
    "a | b \\| c \\\\| d",
    "line\nbreak\n\n# title\n[1]: https://example.org",
    "`code` **bold**",
    "\\input{/etc/passwd} \\write18{ls}",
    "100 % & $x_1^2$ #1 {y} ~z",
    "\\",
    "\u2028\u0085x",
    "[x]: https://example.org",
    "[^1]: note",
    "[x] done",
    "[1cm] up",
    "*[1cm] up",
    " [1cm] up",
    "# title",
    "> quote",
    "1. first",
    "2) second",
    "- item",
    "+ item",
    "* item",
    "---",
    "***",
    "===",
    "``` code",
    "~~~",
    "https://example.org/x and www.example.org",
    "HTTP://LOCALHOST //localhost ftp://example.org",
    "example.com, someone@example.org, mailto:someone@localhost xmpp:a@b.org",
]
# Texts that the viewers may set in code or in bold, as the writer meant it.
MARKED = {"`code` **bold**"}
# What starts something else than text, where a paragraph may start.
OPENING = re.compile(r"\s*(#{1,6} |>|\d+[.)] |[-+*] |---|\*\*\*|```|~~~|\[)")
# What is made a link where nothing marks it (GitHub, and the usual library for it).
ADDRESS = re.compile(r"://|//\w|\bwww\.|\b(mailto|xmpp):\S|\w\.[a-z]{2}", re.I)
ALLOWED = {"p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
VIEWERS = [
    MarkdownIt("commonmark", {"html": True}).enable("table"),
    MarkdownIt("js-default", {"html": True, "linkify": False}),
]


@pytest.fixture(params=HOSTILE, ids=range(len(HOSTILE)))
def files(request, tmp_path):
    text = request.param
    shown = pd.DataFrame({"method": [text, "plain"], text: ["0.5", text]})
    table = Table(shown, shown, f"On {text}.", [f"Note on {text}.", "A second note."])
    write_table(table, tmp_path / "t")
    return text, tmp_path


@pytest.mark.parametrize("viewer", VIEWERS, ids=["commonmark", "with html"])
def test_markdown(files, viewer):
    text, folder = files
    page = viewer.render((folder / "t.md").read_text(encoding="utf-8"))
    tags = set(re.findall(r"<\s*([a-zA-Z!]+\d?)", page))
    assert tags - ALLOWED - ({"code", "strong"} if text in MARKED else set()) == set()
    # One line a row: two columns, a head and two rows.
    assert page.count("<tr>") == 3
    assert page.count("<td") == 4
    # The caption, then the notes in one list of two: nothing else starts, and nothing is left out.
    assert page.count("<li>") == 2
    assert page.count("<p>") == 1


def test_markdown_that_starts_with_a_text(files):
    """A caption or a note may be nothing but the text: no definition, heading, list, rule or quote."""
    text, folder = files
    shown = pd.DataFrame({"a": ["0.5"]})
    for table in (
        Table(shown, shown, text, [text, "A second note."]),
        Table(shown[:0], shown[:0], text, [text, "A second note."]),
    ):
        write_table(table, folder / "s")
        written = (folder / "s.md").read_text(encoding="utf-8")
        lines = [
            line.removeprefix("- ") for line in written.split("\n") if line[:1] not in ("|", "")
        ]
        assert len(lines) == 3
        for line in lines:
            assert not OPENING.match(line)
            assert not ADDRESS.search(line)
        for viewer in VIEWERS:
            page = viewer.render(written)
            assert page.count("<li>") == 2
            found = set(re.findall(r"<\s*([a-zA-Z!]+\d?)", page))
            assert found - ({"code", "strong"} if text in MARKED else set()) <= ALLOWED


def test_no_address_is_left(files):
    _, folder = files
    assert not ADDRESS.search((folder / "t.md").read_text(encoding="utf-8"))


def test_latex(files):
    """Every character with a meaning is escaped; what is left are the commands of the table itself."""
    _, folder = files
    tex = (folder / "t.tex").read_text(encoding="utf-8")
    assert "\\input" not in tex
    assert "\\write18" not in tex
    [caption] = re.findall(r"^\\caption\{(.*)\}$", tex, re.M)
    body = tex.partition("\\midrule")[2].partition("\\bottomrule")[0]
    cells = [
        cell
        for line in body.strip().splitlines()
        for cell in line.removesuffix(" \\\\").split(" & ")
    ]
    assert len(cells) == 4
    for part in [caption, *cells]:
        for name in ("textbackslash", "textasciitilde", "textasciicircum"):
            part = (
                part.replace(rf"\{name}{{}}", "").replace(rf"\{name} ", "").replace(rf"\{name}", "")
            )
        part = re.sub(r"\\[&%$#_{}]|\{[\[*]\}", "", part)
        assert not re.search(r"[\\&%$#_{}~^]", part), part


def test_no_row_of_latex_starts_with_an_option(files):
    """After a line end or a rule LaTeX takes a star, or what stands in brackets, for itself."""
    _, folder = files
    for line in (folder / "t.tex").read_text(encoding="utf-8").splitlines():
        assert line.lstrip()[:1] not in ("[", "*"), line


def test_data_keeps_every_character(files):
    text, folder = files
    tidy = pd.read_csv(folder / "t.csv", keep_default_na=False)
    assert tidy["method"][0] == text


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_the_page_shows_labels_and_licences_as_text(text, tmp_path, monkeypatch):
    """Config and glossary stand on every page; nothing of them is a tag, and the policy forbids the rest."""
    monkeypatch.chdir(tmp_path)
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["datasets"]["synthetic"] |= {"licence": text, "source": text}
    config["methods"]["svd"]["label"] = text
    claims = {"summary": text, "verdicts": [], "counts": {}, "papers": {}}
    claims |= {"seeds": [], "compared": 0, "unsteady": 0, "other_code": False}
    page = render("summary", [], claims, config, {"numpy": text})
    plain = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.S)
    for tag in ("script", "img", "iframe", "object"):
        assert not re.search(rf"<{tag}\b", plain), tag
    assert not re.search(r"<[^>]*\son\w+=", plain)
    assert not re.search(r'(href|src)="(?!#|data:|[\w./-]+\.csv)', plain)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy
    assert "http" not in policy
