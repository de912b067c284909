"""Known chances: is the mean bias of ips and snips 0, with a half-width under 1 %?

Held-out sets are drawn again and again for fixed trained systems, on generated data and, where its
file is given, on the complete part of Jester:

    python benchmarks/trust_bias.py [jester-data-1.zip]
"""

import sys
from pathlib import Path

import numpy as np
import yaml

from mnar.data import readers
from mnar.data.bad_lines import BadLines
from mnar.data.selection import CompleteMatrix, Mechanism, complete_part
from mnar.data.sources import Source
from mnar.matrices.ratings import Ratings
from mnar.simulations.trust import scenes
from mnar.simulations.trust.redraw import bias_over_draws
from mnar.simulations.trust.systems import systems_of, train_all

MEASURES = ["adg", "atop", "recall@10"]
DRAWS = 400


def jester(path: str) -> CompleteMatrix:
    files = {"ratings": [Source(Path(path))]}
    [(_, frame)] = readers.load("jester").rows(files, {}, BadLines(0))
    user, item, value = (frame[name].to_numpy() for name in ("user", "item", "rating"))
    ratings = Ratings.from_triplets(
        user - 1, item - 1, value, value >= 4, (int(user.max()), int(item.max()))
    )
    whole = complete_part(ratings)
    return CompleteMatrix(scenes.in_stars(whole.values, (-10, 10)), whole.relevant)


def main(paths: list[str]) -> None:
    config = Path(__file__).parents[1] / "config.yaml"
    entry = yaml.safe_load(config.read_text(encoding="utf-8"))["trust"]
    data = {"synthetic": scenes.synthetic_matrix(entry["generator"], 2015)}
    if paths:
        data["jester"] = jester(paths[0])
    for name, complete in data.items():
        scene = scenes.simulated(complete, Mechanism(0.8, 1, 0), entry["held_out"], 0, 1)
        systems = systems_of(entry["systems"], known=True)
        models = [model for _, model in train_all(systems, scene.selected, 1, 1)]
        found = bias_over_draws(scene, models, MEASURES, DRAWS, 1)
        found["half-width"] = (found["high"] - found["low"]) / 2
        found["holds 0"] = (found["low"] <= 0) & (found["high"] >= 0)
        pairs = int(scene.truth.relevant.sum())
        print(f"{name}: {len(models)} systems, {pairs} liked unseen pairs, in percent")
        shown = found.copy()
        numbers = ["bias", "low", "high", "half-width"]
        shown[numbers] = np.round(100 * shown[numbers], 3)
        print(shown.to_string(index=False))


if __name__ == "__main__":
    main(sys.argv[1:])
