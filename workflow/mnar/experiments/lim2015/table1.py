"""Table 1 of lim2015: every method on the test items, in both readings of the candidates."""

import pandas as pd

from mnar import measures
from mnar.experiments.lim2015 import MEASURES, PAIR, STUDY
from mnar.reporting.edges import edge_notes, marked
from mnar.reporting.method_rows import without_twins
from mnar.reporting.results import Results, fold_values
from mnar.reporting.table_format import Table, with_error
from mnar.statistics.bootstrap import SAMPLES
from mnar.statistics.comparison import corrected_t_test, holm, mean_and_error
from mnar.tuning.fold_bootstrap import difference_interval
from mnar.tuning.scores import PerUser

# The held-out share over the training share of a fold: 20 % against 70 %.
TEST_OVER_TRAIN = 0.2 / 0.7
SVD = "svd"


def table1(results: Results) -> Table:
    """Mean and standard error over folds; the better of MF-AUC and MF-ADG in bold if it is sure."""
    tidy = _values(results)
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for method in results.methods(STUDY):
        mine = tidy[tidy["method"] == method].set_index("measure")
        gap = mine.loc["auc_aman", "mean"] - mine.loc["atop", "mean"]
        line = [marked(results, STUDY, method)]
        line += [with_error(mine.loc[m, "mean"], mine.loc[m, "sem"]) for m in MEASURES]
        for column, measure in enumerate(MEASURES):
            if mine.loc[measure, "significantly_better"]:
                bold.add((len(lines), column + 1))
        lines.append([*line, f"{gap:.5f}"])
        if mine["published"].notna().any():
            theirs = [
                with_error(mine.loc[m, "published"], mine.loc[m, "published_sem"]) for m in MEASURES
            ]
            lines.append([f"{method}, published", *theirs, "<0.001"])
        if method == PAIR[1]:
            lines.append([f"{PAIR[1]} − {PAIR[0]}", *_gap_between_pair(results, tidy), ""])
    _add_lead_over_svd(results, tidy)
    shown = pd.DataFrame(
        lines, columns=["method", *(measures.label(m) for m in MEASURES), "AUC − ATOP"]
    )
    notes = [
        "Mean over the folds, standard error of the mean in brackets; differences with the 95 % "
        f"interval of a bootstrap over users ({SAMPLES} samples).",
        "Bold: significantly better of MF-AUC and MF-ADG (corrected resampled t-test over folds, "
        "two-sided, Holm over the five measures, p < 0.05).",
        f"Candidates: {results.config['studies'][STUDY]['candidates'][0]} items. AUC takes all "
        "items that are not held-out positives as negatives (auc_aman).",
        *edge_notes(results, STUDY),
    ]
    caption = f"Test performance of every method on {results.dataset}."
    return without_twins(results, STUDY, Table(tidy, shown, caption, notes, frozenset(bold)))


def _values(results: Results) -> pd.DataFrame:
    """Each method by each measure, beside the published value."""
    chosen = results.chosen(STUDY)
    published = results.published("lim2015_table1")
    better = _better_of_pair(chosen)
    rows = []
    for method in results.methods(STUDY):
        for measure in (*MEASURES, "auc_aman"):
            mean, sem = mean_and_error(fold_values(chosen, method, measure))
            theirs = published[(published["method"] == method) & (published["measure"] == measure)]
            value = float(theirs["mean"].iloc[0]) if len(theirs) else float("nan")
            error = float(theirs["sem"].iloc[0]) if len(theirs) else float("nan")
            winner, p = better.get(measure, (None, float("nan")))
            compared = method in PAIR and measure in better
            rows.append(
                {
                    "dataset": results.dataset,
                    "method": method,
                    "measure": measure,
                    "mean": mean,
                    "sem": sem,
                    "n": len(fold_values(chosen, method, measure)),
                    "published": value,
                    "difference": mean - value,
                    "published_sem": error,
                    "significantly_better": compared and winner == method,
                    "p_holm": p if compared else float("nan"),
                }
            )
    return pd.DataFrame(rows)


def _better_of_pair(chosen: pd.DataFrame) -> dict[str, tuple[str | None, float]]:
    """By each measure, the significantly better of MF-AUC and MF-ADG, if any, and p after Holm."""
    tests = [
        corrected_t_test(
            fold_values(chosen, PAIR[1], m), fold_values(chosen, PAIR[0], m), TEST_OVER_TRAIN
        )
        for m in MEASURES
    ]
    p_values = holm([test.p_two_sided for test in tests])
    return {
        measure: (PAIR[test.difference > 0] if p < 0.05 else None, float(p))
        for measure, test, p in zip(MEASURES, tests, p_values, strict=True)
    }


