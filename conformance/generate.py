"""Small cases with the exact answer of every measure (exact.py).

python conformance/generate.py            writes cases.json and answers.csv beside this file
"""

import csv
import json
from pathlib import Path
from typing import Any

from exact import Case, answers

HERE = Path(__file__).parent


def case(name: str, why: str, scores: list, test: list, train: Any = (), **more: Any) -> Case:
    """`test` has (user, item, rating, relevant), `train` (user, item)."""
    found = {
        "name": name,
        "why": why,
        "candidates": "unseen",
        "scores": scores,
        "train": [list(pair) for pair in train],
        "test": [list(row) for row in test],
        "random": [],
        "drawn": [],
        "head": [0],
    }
    found |= more
    found["positives"] = more.get("positives", [1 + item for item in range(len(scores[0]))])
    found["answers"] = answers(found) if not more.get("refuse") else {}
    return found


def liked(*pairs: tuple[int, int]) -> list:
    return [(user, item, 5, True) for user, item in pairs]


FALLING = [5.0, 4.0, 3.0, 2.0, 1.0]
TWO = liked((0, 1), (0, 3))
THREE = [FALLING, [1.0, 1.0, 4.0, 4.0, 4.0], FALLING[::-1]]
MIXED = [(0, 1, 5, True), (0, 4, 1, False), (1, 2, 4, True), (1, 0, 2, False), (2, 0, 3, False)]


def cases() -> list[Case]:
    return [*with_one_user(), *with_few_candidates(), *with_several_users(), *with_gaps()]


def with_one_user() -> list[Case]:
    return [
        case("no ties", "the strict definitions", [FALLING], TWO),
        case("perfect", "liked items first: every gain is 1", [FALLING], liked((0, 0), (0, 1))),
        case("worst", "liked items last", [FALLING], liked((0, 3), (0, 4))),
        case("constant", "a constant must look like chance", [[1.0] * 5], TWO),
        case("all zero", "zeros are scores, too", [[0.0] * 5], TWO),
        case("liked items tied", "with each other only", [[2.0, 3.0, 1.0, 3.0, 0.0]], TWO),
        case(
            "tie at the cut",
            "two items share places 2 and 3",
            [[5.0, 4.0, 4.0, 2.0, 1.0]],
            liked((0, 1)),
        ),
        case("tie with a liked one", "three share places 1 to 3", [[4.0, 4.0, 1.0, 4.0, 0.0]], TWO),
        case(
            "many ties",
            "two groups",
            [[1.0, 2.0, 2.0, 1.0, 1.0, 2.0]],
            liked((0, 0), (0, 2), (0, 5)),
        ),
        case(
            "close scores",
            "apart by less than single precision tells",
            [[1.0, 1.0 + 1e-12, 1.0 - 1e-12]],
            liked((0, 0)),
        ),
        case(
            "negative scores",
            "below zero, and larger than any candidate seen",
            [[-1.0, -3.0, -2.0, -9.0, -4.0]],
            TWO,
        ),
    ]


def with_few_candidates() -> list[Case]:
    seen = [(0, 0), (0, 2)]
    return [
        case("one item", "a catalogue of one: nothing to compare", [[1.0]], liked((0, 0))),
        case(
            "one candidate",
            "all other items are in training",
            [[3.0, 2.0, 1.0]],
            liked((0, 2)),
            [(0, 0), (0, 1)],
        ),
        case(
            "all items liked",
            "there is no negative",
            [[3.0, 2.0, 1.0]],
            liked((0, 0), (0, 1), (0, 2)),
        ),
        case("unseen candidates", "training items are left out", [FALLING], TWO, seen),
        case(
            "all candidates",
            "training items are ranked, too",
            [FALLING],
            TWO,
            seen,
            candidates="all",
        ),
        case(
            "ties with training items",
            "their ties count only where they are candidates",
            [[4.0, 4.0, 4.0, 1.0, 0.0]],
            TWO,
            seen,
        ),
        case(
            "ties with training items, all candidates",
            "the same scores",
            [[4.0, 4.0, 4.0, 1.0, 0.0]],
            TWO,
            seen,
            candidates="all",
        ),
    ]


def with_several_users() -> list[Case]:
    return [
        case(
            "users without test items",
            "they count for nothing",
            [FALLING, FALLING[::-1], [1.0] * 5],
            liked((0, 1), (2, 2)),
        ),
        case(
            "several users",
            "the mean over users, not over pairs",
            THREE,
            liked((0, 0), (0, 1), (0, 2), (1, 0), (2, 0)),
        ),
        case("disliked test items", "they are candidates, and negatives of auc", THREE, MIXED),
        case("one class only", "auc is not defined for user 0", THREE[:2], [*TWO, *MIXED[2:4]]),
    ]


def with_gaps() -> list[Case]:
    """Lists, ratings and draws of a part of the catalogue, and scores that are no numbers."""
    return [
        case(
            "lists",
            "null: the system does not list the item",
            [[9.0, 8.0, None, None, None]],
            liked((0, 1), (0, 3)),
        ),
        case(
            "empty list", "a user without any score", [[None] * 5, FALLING], liked((0, 1), (1, 1))
        ),
        case("random ratings", "auc_rand is taken of these alone", THREE, TWO, random=MIXED),
        case(
            "track 2",
            "three liked items against three drawn ones",
            [[3.0, 1.0, 2.0, 2.0, 0.0, 1.0]],
            liked((0, 0), (0, 1), (0, 2)),
            drawn=[[0, 3], [0, 4], [0, 5]],
        ),
        case("longer list than catalogue", "recall@3 of two items", [[1.0, 2.0]], liked((0, 0))),
        case(
            "NaN", "no order: refuse, do not guess", [["NaN", 2.0, 1.0]], liked((0, 1)), refuse=True
        ),
        case("NaN of a liked item", "the same", [[3.0, "NaN", 1.0]], liked((0, 1)), refuse=True),
    ]


def written() -> tuple[str, str]:
    """The two files as text."""
    found = cases()
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    rows = [
        (one["name"], name, "" if value is None else repr(value))
        for one in found
        for name, value in one["answers"].items()
    ]
    text = [",".join(("case", "measure", "value"))]
    text += [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    assert list(csv.reader(text))[1:] == [list(row) for row in rows]
    return f"[\n{lines}\n]\n", "\n".join(text) + "\n"


if __name__ == "__main__":
    for name, text in zip(("cases.json", "answers.csv"), written(), strict=True):
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
