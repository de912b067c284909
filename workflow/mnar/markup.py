"""Rows of text as a table in Markdown and in LaTeX.

Written out: pandas' own writers import a template engine first, and take longer.
"""

import re
from collections.abc import Sequence

_LATEX_WORDS = {"\\": r"\textbackslash ", "~": r"\textasciitilde ", "^": r"\textasciicircum "}


def markdown(names: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    """`sides` has a letter a column, l or r: where its text stands."""
    cells = [list(names), *([cell.strip() for cell in row] for row in rows)]
    widths = [
        max(len(name) + 2, *(len(row[place]) for row in cells)) for place, name in enumerate(names)
    ]
    lines = [
        " | ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=True)
        )
        for row in cells
    ]
    rule = "|".join(
        f"{'-' * (width + 1)}:" if side == "r" else f":{'-' * (width + 1)}"
        for width, side in zip(widths, sides, strict=True)
    )
    head, *body = [f"| {line} |" for line in lines]
    return "\n".join([head, f"|{rule}|", *body])


def latex(
    names: Sequence[str], rows: Sequence[Sequence[str]], sides: str, caption: str, label: str
) -> str:
    """As booktabs sets it. The rows are LaTeX already, for some are in bold; the names are not."""
    head = " & ".join(map(latex_text, names))
    lines = [
        r"\begin{table}[t]",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *(rf"{' & '.join(row)} \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    """The same letters, none of them with a meaning to LaTeX."""
    return re.sub(r"[\\~^] ?|[&%$#_{}]", _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0][0]
    if character not in _LATEX_WORDS:
        return f"\\{character}"
    # The space after a command is its end; one that was there before must be said.
    return _LATEX_WORDS[character] + (r"\space " if match[0].endswith(" ") else "")
