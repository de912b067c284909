"""The experiment: all mechanisms and seeds of a dataset, every system, every estimator."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mnar.core.parallel import one_blas_thread
from mnar.core.seeds import seed_of
from mnar.data.selection import CompleteMatrix, Mechanism
from mnar.estimators import estimate_means
from mnar.estimators.estimator_names import FITS, Estimator, kind_of, parse
from mnar.estimators.weights import LEAST_EFFECTIVE, inverse_of, weights_of
from mnar.matrices.view import View
from mnar.simulations.trust import gammas, scenes
from mnar.simulations.trust.looks import Looks, Values
from mnar.simulations.trust.orders import attainable, compare, turned
from mnar.simulations.trust.price import Collected, Price, collect_complete, collect_random
from mnar.simulations.trust.redraw import Redraw
from mnar.simulations.trust.scenes import Scene
from mnar.simulations.trust.summaries import (
    KEYS,
    PLACED,
    PLACED_BY,
    TRUTH,
    Single,
    summary_of,
    systems_of_all,
)
from mnar.simulations.trust.systems import chances_in, systems_of, train_all, twins_of
from mnar.statistics.bootstrap import user_samples
from mnar.tuning.search import in_fold

Floats = NDArray[np.float64]
# The judge that all measures answer to: of complete data, and where there are random ratings only.
JUDGES = {True: "adg", False: "auc"}
# What held-out sets are drawn again and again for.
REDRAWN = ("adg", "atop", "recall@10")


@dataclass(frozen=True)
class Frames:
    """`orders`: one row a mechanism, seed, measure and estimator; `estimates` one a system, too.

    `summary` averages orders over seeds, with intervals; `price` is the price of truth; `gamma` tells
    how often an order is right by the Γ that would turn it; `redraw` is the bias with known chances
    over many held-out sets; `systems` are values, places and differences of single systems.
    """

    orders: pd.DataFrame
    estimates: pd.DataFrame
    summary: pd.DataFrame
    price: pd.DataFrame
    gamma: pd.DataFrame
    redraw: pd.DataFrame
    systems: pd.DataFrame


@dataclass(frozen=True)
class Cell:
    """What one mechanism and seed gives."""

    orders: list[dict[str, Any]]
    estimates: list[dict[str, Any]]
    price: list[dict[str, Any]]
    gamma: list[dict[str, Any]]
    redraw: list[dict[str, Any]]
    # τ and bias of each bootstrap sample, by measure and estimator.
    resampled: dict[tuple[str, str], dict[str, Floats]]
    singles: list[Single]
    # Of each system that corrects in training, the one that does not.
    twins: dict[str, str]


def estimators_of(entry: dict[str, Any], available: Sequence[str]) -> list[Estimator]:
    """Every weighting of the config with every measure it fits and every model there is."""
    found = []
    for measure, scheme in product(entry["measures"], entry["estimators"]):
        weighting = scheme.split("(")[0]
        if kind_of(measure) in FITS[weighting]:
            one = parse(f"{measure}~{scheme}")
            if one.model is None or one.model in available:
                found.append(one)
    return found


def mechanisms_of(entry: dict[str, Any]) -> list[Mechanism]:
    """The grid. Where neither popularity nor positivity acts, the position of an item means nothing:
    one correlation stands for all.
    """
    grid = entry["mechanisms"]
    points = [dict(zip(KEYS, point, strict=True)) for point in product(*(grid[k] for k in KEYS))]
    first = grid["correlation"][0]
    kept = [
        point
        for point in points
        if point["popularity_exponent"] or point["positivity"] or point["correlation"] == first
    ]
    per_user = entry["ratings_per_user"]
    return [Mechanism(**point, ratings_per_user=per_user) for point in kept]


def run_simulated(
    name: str, complete: CompleteMatrix, entry: dict[str, Any], seed: int, threads: int
) -> Frames:
    """All mechanisms and seeds on complete data."""
    models = ["known", "popularity", "naive-bayes", "logistic"]
    estimators = estimators_of(entry, models)
    mechanisms = mechanisms_of(entry)
    jobs = [(m, s) for m in mechanisms for s in range(entry["seeds"])]
    # All effects, the position of an item left to chance.
    redrawn = max(mechanisms, key=lambda m: (m.popularity_exponent, m.positivity, -m.correlation))

    def work(job: tuple[Mechanism, int]) -> Cell:
        mechanism, number = job
        here = seed_of(seed, "trust", name, *(getattr(mechanism, key) for key in KEYS), number)
        scene = scenes.simulated(
            complete, mechanism, entry["held_out"], entry["random_ratings"], here
        )
        collected = draws = None
        if entry.get("price"):
            collected = collect_complete(complete, scene, entry["price"]["numbers"], here)
        if mechanism is redrawn and number == 0:
            taken = [measure for measure in REDRAWN if measure in entry["measures"]]
            draws = Redraw(scene, taken, entry["redraws"], here)
        return run_scene(scene, estimators, entry, here, seed, collected, draws)

    settings = [{key: float(getattr(m, key)) for key in KEYS} | {"seed": s} for m, s in jobs]
    return _gathered(name, settings, _in_parallel(work, jobs, threads))


def run_observed(
    name: str,
    view: View,
    settings: dict[str, Any],
    scale: tuple[float, float],
    entry: dict[str, Any],
    seed: int,
    threads: int,
    published: Floats | None = None,
) -> Frames:
    """All splits of a dataset whose users chose by themselves; `settings` are the protocol's."""
    models = ["popularity", "naive-bayes", "logistic"] + ["published"] * (published is not None)
    estimators = [one for one in estimators_of(entry, models) if one.weighting != "ips"]
    folds = list(range(entry["seeds"]))

    def work(fold: int) -> Cell:
        here = seed_of(seed, "trust", name, fold)
        scene = scenes.observed(
            view, settings, fold, seed, scale, spared=entry["spared"], published=published
        )
        collected = None
        if entry.get("price"):
            collected = collect_random(scene, entry["price"]["numbers"], here)
        systems = {
            name: about | {"settings": in_fold(about.get("settings", {}), fold)}
            for name, about in entry["systems"].items()
        }
        mine = entry | {"systems": systems}
        return run_scene(scene, estimators, mine, here, seed, collected)

    where = [dict.fromkeys(KEYS, np.nan) | {"seed": fold} for fold in folds]
    return _gathered(name, where, _in_parallel(work, folds, threads))


