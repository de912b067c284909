"""Table 3 of steck2010, and the effect of catalogue, candidates and samples on ATOP and TOPK."""

import numpy as np
import pandas as pd

from mnar import measures
from mnar.experiments.steck2010 import ATOP_TUNED, LISTS, STUDY
from mnar.experiments.steck2010.cells import SPREAD, about_method, spread, with_sd
from mnar.experiments.steck2010.top_of_list import (
    DRAWN_PAIRS,
    DRAWS,
    SAMPLE_ATOP,
    SAMPLE_TOPK,
    TOPS,
    sampled,
    simulated,
    top_of_list,
)
from mnar.reporting.edges import edge_notes, marked, marked_methods
from mnar.reporting.method_rows import merged
from mnar.reporting.results import Results, fold_values
from mnar.reporting.table_format import Table, number
from mnar.statistics.correlation import kendall

# The measures of Table 3: TOPK as the paper has it (among a sample) and exact.
NAMES = tuple(name for k in TOPS for name in (sampled(k, SAMPLE_TOPK), f"topk({k:g})"))
# Measure -> column of the published table.
PUBLISHED = dict(zip(NAMES[::2], ("topk_0pct", "topk_0.2pct", "topk_2pct"), strict=True))
PUBLISHED |= {"rmse": "rmse", "atop": "atop"}


def table3(results: Results) -> Table:
    """RMSE, ATOP and TOPK; TOPK as the paper has it (expected over samples of 1,000) and exact."""
    published = results.published("steck2010_table3")
    # The paper has one model that ignores missing ratings, tuned for ATOP.
    renamed = published.replace({"method": {"observed-only": ATOP_TUNED}}).set_index("method")
    tidy = _values(results, renamed)
    shown = _lines(results, tidy, renamed)
    factor = [m for m in results.methods(STUDY) if m not in LISTS]
    means = tidy[tidy["method"].isin(factor)].pivot(
        index="method", columns="measure", values="mean"
    )
    means = means[["atop", NAMES[-1]]].dropna()
    agreement = kendall(means["atop"], means[NAMES[-1]])
    extra = {"dataset": results.dataset, "method": "factor models", "measure": "kendall_tau"}
    tidy = pd.concat([tidy, pd.DataFrame([{**extra, "mean": agreement, "n": len(factor)}])])
    notes = [
        SPREAD,
        f"Ñ = {SAMPLE_TOPK}: exact expectation when an item is ranked among {SAMPLE_TOPK - 1} others drawn "
        "at random, as the paper did; beside it the value among all items.",
        f"Kendall's tau between ATOP and TOPK(2 %) over the factor models: {agreement:.2f}.",
        *edge_notes(results, STUDY),
    ]
    caption = f"RMSE, ATOP and the top of the list on {results.dataset} (test)."
    return merged(Table(tidy.reset_index(drop=True), shown, caption, notes))


def _values(results: Results, published: pd.DataFrame) -> pd.DataFrame:
    """Each method by each measure, TOPK also against the model of observed ratings only."""
    tops = top_of_list(results)
    chosen = results.chosen(STUDY)
    rows = []
    for method in results.methods(STUDY):
        for measure in ("rmse", "atop", *NAMES):
            if measure == "rmse" and not about_method(results, method).predicts_ratings:
                continue
            if measure in ("rmse", "atop"):
                values, lead, low, high = fold_values(chosen, method, measure), *(3 * [np.nan])
            else:
                values = tops.by_fold(method, measure)
                lead = float(np.mean(values - tops.by_fold(ATOP_TUNED, measure)))
                low, high = tops.difference(method, ATOP_TUNED, measure)
            theirs = np.nan
            if method in published.index and measure in PUBLISHED:
                theirs = float(published.loc[method, PUBLISHED[measure]])
            row = {
                "dataset": results.dataset,
                "method": method,
                "measure": measure,
                **spread(values),
                "published": theirs,
                "over_observed_only": lead,
                "over_observed_only_low": low,
                "over_observed_only_high": high,
            }
            rows.append({**row, "difference": row["mean"] - theirs})
    return pd.DataFrame(rows)


