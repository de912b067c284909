"""Regularised 'dense' SVD: steck2010 Eq. 13 with w_m = 1, missing entries imputed with r_m.

Settings: factors, imputed (r_m), lambda; where wanted sweeps.
"""

from mnar.models._allrank import Method, Settings, Terms


def terms(settings: Settings) -> Terms:
    return Terms(1.0, settings["imputed"], settings["lambda"])


METHOD = Method(terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