def _test_users(results: Results, method: str) -> list[PerUser]:
    """Test values by user of each fold."""
    candidates = results.config["studies"][STUDY]["candidates"][0]
    per_user = results.users(STUDY, method)
    return [part for key, part in per_user.items() if key[1:] == (candidates, "test")]


def _add_lead_over_svd(results: Results, tidy: pd.DataFrame) -> None:
    """Section 6: both methods against SVD on every measure, one family of ten comparisons."""
    if SVD not in results.methods(STUDY):
        return
    chosen = results.chosen(STUDY)
    compared = [(method, measure) for method in PAIR for measure in MEASURES]
    tests = [
        corrected_t_test(
            fold_values(chosen, method, m), fold_values(chosen, SVD, m), TEST_OVER_TRAIN
        )
        for method, m in compared
    ]
    p_values = holm([test.p_two_sided for test in tests])
    users = {method: _test_users(results, method) for method in (*PAIR, SVD)}
    names = ["over_svd", "over_svd_low", "over_svd_high", "over_svd_p_holm"]
    for (method, m), test, p in zip(compared, tests, p_values, strict=True):
        low, high = difference_interval(
            users[method], users[SVD], m, "user", results.dataset, "table1"
        )
        row = (tidy["method"] == method) & (tidy["measure"] == m)
        tidy.loc[row, names] = [test.difference, low, high, p]


def _gap_between_pair(results: Results, tidy: pd.DataFrame) -> list[str]:
    """MF-ADG − MF-AUC with its interval over users, as cells; also kept in the tidy table."""
    sides = [_test_users(results, method) for method in PAIR]
    cells = []
    for measure in MEASURES:
        low, high = difference_interval(
            sides[1], sides[0], measure, "user", results.dataset, "table1"
        )
        rows = tidy["measure"] == measure
        means = [tidy.loc[rows & (tidy["method"] == m), "mean"].item() for m in PAIR]
        tidy.loc[rows & (tidy["method"] == PAIR[1]), ["gain", "gain_low", "gain_high"]] = [
            means[1] - means[0],
            low,
            high,
        ]
        cells.append(f"{means[1] - means[0]:+.4f} [{low:+.4f}, {high:+.4f}]".replace("-", "−"))
    return cells


def table1_candidates(results: Results) -> Table:
    """The two readings of candidates: the user's unseen items, or all items."""

    rows = []
    kinds = results.config["studies"][STUDY]["candidates"]
    for candidates in kinds:
        chosen = results.chosen(STUDY, candidates=candidates)
        for method in results.methods(STUDY):
            for measure in MEASURES:
                values = fold_values(chosen, method, measure)
                rows.append(
                    (
                        results.dataset,
                        method,
                        candidates,
                        measure,
                        *mean_and_error(values),
                        len(values),
                    )
                )
    columns = ["dataset", "method", "candidates", "measure", "mean", "sem", "n"]
    tidy = pd.DataFrame(rows, columns=columns)
    tidy["published"] = float("nan")
    tidy["difference"] = float("nan")
    lines = []
    for method in results.methods(STUDY):
        for candidates in kinds:
            mine = tidy[(tidy["method"] == method) & (tidy["candidates"] == candidates)]
            mine = mine.set_index("measure")
            cells = [with_error(mine.loc[m, "mean"], mine.loc[m, "sem"]) for m in MEASURES]
            ratio = mine.loc["recall@10", "mean"] / mine.loc["adg", "mean"]
            lines.append([marked(results, STUDY, method), candidates, *cells, f"{ratio:.2f}"])
    labels = [measures.label(m) for m in MEASURES]
    shown = pd.DataFrame(lines, columns=["method", "candidates", *labels, "Recall@10 / ADG"])
    notes = [
        "unseen: all items except the user's own training items; all: every item, the literal reading.",
        "Settings are chosen with the first kind of candidates; the paper's MovieLens has "
        "Recall@10 / ADG of 0.55 to 0.58.",
        *edge_notes(results, STUDY),
    ]
    caption = f"Two readings of the candidates on {results.dataset}."
    return without_twins(results, STUDY, Table(tidy, shown, caption, notes))
