"""Factorisation of the observed ratings alone: steck2010 Eq. 13 with w_m = 0 and offset 0.

A user or item without ratings gets the zero vector. Settings: factors, lambda; where wanted sweeps.
"""

from mnar.models._allrank import Method, Settings, Terms


def terms(settings: Settings) -> Terms:
    return Terms(0.0, 0.0, settings["lambda"])


METHOD = Method(terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
