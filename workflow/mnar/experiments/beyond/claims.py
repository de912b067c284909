"""Tests of what others state; the words are in claims.yaml, the helpers in mnar.claims."""

from mnar.claims import above, all_of, at_least, below, close, is_so
from mnar.claims.outcome import Missing

BY_COUNT = "snips(popularity, gamma=1)"
BY_ROOT = "snips(popularity, gamma=0.5)"
LOGISTIC = "snips(logistic)"
KNOWN = ["snips(known)", "ips(known)"]
WTD = "wtd(popularity)"
# Of the truth; of the absolute bias of the plain mean; of all pairs of systems.
NEARLY, FAR_BETTER, SOME = 0.1, 0.5, 0.01


def _selection(data):
    """All effects of simulated selection, exposure left to chance; nothing for users' own choice."""
    rows = data.rows("trust/trust")
    if rows["popularity_exponent"].isna().all():
        return {}
    highest = {key: rows[key].max() for key in ("popularity_exponent", "positivity")}
    return highest | {"correlation": 0}


def _each(data, column, estimator, measure):
    where = {"estimator": estimator, "measure": measure} | _selection(data)
    return data.each("trust/trust", column, **where)


def _near_the_truth(estimator, measure):
    def test(data):
        return close(_each(data, "bias", estimator, measure), 0, NEARLY)

    return test


def _nearer_order(estimator, measure):
    def test(data):
        return above(_each(data, "gain", estimator, measure), 0)

    return test


def bey_01(data):
    return _near_the_truth(BY_COUNT, "recall@10")(data)


bey_01_readings = {"weights 1/√N": _near_the_truth(BY_ROOT, "recall@10")}


def bey_02(data):
    return below(_each(data, "bias_ratio", "snips(known)", "mae"), FAR_BETTER)


def bey_03(data):
    return below(_each(data, "bias_ratio", KNOWN, "adg"), FAR_BETTER)


def _lower_error(method, **more):
    def test(data):
        where = {"kind": "difference", "method": method, "measure": "rmse"} | more
        return below(data.each("trust/training", **where), 0)

    return test


def bey_04(data):
    if "mf-ips-published" not in set(data.rows("trust/training")["method"]):
        raise Missing("no propensities were published for it")
    return _lower_error("mf-ips-published")(data)


bey_04_readings = {
    "weights 1/N": _lower_error("mf-ips", gamma=1),
    "weights 1/√N": _lower_error("mf-ips", gamma=0.5),
}


def _other_order(estimator, measure):
    def test(data):
        where = {"estimator": estimator, "measure": measure} | _selection(data)
        share = data.number("trust/trust", "turned", **where)
        numbers = f"{100 * share:.1f} % of all pairs of systems"
        return is_so(share > SOME, numbers, "more than 1 % decided the other way")

    return test


def bey_05(data):
    return _other_order(BY_COUNT, "adg")(data)


bey_05_readings = {
    "Recall@10": _other_order(BY_COUNT, "recall@10"),
    "weights 1/√N": _other_order(BY_ROOT, "adg"),
    "logistic regression": _other_order(LOGISTIC, "adg"),
}


def bey_06(data):
    return _nearer_order(BY_COUNT, "adg")(data)


bey_06_readings = {
    "Recall@10": _nearer_order(BY_COUNT, "recall@10"),
    "weights 1/√N": _nearer_order(BY_ROOT, "adg"),
    "published propensities": _nearer_order("snips(published)", "adg"),
    "logistic regression": _nearer_order(LOGISTIC, "adg"),
}


def _up_by_40_per_cent(estimator):
    def test(data):
        before = data.number("trust/trust", "tau", estimator="naive", measure="adg")
        if before <= 0:
            raise Missing("τ of the plain mean is not above 0, so 40 % of it mean nothing")
        # τ − 1.4 τ of the plain mean, both of the same samples.
        return at_least(_each(data, "rise", estimator, "adg"), 0)

    return test


def bey_07(data):
    return _up_by_40_per_cent(BY_COUNT)(data)


bey_07_readings = {
    "published propensities": _up_by_40_per_cent("snips(published)"),
    "logistic regression": _up_by_40_per_cent(LOGISTIC),
}


def bey_08(data):
    return _near_the_truth(WTD, "adg")(data)


def _nearer_than_naive(data):
    return below(_each(data, "bias_ratio", WTD, "adg"), 1)


bey_08_readings = {
    "Recall@10": _near_the_truth(WTD, "recall@10"),
    "closer than the plain mean": _nearer_than_naive,
}


def _good_then_bad(system, measure):
    def test(data):
        where = {"system": system, "measure": measure}
        observed = data.pick("trust/systems", estimator="naive", **where)
        at_random = data.pick("trust/systems", estimator="truth", **where)
        return all_of(above(observed, 0.5), below(at_random, 0.5))

    return test


def bey_09(data):
    return _good_then_bad("bestseller-count", "adg")(data)


bey_09_readings = {
    "Recall@10": _good_then_bad("bestseller-count", "recall@10"),
    "number of ratings that are relevant": _good_then_bad("bestseller-count-relevant", "adg"),
}