def _lines(results: Results, tidy: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """The table as shown, our methods above the published ones."""
    lines = []
    for method in results.methods(STUDY):
        mine = tidy[tidy["method"] == method].set_index("measure")
        cells = [with_sd(mine.loc[m]) if m in mine.index else "–" for m in ("rmse", "atop", *NAMES)]
        lines.append([marked(results, STUDY, method), *cells])
    for method, row in published.iterrows():
        cells = [number(row[c], 3) for c in PUBLISHED.values()][:3]
        exact = [cell for sampled in cells for cell in (sampled, "–")]
        lines.append(
            [f"{method}, published", number(row["rmse"], 3), number(row["atop"], 2), *exact]
        )
    titles = [
        t for k in TOPS for t in (f"TOPK {100 * k:g} %, Ñ = {SAMPLE_TOPK}", f"TOPK {100 * k:g} %")
    ]
    shown = pd.DataFrame(lines)
    shown.columns = ["method", "RMSE", "ATOP", *titles]
    return shown


def readings(results: Results) -> Table:
    """Test ATOP in every catalogue, with all or only unseen items as candidates, same settings."""
    tops = top_of_list(results)
    published = results.published("steck2010_table2").set_index("method")
    catalogues = results.config["studies"][STUDY]["catalogues"]
    rows, columns = [], []
    for candidates in ("all", "unseen"):
        for catalogue in catalogues:
            for name, column in (("validation", "atop_xv"), ("test", "atop_test")):
                for method in results.methods(STUDY):
                    values = tops.by_fold(method, "atop", catalogue, candidates, name)
                    theirs = np.nan
                    if method in published.index:
                        theirs = float(published.loc[method, column])
                    row = {
                        "dataset": results.dataset,
                        "method": method,
                        "candidates": candidates,
                        "catalogue": catalogue,
                        "items": tops.items(catalogue),
                        "measure": "atop",
                        "set": name,
                        **spread(values),
                        "published": theirs,
                    }
                    rows.append({**row, "difference": row["mean"] - theirs})
            columns.append((candidates, catalogue))
    tidy = pd.DataFrame(rows)
    test = tidy[tidy["set"] == "test"]
    lines = []
    for method in results.methods(STUDY):
        mine = test[test["method"] == method].set_index(["candidates", "catalogue"])
        line = [method, *(number(mine.loc[column, "mean"]) for column in columns)]
        theirs = published["atop_test"].get(method, np.nan)
        lines.append([*line, number(theirs, 3)] if len(published) else line)
    if len(published):
        away = tidy.groupby(["candidates", "catalogue", "method"])["difference"].mean().abs()
        for title, fold in (("mean deviation", "mean"), ("largest deviation", "max")):
            found = away.groupby(["candidates", "catalogue"]).agg(fold)
            lines.append([title, *(number(found[column]) for column in columns), ""])
    titles = [f"{which}, {catalogue} ({tops.items(catalogue):,})" for which, catalogue in columns]
    shown = pd.DataFrame(lines)
    shown.columns = ["method", *titles, *(["published"] if len(published) else [])]
    notes = [
        "All six with the settings chosen in the main reading (all items that the catalogue lists), "
        "trained again in each catalogue, on the same split.",
        "Columns: candidates (all items, or those that the user has not rated in training), catalogue "
        "(rated items, listed items, all ids), and its number of items.",
        "The paper's words give the main reading; none is preferred for being nearer.",
    ]
    if len(published):
        notes.append(
            "Deviation: of the mean over xv and test from the published mean, over the rows."
        )
    shown = marked_methods(shown, results, STUDY)
    notes += edge_notes(results, STUDY)
    caption = f"Test ATOP on {results.dataset} in six readings of the candidates."
    return merged(Table(tidy, shown, caption, notes))


def sampling(results: Results) -> Table:
    """The effect on ATOP and TOPK of ranking against a random sample of the candidates."""
    tops = top_of_list(results)
    rows = []
    for method in results.methods(STUDY):
        for sample in (SAMPLE_ATOP, SAMPLE_TOPK):
            drawn = simulated(tops, method, sample)
            for share in (None, *TOPS):
                name = sampled(share, sample)
                truth = tops.by_fold(method, "atop" if share is None else f"topk({share:g})")
                expected = tops.by_fold(method, name)
                rows.append(
                    {
                        "dataset": results.dataset,
                        "method": method,
                        "measure": name,
                        "sample": sample,
                        "items": tops.items(tops.view),
                        **spread(expected),
                        "exact": truth.mean(),
                        "bias": expected.mean() - truth.mean(),
                        "drawn": drawn[name].mean,
                        "drawn_sem": drawn[name].sem,
                        "drawn_expected": drawn[name].expected,
                        "published": np.nan,
                        "difference": np.nan,
                    }
                )
    tidy = pd.DataFrame(rows)
    lines = [
        [
            row.method,
            measures.label(row.measure),
            number(row.exact),
            number(row.mean),
            f"{row.bias:+.4f}".replace("-", "−"),
            f"{number(row.drawn)} ± {number(row.drawn_sem, 5)}",
            number(row.drawn_expected),
        ]
        for row in tidy.itertuples()
    ]
    columns = ["method", "measure", "exact", "expected", "bias", "drawn", "expected of these"]
    notes = [
        "exact: among all items; expected: exact expectation when each item is ranked among Ñ − 1 others "
        "drawn without replacement (hypergeometric).",
        f"drawn: mean and standard error of {DRAWS} samples really drawn for the pairs of the first seed "
        f"(at most {DRAWN_PAIRS:,} of them), beside the expectation for the same pairs.",
        "Sampled ATOP is unbiased; sampled TOPK is not: at small k it is too high.",
    ]
    caption = f"Ranking against a random sample of the candidates on {results.dataset} (test)."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)
