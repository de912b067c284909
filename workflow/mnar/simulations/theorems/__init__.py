"""What the papers prove or say of missing data, tried out: complete data, observed in part.

`complete` has the complete data and a ranking trained on other data, `observing` draws what is
observed of them, `bias` compares measures on the two, and so do `broken` (observed by popularity
and rating), `irrelevant` (other ratings removed) and `random_auc` (random ratings). `holdout` and
`unseen` train models on a part and compare measures on the rest (lim2015 section 5).
"""
