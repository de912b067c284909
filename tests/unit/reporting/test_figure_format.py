"""The look of a method is the same in every figure, and said by its file or its entry."""

import io
import os
import subprocess
import sys
from html import unescape
from itertools import pairwise

import pytest
import yaml
from helpers.running import ROOT
from matplotlib import rc_context

from mnar import models
from mnar.core.palette import BLACK, ORANGE
from mnar.reporting.figure_format import drawn, label_ends, look_of, moved_apart, subplots


def test_a_method_looks_as_its_file_says():
    for name in models.names():
        assert look_of(name) == (models.about(name).colour, models.about(name).marker)


def test_an_entry_of_the_config_may_have_its_own_look():
    entries = {"c1": {"module": "mf-adg", "colour": "orange", "marker": "D"}}
    assert look_of("c1", entries) == (ORANGE, "D")
    variants = {name: {"module": "observed-only"} for name in ("tuned-for-rmse", "tuned-for-atop")}
    looks = [look_of(name, variants) for name in variants]
    assert [colour for colour, _ in looks] == [BLACK, BLACK]


def test_other_rows_of_a_table_have_a_look():
    assert look_of("blend") == (BLACK, "p")
    assert look_of("something else") == look_of("something else")


def test_names_at_the_ends_of_lines_do_not_touch():
    assert moved_apart([0, 5, 10], 2) == [0, 5, 10]
    positions = moved_apart([0, 0.5, 0.9, 9, 9], 1)
    assert all(b - a >= 1 - 1e-9 for a, b in pairwise(positions))
    assert positions[3:] == [8.5, 9.5]
    assert abs(sum(positions[:3]) - 1.4) < 1e-9


@pytest.mark.parametrize("paper", ["kddcup2011", "theorems"])
def test_the_backend_of_a_notebook_does_not_matter(tmp_path, paper):
    """It is set in the environment that jobs inherit, and its package need not be here."""
    code = (
        f"import mnar.experiments.{paper}.figures\n"
        "from pathlib import Path\n"
        "from mnar.reporting.figure_format import nothing_to_draw, write_figure\n"
        "write_figure(nothing_to_draw('nothing'), Path('drawn'))"
    )
    environment = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "drawn.svg").exists()


def test_no_two_methods_of_a_study_share_a_colour():
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    for name, study in config["studies"].items():
        seen: dict[str, str] = {}
        for method in study["methods"]:
            colour, _ = look_of(method, config["methods"])
            assert colour not in seen, f"{name}: {method} looks like {seen[colour]}"
            seen[colour] = method


def test_methods_from_elsewhere_have_colours_of_their_own():
    ours = {models.about(name).colour for name in models.names()}
    entries = {name: {"scores": "{fold}.parquet"} for name in ("one", "two", "my-model")}
    theirs = {look_of(name, entries)[0] for name in entries}
    assert not ours & theirs
    assert len(theirs) > 1


def test_every_method_says_what_it_learns_from():
    assert all(models.about(name).family != "other" for name in models.names())


def texts_in(canvas):
    """The picture as SVG with its texts as such."""
    picture = io.StringIO()
    with rc_context({"svg.fonttype": "none"}):
        canvas.savefig(picture, format="svg")
    return unescape(picture.getvalue())


@pytest.mark.parametrize("label", ["a$\\frac{ b$", "$x^2$", "5 $", "a\\$b", "_hidden", "$$", "\\"])
def test_labels_of_others_are_drawn_as_text(label):
    """A formula that cannot be read ends a job; one that can be read is not what the label says."""
    canvas, axis = subplots(figsize=(4, 3))
    axis.plot([0, 1], [0, 1], label=drawn(label))
    axis.legend()
    axis.set(xlabel="imputed rating $r_m$")
    label_ends(axis, 1, {label: 1.0}, {label: BLACK})
    picture = texts_in(canvas)
    shown = f" {label}" if label.startswith("_") else label
    assert picture.count(f">{shown}</text>") == 2
    # Our own labels have formulas still: one is kept in a remark alone.
    assert "imputed rating $r_m$ -->" in picture
    assert "$r_m$</text>" not in picture


def test_long_labels_of_others_are_cut():
    assert drawn("x" * 101) == "x" * 99 + "…"
    assert drawn("two\nlines") == "two lines"
