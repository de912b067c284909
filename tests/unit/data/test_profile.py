"""The numbers behind the dataset profile, on data small enough to count by hand."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from mnar.data import profile

WEEK = 7 * 24 * 3600
RATINGS = pl.LazyFrame(
    {
        "user": [1, 1, 1, 2, 2, 3],
        "item": [10, 20, 30, 10, 20, 10],
        "rating": [5.0, 4.0, 0.5, 5.0, 1.0, 3.0],
        "timestamp": [1000, 1000 + WEEK, 1000 + 3 * WEEK, 1500, 1000 + WEEK - 1, None],
    },
    {"user": pl.Int64, "item": pl.Int64, "rating": pl.Float32, "timestamp": pl.Int64},
)
ITEMS = pl.LazyFrame({"item": [10, 20, 30, 40], "type": ["artist", "track", "track", "genre"]})


@pytest.fixture(scope="module")
def random_ratings():
    generator = np.random.default_rng(3)
    users = generator.zipf(1.5, 4000) % 200
    columns = {
        "user": users,
        "item": generator.integers(0, 80, 4000),
        "rating": generator.integers(0, 101, 4000).astype(np.float32),
        "timestamp": generator.integers(0, 50 * WEEK, 4000),
    }
    return pl.LazyFrame(columns).unique(["user", "item"], keep="first", maintain_order=True)


def test_by_week():
    assert profile.has_times(RATINGS)
    assert not profile.has_times(RATINGS.filter(pl.col("user") == 3))
    assert profile.by_week(RATINGS).rows() == [
        (0, 3, pytest.approx(11 / 3)),
        (1, 1, 4),
        (3, 1, 0.5),
    ]


def test_distribution_with_and_without_a_held_out_part():
    assert profile.distribution(RATINGS).rows() == [
        ("train", 0.5, 1, 1 / 6),
        ("train", 1.0, 1, 1 / 6),
        ("train", 3.0, 1, 1 / 6),
        ("train", 4.0, 1, 1 / 6),
        ("train", 5.0, 2, 1 / 3),
    ]
    marked = profile.last_of_each_user(RATINGS, 1)
    assert profile.distribution(marked, pl.col("held_out")).rows() == [
        ("train", 4.0, 1, 1 / 3),
        ("train", 5.0, 2, 2 / 3),
        ("held out", 0.5, 1, 1 / 3),
        ("held out", 1.0, 1, 1 / 3),
        ("held out", 3.0, 1, 1 / 3),
    ]


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        ([1, 2, 3], {"1": (1,), "2": (2,), "3": (3,)}),
        ([0.5, 1, 1.5, 2], {"whole": (1, 2)}),
        (range(101), {"stars": (0, 30, 50, 70, 90), "tens": (10, 20, 40, 60, 80, 100)}),
    ],
)
def test_groups_of_values(values, groups):
    counts = pl.DataFrame({"rating": [float(value) for value in values]})
    assert profile.groups_of_values(counts) == groups


def test_groups_by_week():
    found = profile.groups_by_week(RATINGS, {"whole": (1.0, 2.0, 3.0, 4.0, 5.0)})
    assert found.rows() == [(0, "whole", 3, 1.0), (1, "whole", 1, 1.0), (3, "other", 1, 1.0)]


def test_means_and_their_distribution():
    users, items = profile.means(RATINGS, "user"), profile.means(RATINGS, "item")
    assert users.rows() == [(1, 3, pytest.approx(9.5 / 3)), (2, 2, 3.0), (3, 1, 3.0)]
    assert items.rows() == [(10, 3, pytest.approx(13 / 3)), (20, 2, 2.5), (30, 1, 0.5)]
    found = profile.distribution_of_means(users, items, (0.5, 5))
    assert found.filter(pl.col("share") > 0)["share"].to_list() == [2 / 3] + [1 / 3] * 4
    assert found.group_by("side").agg(pl.col("share").sum())["share"].to_list() == [1, 1]


def test_means_by_activity(random_ratings):
    users = profile.means(random_ratings, "user")
    found = profile.means_by_activity(users, bins=5)
    assert found["users"].sum() == users.height
    number, mean = users["ratings"].to_numpy(), users["mean_rating"].to_numpy()
    for low, high, count, *quartiles in found.rows():
        inside = mean[(number >= low) & (number < high)]
        assert len(inside) == count
        assert np.allclose(quartiles, np.quantile(inside, [0.25, 0.5, 0.75]))


def test_types():
    assert profile.types(RATINGS, ITEMS).rows() == [
        ("artist", 1, 3, 0.25, 0.5),
        ("genre", 1, 0, 0.25, 0.0),
        ("track", 2, 3, 0.5, 0.5),
    ]
    users = profile.means(RATINGS, "user")
    found = profile.types_by_activity(RATINGS, ITEMS, users, bins=2)
    assert found.select("from", "type", "ratings", "share").rows() == [
        (1, "artist", 1, 1.0),
        (2, "artist", 2, 2 / 5),
        (2, "track", 3, 3 / 5),
    ]


def test_types_that_are_numbers_or_missing():
    items = pl.LazyFrame({"item": [10, 20, 30, 40], "type": [2, None, 1, 1]})
    assert [row[:3] for row in profile.types(RATINGS, items).rows()] == [
        ("1", 2, 1),
        ("2", 1, 3),
        ("without a type", 1, 2),
    ]
    users = profile.means(RATINGS, "user")
    found = profile.types_by_activity(RATINGS, items, users, bins=1)
    assert found.select("type", "ratings").rows() == [("1", 1), ("2", 3), ("without a type", 2)]


def test_long_tail_with_unrated_items():
    items = pl.DataFrame({"item": range(60), "ratings": range(60, 0, -1)})
    tail = profile.long_tail(items, 100)
    assert tail["part"].to_list() == ["head"] * 5 + ["middle"] * 20 + ["tail"] * 35
    assert tail["rating_share"][-1] == 1
    assert tail["catalogue_share"][-1] == 0.6
    shares = profile.tail_shares(tail, 100)
    assert shares.select("part", "items", "ratings").rows() == [
        ("head", 5, 290),
        ("middle", 20, 910),
        ("tail", 75, 630),
    ]
    assert shares["rating_share"].sum() == pytest.approx(1)


def test_table_agrees_with_scipy(random_ratings):
    users, items = profile.means(random_ratings, "user"), profile.means(random_ratings, "item")
    counts = profile.distribution(random_ratings)
    bars = profile.distribution_of_means(users, items, (0, 100))
    found = dict(profile.table(users, items, counts, bars, 90).rows())
    ratings = random_ratings.collect()
    rating = ratings["rating"].to_numpy().astype(float)
    assert found["users"] == ratings["user"].n_unique()
    assert found["items"] == 90
    assert found["rated items"] == 80
    assert found["interactions"] == ratings.height
    assert found["mean rating"] == pytest.approx(rating.mean())
    assert found["standard deviation"] == pytest.approx(rating.std())
    assert found["share of multiples of ten"] == pytest.approx((rating % 10 == 0).mean())
    spearman = stats.spearmanr(users["ratings"], users["mean_rating"]).statistic
    assert found["correlation of activity and mean rating"] == pytest.approx(spearman)
    assert found["user means, skewness"] == pytest.approx(stats.skew(users["mean_rating"]))
    assert found["ratings per item, largest"] == items["ratings"].max()
