"""Which measures are taken of which set when a fold is searched, and that any model can be searched."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from mnar import splits
from mnar.config import settings as configuration
from mnar.core.errors import UserError
from mnar.matrices.context import Context
from mnar.matrices.view import Entries, View
from mnar.measures import evaluate
from mnar.splits.fold import Fold
from mnar.tuning.chosen_models import choices
from mnar.tuning.fold_search import train_fold
from mnar.tuning.scores import write_scores

USERS, ITEMS = 12, 30
NO_SEARCH = {"refine": 0, "beyond_edges": 0}
CONFIG = yaml.safe_load((Path(__file__).parents[3] / "config.yaml").read_text(encoding="utf-8"))
BEYOND_THE_TABLES = [
    "ease",
    "bpr",
    "item-knn",
    "user-knn",
    "item-knn-ranking",
    "user-knn-ranking",
    "integrated-model",
    "rbm",
    "mf-temporal",
    "cofirank",
]


def liked_everywhere() -> View:
    """Every user has rated half of the items, all as relevant."""
    rng = np.random.default_rng(0)
    rated = np.sort([rng.permutation(ITEMS)[: ITEMS // 2] for _ in range(USERS)], axis=1)
    size = rated.size
    entries = Entries(
        np.repeat(np.arange(USERS, dtype=np.int32), ITEMS // 2),
        rated.ravel().astype(np.int32),
        np.full(size, 5, np.float32),
        np.ones(size, np.bool_),
        np.full(size, -1, np.int64),
    )
    none = Entries(*(part[:0] for part in vars(entries).values()))
    nothing = np.empty((ITEMS, 0), np.int32)
    return View(np.arange(USERS), np.arange(ITEMS), entries, none, nothing)


def test_training_items_have_no_measure_that_needs_drawn_pairs():
    view = liked_everywhere()
    fold = Fold.of(view, splits.split("track2", view, {}, 0, 1))
    method = {
        "module": "bestseller-count",
        "settings": {},
        "grid": {},
        "select_by": "track2_error",
        **NO_SEARCH,
    }
    study = {
        "candidates": ["all"],
        "sets": ["test"],
        "measures": ["track2_error", "rmse"],
        "average": "user",
    }
    outcome = train_fold(fold, method, study, 1, 1)
    taken = {name: set(values) for (_, _, name), values in outcome.scores.items()}
    assert taken == {"test": {"track2_error", "rmse"}, "train": {"rmse"}}


def random_view() -> View:
    """Ratings 1 to 5 at random times, relevant from 4."""
    rng = np.random.default_rng(1)
    users, items = np.nonzero(rng.random((40, ITEMS)) < 0.6)
    values = rng.integers(1, 6, len(users)).astype(np.float32)
    times = rng.integers(10**8, size=len(users))
    entries = Entries(users.astype(np.int32), items.astype(np.int32), values, values >= 4, times)
    none = Entries(*(part[:0] for part in vars(entries).values()))
    return View(np.arange(40), np.arange(ITEMS), entries, none, np.empty((ITEMS, 0), np.int32))


@pytest.mark.parametrize("protocol", ["four-folds", "global-time"])
@pytest.mark.parametrize("name", BEYOND_THE_TABLES)
def test_methods_of_no_study_can_be_put_into_one(name, protocol):
    """As a study would take them from the config, with models that are no factor models."""
    config = {**CONFIG, "studies": {"tried": {"protocol": protocol}}}
    method = configuration.method_settings(config, "tried", "movielens-small", name)
    assert len(method["grid"]) > 0
    # The last value of each: the search is the same with fewer points.
    method["grid"] = {key: values[-1:] for key, values in method["grid"].items()}
    method["beyond_edges"] = 0
    view = random_view()
    fold = Fold.of(view, splits.split(protocol, view, CONFIG["protocols"][protocol], 0, 1))
    study = {
        "candidates": ["unseen", "all"],
        "sets": ["validation", "test"],
        "measures": ["adg", "atop", "recall@10", "rmse"],
        "average": "user",
    }
    outcome = train_fold(fold, method, study, 1, 2)
    assert len(outcome.points) == 1
    measured = {(candidates, name) for _, candidates, name in outcome.scores}
    sets = {"validation", "test"}
    assert measured == {(c, s) for c in ("unseen", "all") for s in sets} | {("all", "train")}
    for values in outcome.scores.values():
        assert set(values) == set(study["measures"])
        assert all(np.isfinite(found.mean("user")) for found in values.values())
    # All of them have learned something of what they were trained on.
    trained = outcome.scores[0, "all", "train"]
    if method["select_by"] == "rmse":
        spread = fold.train.values.std()
        assert trained["rmse"].mean("pair") < spread
    else:
        assert trained["atop"].mean("user") > 0.55


def test_a_method_that_cannot_fold_in_is_refused_where_users_are_folded_in():
    view = random_view()
    fold = Fold.of(view, splits.split("strong", view, {"evaluation_users": 10}, 0, 1))
    method = {"module": "user-knn", "settings": {}, "grid": {}, "select_by": "rmse"} | NO_SEARCH
    study = {
        "candidates": ["unseen"],
        "sets": ["validation"],
        "measures": ["rmse"],
        "average": "pair",
    }
    with pytest.raises(UserError, match="user-knn has no fold_in"):
        train_fold(fold, method, study, 1, 1)
    found = train_fold(fold, {**method, "module": "item-knn"}, study, 1, 1)
    assert np.isfinite(found.scores[0, "unseen", "validation"]["rmse"].mean("pair"))


# Its RMSE is least at λ = best · (1 + w), whatever the data.
KNOWN_OPTIMUM = """
import numpy as np
from mnar.matrices.factor_model import FactorModel
from mnar.models import About, Real

