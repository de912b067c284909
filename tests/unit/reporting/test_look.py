"""The look of a method is the same in every figure, and said by its file or its entry."""

from mnar import models
from mnar.core.palette import BLACK, ORANGE
from mnar.reporting.figures import look_of


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
