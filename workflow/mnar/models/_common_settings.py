"""Settings that several methods know, declared once."""

from mnar.core.declared import Real, Whole

# The size of a model is a budget that rivals have in common.
FACTORS = Whole("factors", "number of factors", goes_on=False)
# At 0 missing ratings do not count, at 1 as much as observed ones.
MISSING_WEIGHT = Real("missing_weight", "w_m, the weight of a missing rating", least=0, ends=(1,))
# A rating: the values given span its scale, and 0 is the usual stand-in for none.
IMPUTED = Real("imputed", "r_m, the rating that a missing one counts as", ends=(0,), goes_on=False)
# Where missing ratings have a weight the problem has a solution without it, too.
PENALTY_FROM_0 = Real("lambda", "λ, the penalty on vectors", least=0)
PENALTY = Real("lambda", "λ, the penalty on vectors", above=0)
# One bound for all methods, `search.converged` in the config.
CONVERGED = Real(
    "converged",
    "relative decrease of the objective at which sweeps end; 0: never before their number",
    least=0,
    default=0.0,
    goes_on=False,
)


def sweeps(usual: int) -> Whole:
    return Whole("sweeps", "sweeps over items and users", default=usual, goes_on=False)
