"""Tests of the claims of kddcup2011; the words are in claims.yaml, the helpers in mnar.claims."""

from mnar.claims import (
    above,
    all_of,
    any_of,
    at_least,
    at_most,
    below,
    close,
    identities,
    is_so,
    published,
    usual,
)

ERROR = "track2_error"
MISSING = ("allrank-regression", "allrank-binary-regression", "mf-balanced")


def _fact(data, fact, **where):
    return data.pick("differences", fact=fact, **where)


def _profile(data, measure, method="all"):
    """A fact of the data themselves."""
    return data.pick("profile", exact=True, method=method, measure=measure)


def kdd_01(data):
    return published(data.rows("table1", method=["official track1", "official track2"]))


def kdd_01b(data):
    return is_so(*identities.track_sizes())


def kdd_02(data):
    tens = at_least(_profile(data, "share of multiples of ten"), 0.95)
    names = [f"peak at {value}" for value in (0, 30, 50, 70, 90)]
    peaks = len(data.rows("profile", method="all", measure=names))
    return all_of(tens, is_so(peaks == 5, f"{peaks} of 5 peaks", "all are local maxima"))


def kdd_03(data):
    measure = "share of ratings below the middle"
    return below(data.pick("profile", method="validation − train", measure=measure), 0)


def kdd_04(data):
    return above(_fact(data, "|skewness| of user means − of item means"), 0)


def _modes(data):
    users, items = (_profile(data, f"{side} means, mode") for side in ("user", "item"))
    return all_of(close(users, 89, within=3), close(items, 50, within=3))


kdd_04_readings = {"with modes at 89 and 50": _modes}


def kdd_05(data):
    return below(_fact(data, "correlation of activity and mean rating"), 0)


def kdd_06(data):
    return published(
        data.rows("profile", measure=["share of items", "share of ratings"]), within=0.001
    )


def kdd_07(data):
    trend = "correlation of activity and share of ratings"
    artists = _profile(data, "share of validation ratings", "artist")
    return all_of(
        below(_profile(data, trend, "artist"), 0),
        above(_profile(data, trend, "track"), 0),
        close(artists, 0.516, within=0.005),
    )


def kdd_08(data):
    """Both series, the mean rating and the mix of rating values, break near both weeks."""
    parts = []
    for series in ("mean rating", "share of values"):
        rows = data.rows("profile", method=lambda m, s=series: m.str.startswith(s),
                         measure=["week of change 1", "week of change 2"])  # fmt: skip
        first, second = sorted(rows["mean"])
        right = abs(first - 125) <= 5 and abs(second - 225) <= 5
        parts.append(
            is_so(right, f"{series}: weeks {first:.0f} and {second:.0f}", "within 5 weeks")
        )
    return all_of(*parts)


def kdd_09(data):
    return at_least(_fact(data, "error", method="bestseller-count-relevant"), 0.38)


def _gains(data):
    return [below(data.pick("track2", "gain", method=m, measure=ERROR), 0) for m in MISSING]


def kdd_10(data):
    return any_of(*_gains(data))


kdd_10_readings = {"each such model does": lambda data: all_of(*_gains(data))}


def _balanced(data, fact, minus, measure=ERROR):
    return _fact(data, fact, method="mf-balanced", minus=minus, measure=measure)


def kdd_11(data):
    return at_most(_balanced(data, "change in %", "observed-only"), -20)


kdd_11_readings = {
    "against all missing entries with a weight": lambda data: below(
        _balanced(data, "difference", "allrank-binary-regression"), 0
    )
}


def kdd_12(data):
    return at_most(_fact(data, "best regression − best by pairs"), 0.005)


def _more_factors(data, method):
    return _fact(data, "more factors, change in %", method=method)


def kdd_13(data):
    return above(_more_factors(data, "mf-biased"), -1)


def kdd_14(data):
    error = _more_factors(data, "allrank-binary-factors")
    return all_of(below(error, -5), below(_fact(data, "more factors, error − RMSE in %"), 0))


def kdd_15(data):
    falls = [_fact(data, "taxonomy, change in %", measure=m) for m in (ERROR, "rmse")]
    more = _fact(data, "taxonomy, error − 5 × RMSE in %")
    return all_of(below(falls, 0), below(more, 0))


def kdd_16(data):
    falls = [_fact(data, "blend, change in %", measure=m) for m in (ERROR, "rmse")]
    return all_of(below(falls, 0), below(_fact(data, "blend, error − RMSE in %"), 0))


def kdd_17(data):
    return above(_fact(data, "median step, error − RMSE in %"), 0)


def kdd_18(data):
    return is_so(*identities.published_arithmetic())


def kdd_19(data):
    return below(_fact(data, "best factorisation − best of other kinds"), 0)


def kdd_20(data):
    return is_so(*identities.track2_sampling())


def kdd_21(data):
    return below(_fact(data, "systems", method="mf-temporal"), 0)


def kdd_22(data):
    tracks = data.each("differences", fact="the best three in one order on both halves")
    return all_of(*(usual(share) for share in tracks))


def kdd_23(data):
    return below(_fact(data, "systems", method="item-knn"), 0)


kdd_23_readings = {
    "in Track 2 error": lambda data: below(_fact(data, "systems", method="item-knn-ranking"), 0)
}


def kdd_24(data):
    return at_least(data.each("differences", fact="by pairs − best regression"), -0.005)


def kdd_25(data):
    return below(_balanced(data, "difference", "allrank-binary-regression", "recall@10"), 0)


def kdd_26(data):
    return is_so(*identities.contest_histogram())
