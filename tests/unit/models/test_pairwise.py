"""MF-ADG and MF-AUC (lim2015): kernels against plain Python, and what must hold for any data."""

from math import ceil, floor, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings
from mnar.models import _pairwise_kernels as kernels
from mnar.models import fit_grid, mf_adg, mf_auc

METHODS = pytest.mark.parametrize("method", [mf_adg, mf_auc])
PARAMETERS = ("user_vectors", "item_vectors", "item_bias")


def ratings_of(relevant: np.ndarray, observed: np.ndarray | None = None) -> Ratings:
    """From two 0/1 matrices: relevant entries, and rated entries."""
    users, items = np.nonzero(relevant if observed is None else observed)
    flags = relevant[users, items].astype(bool)
    return Ratings.from_triplets(users, items, 1.0 + flags, flags, relevant.shape)


def random_ratings(n_users: int = 12, n_items: int = 30, share: float = 0.2) -> Ratings:
    return ratings_of(np.random.default_rng(5).random((n_users, n_items)) < share)


def point(**changes) -> dict:
    return {"factors": 5, "rate": 0.1, "lambda": 0.05, "gamma": 4, "iterations": 500} | changes


def copies(state) -> list[np.ndarray]:
    return [getattr(state, name).copy() for name in PARAMETERS]


def assert_same_bits(first, second) -> None:
    for name in PARAMETERS:
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()


# The slow, obvious version: Python integers, one iteration at a time.

WORD = 2**64


def plain_scramble(start: int, count: int) -> int:
    bits = (start + count * 0x9E3779B97F4A7C15) % WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % WORD
    return bits ^ bits >> 31


def plain_choice(bits: int, things: list) -> int:
    return things[(bits % 2**32) * len(things) >> 32]


class PlainTraining:
    """Both methods as lim2015 writes them, on float64 arrays that are as wide as the factors."""

    def __init__(self, state, train: Ratings, settings: dict, key: int):
        self.users = state.user_vectors[:, : state.factors].astype(float)
        self.items = state.item_vectors[:, : state.factors].astype(float)
        self.bias = state.item_bias.astype(float)
        self.settings, self.key = settings, key
        self.liked = {}
        for user, item, relevant in zip(train.users, train.items, train.relevant, strict=True):
            if relevant:
                self.liked.setdefault(int(user), []).append(int(item))
        self.steps = self.draws = 0

    def f(self, u: int, i: int) -> float:
        return self.users[u] @ self.items[i] + self.bias[i]

    def positive(self, iteration: int) -> tuple[int, int, int]:
        bits = plain_scramble(self.key, iteration)
        u = plain_choice(bits >> 32, sorted(self.liked))
        return bits, u, plain_choice(bits, self.liked[u])

    def step(self, u: int, i: int, v: int, weight: float) -> None:
        rate, shrinkage = self.settings["rate"], self.settings["lambda"]
        user, liked, other = self.users[u].copy(), self.items[i].copy(), self.items[v].copy()
        self.users[u] -= rate * (weight * (other - liked) + shrinkage * user)
        self.items[i] -= rate * (weight * -user + shrinkage * liked)
        self.items[v] -= rate * (weight * user + shrinkage * other)
        self.bias[i] += rate * weight
        self.bias[v] -= rate * weight
        self.steps += 1

    def iterate_adg(self, iteration: int) -> None:
        bits, u, i = self.positive(iteration)
        n_items = len(self.items)
        others = [item for item in range(n_items) if item != i]
        for draw in range(1, max(1, ceil((n_items - 1) / self.settings["gamma"])) + 1):
            self.draws += 1
            v = plain_choice(plain_scramble(bits, draw), others)
            if self.f(u, i) - self.f(u, v) < 1:
                weight = 1 - 1 / log2(floor((n_items - 1) / draw) + 2)
                self.step(u, i, v, weight if self.settings.get("rank_weight", True) else 1)
                return

    def iterate_auc(self, iteration: int) -> None:
        bits, u, i = self.positive(iteration)
        irrelevant = sorted(set(range(len(self.items))) - set(self.liked[u]))
        if irrelevant:
            self.draws += 1
            v = plain_choice(plain_scramble(bits, 1), irrelevant)
            if self.f(u, i) - self.f(u, v) < 1:
                self.step(u, i, v, 1)


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        (mf_adg, {}),
        (mf_adg, {"factors": 20, "gamma": 1}),
        (mf_adg, {"rank_weight": False}),
        (mf_adg, {"gamma": 1000}),
        (mf_auc, {}),
        (mf_auc, {"factors": 20}),
    ],
)
def test_kernel_equals_the_plain_version_step_by_step(method, changes):
    relevant = np.random.default_rng(5).random((12, 30)) < 0.2
    relevant[3] = True  # nothing to compare with in mf-auc
    relevant[7] = False  # nothing to learn from
    observed = relevant | (np.random.default_rng(6).random(relevant.shape) < 0.2)
    train, settings = ratings_of(relevant, observed), point(**changes)
    state = method.start(train, settings, seed=3)
    plain = PlainTraining(state, train, settings, int(state.key))
    for iteration in range(400):
        method.advance(state, settings, 1)
        (plain.iterate_adg if method is mf_adg else plain.iterate_auc)(iteration)
        assert (state.steps, state.draws) == (plain.steps, plain.draws)
        np.testing.assert_allclose(state.user_vectors[:, : state.factors], plain.users, atol=1e-5)
        np.testing.assert_allclose(state.item_vectors[:, : state.factors], plain.items, atol=1e-5)
        np.testing.assert_allclose(state.item_bias, plain.bias, atol=1e-5)
    assert state.iterations == 400
    assert 0 < state.steps < 400


