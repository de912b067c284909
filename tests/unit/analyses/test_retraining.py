"""Models trained again at chosen settings: ranks, fold-in, convergence, and stored models."""

import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mnar import measures, models, splits
from mnar.analyses import convergence, fold_in_loss
from mnar.analyses.convergence import objectives, operations
from mnar.analyses.fold_in_loss import fold_in_scores, part_of
from mnar.analyses.learning_curve import MEASURES, learning_curve
from mnar.analyses.ranks import (
    HeldOutRanks,
    in_catalogue,
    ranks_in_fold,
    renamed,
    same_catalogue,
)
from mnar.commands.fold_in import fold_in_items, fold_in_users, main, read_ratings
from mnar.core.errors import UserError
from mnar.core.files import write_arrays, write_csv
from mnar.core.seeds import generator
from mnar.matrices.context import Context
from mnar.matrices.view import Entries, View
from mnar.measures import pair_values
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import Choice, StoredModel, choices, diverged

SETTINGS = {"factors": 5, "missing_weight": 0.1, "imputed": 2.0, "lambda": 0.05, "sweeps": 12}
ALLRANK = Choice("allrank-regression", SETTINGS)


def make_view(users=50, items=30, density=0.4, extra_items=0):
    random = np.random.default_rng(5)
    taste = random.normal(size=(users, 3)) @ random.normal(size=(3, items))
    user, item = np.nonzero(random.random((users, items)) < density)
    rating = np.clip(np.round(3 + taste[user, item]), 1, 5).astype(np.float32)
    entries = Entries(
        user.astype(np.int32),
        item.astype(np.int32),
        rating,
        rating >= 4,
        np.full(len(user), -1, np.int64),
    )
    nothing = Entries(*(np.zeros(0, kind) for kind in ("i4", "i4", "f4", "?", "i8")))
    ids = np.arange(100, 100 + users), np.arange(items + extra_items)
    return View(*ids, entries, nothing, np.zeros((items + extra_items, 0), np.int32))


@pytest.fixture(scope="module")
def split():
    view = make_view()
    return splits.split("last-five", view, {"folds": 1}, 0, 3)


@pytest.fixture(scope="module")
def fold(split):
    return Fold.of(make_view(), split)


def test_kept_ranks_give_the_measures(tmp_path, fold):
    model = ALLRANK.train(fold.train, 1, 1)
    path = tmp_path / "ranks.npz"
    write_arrays(path, dict(ranks_in_fold(fold, [("m", model)], "v/0", 1)))
    ranks = HeldOutRanks(path)
    for candidates, seen in (("all", None), ("unseen", fold.seen)):
        for name in ("validation", "test"):
            counts = ranks.counts("v", 0, "m", candidates, name)
            ours = pair_values(counts, "atop").mean()
            values = measures.evaluate(model, fold.sets[name], seen, ["atop"], Context(), 1)
            assert ours == pytest.approx(float(values["atop"].mean("pair")), abs=1e-12)
    assert ranks.folds == [0]
    assert ranks.counts("v", 0, "m").n_items == 30


def test_another_catalogue_holds_out_the_same(split, fold):
    wider = in_catalogue(make_view(extra_items=7), split)
    assert wider.train.n_items == 37
    assert np.array_equal(wider.sets["test"].items, fold.sets["test"].items)
    with pytest.raises(UserError, match="must keep the same ratings"):
        in_catalogue(make_view(density=0.3), split)


def test_part_of_ratings_is_numbered_from_zero(fold):
    users = np.arange(fold.train.n_users) % 3 == 0
    items = np.arange(fold.train.n_items) % 2 == 1
    part = part_of(fold.train, users, items)
    dense = np.zeros((fold.train.n_users, fold.train.n_items))
    dense[fold.train.users, fold.train.items] = fold.train.values
    again = np.zeros((part.n_users, part.n_items))
    again[part.users, part.items] = part.values
    assert np.array_equal(again, dense[users][:, items])


def test_fold_in_scores_what_was_left_out(fold):
    rows = list(fold_in_scores(fold, ALLRANK, 1, 1))
    assert [row[:2] for row in rows] == [
        (new, model) for new in ("users", "items") for model in ("trained", "folded in")
    ]
    relevant = int(fold.sets["test"].relevant.sum())
    for new, _, values in rows:
        assert 0 < values.weight.sum() < relevant, new
        assert 0.4 < values.mean("pair") <= 1


