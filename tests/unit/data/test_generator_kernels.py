"""Each kernel of the synthetic generator against a slow version in plain Python."""

import math

import numpy as np
import pytest
from scipy import stats

from mnar.data.synthetic import generator_kernels

SEED = np.uint64(2012)


def hash_slowly(key, counter):
    whole = 2**64 - 1
    word = (int(key) + int(counter) * 0x9E3779B97F4A7C15) & whole
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & whole
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & whole
    return word ^ (word >> 31)


def uniform_slowly(key, counter):
    return ((hash_slowly(key, counter) >> 12) + 0.5) / 2**52


def normal_slowly(word):
    magnitude = stats.norm.ppf(((word >> 33) + 1) / 2**32)
    return magnitude if word & 2 else -magnitude


def rating_slowly(cells, user, item):
    score = cells.quality[item]
    for k in range(cells.user_vectors.shape[1]):
        score = score + cells.user_vectors[user, k] * cells.item_vectors[item, k]
    noise = normal_slowly(hash_slowly(hash_slowly(cells.seed, user), item))
    return 1 + sum(score + cells.noise * noise > threshold for threshold in cells.thresholds)


def small_cells(users=40, items=30, rank=3, noise=0.6):
    rng = np.random.default_rng(1)
    return generator_kernels.Cells(
        SEED,
        rng.standard_normal((users, rank), dtype=np.float32),
        rng.standard_normal((items, rank), dtype=np.float32),
        rng.standard_normal(items, dtype=np.float32),
        np.float32(noise),
        tuple(np.array([-0.5, 0.1, 0.6, 1.5], np.float32)),
        generator_kernels.tabulate_normal_quantiles(),
    )


def rate_rows(cells, first_user, last_user):
    ratings = np.empty((last_user - first_user, len(cells.quality)), np.uint8)
    generator_kernels.rate_rows(cells, cells.item_vectors.T.copy(), first_user, ratings)
    return ratings


@pytest.fixture(scope="module")
def cells():
    return small_cells()


@pytest.fixture(scope="module")
def complete(cells):
    return np.array(
        [[rating_slowly(cells, user, item) for item in range(30)] for user in range(40)]
    )


def test_hash_and_uniform_numbers():
    for key in (0, 1, 2**63 - 1, 2**64 - 1):
        for counter in (0, 1, 7, 2**31 - 1):
            assert int(generator_kernels.hash_counter(np.uint64(key), counter)) == hash_slowly(
                key, counter
            )
            assert generator_kernels.draw_uniform(np.uint64(key), counter) == uniform_slowly(
                key, counter
            )


def test_the_smallest_and_largest_uniform_numbers_are_inside(monkeypatch):
    for word in (0, 2**64 - 1):
        monkeypatch.setattr(
            generator_kernels, "hash_counter", lambda *_, word=word: np.uint64(word)
        )
        assert 0 < generator_kernels.draw_uniform.py_func(SEED, 0) < 1


def test_the_normal_table_is_the_quantile_function():
    quantiles = generator_kernels.tabulate_normal_quantiles()
    words = [hash_slowly(3, n) for n in range(3000)]
    # Far tails and the middle, which random words seldom reach; both signs.
    words += [((tail - 1) << 33) | sign for tail in (1, 2, 3, 300, 2**31) for sign in (0, 2)]
    for word in words:
        assert generator_kernels.look_up_normal(np.uint64(word), quantiles) == pytest.approx(
            normal_slowly(word), abs=2e-6
        )


def test_the_noise_of_a_whole_matrix_is_independent_standard_normal():
    quantiles = generator_kernels.tabulate_normal_quantiles()
    keys = [hash_slowly(SEED, user) for user in range(300)]
    words = [np.uint64(hash_slowly(key, item)) for key in keys for item in range(300)]
    noise = np.array([generator_kernels.look_up_normal(word, quantiles) for word in words])
    noise = noise.reshape(300, 300)
    assert stats.kstest(noise.ravel(), "norm").pvalue > 0.01
    # Correlations of 44,850 pairs of rows, and of columns: the largest of that many normal numbers
    # lies between 4 and 5 standard errors.
    for matrix in (noise, noise.T):
        correlations = np.corrcoef(matrix)[np.triu_indices(300, 1)] * np.sqrt(300)
        assert np.abs(correlations).max() < 5.5
        assert correlations.std() == pytest.approx(1, abs=0.03)


def test_pairs_and_rows_of_the_complete_matrix(cells, complete):
    users, items = np.indices((40, 30), np.int32).reshape(2, -1)
    pairs = np.empty(1200, np.uint8)
    generator_kernels.rate_pairs(cells, users, items, pairs)
    np.testing.assert_array_equal(pairs.reshape(40, 30), complete)
    np.testing.assert_array_equal(rate_rows(cells, 10, 35), complete[10:35])
    assert set(np.unique(complete)) == {1, 2, 3, 4, 5}