def test_random_bits_are_those_of_splitmix64():
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [kernels.scramble(np.uint64(0), count) for count in (1, 2, 3)] == expected


@given(st.integers(0, WORD - 1), st.integers(1, 2**31))
def test_bounded_integers_stay_inside_and_reach_both_ends(bits, bound):
    assert 0 <= kernels.below(np.uint64(bits), bound) < bound
    assert kernels.below(np.uint64(0), bound) == 0
    assert kernels.below(np.uint64(WORD - 1), bound) == bound - 1


def test_users_are_drawn_alike_and_then_their_items():
    relevant = np.zeros((4, 40), bool)
    relevant[0, 7] = relevant[2, ::2] = relevant[3, :39] = True
    train = ratings_of(relevant)
    count = 60_000
    bits, user, item = np.zeros(count, np.uint64), np.zeros(count, int), np.zeros(count, int)
    users = np.array([0, 2, 3], np.int32)
    kernels.draw_positives(np.uint64(1), 0, users, train.indptr, train.items, bits, user, item)
    drawn = np.zeros(relevant.shape)
    np.add.at(drawn, (user, item), 3 / count)
    np.testing.assert_allclose(drawn.sum(1), [1, 0, 1, 1], atol=0.02)
    np.testing.assert_allclose(drawn[2:], relevant[2:] / relevant[2:].sum(1)[:, None], atol=0.01)


def test_every_other_item_is_drawn_alike():
    drawn = [kernels.other_item(np.uint64(9), draw, 2, 5) for draw in range(1, 20_001)]
    shares = np.bincount(drawn, minlength=5) / len(drawn)
    np.testing.assert_allclose(shares, [0.25, 0.25, 0, 0.25, 0.25], atol=0.02)


@given(st.integers(0, WORD - 1), st.integers(1, 40), st.data())
def test_an_irrelevant_item_is_drawn_from_the_irrelevant_ones(bits, n_items, data):
    relevant = sorted(data.draw(st.sets(st.integers(0, n_items - 1))))
    drawn = kernels.irrelevant_item(np.uint64(bits), np.array(relevant, np.int32), n_items)
    irrelevant = [item for item in range(n_items) if item not in relevant]
    assert drawn == (plain_choice(plain_scramble(bits, 1), irrelevant) if irrelevant else -1)


