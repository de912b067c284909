"""What `python -m mnar compile` gives each method, from its own declaration."""

import pytest

from mnar import models
from mnar.commands.compile import small, variants
from mnar.core.declared import Levels, OneOf, Real, Share, Switch, Whole


@pytest.mark.parametrize("name", models.names())
def test_every_method_gets_settings_that_it_takes(name):
    about = models.about(name)
    for settings in variants(about):
        assert {one.name for one in about.settings if one.required} <= set(settings)
        assert all(about.known[key].accepts(value) for key, value in settings.items())
        if about.conflict is not None:
            assert about.conflict(about.complete(settings)) is None


def test_every_word_of_a_setting_is_tried():
    tried = [settings.get("mode") for settings in variants(models.about("item-knn"))]
    assert tried == [None, "ranking"]


@pytest.mark.parametrize(
    "setting",
    [
        Whole("w", "", least=7),
        Whole("w", "", most=1),
        Real("r", "", least=3),
        Real("r", "", above=3),
        Share("s", ""),
        Switch("b", ""),
        OneOf("o", "", options=("one", "two")),
        Levels("l", ""),
    ],
)
def test_a_new_setting_of_any_kind_gets_a_value(setting):
    assert setting.accepts(small(setting))
