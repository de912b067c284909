"""AllRank-Binary-Regression (steck2010 Eq. 11): least squares on the 0/1 relevance matrix.

Relevant entries have weight 1, all others w_m, observed low ratings included.
Settings: factors, missing_weight (w_m), lambda; where wanted sweeps.
"""

from mnar.models._allrank import Method, Settings, Terms, relevant_entries


def terms(settings: Settings) -> Terms:
    return Terms(settings["missing_weight"], 0.0, settings["lambda"])


METHOD = Method(terms, relevant_entries)
fit = METHOD.fit
fit_grid = METHOD.fit_grid
fold_in = METHOD.fold_in
fold_in_items = METHOD.fold_in_items
