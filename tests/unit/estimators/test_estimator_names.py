"""Names of estimators."""

import pytest

from mnar.core.errors import UserError
from mnar.estimators import propensities
from mnar.estimators.estimator_names import (
    MEANS,
    NORMALISED,
    Estimator,
    check_in_study,
    label,
    modules_of,
    parse,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("adg", Estimator("adg")),
        ("adg~snips(popularity)", Estimator("adg", "snips", "popularity")),
        (
            "recall@10~snips(popularity, gamma=0.5)",
            Estimator("recall@10", "snips", "popularity", (("gamma", 0.5),)),
        ),
        ("topk(0.02)~ips(known)", Estimator("topk(0.02)", "ips", "known")),
        ("atop~snips(naive-bayes,clip=0.95)", Estimator("atop", "snips", "naive-bayes", clip=0.95)),
        ("auc~aman", Estimator("auc", "aman")),
        ("mae~dr(logistic)", Estimator("mae", "dr", "logistic")),
        (
            "adg~snips(popularity, gamma=-1.5e-1)",
            Estimator("adg", "snips", "popularity", (("gamma", -0.15),)),
        ),
        ("adg~sampled(100)", Estimator("adg", "sampled", size=100)),
        (
            "adg~sampled(50, popularity)",
            Estimator("adg", "sampled", size=50, drawn="popularity"),
        ),
    ],
)
def test_parsed(name, expected):
    found = parse(name)
    assert found == expected
    assert parse(str(found)) == found
    assert label(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("adg~magic", "Unknown weighting"),
        ("ndcg~snips(known)", "fits these measures only"),
        ("auc~ips(known)", "fits these measures only"),
        ("adg~snips", "must name one propensity model"),
        ("adg~snips(luck)", "Unknown propensity model"),
        ("adg~ips(popularity)", "up to a factor"),
        ("adg~snips(known, clip=2)", "quantile"),
        ("adg~snips(popularity, beta=1)", "unknown setting"),
        ("adg~snips(popularity, gamma=x)", "not a number"),
        ("adg~snips(popularity, gamma=nan)", "'nan' is not a number"),
        ("adg~snips(popularity, gamma=inf)", "'inf' is not a number"),
        ("adg~snips(popularity, gamma=1_0)", "'1_0' is not a number"),
        ("adg~snips(popularity, gamma=1e400)", "'1e400' is not finite; give a smaller number"),
        ("adg~snips(popularity, gamma=)", "'' is not a number"),
        ("adg~snips(known, clip=nan)", "'nan' is not a number"),
        ("adg~snips(popularity, gamma=1, gamma=2)", "gamma is there twice; keep one of them"),
        ("adg~sampled(٣)", "write sampled"),
        ("adg~sampled(²)", "write sampled"),
        ("adg~sampled(0)", "write sampled"),
        ("adg~sampled(1000000)", "popularity\\), of 1 to 999999"),
        ("adg~naive(known)", "takes nothing in brackets"),
        ("adg~sampled(many)", "sampled"),
        ("wrong~naive", "Unknown measure"),
    ],
)
def test_refused(name, message):
    with pytest.raises(UserError, match=message):
        parse(name)


def test_estimators_with_the_same_weights_say_so():
    assert parse("adg~snips(known)").weights == parse("atop~ips(known)").weights
    assert parse("adg~snips(known)").weights != parse("auc~snips(known)").weights
    assert parse("adg").weights != parse("auc~aman").weights


def test_families_declare_how_they_are_estimated():
    assert MEANS == ("adg", "atop", "recall", "topk")
    assert NORMALISED == ("map", "ndcg")


def test_a_measure_with_weights_of_its_own_is_an_estimator():
    found = parse("recall@10(0.5)")
    assert found == Estimator("recall@10", "snips", "popularity", (("gamma", 0.5),))


def test_a_job_depends_on_the_files_of_its_measures():
    """Also on that of rmse, which estimators take by themselves."""
    assert modules_of(["rmse", "mae"]) == ["mnar.measures.rmse"]
    assert modules_of(["rmse~dr(logistic)"]) == ["mnar.estimators.propensities.logistic"]
    assert modules_of(["recall@10(0.5)", "adg"]) == [
        "mnar.measures.discounted_gain",
        "mnar.measures.recall",
        "mnar.estimators.propensities.popularity",
    ]


def test_what_only_trust_has_is_refused_in_a_study():
    for model in propensities.names():
        if propensities.load(model).OF_TRUST:
            with pytest.raises(UserError, match="only the experiment trust has"):
                check_in_study(f"adg~snips({model})")
        else:
            check_in_study(f"adg~snips({model})")