def run_scene(
    scene: Scene,
    estimators: list[Estimator],
    entry: dict[str, Any],
    seed: int,
    samples_seed: int,
    collected: Collected | None = None,
    redraw: Redraw | None = None,
) -> Cell:
    """Train every system on a scene, estimate, and compare with the truth.

    Bootstrap samples are the same for all scenes of a dataset, so that τ may be averaged over them.
    """
    looks = Looks(scene, estimators, entry["attainable_draws"], seed)
    price = Price(looks, collected, entry["price"]["measures"]) if collected else None
    asking = [each for each in (price, redraw) if each is not None]
    systems = systems_of(entry["systems"], chances_in(scene.selected))
    for system, model in train_all(systems, scene.selected, seed, 1):
        gains = looks.add(system, model)
        for each in asking:
            each.add(gains)
    times = user_samples(scene.truth.n_users, entry["samples"], samples_seed, "trust")
    truths = {measure: looks.truth(measure, times) for measure in looks.measures}
    reach = {m: attainable(looks, m, truths[m], seed, times) for m in looks.measures}
    judge = JUDGES[scene.complete]
    singles = [_single(looks, measure, TRUTH, truth) for measure, truth in truths.items()]
    orders, estimates, resampled = [], [], {}
    naive: dict[str, Values] = {}
    for one, mine, effective in _estimated(looks, estimators, times):
        truth = truths[one.measure]
        # The first estimator of a measure is the naive one.
        first = naive.setdefault(one.measure, mine)
        about = {"measure": one.measure, "estimator": one.scheme}
        row, again = compare(one.measure, mine, truth, (judge, truths[judge]), scene.complete)
        flagged = effective < LEAST_EFFECTIVE
        more = {"turned": turned(one.measure, first, mine), "attainable": reach[one.measure]}
        orders.append(about | row | more | {"effective": effective, "flagged": flagged})
        resampled[one.measure, one.scheme] = again
        if one.measure in PLACED_BY and one.scheme in PLACED:
            singles.append(_single(looks, one.measure, one.scheme, mine))
        for position, system in enumerate(mine.systems):
            values = {"estimate": mine.values[position], "truth": truth.values[position]}
            estimates.append(about | {"system": looks.names[system]} | values)
    prices = [] if price is None else price.rows(scene.selected, times)
    gamma = []
    if asked := entry.get("gamma"):
        gamma = gammas.rows(looks, truths, asked["measures"], asked["edges"])
    redrawn = [] if redraw is None else redraw.rows()
    twins = twins_of(systems)
    return Cell(orders, estimates, prices, gamma, redrawn, resampled, singles, twins)