def observe_slowly(complete, alpha, beta):
    users, ratings, counts = [], [], []
    for item in range(complete.shape[1]):
        key, user, step, before = hash_slowly(77, item), 0, 0, len(users)
        while True:
            if alpha[item] < 1:
                user += math.floor(math.log(uniform_slowly(key, step)) / math.log1p(-alpha[item]))
            if user >= complete.shape[0]:
                break
            reached = complete[user, item]
            if reached >= 4 or uniform_slowly(key, step + 1) < beta[item] / alpha[item]:
                users.append(user)
                ratings.append(reached)
            user += 1
            step += 2
        counts.append(len(users) - before)
    return users, ratings, counts


def observe(cells, alpha, beta, first_item, last_item):
    counts = np.zeros(last_item - first_item, np.int64)
    drawn = generator_kernels.observe_items(cells, np.uint64(77), alpha, beta, first_item, counts)
    return *(column[: counts.sum()] for column in drawn), counts


def test_observation_draws_item_by_item(cells, complete):
    alpha = np.linspace(0.02, 1, 30)
    beta = alpha * np.linspace(1, 0.1, 30)
    expected = observe_slowly(complete, alpha, beta)
    for got, want in zip(observe(cells, alpha, beta, 0, 30), expected, strict=True):
        np.testing.assert_array_equal(got, want)
    # In pieces it is the same.
    pieces = [observe(cells, alpha, beta, first, first + 10) for first in (0, 10, 20)]
    for got, want in zip(map(np.concatenate, zip(*pieces, strict=True)), expected, strict=True):
        np.testing.assert_array_equal(got, want)


def test_observation_outgrows_its_first_buffer():
    cells = small_cells(users=3000, items=2)
    users, ratings, counts = observe(cells, np.ones(2), np.ones(2), 0, 2)
    np.testing.assert_array_equal(users, np.tile(np.arange(3000), 2))
    np.testing.assert_array_equal(counts, [3000, 3000])
    np.testing.assert_array_equal(ratings, rate_rows(cells, 0, 3000).T.ravel())


def test_an_item_hardly_anyone_reaches_ends_at_once():
    tiny = np.full(30, 1e-300)
    users, _, counts = observe(small_cells(), tiny, tiny, 0, 30)
    assert len(users) == 0
    assert not counts.any()


def test_ratings_move_to_their_users():
    rng = np.random.default_rng(2)
    item, user = np.nonzero(rng.random((20, 15)) < 0.3)
    rating = rng.integers(1, 6, len(user)).astype(np.uint8)
    starts = np.concatenate(([0], np.cumsum(np.bincount(user, minlength=15))))
    items_out = np.empty(len(user), np.int32)
    ratings_out = np.empty(len(user), np.uint8)
    cursor = starts[:-1].copy()
    counts = np.bincount(item, minlength=20)
    generator_kernels.move_to_users(
        user.astype(np.int32), rating, counts, 5, cursor, items_out, ratings_out
    )
    order = np.lexsort((item, user))
    np.testing.assert_array_equal(items_out, item[order] + 5)
    np.testing.assert_array_equal(ratings_out, rating[order])
    np.testing.assert_array_equal(cursor, starts[1:])


def dates_slowly(key, count, start, span):
    now = start + math.floor(uniform_slowly(key, 0) * span)
    times = []
    for n in range(count):
        times.append(now)
        mean_gap = 7 * 86400 if uniform_slowly(key, 3 * n + 1) < 1 / 12 else 20
        now += 5 + math.floor(-math.log(uniform_slowly(key, 3 * n + 2)) * mean_gap)
    for n in range(count - 1, 0, -1):
        other = math.floor(uniform_slowly(key, 3 * n + 3) * (n + 1))
        times[n], times[other] = times[other], times[n]
    return times


def test_dates():
    indptr = np.array([0, 3, 3, 40, 41])
    times = np.empty(41, np.int64)
    generator_kernels.date_ratings(SEED, indptr, 0, 2, 1000, 5000, times)
    generator_kernels.date_ratings(SEED, indptr, 2, 4, 1000, 5000, times)
    for user in range(4):
        row = times[indptr[user] : indptr[user + 1]]
        expected = dates_slowly(hash_slowly(SEED, user), len(row), 1000, 5000)
        np.testing.assert_array_equal(row, expected)


def subset_slowly(key, n_items, size):
    taken = []
    for n in range(size):
        newest = n_items - size + n
        candidate = math.floor(uniform_slowly(key, n) * (newest + 1))
        taken.append(newest if candidate in taken else candidate)
    return taken


@pytest.mark.parametrize(("n_items", "size"), [(1000, 10), (12, 10), (10, 10), (2, 1)])
def test_random_items(n_items, size):
    users = np.array([0, 3, 4, 900], np.int32)
    chosen = np.empty((4, size), np.int32)
    generator_kernels.choose_random_items(SEED, users, n_items, chosen)
    for user, row in zip(users, chosen, strict=True):
        np.testing.assert_array_equal(row, subset_slowly(hash_slowly(SEED, user), n_items, size))
