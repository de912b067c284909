"""Settings in the config are checked by what each method's file declares."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from mnar.config import checking, limits, settings
from mnar.core.errors import UserError

CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))
NAN, INFINITE = float("nan"), float("inf")
ALLRANK = {"factors": 5, "missing_weight": 0.1, "imputed": 2, "lambda": 0.1}
PAIRWISE = {"rate": 0.1, "lambda": 0.1}


@pytest.mark.parametrize(
    ("module", "good"),
    [
        ("allrank-regression", ALLRANK),
        ("allrank-regression", {**ALLRANK, "lambda": 0, "weights": {5: 2}, "sweeps": 3}),
        ("allrank-regression", {**ALLRANK, "missing_weight": 0, "imputed": -3.5}),
        ("mf-adg", PAIRWISE),
        ("mf-adg", {**PAIRWISE, "lambda": 0, "rank_weight": False, "gamma": 50}),
        ("bestseller-mean", {}),
        ("mf-balanced", {"factors": 5, "lambda": 0.1, "ones": "relevant"}),
    ],
)
def test_complete_settings_pass(module, good):
    limits.check_settings(module, good, "here")


@pytest.mark.parametrize(
    ("module", "wrong", "message"),
    [
        ("mf-adg", {**PAIRWISE, "gama": 9}, "here.gama: mf-adg has no setting 'gama'; did you mea"),
        ("mf-auc", {**PAIRWISE, "xyz": 9}, "here.xyz: mf-auc has no setting 'xyz'; known are deca"),
        ("bestseller-mean", {"factors": 5}, "here.factors: bestseller-mean has no settings; leave"),
        ("dense-svd", {"factors": 5, "lambda": 1}, "here: dense-svd needs the setting 'imputed' ("),
        ("mf-adg", {**PAIRWISE, "rate": 0}, "here.rate: expected a number above 0, found 0."),
        ("mf-adg", {**PAIRWISE, "rate": NAN}, "here.rate: expected a number above 0, found nan."),
        (
            "mf-adg",
            {**PAIRWISE, "lambda": INFINITE},
            "here.lambda: expected a number from 0 up, fo",
        ),
        ("mf-adg", {**PAIRWISE, "rate": "1e-2"}, "found '1e-2', which is text in YAML (write 1.0e"),
        ("mf-adg", {**PAIRWISE, "gamma": 0.5}, "here.gamma: expected a number from 1 up, found 0."),
        ("mf-adg", {**PAIRWISE, "decay": "no"}, "here.decay: expected true or false, found 'no'."),
        ("mf-adg", {**PAIRWISE, "initial_scale": 0}, "here.initial_scale: expected a number above"),
        ("mf-balanced", {"ones": "all"}, "here.ones: expected one of observed, relevant, found"),
        ("mf-biased", {"unit": 0}, "here.unit: expected a number above 0, found 0."),
        ("observed-only", {"factors": 5, "lambda": 0}, "here.lambda: expected a number above 0, f"),
        ("allrank-regression", {**ALLRANK, "weights": {5: -1}}, "here.weights: expected a mapping"),
        ("allrank-regression", {**ALLRANK, "imputed": NAN}, "here.imputed: expected a number, fou"),
        (
            "allrank-binary-values",
            {**ALLRANK, "lambda": 0, "missing_weight": 0},
            "here: lambda 0 without a weight of missing ratings leaves users",
        ),
    ],
)
def test_wrong_settings_are_named(module, wrong, message):
    with pytest.raises(UserError) as found:
        limits.check_settings(module, wrong, "here")
    assert message in str(found.value)
    assert str(found.value).endswith(".")
    assert "\n" not in str(found.value)


def test_a_grid_is_searched_for_what_cannot_go_together():
    fixed = {"factors": 5, "imputed": 2}
    for good in (
        {"missing_weight": [0, 0.1], "lambda": [0.1]},
        {"missing_weight": [0.1], "lambda": [0, 0.1]},
    ):
        limits.check_search("allrank-regression", fixed, good, "here")
    bad = {"missing_weight": [0.1, 0], "lambda": [0.1, 0]}
    with pytest.raises(UserError, match="here: lambda 0 without"):
        limits.check_search("allrank-regression", fixed, bad, "here")
    short = {"missing_weight": [0.1]}
    with pytest.raises(UserError, match="here: allrank-regression needs the setting 'lambda'"):
        limits.check_search("allrank-regression", fixed, short, "here")


def test_a_setting_that_one_dataset_lacks_is_found():
    config = copy.deepcopy(CONFIG)
    config["studies"]["lim2015"]["search"]["dense-svd"]["grid"].pop("imputed")
    message = r"methods.dense-svd \(study lim2015, dataset .*\): dense-svd needs .* 'imputed'"
    with pytest.raises(UserError, match=message):
        checking.check(config)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ["methods", "mf-adg", "settings", "gama"],
            5,
            "methods.mf-adg.settings.gama: mf-adg has no setting 'gama'; did you mean 'gamma'?",
        ),
        (
            ["methods", "svd", "quick", "grid", "factors"],
            [2, NAN],
            "methods.svd.quick.grid.factors: expected a finite number, found NaN.",
        ),
        (
            ["datasets", "yahoo-music", "methods", "mf-biased", "settings", "unti"],
            25,
            "datasets.yahoo-music.methods.mf-biased.settings.unti: mf-biased has no setting 'unti'",
        ),
        (
            ["studies", "kddcup2011-track2", "search", "allrank-binary-regression", "grid"],
            {"lamda": [0.1]},
            "studies.kddcup2011-track2.search.allrank-binary-regression.grid.lamda: "
            "allrank-binary-regression has no setting 'lamda'; did you mean 'lambda'?",
        ),
        (
            ["theorems", "ranking", "settings", "rate"],
            INFINITE,
            "theorems.ranking.settings.rate: expected a finite number, found Infinity.",
        ),
        (
            ["methods", "mf-adg", "module"],
            "mf-agd",
            "methods.mf-adg: unknown method 'mf-agd'; did you mean 'mf-adg'?",
        ),
        (
            ["methods", "mf-adg", "module"],
            "my/ease.py",
            "methods.mf-adg: method file my/ease.py is not there",
        ),
        (["methods", "svd", "colour"], "pink", "methods.svd.colour: "),
    ],
)
def test_the_config_stops_before_any_work(path, value, message):
    config = copy.deepcopy(CONFIG)
    inner = config
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(UserError, match=re.escape(message)):
        checking.check(config)


def test_a_method_of_ones_own_without_declaration_may_have_any_finite_setting(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ease.py").write_text("def fit(train, settings, seed, threads):\n    pass\n")
    config = copy.deepcopy(CONFIG)
    config["methods"]["my-ease"] = {"module": "ease.py", "settings": {"anything": ["a", {"b": 1}]}}
    config["studies"]["lim2015"]["methods"].append("my-ease")
    checking.check(config)
    assert "my-ease" in settings.methods(config, "lim2015", "synthetic")
    config["methods"]["my-ease"]["settings"]["anything"][1]["b"] = NAN
    with pytest.raises(
        UserError, match=r"methods.my-ease.settings.anything.b: expected a finite number"
    ):
        checking.check(config)