def test_fold_in_keeps_the_values_of_users(fold):
    """The table's interval draws users again: their values must give the number in the row."""
    methods = {"m": {0: ALLRANK}}
    study = SimpleNamespace(
        folds=1, methods=methods, threads=1, fold=lambda n: fold, fold_seed=lambda n: 1
    )
    found = fold_in_loss.analyse(study, {})
    assert len(found.rows) == 4
    for name, number, new, model, pairs, atop in found.rows:
        parts = (
            found.arrays[f"{name}/{number}/{new}/{model}/{key}"] for key in ("totals", "weights")
        )
        total, weight = (part.sum() for part in parts)
        assert weight == pairs
        assert atop == pytest.approx(total / weight)


@pytest.mark.parametrize(
    "module", ["allrank-regression", "observed-only", "dense-svd", "allrank-binary-regression"]
)
def test_objective_falls_towards_that_of_the_trained_model(fold, module):
    curve = list(objectives(Choice(module, SETTINGS), fold.train, 1, 1))
    assert len(curve) == 2 * SETTINGS["sweeps"]
    assert np.all(np.diff(curve) <= 1e-6 * curve[-1])


def test_logistic_objective_falls(fold):
    curve = list(objectives(Choice("allrank-binary-logistic", SETTINGS), fold.train, 1, 1))
    assert np.all(np.diff(curve) <= 1e-5 * curve[-1])


def test_missing_ratings_cost_little_and_logistic_much(fold):
    work = {
        name: operations(Choice(name, SETTINGS), fold.train)
        for name in models.names()
        if name in ("observed-only", "allrank-regression", "allrank-binary-logistic")
    }
    assert work["observed-only"] < work["allrank-regression"] < 1.3 * work["observed-only"]
    assert work["allrank-binary-logistic"] > 2 * work["allrank-regression"]


def test_choices_are_read_by_fold(tmp_path):
    path = tmp_path / "0-1.csv"
    rows = [(0, 0, 0, '{"lambda": 1}'), (0, 1, 1, '{"lambda": 2}'), (1, 0, 1, '{"lambda": 1}')]
    write_csv(path, ["fold", "point", "chosen", "settings"], rows)
    found = choices({"module": "m", "settings": {"factors": 5}}, [path])
    assert found[0] == Choice("m", {"factors": 5, "lambda": 2})
    assert found[1].settings["lambda"] == 1


@pytest.fixture(scope="module")
def stored(tmp_path_factory, fold):
    view = make_view()
    model = ALLRANK.train(fold.train, 1, 1)
    path = tmp_path_factory.mktemp("model") / "0.npz"
    StoredModel(model, ALLRANK, view.user_ids, view.item_ids, 4.0).save(path)
    return path


def test_a_known_user_folded_in_again_is_the_same(stored, fold):
    loaded = StoredModel.load(stored)
    folded = fold_in_users(loaded, fold.train)
    np.testing.assert_allclose(folded.user_vectors, loaded.model.user_vectors, atol=1e-4)
    assert loaded.model.offset == 2.0
    items = fold_in_items(loaded, fold.train)
    assert items.item_vectors.shape == loaded.model.item_vectors.shape


def test_a_model_without_factors_is_not_kept(fold, tmp_path):
    view, choice = make_view(), Choice("ease", {"lambda": 10.0})
    kept = StoredModel(choice.train(fold.train, 1, 1), choice, view.user_ids, view.item_ids, 4.0)
    with pytest.raises(UserError, match="ease gives no factor model"):
        kept.save(tmp_path / "0.npz")
    assert not list(tmp_path.iterdir())


def csv_of(tmp_path, *lines):
    path = tmp_path / "new.csv"
    path.write_text("\n".join(["user,item,rating", *lines]) + "\n")
    return str(path)


def test_the_command_prints_the_best_unrated(stored, tmp_path):
    new = csv_of(tmp_path, "ann,0,5", "ann,1,1", "bob,2,4")
    out = io.StringIO()
    assert main(["--model", str(stored), "--ratings", new, "--top", "3"], out) == 0
    lines = [line.split(",") for line in out.getvalue().splitlines()]
    assert lines[0] == ["user", "item", "score"]
    assert [line[0] for line in lines[1:]] == ["ann"] * 3 + ["bob"] * 3
    assert not {"0", "1"} & {line[1] for line in lines[1:4]}
    scores = [float(line[2]) for line in lines[1:4]]
    assert scores == sorted(scores, reverse=True)