def test_a_step_goes_down_the_gradient():
    random = np.random.default_rng(2)
    users, items = random.normal(size=(2, 16)), random.normal(size=(3, 16))
    bias = random.normal(size=3)

    def loss(users, items, bias):
        return users[1] @ items[2] + bias[2] - users[1] @ items[0] - bias[0] + 1

    moved = [array.astype(np.float32) for array in (users, items, bias)]
    kernels.take_step(*moved, 1, 0, 2, 16, np.float32(0.01), np.float32(1))
    for which, (before, after) in enumerate(zip((users, items, bias), moved, strict=True)):
        for index in np.ndindex(before.shape):
            shifted = [array.copy() for array in (users, items, bias)]
            shifted[which][index] += 1e-4
            slope = (loss(*shifted) - loss(users, items, bias)) / 1e-4
            assert before[index] - after[index] == pytest.approx(0.01 * slope, abs=1e-6)


def test_rank_weights_follow_equation_4():
    weights = mf_adg.rank_weights(5001, 100, by_rank=True)
    assert len(weights) == 50
    assert weights[0] == pytest.approx(1 - 1 / log2(5002))
    assert weights[6] == pytest.approx(1 - 1 / log2(714 + 2))  # 5000 / 7 = 714.28…
    assert weights[49] == pytest.approx(1 - 1 / log2(102))
    assert (mf_adg.rank_weights(5001, 100, by_rank=False) == 1).all()


@pytest.mark.parametrize(("n_items", "limit"), [(2, 1), (101, 1), (102, 2), (6170, 62)])
def test_draws_are_limited_to_a_share_of_the_other_items(n_items, limit):
    assert len(mf_adg.rank_weights(n_items, 100, by_rank=True)) == limit


@METHODS
def test_without_a_violator_nothing_changes(method):
    train = ratings_of(np.eye(1, 30, dtype=bool))
    state = method.start(train, point(), seed=1)
    state.item_bias[0] = 10
    before = copies(state)
    method.advance(state, point(), 100)
    limit = ceil(29 / 4) if method is mf_adg else 1
    assert (state.iterations, state.steps, state.draws) == (100, 0, 100 * limit)
    assert all(map(np.array_equal, before, copies(state)))


@METHODS
@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 600), max_size=4), decay=st.booleans())
def test_in_parts_is_the_same_as_in_one_go(method, cuts, decay):
    train, settings = random_ratings(), point(decay=decay)
    whole = method.start(train, settings, seed=8)
    method.advance(whole, settings, 600)
    parts = method.start(train, settings, seed=8)
    for stop in [*sorted(cuts), 600]:
        method.advance(parts, settings, stop - parts.iterations)
    assert_same_bits(whole, parts)
    counts = [(state.iterations, state.steps, state.draws) for state in (whole, parts)]
    assert counts[0] == counts[1]