ABOUT = About("Known", "Its optimum is known.", "#000000", "o", settings=(
    Real("best", "the best lambda at w 0", above=0),
    Real("w", "moves the optimum", least=0, ends=(1,)),
    Real("lambda", "penalty", above=0),
), predicts_ratings=True)


def fit(train, settings, seed, threads):
    away = np.log(settings["lambda"] / settings["best"] / (1 + settings["w"]))
    flat = FactorModel.without_biases(np.zeros((train.n_users, 1), "f4"), np.zeros((train.n_items, 1), "f4"))
    return FactorModel(flat.user_vectors, flat.item_vectors, flat.item_bias, flat.user_bias, 100 + away**2)
"""
RMSE_STUDY = {
    "candidates": ["all"],
    "sets": ["validation", "test"],
    "measures": ["rmse"],
    "average": "pair",
}


@pytest.fixture
def searched(tmp_path, monkeypatch):
    """A search of the method above by RMSE on validation: grid, bound, best λ -> what was found."""
    (tmp_path / "known.py").write_text(KNOWN_OPTIMUM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    view = random_view()
    fold = Fold.of(view, splits.split("four-folds", view, CONFIG["protocols"]["four-folds"], 0, 1))

    def run(grid, bound, best, refine=0, **study):
        method = {
            "module": "known.py",
            "settings": {"best": best},
            "grid": {"w": [0]} | grid,
            "refine": refine,
            "beyond_edges": bound,
            "select_by": "rmse",
        }
        return train_fold(fold, method, RMSE_STUDY | study, 1, 1)

    return run


def penalties(found):
    return [point["lambda"] for point in found.points]


def test_a_search_goes_on_beyond_its_edge_up_to_the_bound(searched):
    tried = [searched({"lambda": [1, 2]}, bound, best=1000) for bound in (0, 1, 3)]
    assert [penalties(found) for found in tried] == [[1, 2], [1, 2, 4], [1, 2, 4, 8, 16]]
    for found in tried:
        # What still ends at an edge is marked, and points within are not.
        assert found.points[found.chosen]["lambda"] == max(penalties(found))
        assert found.edges[found.chosen] == ["lambda"]
    assert [tried[2].edges[point] for point in (1, 2, 3)] == [[], [], []]
    assert list(tried[1].steps.values()) == ["grid", "grid", "beyond"]


def test_a_search_stops_once_its_optimum_is_inside(searched):
    found = searched({"lambda": [2, 1]}, 3, best=0.3)
    assert penalties(found) == [2, 1, 0.5, 0.25, 0.125]
    assert found.points[found.chosen]["lambda"] == 0.25
    assert found.edges[found.chosen] == []


def test_values_beyond_an_edge_meet_all_values_of_the_others(searched):
    found = searched({"w": [0, 0.2, 0.4], "lambda": [1, 2]}, 2, best=0.001)
    axes = [{point[name] for point in found.points} for name in ("w", "lambda")]
    # w goes on by its last factor and ends at 1; it would be 1.6 next.
    assert axes == [{0, 0.2, 0.4, 0.8, 1}, {0.25, 0.5, 1, 2}]
    assert len(found.points) == 20
    assert "w" not in found.edges[found.chosen]


def test_each_value_of_a_swept_parameter_may_ask_for_more(searched):
    """The best of all is inside at w = 0; the best λ at w = 1 is twice as large."""
    grid = {"w": [0, 1], "lambda": [1, 2, 4]}
    assert penalties(searched(grid, 3, best=2)) == [1, 2, 4, 1, 2, 4]
    swept = searched(grid, 3, best=2, sweeps=["w"])
    assert set(penalties(swept)) == {1, 2, 4, 8}
    assert len(swept.points) == 8


def test_the_best_point_at_each_swept_value_is_named(searched):
    """Refined points lie around one value only, so no sweep takes them."""
    swept = searched({"w": [0, 1], "lambda": [1, 2, 4]}, 0, best=2, sweeps=["w"], refine=1)
    points = [swept.points[point] for point in swept.swept]
    assert points == [{"w": 0, "lambda": 2}, {"w": 1, "lambda": 4}]
    assert "refined" in swept.steps.values()
    assert searched({"lambda": [1, 2, 4]}, 0, best=2).swept == []


def test_refined_points_are_told_apart(searched):
    found = searched({"lambda": [1, 4, 16]}, 3, best=7, refine=1)
    assert penalties(found) == [1, 4, 16, 2, 8]
    assert list(found.steps.values()) == ["grid"] * 3 + ["refined"] * 2
    assert found.points[found.chosen]["lambda"] == 8


def test_without_validation_data_no_search_goes_on(searched):
    assert penalties(searched({"lambda": [1, 2]}, 3, best=1000, sets=["test"])) == [1, 2]


@pytest.mark.parametrize("module", ["observed-only", "allrank-binary-logistic"])
def test_a_chosen_model_trained_again_has_the_scores_of_the_search(tmp_path, module):
    """With values beyond an edge and refined ones, as an analysis reads the choice from its file."""
    view = random_view()
    fold = Fold.of(view, splits.split("four-folds", view, CONFIG["protocols"]["four-folds"], 0, 1))
    method = {
        "module": module,
        "settings": {"factors": 3, "missing_weight": 0.2, "converged": 1e-3},
        "grid": {"lambda": [0.2, 0.01, 0.05]},
        "select_by": "atop",
        "refine": 1,
        "beyond_edges": 2,
    }
    study = {"candidates": ["all"], "sets": ["validation"], "measures": ["atop"], "average": "user"}
    outcome = train_fold(fold, method, study, 1, 2)
    assert len(outcome.points) > 3
    for chosen in range(len(outcome.points)):
        outcome.chosen = chosen
        write_scores(tmp_path / "scores.csv", {0: outcome})
        model = choices(method, [tmp_path / "scores.csv"])[0].trained_for(fold, 1, 1)
        values = evaluate(model, fold.sets["validation"], None, ["atop"], Context(), 1)
        found = outcome.scores[chosen, "all", "validation"]["atop"]
        assert np.array_equal(values["atop"].total, found.total)
