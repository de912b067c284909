"""Propensity models, one file each, found by name: how likely a pair was to be held out.

A model is a module with

    SETTINGS = {…}: its settings and their defaults
    ABSOLUTE: whether its chances are probabilities, or right up to a factor only
    OF_TRUST: whether only the experiment trust has what it needs
    chances(selected, settings, times) -> π̂ of each held-out rating

`times` says how often each user counts in each bootstrap sample (samples × users, or groups of
users, see mnar.statistics.bootstrap). A model that is estimated is then estimated again in each of
them and returns samples × ratings (single precision will do); None means the data as they are. A
model that is not estimated returns one row in any case.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnar.core.errors import UserError

Floats = NDArray[np.float64]


def names() -> list[str]:
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def module_name(name: str) -> str:
    return f"mnar.estimators.propensities.{name.replace('-', '_')}"


def modules() -> list[str]:
    return [module_name(name) for name in names()]


def load(name: str) -> ModuleType:
    if name not in names():
        raise UserError(f"Unknown propensity model {name!r}; known are {', '.join(names())}.")
    return import_module(module_name(name))


def counts_by(
    users: NDArray[np.integer],
    keys: NDArray[np.integer],
    n_keys: int,
    times: Floats | None,
    values: NDArray[np.floating] | None = None,
) -> Floats:
    """How many ratings (or the sum of their values) each key has: keys, or samples × keys."""
    values = np.ones(len(users)) if values is None else values.astype(np.float64)
    if times is None:
        return np.bincount(keys, values, n_keys).astype(np.float64)
    # Imported here, as training jobs draw no samples and do without scipy.
    from scipy.sparse import csr_array

    groups = times.shape[1]
    table = csr_array((values, (users % groups, keys)), shape=(groups, n_keys))
    return np.ascontiguousarray((table.T @ times.T).T)


def chances(
    model: str, selected: Any, settings: dict[str, Any], times: Floats | None
) -> NDArray[np.floating]:
    """π̂ of each held-out rating by a model, with its defaults where nothing else is said."""
    module = load(model)
    unknown = [key for key in settings if key not in module.SETTINGS]
    if unknown:
        raise UserError(
            f"Propensity model {model!r} has no setting {unknown[0]!r}; "
            f"known are {', '.join(module.SETTINGS) or 'none'}."
        )
    return module.chances(selected, module.SETTINGS | settings, times)
