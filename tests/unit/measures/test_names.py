"""Names of measures, and which family has them."""

import pytest

from mnar.core.errors import UserError
from mnar.measures import check, higher_is_better, label, unbiased

KNOWN = {
    "atop": "ATOP",
    "topk(0.02)": "TOPK(0.02)",
    "topk(0)": "TOPK(0)",
    "auc": "AUC",
    "auc_aman": "AUC-AMAN",
    "auc_rand": "AUC-rand",
    "adg": "ADG",
    "ndcg": "NDCG",
    "map": "MAP",
    "recall@10": "Recall@10",
    "recall@10(0.5)": "Recall@10, β = 0.5",
    "recall@10(0)": "Recall@10, β = 0",
    "head_10": "Head items in top 10",
    "rmse": "RMSE",
    "track2_error": "Track 2 error",
    "sampled_topk(0.002,1001)": "TOPK(0.002), Ñ = 1001",
    "sampled_atop(101)": "ATOP, Ñ = 101",
}


def test_known_names_have_labels():
    for name, shown in KNOWN.items():
        check(name)
        assert label(name) == shown


@pytest.mark.parametrize(
    "name",
    ["", "ATOP", "atop ", "topk", "topk(1.5)", "topk(-1)", "topk(nan)", "recall@0", "recall@2.5",
     "recall@10(-1)", "head_0", "sampled_topk(0.02)", "sampled_topk(0.02,1)", "precision@10"],
)  # fmt: skip
def test_unknown_names_are_refused_with_what_is_known(name):
    with pytest.raises(UserError) as error:
        check(name)
    message = str(error.value)
    assert repr(name) in message
    assert "recall@<k>(<beta>)" in message
    assert ". " not in message


def test_errors_are_better_when_lower():
    assert {name for name in KNOWN if not higher_is_better(name)} == {"rmse", "track2_error"}


def test_unbiased_are_means_over_items_of_a_function_of_the_rank():
    families = {name.partition("(")[0].partition("@")[0] for name in KNOWN if unbiased(name)}
    assert families == {"atop", "adg", "recall", "topk", "sampled_topk", "sampled_atop"}
    assert not unbiased("recall@10(0.5)")
