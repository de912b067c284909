"""The glossary of the page, from what methods and measures say of themselves, and links into it."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml
from markupsafe import Markup, escape

from mnar import measures, models
from mnar.reporting.run_facts import TEMPLATES

# The numbers in a measure's label: Recall@{0}.
_GAP = re.compile(r"\{\d[^}]*\}")
# No line ends between a sign and its number.
_KEPT = re.compile(r"(?<=τ) (?=[=≥] )|(?<=τ.[=≥]) (?=[\d−])|(?<=\d) (?=%)")


@dataclass(frozen=True)
class Term:
    """A word of the page: what it is, and the patterns by which it is found in a text."""

    name: str
    kind: str
    text: str
    patterns: tuple[str, ...]

    @property
    def anchor(self) -> str:
        plain = re.sub(r"\W+", "-", self.name.lower()).strip("-")
        return f"term-{self.kind}-{plain or 'x'}"


class Glossary:
    def __init__(self, terms: list[Term]):
        self.terms = terms

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """All spellings in one pattern, the longest first; a group of its own for each."""
        found = [
            (pattern, number) for number, term in enumerate(self.terms) for pattern in term.patterns
        ]
        found.sort(key=lambda pair: -len(pair[0]))
        self._numbers = [number for _, number in found]
        groups = "|".join(f"({pattern})" for pattern, _ in found)
        return re.compile(rf"(?<![\w-])(?:{groups})(?![\w-])")

    def mark(self, text: str) -> Markup:
        """Plain text with each word of the glossary linked to its entry."""
        text = _KEPT.sub("\u00a0", text)
        parts, end = [], 0
        for found in self._pattern.finditer(text):
            term = self.terms[self._numbers[(found.lastindex or 1) - 1]]
            parts.append(escape(text[end : found.start()]))
            parts.append(
                Markup('<a class="term" href="#{}">{}</a>').format(term.anchor, found.group())
            )
            end = found.end()
        return Markup("").join([*parts, escape(text[end:])])


def glossary_of(config: dict[str, Any]) -> Glossary:
    """Methods of the config, all measures, and the other words."""
    return Glossary([*_other_words(), *_measures(), *_methods(config["methods"])])


def _methods(entries: dict[str, Any]) -> list[Term]:
    found = []
    for name in sorted({*entries, *models.names()}):
        about = models.about_entry(name, entries)
        if about.description:
            spellings = dict.fromkeys([name, about.label])
            text = about.description
            module = models.module_in(entries.get(name, {}), name)
            if module != name and module in models.names():
                own = entries[name].get("description", "Here with settings of its own.")
                text = f"{text} {own}"
            found.append(Term(name, "method", text, tuple(map(re.escape, spellings))))
    return found


def _measures() -> list[Term]:
    found = []
    for spelling, measure in measures.known_measures().items():
        if measure.description:
            letters = [measures.NUMBERS[m].letter for m in re.findall("<[a-z]+>", spelling)]
            gaps = _GAP.split(measure.label)
            name = gaps[0] + "".join(
                letter + rest for letter, rest in zip(letters, gaps[1:], strict=True)
            )
            label = r"[\d.]+".join(map(re.escape, gaps))
            plain = r"[\d.]+".join(map(re.escape, re.split("<[a-z]+>", spelling)))
            found.append(Term(name, "measure", measure.description, (label, plain)))
    return found


def _other_words() -> list[Term]:
    words = yaml.safe_load((TEMPLATES / "terms.yaml").read_text(encoding="utf-8"))
    return [
        Term(name, "word", about["text"], tuple(map(re.escape, [name, *about.get("also", [])])))
        for name, about in words.items()
    ]
