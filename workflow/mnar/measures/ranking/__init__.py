"""Where the held-out items of each user stand among all candidates (docs/measures.md).

These few counts are all that ranking measures need, with or without ties.
"""

from mnar.measures.ranking.counts import RankCounts
from mnar.measures.ranking.sets import rank_counts, rank_sets

__all__ = ["RankCounts", "rank_counts", "rank_sets"]
