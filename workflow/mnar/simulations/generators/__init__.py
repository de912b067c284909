"""What the papers say of behaviour, as numbers of one generated dataset.

trained      how a dataset is seen, and the scores of every setting tried on it
weights      the weight of missing ratings (pradel2012)
pairs        MF-ADG, MF-AUC and SVD; validation and test (lim2015)
objectives   training objectives and bestseller lists (steck2010)
"""
