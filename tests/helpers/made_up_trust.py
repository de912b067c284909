"""Frames of experiment trust in the form of the simulation, with numbers that are easy to find again."""

from itertools import product

import numpy as np
import pandas as pd

from mnar.core.files import write_csv
from mnar.experiments.trust import cases
from mnar.reporting.results import Results

ESTIMATORS = ["naive", "snips(popularity, gamma=1)", "snips(known)", "ips(known)"]
# What tables alone show.
TABLED = ["snips(known, clip=0.9)", "snips(known, clip=0.99)"]
ROBUST = ["dr(known)", "dr(logistic)"]
POINTS = [(0.0, 0.0, 0.0), (0.8, 0.0, 0.0), (0.8, 0.0, 0.8), (0.0, 1.0, 0.0), (0.0, 1.0, 0.8)]
POINTS += [(0.8, 1.0, 0.0), (0.8, 1.0, 0.8)]
SYSTEMS = [f"observed-only lambda={x}" for x in (0.1, 0.4)]
SYSTEMS += [f"mf-ips gamma=1, lambda={x}" for x in (0.1, 0.4)] + ["svd factors=2"]


def made_up():
    """Frames in the form of the experiment, with numbers that are easy to find again."""
    random = np.random.default_rng(0)
    summary, estimates, prices, gammas, systems = [], [], [], [], []
    for point in POINTS:
        where = {"dataset": "tiny", **dict(zip(cases.KEYS, point, strict=True))}
        for measure in ("adg", "recall@10", "atop", "auc", "ndcg", "map", "rmse", "mae"):
            mine = [*ESTIMATORS, *TABLED, *(ROBUST if measure in ("rmse", "mae") else [])]
            for number, estimator in enumerate(["naive"] if measure in ("ndcg", "map") else mine):
                tau = -0.5 + 0.4 * number
                row = {"measure": measure, "estimator": estimator, "tau": tau, "attainable": 0.9}
                row |= {"tau_low": tau - 0.1, "tau_high": tau + 0.1, "tau_judge": tau, "seeds": 2}
                row |= {"systems": len(SYSTEMS)}
                row |= {
                    "bias": 1.25,
                    "absolute_bias": 1.5,
                    "regret": 0.5,
                    "right": 0.3,
                    "wrong": 0.5,
                    "undecided": 0.2,
                }
                row |= {"effective": 40, "flagged": number == 1}
                summary.append(where | row)
                for system in SYSTEMS:
                    truth = random.random()
                    numbers = {"truth": truth, "estimate": truth + 0.1, "system": system, "seed": 0}
                    estimates.append(where | {"measure": measure, "estimator": estimator} | numbers)
        for measure in ("adg", "recall@10", "rmse"):
            values = random.random(len(SYSTEMS))
            about = where | {"measure": measure, "n": 2, "against": ""}
            systems += made_up_systems(about, values, measure != "rmse")
        for n, use in [(0, "own choice"), *product((1, 5), ("test alone", "propensities", "both"))]:
            row = {"measure": "adg", "n": n, "use": use, "tau": 0.1 * n, "regret": 0.2, "seed": 0}
            prices.append(where | row)
        for low, high in ((1, 2), (2, np.inf)):
            row = {"measure": "adg", "around": "naive", "from": low, "to": high, "seed": 0}
            gammas.append(where | row | {"pairs": 10, "right": 7, "needed": 2.5})
    frames = {"summary": summary, "estimates": estimates, "price": prices, "gamma": gammas}
    frames["systems"] = systems
    redraw = {"measure": "adg", "estimator": "snips", "bias": 0.001, "low": -0.002, "high": 0.004}
    frames["redraw"] = [where | redraw | {"draws": 400, "systems": 5, "seed": 0}]
    return {name: pd.DataFrame(rows) for name, rows in frames.items()} | {"orders": pd.DataFrame()}


def made_up_systems(about, values, placed):
    """Values by truth and estimate; the estimate says the opposite of the truth."""
    found = []
    for estimator, sign in (("truth", 1), ("naive", -1), ("snips(popularity, gamma=1)", 1)):
        kinds = {"value": 1 + sign * values}
        if placed:
            kinds["place"] = (sign * values).argsort().argsort() / (len(values) - 1)
        for kind, means in kinds.items():
            for system, mean in zip(SYSTEMS, means, strict=True):
                ends = {"mean": mean, "low": mean - 0.1, "high": mean + 0.2}
                found.append(
                    about | {"estimator": estimator, "kind": kind, "system": system} | ends
                )
    for plain, weighed in ((0, 2), (1, 3)):
        mean = values[weighed] - values[plain]
        row = {"estimator": "truth", "kind": "difference", "system": SYSTEMS[weighed]}
        ends = {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}
        found.append(about | row | {"against": SYSTEMS[plain]} | ends)
    return found


def results_of(frames, folder, dataset="tiny"):
    """The frames as files of a dataset."""
    files = []
    for name, frame in frames.items():
        path = folder / "simulations" / dataset / f"trust_{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_csv(path, list(frame.columns), frame.itertuples(index=False))
        files.append(str(path))
    return Results(dataset, files, {})
