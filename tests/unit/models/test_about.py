"""What each method declares must be what its code does."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from helpers.matrices import random_ratings

from mnar import models
from mnar.config.limits import check_settings
from mnar.core import palette
from mnar.core.errors import UserError
from mnar.core.palette import ORANGE, RED
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.model import predict_pairs
from mnar.models import About, Levels, OneOf, Real, Switch, Whole

METHODS = pytest.mark.parametrize("name", models.names())
# Small values of the settings that must be given.
GIVEN = {"factors": 3, "lambda": 0.1, "missing_weight": 0.2, "imputed": 1.5, "rate": 0.05}
# What a method may need of a dataset, and how it says that this is not there.
NEEDS = {
    "taxonomy": "needs a dataset with a taxonomy",
    "timestamps": "needs the time of every rating",
}


class Recorded(dict):
    """Settings that remember which of them were read."""

    def __init__(self, values):
        super().__init__(values)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        self.read.add(name)
        return super().get(name, default)


def train():
    """Enough items that a default of the search for violators shows."""
    items = 400
    parents = (np.arange(items, dtype=np.int32) // 7)[:, None]
    ratings = random_ratings(users=25, items=items, share=0.1, parents=parents)
    times = np.random.default_rng(1).integers(10**8, size=len(ratings.items))
    return replace(ratings, times=times)


def required(name):
    return {s.name: GIVEN[s.name] for s in models.about(name).settings if s.required}


def parts(value):
    """Every number of a model, whatever its kind, as bytes and plain values."""
    if is_dataclass(value):
        return [parts(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, tuple):
        return [parts(part) for part in value]
    if hasattr(value, "indptr"):
        return [parts(array) for array in (value.indptr, value.indices, value.data)]
    assert value is None or isinstance(value, int | float | str), type(value)
    return value


@METHODS
def test_a_method_of_the_project_declares_itself(name):
    about = models.load(name).ABOUT
    assert isinstance(about, About)
    assert about.description.endswith(".")
    assert about.colour in vars(palette).values()
    assert len({s.name for s in about.settings}) == len(about.settings)
    assert all(s.meaning for s in about.settings)
    assert about.needs in (None, *NEEDS)


def test_no_two_methods_share_label_or_look():
    declared = [models.about(name) for name in models.names()]
    assert len({about.label for about in declared}) == len(declared)
    assert len({(about.colour, about.marker) for about in declared}) == len(declared)


@METHODS
def test_declared_settings_are_those_that_training_reads(name):
    settings = Recorded({**models.about(name).defaults, **required(name)})
    if "iterations" in settings:
        settings["iterations"] = 100
    models.load(name).fit(train(), settings, 3, 1)
    assert settings.read == set(models.about(name).known)


@METHODS
def test_declared_defaults_are_those_of_the_code(name):
    about = models.about(name)
    short, whole = required(name), {**about.defaults, **required(name)}
    method = models.load(name)
    assert parts(method.fit(train(), short, 3, 1)) == parts(method.fit(train(), whole, 3, 1))
    for setting in about.settings:
        assert setting.required or setting.default is None or setting.accepts(setting.default)


@pytest.mark.parametrize("name", [n for n in models.names() if "lambda" in models.about(n).known])
def test_without_a_penalty_a_method_solves_or_refuses(name):
    """Never a model of zeros that looks like a result."""
    settings = {**required(name), "lambda": 0}
    if "iterations" in models.about(name).known:
        settings["iterations"] = 500
    why = ""
    try:
        check_settings(name, settings, "here")
        model = models.load(name).fit(train(), settings, 3, 1)
    except UserError as error:
        why = str(error)
    assert "lambda" in why or models.fault(model) is None


@METHODS
def test_a_required_setting_cannot_be_left_out(name):
    for left_out in required(name):
        settings = {key: value for key, value in required(name).items() if key != left_out}
        with pytest.raises(KeyError, match=left_out):
            models.load(name).fit(train(), settings, 3, 1)


@METHODS
def test_methods_that_need_more_than_ratings_say_so(name):
    method, ratings = models.load(name), random_ratings()
    settings = {**required(name), "iterations": 10}
    needed = models.about(name).needs
    if needed is None:
        method.fit(ratings, settings, 3, 1)
    else:
        with pytest.raises(UserError, match=NEEDS[needed]):
            method.fit(ratings, settings, 3, 1)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *((name, {}) for name in models.names()),
        *((name, {"mode": "ranking"}) for name in ("item-knn", "user-knn")),
    ],
)
def test_ratings_are_predicted_where_a_method_says_so(name, more):
    """Ratings ten times as large are predicted ten times as large, ranks need not be."""
    ratings = train()
    wide = replace(ratings, values=10 * ratings.values)
    # More factors than a user has ratings would need more penalty.
    settings = {**required(name), **more, "factors": 3, "lambda": 1e-6, "iterations": 1000}
    wider = {"imputed": 10 * settings["imputed"]} if "imputed" in settings else {}
    method, pairs = models.load(name), (ratings.users, ratings.items)
    one = predict_pairs(method.fit(ratings, settings, 3, 1), *pairs)
    ten = predict_pairs(method.fit(wide, {**settings, **wider}, 3, 1), *pairs)
    ratio = np.mean(ten) / np.mean(one) if np.mean(one) else 1
    entries = {"entry": {"module": name, "settings": more}}
    assert (ratio > 9) == models.about_entry("entry", entries).predicts_ratings


@pytest.mark.parametrize("name", [n for n in models.names() if hasattr(models.load(n), "METHOD")])
def test_settings_by_nature_are_in_the_equation(name):
    terms = models.load(name).METHOD.terms(required(name))
    for key, value in models.about(name).by_nature.items():
        assert getattr(terms, key) == value
        assert key not in models.about(name).known


def test_abilities_are_functions_of_the_file():
    able = {
        function: {name for name in models.names() if models.can(name, function)}
        for function in ("fold_in", "fold_in_items", "objectives", "operations", "start")
    }
    least_squares = {
        "observed-only",
        "dense-svd",
        "allrank-regression",
        "allrank-binary-regression",
        "allrank-binary-values",
    }
    assert able["fold_in_items"] == least_squares
    assert able["objectives"] == able["operations"] == {*least_squares, "allrank-binary-logistic"}
    assert able["start"] == {"bpr", "mf-adg", "mf-auc"}
    assert able["fold_in"] > least_squares
    assert models.can("mf-adg", "start", "advance")
    assert not models.can("mf-adg", "start", "fold_in")
    assert all("sweeps" in models.about(name).defaults for name in able["objectives"])


def test_an_unknown_method_is_named_with_the_nearest():
    with pytest.raises(UserError, match=r"Unknown method 'mf-agd'; did you mean 'mf-adg'\? Known"):
        models.about("mf-agd")
    with pytest.raises(UserError, match="Unknown method 'x'; known are allrank-"):
        models.load("x")


def test_a_variant_keeps_the_colour_and_has_its_own_marker():
    entries = {
        "mf-adg": {},
        "c1": {"module": "mf-adg"},
        "c2": {"module": "mf-adg", "label": "C = 2", "colour": "orange", "marker": "D"},
        "grey": {"module": "mf-adg", "colour": "#123456", "needs": "timestamps"},
    }
    plain, one, two, other = (models.about_entry(name, entries) for name in entries)
    assert plain == models.about("mf-adg")
    assert (one.label, one.colour) == ("c1", RED)
    assert one.marker != plain.marker
    assert one.settings == plain.settings
    assert (two.label, two.colour, two.marker) == ("C = 2", ORANGE, "D")
    assert (other.colour, other.needs) == ("#123456", "timestamps")


def test_a_row_that_is_no_method_has_a_look_that_stays():
    one, same, other = (models.about_entry(name, {}) for name in ("blend", "blend", "sum"))
    assert one == same
    assert one.label == "blend"
    assert (one.colour, one.marker) != (other.colour, other.marker)


def model_of(users, items, bias=None, offset=0.0):
    users, items = np.array(users, np.float32), np.array(items, np.float32)
    bias = np.zeros(len(items), np.float32) if bias is None else np.array(bias, np.float32)
    return FactorModel(users, items, bias, np.zeros(len(users), np.float32), offset)


@pytest.mark.parametrize(
    ("model", "found"),
    [
        (model_of([[1.0], [2.0]], [[1.0], [3.0]]), None),
        (model_of([[0.0]], [[0.0], [0.0]], bias=[1, 2]), None),
        (model_of([[0.0]], [[1.0], [3.0]]), "same score"),
        (model_of([[1.0]], [[2.0], [2.0]]), "same score"),
        (model_of([[]], [[], []], bias=[3, 3]), "same score"),
        (model_of([[np.nan]], [[1.0], [3.0]]), "diverged"),
        (model_of([[1.0]], [[1.0], [np.inf]]), "diverged"),
        (model_of([[1.0]], [[1.0], [3.0]], offset=np.nan), "diverged"),
    ],
)
def test_a_model_that_is_no_result_is_found(model, found):
    assert (models.fault(model) is None) if found is None else found in models.fault(model)


def test_the_log_names_a_model_that_is_no_result(capsys):
    settings = {"factors": 2, "rate": 1e30, "lambda": 0.1, "iterations": 1000}
    good = {**settings, "rate": 0.1}
    assert len(list(models.fit_grid("mf-auc", random_ratings(), [good, settings], 3, 1))) == 2
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("mf-auc at {'factors': 2, 'rate': 1e+30")


NUMBER = Real("x", "a number")
PENALTY = Real("x", "a penalty", above=0)
WEIGHT = Real("x", "a weight", least=0)


@pytest.mark.parametrize(
    ("setting", "good", "bad"),
    [
        (Whole("x", "count"), [1, 10**9], [0, -1, 2.0, True, "3", None, 10**400, [1]]),
        (NUMBER, [-1, 0, 2.5, 1e30], [float("nan"), float("inf"), 1e39, 10**400, True, "1", None]),
        (PENALTY, [1e-9, 3], [0, 0.0, -1, float("nan"), float("-inf")]),
        (WEIGHT, [0, 0.5], [-1e-9, "much"]),
        (Switch("x", "yes or no"), [True, False], [0, 1, "true", None]),
        (OneOf("x", "a word", options=("a", "b")), ["a", "b"], ["c", "", None, 1, ["a"]]),
        (
            Levels("x", "weights"),
            [{}, {5: 2}, {"0.5": 0, 1: 1.5}],
            [{5: -1}, {5: float("nan")}, {"five": 1}, {float("inf"): 1}, {5: True}, [1], 3, None],
        ),
    ],
)
def test_each_kind_of_setting_takes_its_values_alone(setting, good, bad):
    assert [value for value in good if not setting.accepts(value)] == []
    assert [value for value in bad if setting.accepts(value)] == []
    assert setting.expected
