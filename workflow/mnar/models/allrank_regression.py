"""AllRank-Regression (steck2010 Eq. 13): every entry counts, a missing one as r_m with weight w_m.

Settings: factors, missing_weight (w_m), imputed (r_m), lambda; where wanted weights (a map from
rating value to w(r), else 1) and sweeps.
"""

from mnar.models._allrank import Method, Settings, Terms


def terms(settings: Settings) -> Terms:
    return Terms(
        settings["missing_weight"],
        settings["imputed"],
        settings["lambda"],
        settings.get("weights"),
    )


METHOD = Method(terms)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
