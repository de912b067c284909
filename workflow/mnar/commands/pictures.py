"""python -m mnar pictures: the pictures in docs/, taken from the results of the default run.

Each carries a hash of the data behind it, and one of the code that draws it. With --check nothing is
written: pictures whose data differ from the results are named. The hash of the code is compared by a
test, which needs no results.
"""

import ast
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from mnar.core.files import atomic

# Picture in docs/ -> figure in results/.
PICTURES = {
    "trust": "trust/synthetic/trust_plot",
    "validation_against_test": "lim2015/movielens-small/table2_plot",
    "missing_weight": "pradel2012/synthetic/figure2",
    "track2": "kddcup2011/movielens-small/track2_plot",
}
# The same for figures on placed datasets, which not everyone has: taken where they are.
PLACED = {"trust_across": "trust/across"}
KEY, CODE_KEY = "data-sha256", "code-sha256"
LIBRARY = Path(__file__).parents[1]
# Besides the module of the figure: what all figures look like.
LOOKS = (LIBRARY / "reporting" / "figure_format.py", LIBRARY / "core" / "palette.py")


def main(arguments: Sequence[str]) -> int:
    check = list(arguments) == ["--check"]
    if arguments and not check:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    missing = [stem for stem in PICTURES.values() if not _csv(stem).exists()]
    if missing:
        print(f"results/{missing[0]}.csv is missing: run `make` first.", file=sys.stderr)
        return 1
    if check:
        old = outdated(Path("docs"))
        for name in old:
            print(
                f"docs/{name}.png is not of these results: run `make docs-pictures`.",
                file=sys.stderr,
            )
        return int(bool(old))
    placed = {name: stem for name, stem in PLACED.items() if _csv(stem).exists()}
    for name, stem in {**PICTURES, **placed}.items():
        _take(stem, Path("docs") / f"{name}.png")
        print(f"docs/{name}.png from results/{stem}.png")
    return 0


def outdated(docs: Path) -> list[str]:
    """Pictures whose data are not those in results/."""
    return [name for name, stem in PICTURES.items() if stamp(docs / f"{name}.png") != _hash(stem)]


def stamp(picture: Path, key: str = KEY) -> str:
    """The hash of the data (or of the code) that a picture carries; empty if it has none."""
    with Image.open(picture) as image:
        return str(image.info.get(key, ""))


def drawn_by(stem: str) -> str:
    """A hash of the code that draws a figure: without comments, docstrings and imports."""
    paper, *_, name = stem.split("/")
    module = name if name == "across" else "figures"
    files = (LIBRARY / "experiments" / paper / f"{module}.py", *LOOKS)
    digest = sha256()
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        digest.update(ast.dump(_Drawing().visit(tree)).encode())
    return digest.hexdigest()


class _Drawing(ast.NodeTransformer):
    """Leaves what is drawn: no imports and no docstrings; comments are not in the tree."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        told = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if told else node


def _csv(stem: str) -> Path:
    return Path("results") / f"{stem}.csv"


def _hash(stem: str) -> str:
    return sha256(_csv(stem).read_bytes()).hexdigest()


def _take(stem: str, picture: Path) -> None:
    facts = PngInfo()
    facts.add_text(KEY, _hash(stem))
    facts.add_text(CODE_KEY, drawn_by(stem))
    with Image.open(Path("results") / f"{stem}.png") as image, atomic(picture) as temporary:
        image.save(temporary, format="png", pnginfo=facts, optimize=True)
