"""The chance of a position, given the ties (docs/measures.md)."""

from mnar.kernels.compiled import njit

# Floating-point products such as 0.002 · 1000 may fall just short of a whole number.
ALMOST = 1e-9


@njit(cache=True, nogil=True, error_model="numpy")
def chance_within(k, above, tied):
    """Probability that an item is in the top k."""
    return min(max((k - above) / tied, 0.0), 1.0)
