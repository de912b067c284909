"""Settings that several methods know, declared once."""

from mnar.models._settings import Real, Whole

FACTORS = Whole("factors", "number of factors")
MISSING_WEIGHT = Real("missing_weight", "w_m, the weight of a missing rating", least=0)
IMPUTED = Real("imputed", "r_m, the rating that a missing one counts as")
# Where missing ratings have a weight the problem has a solution without it, too.
PENALTY_FROM_0 = Real("lambda", "λ, the penalty on vectors", least=0)
PENALTY = Real("lambda", "λ, the penalty on vectors", above=0)


def sweeps(usual: int) -> Whole:
    return Whole("sweeps", "sweeps over items and users", default=usual)
