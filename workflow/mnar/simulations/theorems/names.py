"""Names that tables share with the simulations, kept apart from compiled code."""

# What is compared on held-out items: the measures of lim2015 Tables 1 and 2.
HELD_OUT = ("atop", "adg", "recall@10", "ndcg", "map")

# NDCG times the factor of Theorem 2.
CORRECTED = "ndcg, corrected"
