"""The papers' theorems on missing data, tried out on complete data that are observed in part.

Every file here is a simulation, except those that start with an underscore. A simulation has

    COLUMNS                 the columns of its table
    SETTINGS                the keys of `theorems` in the config that it reads
    rows(case: Case)        one mapping a row

and lists what it takes by name, if any, in MEASURES and PROTOCOLS: a job is made again when their files
change.

`bias` and `ndcg_factor` observe relevant items at random, `broken` by popularity and rating;
`irrelevant` removes other ratings, `random_auc` draws random ones. `holdout` and `unseen` train
models on a part and compare measures on the rest (lim2015 section 5).
"""