@METHODS
@pytest.mark.parametrize("total", [1, 37, 100, 250])
def test_a_rate_that_decays_falls_evenly_to_zero(method, total):
    """Against one iteration at a time, each at its own constant rate; afterwards it stays small."""
    train, settings = random_ratings(), point(decay=True, iterations=total)
    found = method.start(train, settings, seed=3)
    method.advance(found, settings, total + 9)
    slow = method.start(train, settings, seed=3)
    for iteration in range(total + 9):
        part = min(iteration * 100 // total, 99)
        rate = settings["rate"] * (1 - (part + 0.5) / 100)
        method.advance(slow, point(rate=rate), 1)
    assert_same_bits(found, slow)


def test_both_methods_start_alike():
    train = random_ratings()
    first = mf_adg.start(train, point(), seed=4)
    assert_same_bits(first, mf_auc.start(train, point(rate=0.3, gamma=9), seed=4))
    assert not np.array_equal(first.user_vectors, mf_adg.start(train, point(), 5).user_vectors)
    assert not first.item_bias.any()


def test_initial_scale_is_a_standard_deviation():
    state = mf_auc.start(random_ratings(400, 900, 0.01), point(initial_scale=0.3), seed=4)
    for vectors in (state.user_vectors, state.item_vectors):
        assert vectors[:, :5].std() == pytest.approx(0.3, rel=0.05)
        assert abs(vectors[:, :5].mean()) < 0.02


@METHODS
def test_rows_are_padded_to_whole_cache_lines_and_the_padding_stays_zero(method):
    state = method.start(random_ratings(), point(factors=20), seed=4)
    method.advance(state, point(factors=20), 500)
    for vectors in (state.user_vectors, state.item_vectors):
        assert vectors.shape[1] == 32
        assert vectors.ctypes.data % 64 == 0
        assert vectors[:, :20].all()
        assert not vectors[:, 20:].any()
    assert state.model().item_vectors.shape == (30, 20)


def test_mf_auc_compares_with_irrelevant_items_only():
    """One user: the bias of an item drawn as irrelevant can only fall."""
    relevant = np.ones((1, 30), bool)
    relevant[0, [4, 11]] = False
    state = mf_auc.start(ratings_of(relevant), point(), seed=1)
    mf_auc.advance(state, point(), 2000)
    assert (state.item_bias[[4, 11]] < 0).all()
    assert (np.delete(state.item_bias, [4, 11]) >= 0).all()


def test_mf_auc_skips_a_user_to_whom_everything_is_relevant():
    state = mf_auc.start(ratings_of(np.ones((3, 6), bool)), point(), seed=1)
    before = copies(state)
    mf_auc.advance(state, point(), 300)
    assert (state.iterations, state.steps, state.draws) == (300, 0, 0)
    assert all(map(np.array_equal, before, copies(state)))


@METHODS
def test_rated_but_not_relevant_counts_as_not_relevant(method):
    relevant = np.random.default_rng(1).random((8, 20)) < 0.3
    observed = relevant | (np.random.default_rng(2).random((8, 20)) < 0.3)
    assert_same_bits(
        method.fit(ratings_of(relevant, observed), point(), seed=1, threads=1),
        method.fit(ratings_of(relevant), point(), seed=1, threads=1),
    )


@METHODS
def test_a_seed_decides_everything(method):
    train = random_ratings()
    first, again, other = (method.fit(train, point(), seed, threads=1) for seed in (1, 1, 2))
    assert_same_bits(first, again)
    assert not np.array_equal(first.item_bias, other.item_bias)


@pytest.mark.parametrize("name", ["mf-adg", "mf-auc"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_grid_equals_its_points(name, threads):
    train = random_ratings()
    points = [point(rate=rate) for rate in (0.01, 0.03, 0.1, 0.2, 0.3)]
    models = list(fit_grid(name, train, points, 6, threads))
    assert len(models) == len(points)
    for settings_, model in zip(points, models, strict=True):
        assert_same_bits(model, next(fit_grid(name, train, [settings_], 6, 1)))


@METHODS
@pytest.mark.parametrize("rate", [60.0, 1e6, 1e25])
def test_a_diverged_model_is_all_zeros(method, rate):
    settings_ = point(rate=rate, **{"lambda": 1.0})
    model = method.fit(random_ratings(), settings_, seed=1, threads=1)
    assert not any(getattr(model, name).any() for name in PARAMETERS)


@METHODS
def test_taste_is_learned(method):
    """Two groups of users, each with its half of the items; some of them are held out."""
    taste = np.kron(np.eye(2), np.ones((20, 25))).astype(bool)
    train = taste & (np.random.default_rng(3).random(taste.shape) < 0.5)
    settings_ = point(iterations=20_000, **{"lambda": 0.2})
    model = method.fit(ratings_of(train), settings_, seed=1, threads=1)
    scores = model.user_vectors @ model.item_vectors.T + model.item_bias
    won = [
        np.mean(row[liked][:, None] > row[disliked])
        for row, liked, disliked in zip(scores, taste & ~train, ~taste, strict=True)
    ]
    assert np.mean(won) > 0.85  # 0.5 by chance


@METHODS
def test_a_catalogue_of_one_item_is_refused(method):
    with pytest.raises(UserError, match="catalogue has 1 item"):
        method.fit(ratings_of(np.ones((3, 1), bool)), point(), seed=1, threads=1)


@METHODS
def test_training_data_without_relevant_items_are_refused(method):
    train = ratings_of(np.zeros((3, 4), bool), np.ones((3, 4), bool))
    with pytest.raises(UserError, match="None of the 12 training ratings is relevant"):
        method.fit(train, point(), seed=1, threads=1)
