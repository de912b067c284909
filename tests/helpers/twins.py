"""Runs an LLVM function and its plain numpy twin on copies of the same arguments."""

import copy
import inspect
import pkgutil
from functools import cache
from importlib import import_module

import numpy as np
from numba import njit

import mnar.kernels
from mnar.kernels.prefetch import prefetch

SUFFIX = "_plain"


def llvm_functions():
    """Every LLVM function of mnar.kernels, as (module, name)."""
    found = []
    for entry in pkgutil.iter_modules(mnar.kernels.__path__, "mnar.kernels."):
        module = import_module(entry.name)
        for name, value in vars(module).items():
            # All of them have the class that numba's `intrinsic` gives to prefetch.
            if isinstance(value, type(prefetch)) and value.__module__ == module.__name__:
                found.append((module, name))
    return found


def twin_of(module, name):
    return getattr(module, name + SUFFIX)


def parameters_of(function):
    return list(inspect.signature(function).parameters)


@cache
def _compiled(function):
    return njit(lambda *arguments: function(*arguments))


def assert_equals_twin(module, name, arguments, tolerance=0.0, function=None):
    """Both give the same result and leave the same numbers in every array, also outside the tile.

    `function` is compared in place of the LLVM function where it is given.
    """
    ours, plain = copy.deepcopy(arguments), copy.deepcopy(arguments)
    result = _compiled(function or getattr(module, name))(*ours)
    expected = twin_of(module, name)(*plain)
    assert result == expected
    for parameter, one, other in zip(
        parameters_of(twin_of(module, name)), ours, plain, strict=True
    ):
        np.testing.assert_allclose(
            one, other, rtol=tolerance, atol=tolerance, err_msg=f"{name}: {parameter}"
        )
