"""The synthetic dataset: do draws have the distribution that the settings ask for?"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from mnar.core.errors import UserError
from mnar.core.files import read_json
from mnar.data.densify import make_view
from mnar.data.synthetic import Settings, Truth, generate, summarise, truth, write, writing


@pytest.fixture(scope="module")
def default():
    return generate(Settings())


@pytest.fixture(scope="module")
def complete(default):
    return default.truth.block(0, default.settings.users)


def observed_matrix(data):
    observed = np.zeros(data.truth.shape, bool)
    observed[data.user, data.item] = True
    return observed


def assert_same(one, other):
    for name in ("user", "item", "rating", "timestamp", "parents"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("random_user", "random_item", "random_rating"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name, value in vars(one.truth).items():
        if name != "cells":
            np.testing.assert_array_equal(value, getattr(other.truth, name))


# The complete ratings


def test_pairs_and_blocks_show_the_same_cells(default, complete):
    rng = np.random.default_rng(0)
    users, items = rng.integers(2000, size=50_000), rng.integers(1000, size=50_000)
    np.testing.assert_array_equal(default.truth.ratings(users, items), complete[users, items])
    np.testing.assert_array_equal(default.truth.block(700, 1234), complete[700:1234])
    with ThreadPoolExecutor(3) as pool:
        blocks = pool.map(default.truth.block, range(0, 2000, 250), range(250, 2001, 250))
        np.testing.assert_array_equal(np.concatenate(list(blocks)), complete)
    assert default.truth.block(5, 5).shape == (0, 1000)
    assert len(default.truth.ratings(users[:0], items[:0])) == 0


def test_cells_outside_the_matrix_are_refused(default):
    for users, items in (([2000], [0]), ([0], [1000]), ([-1], [0])):
        with pytest.raises(IndexError):
            default.truth.ratings(np.array(users), np.array(items))
    with pytest.raises(IndexError):
        default.truth.block(1999, 2001)


@pytest.mark.parametrize("histogram", [(0.50, 0.17, 0.15, 0.11, 0.07), (0.05, 0.1, 0.2, 0.3, 0.35)])
def test_complete_histogram(histogram):
    truth = generate(Settings(users=4000, items=500, histogram=histogram, seed=3)).truth
    ratings = truth.block(0, 4000)
    for rating, share in enumerate(histogram, 1):
        # Given the items users are independent, so the spread of their shares gives the error.
        of_users = (ratings == rating).mean(axis=1)
        assert abs(of_users.mean() - share) < 3.5 * of_users.std() / np.sqrt(4000)


@pytest.mark.parametrize(
    "changed", [{}, {"rank": 12, "noise": 1.5}, {"noise": 0.0}, {"taste": 0.0}]
)
def test_probability_positive_is_what_sampling_gives(changed):
    truth = generate(Settings(users=20_000, items=100, ratings_per_user=5, seed=5, **changed)).truth
    expected = truth.probability_positive()
    share = (truth.block(0, 20_000) >= 4).mean(axis=0)
    deviation = (share - expected) / np.sqrt(expected * (1 - expected) / 20_000)
    assert np.abs(deviation).max() < 4
    assert 0.6 < (deviation**2).mean() < 1.6


def test_spread_of_taste_quality_and_its_correlation_to_exposure():
    truth = generate(Settings(users=100, items=30_000, seed=1)).truth
    assert np.square(truth.item_vectors).sum(axis=1).mean() == pytest.approx(1.2**2, rel=0.02)
    assert truth.item_quality.std() == pytest.approx(0.6, rel=0.02)
    assert np.square(truth.user_vectors).mean() == pytest.approx(1, rel=0.1)
    uncapped = truth.alpha < 1
    log_exposure = np.log(truth.alpha[uncapped])
    correlation = np.corrcoef(log_exposure, truth.item_quality[uncapped])[0, 1]
    assert correlation == pytest.approx(0.4, abs=0.02)


# The observed part


def test_observed_share_of_each_item_and_class_is_alpha_and_beta(default, complete):
    observed = observed_matrix(default)
    positive = complete >= 4
    for of_class, probability in (
        (positive, default.truth.alpha),
        (~positive, default.truth.beta),
    ):
        size = of_class.sum(axis=0)
        hits = (of_class & observed).sum(axis=0)
        certain = probability == 1
        np.testing.assert_array_equal(hits[certain], size[certain])
        variance = size * probability * (1 - probability)
        enough = variance >= 5
        assert enough.sum() > 500
        squares = (hits - size * probability)[enough] ** 2 / variance[enough]
        assert 0.001 < stats.chi2.sf(squares.sum(), enough.sum()) < 0.999
        # All items together, those with few ratings too: a small bias of each would show here.
        together = (hits - size * probability).sum() / np.sqrt(variance.sum())
        assert abs(together) < 3


def test_observed_ratings_are_the_true_ones_each_once_in_order(default, complete):
    np.testing.assert_array_equal(default.rating, complete[default.user, default.item])
    cell = default.user.astype(np.int64) * 1000 + default.item
    assert (np.diff(cell) > 0).all()


def test_effects_have_the_strength_of_the_specification(default):
    ratio = default.truth.beta / default.truth.alpha
    assert ratio.min() == pytest.approx(0.12)
    assert ratio.max() == pytest.approx(0.42)
    by_count = np.argsort(-np.bincount(default.item, minlength=1000), kind="stable")
    assert ratio[by_count[:47]].mean() == pytest.approx(0.30, abs=0.015)
    assert ratio[by_count[247:]].mean() == pytest.approx(0.14, abs=0.005)
    alpha = np.sort(default.truth.alpha)[::-1]
    exposure = (np.arange(1000) + 5.0) ** -0.8
    uncapped = alpha < 1
    np.testing.assert_allclose(alpha[uncapped] / alpha[-1], exposure[uncapped] / exposure[-1])
    assert len(default.rating) / 2000 == pytest.approx(22, abs=0.5)


def test_positivity_off():
    data = generate(Settings(positivity=0.0))
    np.testing.assert_array_equal(data.truth.alpha, data.truth.beta)
    positive = data.truth.block(0, 2000) >= 4
    observed = observed_matrix(data)
    size, hits = positive.sum(axis=0), (positive & observed).sum(axis=0)
    share = observed.mean(axis=0)
    expected = size * share
    error = np.sqrt(expected * (1 - share) * (1 - size / 2000)).clip(1e-9)
    assert abs((hits - expected).sum() / np.sqrt((error**2).sum())) < 3.5


def test_popularity_off_changes_the_exposure_alone(default, complete):
    data = generate(Settings(popularity_exponent=0.0))
    np.testing.assert_allclose(data.truth.alpha, data.truth.alpha[0])
    np.testing.assert_array_equal(data.truth.block(0, 2000), complete)
    np.testing.assert_allclose(
        data.truth.beta / data.truth.alpha, default.truth.beta / default.truth.alpha
    )
    np.testing.assert_array_equal(data.random_rating, default.random_rating)


def test_both_effects_off_leaves_a_uniform_sample():
    data = generate(Settings(popularity_exponent=0.0, positivity=0.0))
    counts = np.bincount(data.item, minlength=1000)
    expected = 2000 * 22 / 1000
    squares = (counts - expected) ** 2 / (expected * (1 - 22 / 1000))
    assert 0.001 < stats.chi2.sf(squares.sum(), 1000) < 0.999


def test_positivity_as_a_strength_and_as_a_pair():
    pair = generate(Settings(positivity=(0.3, 0.3))).truth
    np.testing.assert_allclose(pair.beta, 0.3 * pair.alpha)
    half = generate(Settings(positivity=0.5)).truth
    assert (half.beta / half.alpha).min() == pytest.approx(0.12**0.5)
    assert (half.beta / half.alpha).max() == pytest.approx(0.42**0.5)
    assert_same(generate(Settings(users=50)), generate(Settings(users=50, positivity=(0.12, 0.42))))


@given(
    exposure=st.lists(st.floats(1e-8, 1), min_size=1, max_size=30),
    share=st.floats(0.001, 1),
    seed=st.integers(0, 100),
)
def test_calibration_meets_its_target_and_caps_only_at_one(exposure, share, seed):
    exposure = np.array(exposure)
    rated = np.random.default_rng(seed).uniform(0.05, 1, len(exposure))
    target = share * rated.sum()
    alpha = truth._calibrate(exposure, rated, target)
    assert alpha @ rated == pytest.approx(target)
    assert ((alpha > 0) & (alpha <= 1)).all()
    scale = alpha / exposure
    uncapped = alpha < 1 - 1e-9
    if uncapped.any():
        np.testing.assert_allclose(scale[uncapped], scale.max())


# The random part and the times


def test_random_part_is_uniform_over_items():
    data = generate(Settings(users=20_000, items=200, random_users=10_000))
    assert len(data.random_user) == 100_000
    users, sizes = np.unique(data.random_user, return_counts=True)
    assert len(users) == 10_000
    assert (sizes == 10).all()
    cell = data.random_user.astype(np.int64) * 200 + data.random_item
    assert (np.diff(cell) > 0).all()
    counts = np.bincount(data.random_item, minlength=200)
    # Ten of 200 without replacement: the variance of a binomial, less a little, as is the sum.
    squares = (counts - 500) ** 2 / (500 * (1 - 10 / 200)) * 199 / 200
    assert 0.001 < stats.chi2.sf(squares.sum(), 199) < 0.999
    np.testing.assert_array_equal(
        data.random_rating, data.truth.ratings(data.random_user, data.random_item)
    )


def test_random_part_does_not_depend_on_ratings_or_exposure(default):
    other = generate(Settings(taste=0.3, noise=2.0, popularity_exponent=1.5, quality=3.0))
    assert (other.truth.block(0, 2000) != default.truth.block(0, 2000)).mean() > 0.3
    np.testing.assert_array_equal(other.random_user, default.random_user)
    np.testing.assert_array_equal(other.random_item, default.random_item)


def test_random_users_by_number_and_by_share():
    for given_as, count in ((0.25, 25), (7, 7), (1.0, 100), (1, 1), (0, 0)):
        data = generate(Settings(users=100, random_users=given_as))
        assert len(np.unique(data.random_user)) == count


def test_users_rate_in_sessions(default):
    order = np.lexsort((default.timestamp, default.user))
    same_user = np.diff(default.user[order]) == 0
    gaps = np.diff(default.timestamp[order])[same_user]
    assert gaps.min() >= 5
    assert np.median(gaps) < 60
    assert 0.05 < (gaps > 3600).mean() < 0.12
    assert default.timestamp.min() >= 1_262_304_000
    assert default.timestamp.max() < 1_262_304_000 + 4 * 365 * 86_400
    # Time tells nothing of the rating or the item.
    since_first = default.timestamp - np.repeat(
        np.minimum.reduceat(default.timestamp, np.unique(default.user, return_index=True)[1]),
        np.unique(default.user, return_counts=True)[1],
    )
    for column in (default.rating, default.truth.alpha[default.item]):
        assert stats.spearmanr(since_first, column).pvalue > 0.001


# Taxonomy


def test_taxonomy_explains_its_share_of_the_item_vectors():
    plain = generate(Settings(users=10, items=20_000))
    assert plain.parents.shape == (20_000, 0)
    data = generate(Settings(users=10, items=20_000, taxonomy=0.6))
    album, artist, genre = data.parents.T
    for child, parent in ((album, artist), (artist, genre)):
        pairs = np.unique(np.stack((child, parent)), axis=1)
        assert len(np.unique(pairs[0])) == pairs.shape[1]
    assert 20_000 <= album.min() <= album.max() < artist.min() <= artist.max() < genre.min()
    assert len(np.unique(album)) > len(np.unique(artist)) > len(np.unique(genre)) > 10
    for values in (data.truth.item_vectors[:, 0], data.truth.item_vectors[:, 4]):
        # Of the variance, 0.2 lies between genres, 0.4 between artists, 0.6 between albums.
        for level, share in ((genre, 0.2), (artist, 0.4), (album, 0.6)):
            order = np.argsort(level, kind="stable")
            together = np.diff(level[order]) == 0
            left, right = values[order][:-1][together], values[order][1:][together]
            assert np.corrcoef(left, right)[0, 1] == pytest.approx(share, abs=0.07)
        assert values.std() == pytest.approx(1.2 / np.sqrt(5), rel=0.05)


# The same again


def test_same_settings_same_bits_on_any_number_of_threads():
    settings = Settings(users=40_000, items=600, ratings_per_user=5, taxonomy=0.3, seed=8)
    one = generate(settings)
    for threads in (2, 3):
        assert_same(one, generate(settings, threads=threads))


def test_another_seed_gives_another_dataset(default, complete):
    other = generate(Settings(seed=1))
    assert (other.truth.block(0, 2000) != complete).mean() > 0.3
    assert set(zip(other.user, other.item, strict=True)) != set(
        zip(default.user, default.item, strict=True)
    )


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    users=st.integers(1, 60),
    items=st.integers(2, 60),
    share=st.floats(0.01, 1),
    rank=st.integers(1, 4),
    exponent=st.floats(0, 3),
    positivity=st.one_of(st.floats(0, 1), st.tuples(*[st.floats(0.1, 1)] * 2)),
    noise=st.floats(0, 3),
    taxonomy=st.sampled_from([0.0, 0.5, 1.0]),
    seed=st.integers(0, 2**63 - 1),
)
def test_any_settings_give_a_sound_dataset(
    users, items, share, rank, exponent, positivity, noise, taxonomy, seed
):
    settings = Settings(
        users=users,
        items=items,
        ratings_per_user=share * items * 0.1,
        rank=rank,
        popularity_exponent=exponent,
        positivity=positivity,
        noise=noise,
        taxonomy=taxonomy,
        seed=seed,
        random_ratings=min(items, 10),
    )
    data = generate(settings)
    truth = data.truth
    for values in (truth.alpha, truth.beta, truth.thresholds, truth.item_vectors):
        assert np.isfinite(values).all()
    assert (np.diff(truth.thresholds) >= 0).all()
    assert ((truth.beta > 0) & (truth.beta <= truth.alpha * (1 + 1e-12))).all()
    positive = truth.probability_positive()
    expected = truth.alpha @ positive + truth.beta @ (1 - positive)
    assert expected == pytest.approx(settings.ratings_per_user, rel=1e-4)
    np.testing.assert_array_equal(data.rating, truth.ratings(data.user, data.item))
    assert (np.diff(data.user.astype(np.int64) * items + data.item) > 0).all()


def test_a_large_shape_has_no_nan():
    settings = Settings(users=100_000, items=50_000, ratings_per_user=100)
    data = generate(settings, threads=2)
    assert len(data.rating) == pytest.approx(10_000_000, rel=0.01)
    for values in (data.truth.alpha, data.truth.beta, data.truth.probability_positive()):
        assert np.isfinite(values).all()
        assert (values > 0).all()
    assert data.rating.min() == 1
    assert data.rating.max() == 5
    assert data.timestamp.min() > 0


# Files


def test_files_of_a_prepared_dataset(tmp_path, default):
    write(default, tmp_path)
    table = pl.read_parquet(tmp_path / "interactions.parquet")
    assert dict(table.schema) == {
        "user": pl.Int32,
        "item": pl.Int32,
        "rating": pl.Float32,
        "timestamp": pl.Int64,
    }
    for column in table.columns:
        np.testing.assert_array_equal(table[column].to_numpy(), getattr(default, column))
    at_random = pl.read_parquet(tmp_path / "random.parquet")
    assert at_random.schema == table.schema
    assert at_random["timestamp"].null_count() == len(at_random) == 7000
    for column in ("user", "item", "rating"):
        expected = getattr(default, f"random_{column}")
        np.testing.assert_array_equal(at_random[column].to_numpy(), expected)
    assert pl.read_parquet(tmp_path / "items.parquet").to_dict(as_series=False) == {
        "item": list(range(1000))
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "interactions.parquet",
        "items.parquet",
        "random.parquet",
        "summary.json",
        "truth.npz",
    ]


def test_summary(tmp_path, default):
    write(default, tmp_path)
    summary = read_json(tmp_path / "summary.json")
    ratings = len(default.rating)
    assert (summary["users"], summary["items"], summary["interactions"]) == (2000, 1000, ratings)
    assert summary["density"] == ratings / (2000 * summary["rated_items"])
    histogram = {bar["rating"]: bar["count"] for bar in summary["rating_histogram"]}
    assert sum(histogram.values()) == ratings
    assert histogram[4] == (default.rating == 4).sum()
    assert summary["mean_rating"] == pytest.approx(default.rating.mean())
    assert summary["rated_items"] == len(np.unique(default.item))
    assert summary["random"]["interactions"] == 7000
    assert summary["source"] == "generated"
    assert Settings.from_config(summary["settings"]) == default.settings


def test_truth_survives_its_file(tmp_path, default, complete):
    default.truth.save(tmp_path / "truth.npz")
    loaded = Truth.load(tmp_path / "truth.npz")
    assert_same(default, replace(default, truth=loaded))
    np.testing.assert_array_equal(loaded.block(0, 2000), complete)
    np.testing.assert_array_equal(
        loaded.probability_positive(), default.truth.probability_positive()
    )


def test_same_bytes_when_generated_and_written_again(tmp_path):
    settings = Settings(users=300, items=400, taxonomy=0.5)
    for threads in (1, 2):
        write(generate(settings, threads=threads), tmp_path / str(threads))
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) == 5
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    items = pl.read_parquet(tmp_path / "1" / "items.parquet")
    assert items.columns == ["item", "album", "artist", "genre"]


def test_a_view_of_the_files_has_the_families_and_the_truth_by_its_ids(tmp_path):
    data = generate(Settings(users=300, items=400, taxonomy=0.5))
    write(data, tmp_path)
    view = make_view(tmp_path, {"view": "all", "relevant": 4, "keep": "all", "catalogue": "listed"})
    np.testing.assert_array_equal(view.item_ids, np.arange(400))
    for part in (view.ratings, view.random):
        ratings = data.truth.ratings(view.user_ids[part.user], view.item_ids[part.item])
        np.testing.assert_array_equal(ratings, part.rating)
    for of_view, generated in zip(view.parents.T, data.parents.T, strict=True):
        assert of_view.min() >= 400
        np.testing.assert_array_equal(
            np.unique(of_view, return_inverse=True)[1], np.unique(generated, return_inverse=True)[1]
        )


def test_groups_of_rows_join_into_one_table(tmp_path, monkeypatch, default):
    monkeypatch.setattr(writing, "_ROWS_A_GROUP", 1000)
    write(default, tmp_path)
    table = pl.read_parquet(tmp_path / "interactions.parquet")
    np.testing.assert_array_equal(table["timestamp"].to_numpy(), default.timestamp)


def test_nothing_observed_and_nothing_random_still_makes_a_dataset(tmp_path):
    data = generate(Settings(users=3, items=20, ratings_per_user=1e-6, random_users=0))
    assert len(data.rating) == 0
    write(data, tmp_path)
    for name in ("interactions", "random"):
        assert pl.read_parquet(tmp_path / f"{name}.parquet").height == 0
    assert summarise(data)["mean_rating"] is None


# Settings


def test_settings_from_config():
    assert Settings.from_config({}) == Settings()
    settings = Settings.from_config({"users": 10, "positivity": [0.1, 0.2], "seed": 4})
    assert (settings.users, settings.positivity, settings.seed) == (10, (0.1, 0.2), 4)


def test_unknown_settings_are_named():
    with pytest.raises(UserError, match=r"unknown setting 'colour', 'size'; known are users, "):
        Settings.from_config({"colour": 1, "users": 10, "size": 2})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"users": 0}, "users is 0; give a whole number from 1"),
        ({"users": 10.0}, "users is 10.0"),
        ({"users": True}, "users is True"),
        ({"users": "many"}, "users is 'many'"),
        ({"items": 1}, "items is 1"),
        ({"noise": float("nan")}, "noise is nan"),
        ({"taste": float("inf")}, "taste is inf"),
        ({"taste": 0, "noise": 0}, "noise is 0"),
        ({"noise": None}, "noise is None"),
        ({"positivity": 1.5}, "positivity is 1.5"),
        ({"positivity": [0.1]}, "give a list of 2, the ratios of tail and head"),
        ({"positivity": [0.1, 1.2]}, "positivity is 1.2"),
        ({"histogram": [0.5, 0.5]}, "give a list of 5"),
        ({"histogram": 0.5}, "give a list of 5"),
        ({"histogram": [50, 17, 15, 11, 7]}, "histogram is 50"),
        ({"histogram": [0.2, 0.2, 0.2, 0.2, 0.1]}, "histogram adds up to 0.9"),
        ({"quality_exposure_correlation": -2}, "quality_exposure_correlation is -2"),
        ({"random_users": 1.5}, "random_users is 1.5; give a number from 0 to 1"),
        ({"random_users": 3000}, "random_users is 3000; give a number from 0 to 2000"),
        ({"items": 5, "ratings_per_user": 1}, "random_ratings is 10"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_settings_are_explained(config, message):
    with pytest.raises(UserError) as error:
        Settings.from_config(config)
    assert message in str(error.value)


def test_more_ratings_than_the_items_can_give():
    with pytest.raises(UserError, match=r"ratings_per_user is 900, but .* at most 3\d\d\.\d of"):
        generate(Settings(ratings_per_user=900))
