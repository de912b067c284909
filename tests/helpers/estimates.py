"""Estimators of models one by one."""

from types import SimpleNamespace

from mnar.estimators import compare_models


def estimate(models, selected, names, **settings):
    """Value, 95 % interval and effective number of pairs: for each model a list of its estimators."""
    found = [[] for _ in models]
    for one in compare_models(models, selected, names, **settings):
        ends = one.means.interval()
        for mine, value, low, high in zip(found, one.means.values, *ends, strict=True):
            parts = {"value": value, "low": low, "high": high, "effective": one.means.effective}
            mine.append(SimpleNamespace(**parts))
    return found
