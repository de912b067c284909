"""Selection simulated on complete ratings, and Jester's file."""

import numpy as np
import polars as pl
import pytest
from helpers.matrices import random_ratings, ratings_of

from mnar.core.errors import UserError
from mnar.data import readers
from mnar.data.bad_lines import BadLines
from mnar.data.selection import (
    Chances,
    CompleteMatrix,
    Mechanism,
    chances_of,
    complete_part,
    observe,
)
from mnar.data.sources import Source


def complete(users=4000, items=60, seed=0):
    random = np.random.default_rng(seed)
    liked = random.random((users, items)) < np.linspace(0.1, 0.6, items)
    return CompleteMatrix(np.where(liked, 5, 2).astype(np.float32), liked)


def test_everything_off_is_random_selection():
    chances = chances_of(complete().relevant, Mechanism(0, 0, 0, ratings_per_user=12), 1)
    np.testing.assert_allclose(chances.alpha, 12 / 60)
    np.testing.assert_allclose(chances.beta, 12 / 60)


def test_the_chance_of_a_pair_is_that_of_its_item_and_liking():
    chances = Chances(np.array([0.5, 0.2]), np.array([0.3, 0.1]))
    found = chances.of(np.array([0, 0, 1, 1]), np.array([True, False, True, False]))
    assert found.tolist() == [0.5, 0.3, 0.2, 0.1]


@pytest.mark.parametrize("exponent", [0, 0.4, 0.8, 2])
@pytest.mark.parametrize("positivity", [0, 1])
def test_users_rate_as_many_items_as_asked_for(exponent, positivity):
    matrix = complete()
    mechanism = Mechanism(exponent, positivity, 0.4, ratings_per_user=15)
    chances = chances_of(matrix.relevant, mechanism, 2)
    assert chances.alpha.max() <= 1
    rated = observe(matrix, chances, 2)
    assert rated.sum(axis=1).mean() == pytest.approx(15, rel=0.02)


def test_chances_follow_the_formulas():
    """Written out once more: order of exposure, power law with a cap, ratio of β to α."""
    matrix = complete()
    chances = chances_of(matrix.relevant, Mechanism(0.8, 1, 1, ratings_per_user=10), 3)
    # At correlation 1 the most liked item is the most exposed one.
    order = np.argsort(-matrix.relevant.mean(axis=0), kind="stable")
    exposure = np.empty(60)
    exposure[order] = (np.arange(60) + 5.0) ** -0.8
    scale = (chances.alpha / exposure)[order[-1]]
    assert (scale * exposure > 1).any()
    np.testing.assert_allclose(chances.alpha, np.minimum(1, scale * exposure))
    height = np.empty(60)
    height[order] = 1 - (np.log(np.arange(60) + 5) - np.log(5)) / (np.log(64) - np.log(5))
    ratio = 0.12 ** (1 - height) * 0.42**height
    np.testing.assert_allclose(chances.beta / chances.alpha, ratio)


def test_correlation_of_exposure_and_quality():
    matrix = complete(items=2000, users=500)
    liked = matrix.relevant.mean(axis=0)

    def correlation(c):
        alpha = chances_of(matrix.relevant, Mechanism(0.8, 0, c, ratings_per_user=30), 4).alpha
        ranks = alpha.argsort().argsort()
        return np.corrcoef(ranks, liked)[0, 1]

    assert abs(correlation(0)) < 0.06
    assert 0.3 < correlation(0.4) < 0.5
    assert correlation(0.8) > 0.7


def test_observed_shares_are_the_chances():
    matrix = complete(users=20000)
    chances = chances_of(matrix.relevant, Mechanism(0.8, 1, 0, ratings_per_user=10), 5)
    rated = observe(matrix, chances, 5)
    for item in (0, 30, 59):
        for liked, chance in ((True, chances.alpha[item]), (False, chances.beta[item])):
            mine = rated[matrix.relevant[:, item] == liked, item]
            assert abs(mine.mean() - chance) < 4 * np.sqrt(chance / len(mine))


def test_too_many_ratings_are_refused():
    with pytest.raises(UserError, match="at most"):
        chances_of(complete().relevant, Mechanism(0.8, 1, 0, ratings_per_user=50), 1)
    with pytest.raises(UserError, match="positivity is 2"):
        Mechanism(0, 2, 0)


def test_complete_part_keeps_who_rated_everything():
    values = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    mask = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool)
    found = complete_part(ratings_of(mask, values >= 5, values))
    np.testing.assert_array_equal(found.values, values[[0, 2]])
    np.testing.assert_array_equal(found.relevant, values[[0, 2]] >= 5)
    with pytest.raises(UserError, match="no complete part"):
        complete_part(random_ratings())


JESTER = "3,99,-9.5,10,0\n0,99,99,99,99\n4,1,2,3,4\n"


def read(tmp_path, text, **settings):
    path = tmp_path / "jester.csv"
    path.write_text(text)
    reader, bad = readers.load("jester"), BadLines(0)
    files = {"ratings": [Source(path)]}
    frames = [frame for _, frame in reader.rows(files, settings, bad)]
    return pl.concat(frames), reader.items(files, settings, bad)


def test_jester_is_read(tmp_path):
    frame, items = read(tmp_path, JESTER)
    assert frame["user"].to_list() == [1, 1, 1, 3, 3, 3, 3]
    assert frame["item"].to_list() == [2, 3, 4, 1, 2, 3, 4]
    assert frame["rating"].to_list() == [-9.5, 10, 0, 1, 2, 3, 4]
    assert items["item"].to_list() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2,1,2,3\n", "says 2 ratings and has 3"),
        ("3,1,2,3\n2,1,2\n", "line 2: 3 columns where 4 are expected"),
        ("3,1,2,30\n", "not on the scale"),
        ("3,1,x,3\n", "line 1: 'x' is not a number, in"),
        ("x,1,2,3\n", "line 1: 'x' is not a whole number, in"),
    ],
)
def test_bad_lines_are_named(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        read(tmp_path, text)


def test_a_spreadsheet_is_refused_with_advice(tmp_path):
    path = tmp_path / "jester.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(UserError, match="save its sheet as CSV"):
        list(readers.load("jester").rows({"ratings": [Source(path)]}, {}, BadLines(0)))
