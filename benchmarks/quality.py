"""The objective of kept models, and ADG on held-out ratings. Prints one line of JSON.

python benchmarks/quality.py <data.npz> <folder of kept models> <settings, or {} for ADG alone>
"""

import json
import sys
from pathlib import Path

import numpy as np
from problem import sides
from shapes import matrix

from mnar import measures
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.matrices.factor_model import FactorModel
from mnar.models._als import objective


def main() -> None:
    data, folder, text = sys.argv[1:]
    settings = json.loads(text)
    with np.load(data) as stored:
        n_items = int(stored["n_items"])
        train, held_out = (
            matrix(stored[f"{part}_indptr"], stored[f"{part}_items"], n_items)
            for part in ("train", "held_out")
        )
    files = sorted(Path(folder).glob("*.npz"), key=lambda file: int(file.stem))
    found: dict = {}
    if settings:
        both = sides(train, settings)
        found["objective"] = [objective(*both, *_vectors(file)[:2]) for file in files]
    users, items, bias = _vectors(files[-1])
    model = FactorModel(users, items, bias, np.zeros(len(users), np.float32))
    # One half is for choosing settings, the other tells how good they are.
    searched = generator("halves of what is held out").random(len(held_out.items)) < 0.5
    for name, part in (("searched_adg", searched), ("adg", ~searched)):
        values = measures.evaluate(model, held_out.select(part), train, ["adg"], Context(), 2)
        found[name] = float(values["adg"].mean())
    print(json.dumps(found))


def _vectors(file: Path) -> tuple[np.ndarray, ...]:
    with np.load(file) as stored:
        return stored["user_vectors"], stored["item_vectors"], stored["item_bias"]


if __name__ == "__main__":
    main()
