"""A method in the user's own folder: used by its path, and refused with one sentence if it cannot be."""

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar import models
from mnar.core.errors import UserError

PLAIN = """
import numpy as np
from mnar.matrices.factor_model import FactorModel


def fit(train, settings, seed, threads):
    scores = np.bincount(train.items, minlength=train.n_items) * settings["scale"]
    return FactorModel.without_biases(np.ones((train.n_users, 1)), scores[:, None])
"""
DECLARED = (
    """
from dataclasses import dataclass
from mnar.models import About, Real
"""
    + PLAIN
    + """

@dataclass
class Kept:
    number: "int"


ABOUT = About("EASE", "A closed form.", "#123456", "o", settings=(Real("scale", "a factor", above=0),))
"""
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_methods").mkdir()
    return tmp_path / "my_methods"


def test_a_file_without_declaration_works(folder):
    (folder / "my_ease.py").write_text(PLAIN)
    name = "my_methods/my_ease.py"
    train = random_ratings()
    [model, twice] = models.fit_grid(name, train, [{"scale": 1}, {"scale": 2}], 1, 1)
    assert np.array_equal(model.item_vectors[:, 0], np.bincount(train.items, minlength=20))
    assert np.array_equal(twice.item_vectors, 2 * model.item_vectors)
    about = models.about(name)
    assert (about.label, about.settings) == ("my-ease", None)
    assert not models.can(name, "fold_in")
    entries = {"my-ease": {"module": name}, "other": {"module": name}}
    assert models.about_entry("my-ease", entries) == about
    other = models.about_entry("other", entries)
    assert (other.label, other.colour) == ("other", about.colour)
    assert other.marker != about.marker


def test_a_declaration_is_taken(folder):
    (folder / "ease.py").write_text(DECLARED)
    about = models.about("my_methods/ease.py")
    assert (about.label, about.colour, list(about.known)) == ("EASE", "#123456", ["scale"])


def test_two_folders_may_have_a_file_of_the_same_name(folder, tmp_path, monkeypatch):
    (folder / "ease.py").write_text(DECLARED)
    other = tmp_path / "elsewhere" / "my_methods"
    other.mkdir(parents=True)
    (other / "ease.py").write_text(DECLARED.replace('"EASE"', '"another"'))
    assert models.about("my_methods/ease.py").label == "EASE"
    assert models.about("elsewhere/my_methods/ease.py").label == "another"
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert models.about("my_methods/ease.py").label == "another"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "Method file my_methods/ease.py is not there; write it, or correct `module`"),
        ("x = 1\ndef fit(:\n", "Method file my_methods/ease.py, line 2: invalid syntax; correct"),
        ("import no_such_thing\n", "ease.py, line 1: ModuleNotFoundError: No module named 'no_suc"),
        ("def f():\n    return 1 / 0\n\n\nf()\n", "ease.py, line 2: ZeroDivisionError: division"),
        ("fit = 3\n", "Method file my_methods/ease.py has no function `fit(train, settings, seed"),
        (PLAIN + "ABOUT = {}\n", "expected ABOUT to be an `mnar.models.About`, found dict"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(folder, text, message):
    if text is not None:
        (folder / "ease.py").write_text(text)
    with pytest.raises(UserError) as found:
        models.load("my_methods/ease.py")
    assert message in str(found.value)
    assert "\n" not in str(found.value)


def test_a_folder_in_place_of_a_file_is_refused(folder):
    (folder / "ease.py").mkdir()
    with pytest.raises(UserError, match=r"ease\.py is not there"):
        models.load("my_methods/ease.py")
