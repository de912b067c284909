"""Tables as tests of claims read them: rows, intervals, and missing values."""

import numpy as np
import pandas as pd
import pytest

from mnar.claims import Data, Missing
from mnar.claims.tidy_tables import Files
from mnar.core.errors import UserError

ROWS = [
    {"method": "a", "k": 5, "mean": 1.0, "low": 0.5, "high": 1.5, "sem": 0.2, "n": 4, "gain": 3.0,
     "gain_low": 2.0, "gain_high": 4.0, "class": "head"},
    {"method": "b", "k": 10, "mean": 2.0, "sem": 0.1, "n": 1, "class": "tail", "minus": "a"},
    {"method": "c", "k": 20, "mean": np.nan},
]  # fmt: skip


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "somewhere/paper/d/t.csv"
    path.parent.mkdir(parents=True)
    pd.DataFrame(ROWS).to_csv(path, index=False)
    (path.parent / "secret.csv").write_text("mean\n1\n")
    (path.parent / "empty.csv").write_text("")
    paths = [path, path.parent / "empty.csv"]
    return Data(Files(paths), "paper", "d", ("t", "secret", "empty", "other/t"))


def test_a_number_has_the_interval_beside_it(data):
    found = data.pick("t", method="a")
    assert (found.value, found.low, found.high) == (1.0, 0.5, 1.5)
    assert (data.pick("t", "gain", method="a").low, data.number("t", method="b")) == (2.0, 2.0)
    assert data.pick("t", interval=("gain_low", "gain_high"), method="a").high == 4.0
    assert not data.pick("t", method="b").has_interval
    assert data.pick("t", exact=True, method="b").exact


def test_intervals_over_folds_and_by_standard_errors(data):
    # 3.182 standard errors with three degrees of freedom.
    assert data.pick("t", interval="folds", method="a").low == pytest.approx(
        1 - 3.182 * 0.2, abs=1e-3
    )
    assert data.pick("t", interval="sem", method="a").low == pytest.approx(1 - 1.96 * 0.2, abs=1e-3)
    # One fold has none.
    assert not data.pick("t", interval="folds", method="b").has_interval


def test_filters(data):
    assert len(data.rows("t", method=["a", "b"])) == 2
    assert len(data.rows("t", k=lambda k: k >= 10)) == 2
    assert data.rows("t", class_="tail")["method"].tolist() == ["b"]
    assert data.rows("t", minus="")["method"].tolist() == ["a", "c"]
    # Rows without a number are skipped.
    assert [one.value for one in data.each("t", k=lambda k: k >= 10)] == [2.0]


def test_numbers_are_named_by_their_rows(data):
    assert str(data.pick("t", method="b")) == "b − a: 2"
    assert str(data.pick("t", "gain", k=5)) == "k 5, a, gain: 3 [2, 4]"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda data: data.pick("t", method="z"), "no row with method z"),
        (lambda data: data.pick("t", nobody="z"), "no column nobody"),
        (lambda data: data.pick("t", "nothing", method="a"), "no column nothing"),
        (lambda data: data.pick("t", method=["a", "b"]), "2 rows"),
        (lambda data: data.pick("t", method="c"), "no value"),
        (lambda data: data.rows("other/t"), r"other/d/t\.csv is not there"),
        (lambda data: data.rows("empty"), "is empty"),
    ],
)
def test_what_is_missing_is_said(data, call, words):
    with pytest.raises(Missing, match=words):
        call(data)


def test_a_file_that_was_not_given_is_not_read_though_it_lies_there(data):
    with pytest.raises(Missing, match=r"secret\.csv is not there"):
        data.rows("secret")


def test_a_table_that_the_claim_does_not_name_is_refused(data):
    with pytest.raises(UserError, match="name it under its `files`"):
        data.rows("unnamed")