def _single(looks: Looks, measure: str, estimator: str, mine: Values) -> Single:
    """In single precision: no interval shows the difference, and samples of all seeds are kept."""
    names = [looks.names[system] for system in mine.systems]
    return Single(measure, estimator, names, mine.values, mine.samples.astype(np.float32))


def _estimated(
    looks: Looks, estimators: list[Estimator], times: Floats
) -> list[tuple[Estimator, Values, float]]:
    """All estimators; those that share chances, and those that share weights, are done together."""
    selected, sizes = looks.scene.selected, looks.scene.relevant_sizes
    found = {}
    for models in _grouped(estimators, lambda one: (one.model, one.settings)):
        inverse = inverse_of(models[0], selected, times) if models[0].model else None
        for group in _grouped(models, lambda one: one.weights):
            weights = weights_of(group[0], selected, times, inverse)
            for one in group:
                gains = np.stack(looks.gains[one.gain])
                totals = np.stack(looks.imputed[one.measure]) if one.weighting == "dr" else None
                means = estimate_means(one, gains, weights, selected, times, totals, sizes)
                assert means.samples is not None
                values = Values(looks.of(one.measure), means.values, means.samples)
                found[one] = (one, values, means.effective)
    return [found[one] for one in estimators]


def _grouped(estimators: list[Estimator], key: Callable[[Estimator], Any]) -> list[list[Estimator]]:
    groups: dict[Any, list[Estimator]] = {}
    for one in estimators:
        groups.setdefault(key(one), []).append(one)
    return list(groups.values())


def _in_parallel(work: Any, jobs: Sequence[Any], threads: int) -> list[Cell]:
    """Every job by itself in one thread: the same numbers on any number of threads."""
    one_blas_thread()
    cells = []
    with ThreadPoolExecutor(threads) as pool:
        for cell in pool.map(work, jobs):
            cells.append(cell)
            print(f"{len(cells)} of {len(jobs)} scenes done")
    return cells


def _gathered(name: str, settings: list[dict[str, Any]], cells: list[Cell]) -> Frames:
    def frame(part: str) -> pd.DataFrame:
        rows = [
            {"dataset": name} | where | row
            for where, cell in zip(settings, cells, strict=True)
            for row in getattr(cell, part)
        ]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=["dataset", *KEYS, "seed"])

    orders = frame("orders")
    summary = summary_of(orders, settings, [cell.resampled for cell in cells])
    price, gamma, redraw = (frame(part) for part in ("price", "gamma", "redraw"))
    twins = {system: twin for cell in cells for system, twin in cell.twins.items()}
    systems = systems_of_all(name, settings, [cell.singles for cell in cells], twins)
    return Frames(orders, frame("estimates"), summary, price, gamma, redraw, systems)