def test_the_command_takes_new_items(stored, tmp_path):
    new = csv_of(tmp_path, "100,film,5", "101,film,1")
    out = io.StringIO()
    assert (
        main(["--model", str(stored), "--ratings", new, "--new", "items", "--top", "60"], out) == 0
    )
    lines = [line.split(",") for line in out.getvalue().splitlines()[1:]]
    assert len(lines) == 50 - 2
    assert {line[0] for line in lines} == {"film"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["ann,999,5"], "the model does not know item '999'"),
        (["ann,1,good"], "line 2: the rating 'good' is not a finite number"),
        (["ann,1,5", "ann,1,4"], "the pair of user 'ann' and item '1' is there twice"),
    ],
)
def test_bad_ratings_are_named(stored, tmp_path, capsys, lines, message):
    assert main(["--model", str(stored), "--ratings", csv_of(tmp_path, *lines)]) == 1
    assert message in capsys.readouterr().err


def test_missing_files_and_methods_are_named(stored, tmp_path, capsys):
    assert main(["--model", "nowhere.npz", "--ratings", "x.csv"]) == 1
    assert "make it: snakemake nowhere.npz" in capsys.readouterr().err
    loaded = StoredModel.load(stored)
    other = StoredModel(loaded.model, Choice("svd", {}), loaded.user_ids, loaded.item_ids, 4.0)
    with pytest.raises(UserError, match="cannot fold new items in"):
        fold_in_items(other, read_ratings(csv_of(tmp_path, "100,f,5"), loaded, "items")[0])


def test_the_same_catalogue_is_ranked_once():
    assert same_catalogue(make_view(), make_view())
    assert not same_catalogue(make_view(), make_view(extra_items=7))
    assert not same_catalogue(make_view(), make_view(density=0.3))
    found = {"listed/0/all/test/svd/above": np.arange(3), "rated/0/all/test/svd/above": np.ones(2)}
    [(name, array)] = renamed(found, "listed", "ids").items()
    assert name == "ids/0/all/test/svd/above"
    assert array.tolist() == [0, 1, 2]


def test_those_folded_in_had_no_say_in_training(fold):
    """Vectors of the other side are those of a model that never saw what is new."""
    full = ALLRANK.train(fold.train, 1, 1)
    new = np.arange(fold.train.n_users) % 5 == 0
    every_item = np.ones(fold.train.n_items, bool)
    without = ALLRANK.train(part_of(fold.train, ~new, every_item), 1, 1)
    found = fold_in_loss._with_new_users(full, fold.train, new, ALLRANK, 1, 1)
    np.testing.assert_array_equal(found.item_vectors, without.item_vectors)
    np.testing.assert_array_equal(found.user_vectors[~new], without.user_vectors)
    assert not np.allclose(found.item_vectors, full.item_vectors)
    new = np.arange(fold.train.n_items) % 5 == 0
    every_user = np.ones(fold.train.n_users, bool)
    without = ALLRANK.train(part_of(fold.train, every_user, ~new), 1, 1)
    found = fold_in_loss._with_new_items(full, fold.train, new, ALLRANK, 1, 1)
    np.testing.assert_array_equal(found.user_vectors, without.user_vectors)
    np.testing.assert_array_equal(found.item_vectors[~new], without.item_vectors)


def test_pairs_of_what_is_new_are_scored_and_no_others(fold):
    test, random = fold.sets["test"], generator(1, "fold-in")
    users, items = (random.random(n) < fold_in_loss.SHARE for n in (test.n_users, test.n_items))
    mine = {"users": users[test.users], "items": items[test.items]}
    full = ALLRANK.train(fold.train, 1, 1)
    for new, model, found in fold_in_scores(fold, ALLRANK, 1, 1):
        assert found.weight.sum() == (mine[new] & test.relevant).sum()
        if model == "trained":
            scored = replace(test, relevant=test.relevant & mine[new])
            values = measures.evaluate(full, scored, None, ["atop"], Context(), 1)["atop"]
            assert found.mean("pair") == pytest.approx(float(values.mean("pair")))


