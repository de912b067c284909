"""What other libraries answer on the cases of conformance/, ours beside: conformance/libraries.md.

python benchmarks/conformance.py      needs the environments of `make bench`
"""

import json
import subprocess
import sys
from pathlib import Path

from contest import ENVIRONMENTS, ROOT

HERE = Path(__file__).parent
ENVIRONMENT = {
    "ours": "",
    "scikit-learn": "",
    "implicit": "compiled",
    "irspack": "compiled",
    "RecTools": "rectools",
    "cornac": "cornac",
}
MEASURES = {
    "ndcg": "NDCG",
    "map": "MAP",
    "recall@3": "Recall@3",
    "auc_aman": "AUC, all others as negatives",
}
# Answers that differ by less are called right.
CLOSE = 1e-6
HEAD = """\
# What libraries answer on the conformance cases

`python benchmarks/conformance.py` wrote this page. The exact answer is the expectation over a random
order of ties; answers that differ from it by more than 10⁻⁶ are bold. A dash: the library has no such
measure. *error*: it stopped with an error, which is right for NaN and where the measure is not defined
(*none*).

Each library gets the scores as they are and ranks them itself: implicit and RecTools by vectors whose
products are the scores (in single precision), irspack by a recommender of its own, cornac by
`Recommender.rank`, and scikit-learn by the candidates of one user at a time (`ndcg_score`,
`label_ranking_average_precision_score`, `roc_auc_score`). Items that are not listed get a score below all
others. "Recall@3" of implicit is its precision@3, which divides by min(3, liked items) and pools users.
MAP of scikit-learn and of cornac takes the worst place of a tie.
"""


def answers_of(library: str) -> dict:
    folder = ENVIRONMENT[library]
    python = ENVIRONMENTS / folder / "bin/python" if folder else Path(sys.executable)
    command = [str(python), str(HERE / "conformance_peer.py"), library]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def cell(answer: dict | str, measure: str, exact: float | None) -> tuple[str, bool | None]:
    """The answer as text, and whether it is right; None where the library has no such measure."""
    if not isinstance(answer, str) and measure not in answer:
        return "–", None
    if isinstance(answer, str) or answer[measure] == "error":
        return "*error*", exact is None
    value = float(answer[measure])
    if exact is None:
        undefined = value != value
        return ("*none*" if undefined else f"**{value:.4f}**"), undefined
    right = abs(value - exact) <= CLOSE
    return (f"{value:.4f}" if right else f"**{value:.4f}**"), right


def page(cases: list[dict], found: dict[str, dict]) -> str:
    counted = {library: [0, 0] for library in found}
    tables = []
    for measure, title in MEASURES.items():
        lines = [f"| case | exact | {' | '.join(found)} |", "|---" * (len(found) + 2) + "|"]
        for case in cases:
            exact = case["answers"].get(measure)
            cells = [case["name"], "*none*" if exact is None else f"{exact:.4f}"]
            for library, answers in found.items():
                text, right = cell(answers["answers"][case["name"]], measure, exact)
                cells.append(text)
                if right is not None:
                    counted[library][0] += right
                    counted[library][1] += 1
            lines.append(f"| {' | '.join(cells)} |")
        tables.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    rows = [
        f"| {library} | {found[library]['version']} | {right} of {all_of} |"
        for library, (right, all_of) in counted.items()
    ]
    summary = "\n".join(["| library | version | right answers |", "|---|---|---|", *rows])
    return "\n".join([HEAD, summary, "", *tables])


def main() -> None:
    cases = json.loads((ROOT / "conformance/cases.json").read_text(encoding="utf-8"))
    found = {library: answers_of(library) for library in ENVIRONMENT}
    (ROOT / "conformance/libraries.md").write_text(page(cases, found), encoding="utf-8")


if __name__ == "__main__":
    main()
