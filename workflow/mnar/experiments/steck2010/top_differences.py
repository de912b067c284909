"""Differences of steck2010 at the top of the list, and in every reading of what is ranked."""

from functools import cache

import numpy as np

from mnar.experiments.steck2010 import ALLRANK, ATOP_TUNED, COFIRANK, INTEGRATED, LISTS, REL4, STUDY
from mnar.experiments.steck2010.facts import IN_ATOP, Rows, Values, chosen, fact, run
from mnar.experiments.steck2010.top_of_list import (
    BOOTSTRAP,
    SAMPLE_TOPK,
    TOPS,
    TopOfList,
    sampled,
    top_of_list,
)
from mnar.reporting.results import Results
from mnar.statistics.bootstrap import resampled_sums, user_samples
from mnar.statistics.correlation import kendall

IN_TOPS = (
    *((LISTS[0], other) for other in LISTS[1:]),
    *((one, ATOP_TUNED) for one in LISTS),
    (ALLRANK, INTEGRATED),
    *((COFIRANK, one) for one in LISTS),
)


def tops_of_lists(results: Results) -> Rows:
    """TOPK at the top of the list, and the readings of catalogue and candidates."""
    tops = top_of_list(results)
    names = [name for k in TOPS for name in (sampled(k, SAMPLE_TOPK), f"topk({k:g})")]
    for first, second in run(results, STUDY, ((ALLRANK, ATOP_TUNED), (ALLRANK, INTEGRATED))):
        for name in names:
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = _ranked(tops, first, name) / _ranked(tops, second, name)
            if np.isfinite(ratio[0]):
                where = {"study": STUDY, "method": first, "minus": second, "measure": name}
                yield fact("ratio", ratio, set="test", **where)
    for first, second in run(results, STUDY, IN_TOPS):
        for name in ("atop", *names, "topk(0.5)"):
            where = {"study": STUDY, "method": first, "minus": second, "measure": name}
            gap = _ranked(tops, first, name) - _ranked(tops, second, name)
            yield fact("from ranks", gap, set="test", **where)
    shares = np.arange(1, 100) / 100
    leads = [
        _ranked(tops, ALLRANK, f"topk({k:g})") - _ranked(tops, ATOP_TUNED, f"topk({k:g})")
        for k in (*TOPS[1:], *shares)
    ]
    where = {"study": STUDY, "method": ALLRANK, "minus": ATOP_TUNED, "measure": "topk"}
    yield fact("smallest lead over all k", np.min(leads, axis=0), set="test", **where)
    for candidates in ("all", "unseen"):
        for catalogue in results.config["studies"][STUDY]["catalogues"]:
            for first, second in run(results, STUDY, IN_ATOP):
                sides = [_ranked(tops, m, "atop", catalogue, candidates) for m in (first, second)]
                where = {"study": STUDY, "method": first, "minus": second, "measure": "atop"}
                where |= {"candidates": candidates, "catalogue": catalogue}
                yield fact("difference", sides[0] - sides[1], set="test", **where)


@cache
def _ranked(
    tops: TopOfList, method: str, measure: str, catalogue: str = "", candidates: str = "all"
) -> Values:
    """A measure over test pairs, from the ranks that were kept."""
    users = tops.ranks.n_users
    times = user_samples(users, BOOTSTRAP, tops.results.dataset, "ranks")
    found = []
    for fold in tops.ranks.folds:
        where = (catalogue or tops.view, fold, method, measure, candidates)
        whose, values = tops.ranks.values(*where)
        totals = np.bincount(whose, values, users)
        pairs = np.bincount(whose, minlength=users).astype(np.float64)
        sums = [np.append(part.sum(), resampled_sums(part, times)) for part in (totals, pairs)]
        found.append(sums[0] / sums[1])
    return np.mean(found, axis=0)


def orders_of_methods(results: Results) -> Rows:
    """How alike two orders of the methods are."""
    tops = top_of_list(results)
    models = [
        method
        for method in results.methods(STUDY)
        if method not in LISTS and tops.ranks.has(tops.view, method)
    ]
    orders = [
        np.array([_ranked(tops, method, name) for method in models])
        for name in ("atop", f"topk({TOPS[-1]:g})")
    ]
    yield fact("Kendall of ATOP and TOPK(2 %)", _kendall(*orders), study=STUDY, set="test")
    both = [m for m in results.methods(STUDY) if m in results.methods(REL4)]
    stars = [
        np.array([chosen(results, method, "atop", "test", study) for method in both])
        for study in (STUDY, REL4)
    ]
    known = np.isfinite(np.hstack(stars)).all(axis=1)
    stars = [values[known] for values in stars]
    yield fact("Kendall with 4 stars relevant, too", _kendall(*stars), study=REL4, set="test")


def _kendall(first: Values, second: Values) -> Values:
    return np.array([kendall(a, b) for a, b in zip(first.T, second.T, strict=True)])
