"""Tables as the page shows them: nothing interpreted, uncertain looks so."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
import yaml

from mnar import measures, models
from mnar.reporting import edges, page, page_parts
from mnar.reporting.figure_format import subplots
from mnar.reporting.glossary import Glossary, Term, glossary_of
from mnar.reporting.page_parts import contains_zero, page_table, slim, svg_address
from mnar.reporting.table_format import Table, write_table

ROOT = Path(__file__).parents[3]
NOTHING = Glossary([Term("none", "word", "no word", ("none",))])


@pytest.fixture
def shown(tmp_path, monkeypatch):
    monkeypatch.setattr(page_parts, "RESULTS", tmp_path)

    def of(text, glossary=NOTHING):
        (tmp_path / "t.md").write_text(text, encoding="utf-8")
        return page_table(tmp_path / "t", "Title", "Look.", glossary)

    return of


def test_text_is_never_interpreted(shown):
    text = "C.\n\n| a |\n|:--|\n| <b>x</b>\\|y |\n| z |\n\n- ![p](http://a.b/c.png) [l](http://d.e) <i>\n"
    table = shown(text)
    assert "&lt;b&gt;x&lt;/b&gt;|y" in table["body"][0]
    assert "<img" not in table["notes"]
    assert "<a " not in table["notes"]
    assert "<i>" not in table["notes"]


def test_a_table_without_rows_is_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(page_parts, "RESULTS", tmp_path)
    empty = Table(pd.DataFrame(), pd.DataFrame(), "One moment on d.", ["It has no times.", "None."])
    write_table(empty, tmp_path / "one_moment")
    part = page_table(tmp_path / "one_moment", "One moment", "", NOTHING)
    assert part["nothing"] == "It has no times. None."
    assert (tmp_path / "one_moment.tex").read_text().startswith("%")


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("−0.1 [−0.3, +0.1]", True),
        ("−0.3 to 0.1", True),
        ("0.2 [0.1, 0.3]", False),
        ("−7.676e-05 [−0.001, 1e-3]", True),
        ("0.5 (0.1)", False),
        ("–", False),
    ],
)
def test_an_interval_with_zero_looks_uncertain(shown, text, inside):
    assert contains_zero(text) == inside
    table = shown(f"C.\n\n| a | d |\n|:--|--:|\n| x | {text} |\n| y | 1 |\n")
    assert ("unsure" in table["body"][0]) == inside


def test_words_lead_to_the_glossary_longest_first():
    glossary = glossary_of({"methods": {"mf-adg-c1": {"module": "mf-adg"}}})
    marked = str(glossary.mark("mf-adg-c1 by Recall@10 & <x>, svd † – not svdx"))
    assert 'href="#term-method-mf-adg-c1">mf-adg-c1</a>' in marked
    assert 'href="#term-measure-recall-k">Recall@10</a>' in marked
    assert ">svd</a>" in marked
    assert "&amp; &lt;x&gt;" in marked
    assert ">svdx" not in marked
    assert "svdx" in marked


def test_no_line_ends_between_a_sign_and_its_number():
    marked = str(NOTHING.mark("in 9 of 10 % (τ = −0.21, τ ≥ 0.7) or 5 of them"))
    assert marked == "in 9 of 10\xa0% (τ\xa0=\xa0−0.21, τ\xa0≥\xa00.7) or 5 of them"


def test_every_method_and_measure_has_an_entry_of_its_own():
    terms = glossary_of({"methods": {}}).terms
    anchors = [term.anchor for term in terms]
    assert len(set(anchors)) == len(anchors)
    assert {t.name for t in terms if t.kind == "method"} == set(models.names())
    assert all(measure.description for measure in measures.known_measures().values())


def test_a_variant_says_what_it_changes():
    entries = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["methods"]
    texts = {term.name: term.text for term in glossary_of({"methods": entries}).terms}
    variants = {name: models.module_in(entry, name) for name, entry in entries.items()}
    for name, module in variants.items():
        if name != module:
            assert texts[name] == f"{texts[module]} {entries[name]['description']}", name


def test_a_picture_cannot_leave_its_attribute():
    address = svg_address(
        """<?xml?><svg a="b'">\n<path d="M 0 1"/><!-- # % > --><a b="&amp;"/></svg>"""
    )
    assert not set('"<>#\n&') & set(address)


def test_a_slim_picture_draws_the_same():
    canvas, axis = subplots(figsize=(3, 2))
    axis.plot([0.123456, 1], [0, 1], "o-", label="it's <b> & more")
    axis.legend()
    file = io.StringIO()
    canvas.savefig(file, format="svg", metadata={"Date": None})
    whole, less = (ElementTree.fromstring(t) for t in (file.getvalue(), slim(file.getvalue())))

    def drawn(root):
        """Every element with its numbers to a hundredth, what it refers to put in its place."""
        named = {one.get("id"): one for one in root.iter() if one.get("id")}
        found = []
        for one in root.iter():
            if one.tag.endswith(("metadata", "RDF", "Work", "title", "creator", "Agent")):
                continue
            if "purl.org" in one.tag or "creativecommons" in one.tag:
                continue
            values = []
            for key, value in sorted(one.attrib.items()):
                target = re.search(r"#([\w.-]+)", value)
                if key == "id":
                    continue
                if target and target[1] in named:
                    value = named[target[1]].get("d") or "a clip"
                numbers = re.findall(r"-?\d+\.?\d*", value)
                values.append((key, [round(float(n), 1) for n in numbers]))
            found.append((one.tag, values))
        return found

    first, second = drawn(whole), drawn(less)
    assert [tag for tag, _ in first] == [tag for tag, _ in second]
    for (_, one), (_, other) in zip(first, second, strict=True):
        assert [key for key, _ in one] == [key for key, _ in other]
        for (_, numbers), (_, fewer) in zip(one, other, strict=True):
            assert fewer == pytest.approx(numbers, abs=0.11)
    assert len(slim(file.getvalue())) < 0.85 * len(file.getvalue())


def test_the_figure_at_the_top_is_of_the_dataset_that_the_answer_speaks_of():
    def papers():
        part = {"name": "trust_plot", "title": "Trust", "top": True}
        made, kept = ({"lead": [{**part, "stem": stem}]} for stem in ("made", "kept"))
        return {
            "trust": {"datasets": {"made": made, "kept": kept | {"recorded": "recorded on a day"}}}
        }

    shown = papers()
    top = page._headline(shown, ["kept"])
    assert (top["stem"], top["title"]) == ("kept", "Trust, recorded on a day")
    # It is not shown once more below.
    assert shown["trust"]["datasets"]["kept"]["lead"] == []
    assert page._headline(papers(), ["elsewhere"])["stem"] == "made"
    assert page._headline({}, []) is None


def test_methods_of_a_table_are_marked_where_they_were_chosen_at_an_edge(monkeypatch):
    monkeypatch.setattr(edges, "at_edges", lambda results, study: {"one": "rate in 1 of 2 folds"})
    shown = pd.DataFrame({"method": ["one", "two"], "minus": ["two", "one"], "value": ["1", "2"]})
    marked = edges.marked_methods(shown, None, "study")
    assert marked["method"].tolist() == ["one †", "two"]
    assert marked["minus"].tolist() == ["two", "one †"]
    assert shown["method"].tolist() == ["one", "two"]