def test_a_learning_curve_is_the_mean_over_users_on_test(fold):
    settings = {"factors": 3, "lambda": 0.01, "rate": 0.1, "initial_scale": 0.1, "iterations": 1}
    curve = list(learning_curve(fold, "mf-auc", settings, [40, 15], 1, 1))
    assert [point[0] for point in curve] == [15] * 3 + [40] * 3
    method = models.load("mf-auc")
    state = method.start(fold.train, settings, 1)
    method.advance(state, settings, 15)
    context = fold.contexts["test"]
    found = measures.evaluate(state.model(), fold.sets["test"], fold.seen, MEASURES, context, 1)
    for _, steps, draws, measure, value in curve[:3]:
        assert value == pytest.approx(float(found[measure].mean("user")), abs=1e-12)
        assert (steps, draws) == (state.steps, state.draws)
    assert float(found["adg"].mean("user")) != pytest.approx(float(found["adg"].mean("pair")))


PAIRWISE = {"factors": 3, "lambda": 0.01, "rate": 0.1, "initial_scale": 0.1, "iterations": 1}


def test_the_folds_in_which_the_choice_diverged(tmp_path):
    path = tmp_path / "0-2.csv"
    # A setting that was not chosen, another fault, and a choice that has diverged.
    rows = [(0, 0, models.DIVERGED), (0, 1, ""), (1, 1, "all alike"), (2, 1, models.DIVERGED)]
    write_csv(path, ["fold", "chosen", "fault"], rows)
    assert diverged([path]) == [2]


def test_a_curve_that_diverges_ends_in_no_numbers(fold):
    curve = list(learning_curve(fold, "mf-auc", {**PAIRWISE, "rate": 1e30}, [1, 4000], 1, 1))
    assert [point[0] for point in curve] == [1] * 3 + [4000] * 3
    assert [point[3] for point in curve[3:]] == list(MEASURES)
    assert np.isnan([point[4] for point in curve[3:]]).all()


class Diverging(Choice):
    """Trains well on all data, and diverges where a part is left out."""

    def train(self, ratings, seed, threads):
        model = super().train(ratings, seed, threads)
        if (ratings.n_users, ratings.n_items) == (50, 30):
            return model
        users, items = model.user_vectors * np.nan, model.item_vectors * np.nan
        return replace(model, user_vectors=users, item_vectors=items)


def test_folding_in_to_a_diverged_model_has_no_value(fold):
    choice = Diverging("allrank-regression", SETTINGS)
    rows = list(fold_in_scores(fold, choice, 1, 1))
    assert [(row[1], bool(np.isnan(row[2].mean("pair")))) for row in rows] == [
        ("trained", False),
        ("folded in", True),
    ] * 2


def test_ranks_leave_out_a_diverged_model(fold, tmp_path):
    good = ALLRANK.train(fold.train, 1, 1)
    bad = replace(good, user_vectors=good.user_vectors * np.nan)
    path = tmp_path / "ranks.npz"
    write_arrays(path, dict(ranks_in_fold(fold, [("bad", bad), ("m", good)], "v/0", 1)))
    ranks = HeldOutRanks(path)
    assert ranks.has("v", "m")
    assert not ranks.has("v", "bad")
    users, values = ranks.values("v", 0, "bad", "atop")
    assert np.isnan(values).all()
    assert np.array_equal(users, ranks.values("v", 0, "m", "atop")[0])
    assert np.array_equal(
        ranks.values("v", 0, "m", "atop")[1], pair_values(ranks.counts("v", 0, "m"), "atop")
    )
    assert ranks.items("v") == 30


def test_an_objective_that_is_no_number_leaves_the_method_out(fold, monkeypatch):
    curves = {"a": [3.0, 2.0], "b": [3.0, np.inf], "c": [np.nan, np.nan]}
    monkeypatch.setattr(convergence, "operations", lambda choice, train: 7)
    monkeypatch.setattr(convergence, "objectives", lambda choice, *rest: iter(curves[choice]))
    study = SimpleNamespace(
        fold=lambda number: fold,
        fold_seed=lambda number: 1,
        methods={name: {0: name} for name in curves},
        threads=1,
    )
    assert convergence.analyse(study, {}).rows == [("a", 1, 3.0, 7), ("a", 2, 2.0, 7)]
