"""The papers' theorems on missing data, tried out on complete data that are observed in part.

Every file here is a simulation, except those that start with an underscore. A simulation has

    COLUMNS                 the columns of its table
    rows(case: Case)        one mapping a row

`bias` and `ndcg_factor` observe relevant items at random, `broken` by popularity and rating;
`irrelevant` removes other ratings, `random_auc` draws random ones. `holdout` and `unseen` train
models on a part and compare measures on the rest (lim2015 section 5).
"""
