"""Names of estimators."""

import pytest

from mnar.core.errors import UserError
from mnar.estimators.estimator_names import Estimator, label, parse


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
