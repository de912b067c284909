"""Names of measures, and which family has them."""

import os
import shutil
import subprocess
import sys
from dataclasses import fields as dataclass_fields
from pathlib import Path

import numpy as np
import pytest

import mnar
from mnar.core.errors import UserError
from mnar.matrices.context import NEEDS, Context
from mnar.measures import (
    check,
    colour,
    examples,
    fits,
    higher_is_better,
    label,
    modules,
    modules_of,
    unbiased,
)
from mnar.measures._names import known, parse
from mnar.reporting.figure_format import COLOURS

KNOWN = {
    "atop": "ATOP",
    "topk(0.02)": "TOPK(0.02)",
    "topk(0)": "TOPK(0)",
    "auc": "AUC",
    "auc_aman": "AUC-AMAN",
    "auc_rand": "AUC-rand",
    "adg": "ADG",
    "ndcg": "NDCG",
    "map": "MAP",
    "recall@10": "Recall@10",
    "recall@10(0.5)": "Recall@10, β = 0.5",
    "recall@10(0)": "Recall@10, β = 0",
    "head_10": "Head items in top 10",
    "rmse": "RMSE",
    "track2_error": "Track 2 error",
    "sampled_topk(0.002,1001)": "TOPK(0.002), Ñ = 1001",
    "sampled_atop(101)": "ATOP, Ñ = 101",
}


def test_known_names_have_labels():
    for name, shown in KNOWN.items():
        check(name)
        assert label(name) == shown


@pytest.mark.parametrize(
    "name",
    ["", "ATOP", "atop ", "topk", "topk(1.5)", "topk(-1)", "topk(nan)", "recall@0", "recall@2.5",
     "recall@10(-1)", "head_0", "sampled_topk(0.02)", "sampled_topk(0.02,1)", "precision@10",
     "recall@10(1e400)", "recall@10(inf)", "topk(1e400)", "recall@2147483648", "recall@" + "9" * 400,
     "head_99999999999999999999", "sampled_atop(99999999999)", "recall@٣", "topk(0.٣)"],
)  # fmt: skip
def test_unknown_names_are_refused_with_what_is_known(name):
    with pytest.raises(UserError) as error:
        check(name)
    message = str(error.value)
    assert repr(name) in message
    assert "recall@<k>(<beta>)" in message
    assert ". " not in message


def test_errors_are_better_when_lower():
    assert {name for name in KNOWN if not higher_is_better(name)} == {"rmse", "track2_error"}


def test_unbiased_are_means_over_items_of_a_function_of_the_rank():
    families = {name.partition("(")[0].partition("@")[0] for name in KNOWN if unbiased(name)}
    assert families == {"atop", "adg", "recall", "topk", "sampled_topk", "sampled_atop"}
    assert not unbiased("recall@10(0.5)")


def test_every_measure_has_an_example_that_is_its_own():
    spellings = [parse(name).measure.spelling for name in examples()]
    assert spellings == list(known())
    assert {parse(name).measure.spelling for name in KNOWN} == set(spellings)


def test_modules_are_those_of_the_families_alone():
    assert modules_of([]) == []
    assert modules_of(["atop", "sampled_atop(7)"]) == ["mnar.measures.atop"]
    assert modules_of(["ndcg", "recall@3", "adg", "recall@5(1)"]) == [
        "mnar.measures.discounted_gain",
        "mnar.measures.recall",
    ]
    assert modules_of(KNOWN) == modules()


def test_no_family_is_imported_before_a_name_is_asked_for():
    # Else every job would depend on all families.
    program = "import sys, mnar.measures as m; print([n for n in m.modules() if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


NEW = """
from mnar.measures._measure import RankingMeasure

def first_places(counts, k):
    return (counts.above == 0) / k

MEASURES = (RankingMeasure(spelling="first_<k>", label="First {0}", better="lower", value=first_places),)
"""

USE = """
import numpy as np
from mnar import measures
from mnar.measures.ranking import RankCounts

two = np.array([0, 1], np.int32)
counts = RankCounts(*[two] * 8, 2, 2)
print(measures.label("first_4"), measures.higher_is_better("first_4"), measures.colour("first_4"))
print(measures.modules_of(["first_4"]), measures.pair_values(counts, "first_4").tolist())
"""


def test_a_new_measure_is_one_new_file(tmp_path):
    library = Path(mnar.__file__).parent
    shutil.copytree(library, tmp_path / "mnar", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "mnar/measures/first_places.py").write_text(NEW)
    done = subprocess.run(
        [sys.executable, "-c", USE],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert done.stdout.splitlines() == [
        "First 4 False None",
        "['mnar.measures.first_places'] [0.25, 0.0]",
    ], done.stderr


def test_two_measures_of_the_same_spelling_are_refused(monkeypatch):
    monkeypatch.setattr("mnar.measures._names.modules", lambda: ["mnar.measures.atop"] * 2)
    known.cache_clear()
    with pytest.raises(UserError, match="both have a measure atop"):
        known()
    known.cache_clear()


def test_what_a_measure_needs():
    assert fits("atop", Context())
    assert not fits("track2_error", Context())
    assert fits("track2_error", Context(drawn=(np.zeros(0, int), np.zeros(0, int))))
    assert not fits("recall@5(1)", Context())
    assert fits("recall@5(1)", Context(weigh=lambda scheme: np.zeros(3)))
    # Every need is a field of a context, and has a name in messages.
    needs = {measure.needs for measure, _ in known().values()} - {None}
    assert needs == set(NEEDS) == {field.name for field in dataclass_fields(Context)}


def test_colours_are_those_of_figures():
    assert {colour(name) for name in KNOWN} <= {None, *COLOURS}
    assert colour("recall@10") == "green"
    assert colour("head_10") is None
