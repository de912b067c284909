"""Tables of kddcup2011."""

import json
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd

from mnar import measures, splits
from mnar.experiments.kddcup2011 import BASELINE, BLEND, TAXONOMY_STEPS, TRACK1, TRACK2, VIEW
from mnar.experiments.kddcup2011.differences import differences as all_differences
from mnar.experiments.kddcup2011.profile import Profile
from mnar.experiments.kddcup2011.sweeps import factor_sweep
from mnar.reporting.published import read_published
from mnar.reporting.results import Results, fold_values, read_scores
from mnar.reporting.search_tables import chosen_table, grid_table
from mnar.reporting.tables import Table, number, with_error
from mnar.splits import TEST, TRAIN, VALIDATION
from mnar.statistics.bootstrap import SAMPLES
from mnar.statistics.comparison import mean_and_error
from mnar.tuning.fold_bootstrap import difference_interval
from mnar.tuning.scores import PerUser

# The tracks have a dataset each; what the paper says of a track is said of that one.
PAPER = {"track1": "yahoo-music", "track2": "yahoo-music-2"}
SIZES = ("users", "items", "train", "validation", "test")
TIDY = ["dataset", "method", "measure", "mean", "sem", "n", "published", "difference"]
# The paper's numbers that one of our methods stands beside: (track, quantity, condition).
ANCHORS = {
    (TRACK1, "mf-biased", "rmse"): ("track1", "rmse", "without taxonomy"),
    (TRACK1, "mf-taxonomy", "rmse"): ("track1", "rmse", "with taxonomy"),
    (TRACK1, BLEND, "rmse"): ("track1", "rmse", "best"),
    (TRACK1, BLEND, "r2"): ("track1", "r2_percent", "best"),
    (TRACK2, "mf-balanced", "track2_error"): ("track2", "error_percent", "BinarySVD"),
    (TRACK2, "mf-balanced-taxonomy", "track2_error"): (
        "track2",
        "error_percent",
        "BinarySVD+ taxonomy",
    ),
    (TRACK2, BLEND, "track2_error"): ("track2", "error_percent", "best"),
}


def table1(results: Results) -> Table:
    """Users, items and ratings of the parts: official where there are any, and as split here."""
    rows = list(_official_sizes(results))
    view = results.view(VIEW)
    for track in PAPER:
        split = splits.load_split(results.file("splits", results.dataset, VIEW, f"{track}.npz"), 0)
        sizes = dict(zip(SIZES, view.shape, strict=False))
        for name, role in (("train", TRAIN), ("validation", VALIDATION), ("test", TEST)):
            drawn = np.count_nonzero(split.drawn_role == role)
            held_out = np.count_nonzero(split.roles == role)
            if drawn and not held_out:
                # The contest's own test is not among the ratings.
                held_out = np.count_nonzero(split.random & view.random.relevant)
            sizes[name] = int(held_out + drawn)
        rows += [(track, name, float(size), np.nan) for name, size in sizes.items()]
    tidy = pd.DataFrame(rows, columns=["method", "measure", "mean", "published"])
    tidy = _completed(tidy.assign(dataset=results.dataset, sem=np.nan, n=1))
    shown = tidy.pivot(index="method", columns="measure", values="mean")
    if tidy["published"].notna().any():
        theirs = tidy.pivot(index="method", columns="measure", values="published").dropna(how="all")
        shown = pd.concat([shown, theirs.rename(index=lambda name: f"{name}, published")])
    shown = shown.reindex(columns=SIZES).sort_index()
    shown = shown.map(lambda size: "–" if pd.isna(size) else f"{size:,.0f}")
    notes = [
        "track1: the last six ratings of a user are test, the four before them validation. track2: "
        "three highly rated and three drawn items for each user, half of the users for validation.",
    ]
    if any(name.startswith("official") for name in tidy["method"]):
        notes.append(
            "Official parts have what the files give ratings or answers for; the contest's test files "
            "have none."
        )
    caption = f"Sizes of {results.dataset} in the two tracks."
    return Table(tidy, shown.rename_axis("task").reset_index(), caption, notes)


def _official_sizes(results: Results):
    """The paper's own parts, beside its Table 1."""
    path = results.file("data", results.dataset, "summary.json")
    summary = json.loads(path.read_text(encoding="utf-8"))
    published = read_published("kddcup2011", "datasets").set_index("task")
    for track, dataset in PAPER.items():
        if dataset == results.dataset:
            ours = summary | summary.get("parts", {})
            ours["test"] = ours.get("test") or summary["random"]["interactions"]
            for name in SIZES:
                theirs = float(published.loc[track, name])
                yield f"official {track}", name, float(ours.get(name, np.nan)), theirs


def profile(results: Results) -> Table:
    """What section 2.2 says of the data, in numbers."""
    rows = [
        {
            "method": quantity.group,
            "measure": quantity.name,
            "mean": quantity.value,
            "sem": quantity.margin / 1.96,
            "low": quantity.value - quantity.margin,
            "high": quantity.value + quantity.margin,
            "published": _published_share(results, quantity.group, quantity.name),
        }
        for quantity in Profile(results).quantities()
    ]
    tidy = _completed(pd.DataFrame(rows).assign(dataset=results.dataset, n=1))
    shown = pd.DataFrame(
        {
            "of": tidy["method"],
            "quantity": tidy["measure"],
            "value": [
                _plain(row.mean)
                + (f" [{_plain(row.low)}, {_plain(row.high)}]" if pd.notna(row.low) else "")
                for row in tidy.itertuples()
            ],
        }
    )
    if tidy["published"].notna().any():
        shown["published"] = [_plain(value) for value in tidy["published"]]
    notes = [
        "Validation: the official part where there is one, else the last four ratings of each user; "
        "brackets are 95 % intervals over users.",
        "Head, middle and tail are the most rated 4.7 %, the next 20 % and the last 75.3 % of the "
        "items (pradel2012). Weeks of change cut the weekly series into three constant pieces by "
        "least squares, the larger jump first.",
    ]
    return Table(tidy, shown, f"{results.dataset} in numbers.", notes)


def _published_share(results: Results, group: str, name: str) -> float:
    quantity = {"share of items": "item_share", "share of ratings": "rating_share"}.get(name, "")
    found = _anchor(results, "track1", f"{quantity}_percent", f"{group}s")
    return found / 100


def track1(results: Results) -> Table:
    """RMSE and R² of every method on the last six ratings of each user."""
    variances = _test_variances(results)
    rows = []
    for method in [*results.methods(TRACK1), BLEND]:
        rmse = fold_values(_scores(results, TRACK1, method), method, "rmse")
        gain = _gain(results, TRACK1, method, "rmse")
        rows.append(_row(results, TRACK1, method, "rmse", rmse) | gain)
        rows.append(_row(results, TRACK1, method, "r2", 1 - rmse**2 / variances))
    tidy = _completed(pd.DataFrame(rows))
    lines = []
    for method, mine in tidy.groupby("method", sort=False):
        mine = mine.set_index("measure")
        line = [method, *(_cell(mine.loc[name]) for name in ("rmse", "r2"))]
        lines.append([*line, _gain_cell(mine.loc["rmse"])])
        if mine["published"].notna().any():
            theirs = [number(mine.loc[name, "published"]) for name in ("rmse", "r2")]
            lines.append([f"{method}, published", *theirs, ""])
    columns = ["method", "RMSE", "R²", f"RMSE against {BASELINE}"]
    notes = [
        "Mean over folds, standard error in brackets; differences with the 95 % interval of a "
        f"bootstrap over users ({SAMPLES} samples).",
        "R² is the share of the variance of the test ratings that is explained. The blend's weights "
        "are fitted on validation.",
    ]
    caption = f"Track 1 on {results.dataset}: test RMSE."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def track2(results: Results) -> Table:
    """Error, recall and popularity-weighted recall of every method."""
    study = results.config["studies"][TRACK2]
    names = [*study["measures"], *study.get("chosen_measures", [])]
    rows = []
    for method in [*results.methods(TRACK2), BLEND]:
        scores = _scores(results, TRACK2, method)
        for measure in names:
            row = _row(results, TRACK2, method, measure, fold_values(scores, method, measure))
            compared = measure == "track2_error"
            rows.append(row | (_gain(results, TRACK2, method, measure) if compared else {}))
    tidy = _completed(pd.DataFrame(rows))
    lines = []
    for method, mine in tidy.groupby("method", sort=False):
        mine = mine.set_index("measure")
        error = mine.loc["track2_error"]
        line = [method, _cell(error), _gain_cell(error), _percent(error["relative"])]
        lines.append([*line, *(_cell(mine.loc[name]) for name in names if name != "track2_error")])
        if pd.notna(error["published"]):
            others = ["–"] * (len(names) + 1)
            lines.append([f"{method}, published", number(error["published"]), *others])
    columns = ["method", "error", f"against {BASELINE}", "change %"]
    columns += [measures.label(name) for name in names if name != "track2_error"]
    notes = [
        "The error is the share of six items, three rated highly and three drawn by popularity, that "
        "are put on the wrong side: 0.5 by chance. Recall with β = 1 weights items inversely to "
        "their number of high ratings; recall ranks all unseen items.",
        "Mean over folds, standard error in brackets; differences with the 95 % interval of a "
        f"bootstrap over users ({SAMPLES} samples).",
    ]
    caption = f"Track 2 on {results.dataset}: test error."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def blend(results: Results) -> Table:
    """The blend against the single method that is best on validation, and its weights."""
    rows, lines = [], []
    for study, measure in ((TRACK1, "rmse"), (TRACK2, "track2_error")):
        best = _best_on_validation(results, study, measure)
        values = {
            method: fold_values(_scores(results, study, method), method, measure)
            for method in (best, BLEND)
        }
        for method, scores in values.items():
            rows.append(_row(results, study, method, measure, scores) | {"weight": np.nan})
        gain = _gain(results, study, BLEND, measure, best)
        rows[-1] |= gain
        single, blended = pd.Series(rows[-2]), pd.Series(rows[-1])
        lines.append([measures.label(measure), f"{best} (best single)", _cell(single), "", ""])
        line = [measures.label(measure), BLEND, _cell(blended)]
        lines.append([*line, _gain_cell(blended), _percent(gain["relative"])])
        weights = _blend_scores(results, study)["settings"].drop_duplicates().map(json.loads)
        for method, weight in pd.DataFrame(list(weights)).mean().items():
            row = {"dataset": results.dataset, "method": method, "measure": f"{measure} weight"}
            rows.append(row | {"mean": weight, "n": len(weights)})
    columns = ["measure", "method", "test", "against best single", "change %"]
    notes = [
        "Weights by least squares on validation: of ratings in Track 1, of 1 (rated highly) and 0 "
        "(drawn) within each user in Track 2; the weights, mean over folds, are in the CSV.",
        f"Differences with the 95 % interval of a bootstrap over users ({SAMPLES} samples).",
    ]
    caption = f"Least-squares blend of all methods on {results.dataset}."
    return Table(
        _completed(pd.DataFrame(rows)), pd.DataFrame(lines, columns=columns), caption, notes
    )


def steps(results: Results) -> Table:
    """How much a step of modelling changes RMSE, and how much the Track 2 error."""
    rows: list[tuple] = []
    sweep = factor_sweep(results)
    for method, mine in sweep.groupby("method", sort=False):
        mine = mine.sort_values("factors")
        for before, after in pairwise(mine.itertuples()):
            step = f"{before.factors:g} to {after.factors:g} factors"
            rows.append((step, method, mine["measure"].iloc[0], before.mean, after.mean))
    for study, measure in ((TRACK1, "rmse"), (TRACK2, "track2_error")):
        for step, pair in TAXONOMY_STEPS[study].items():
            if set(pair) <= set(results.methods(study)):
                values = [_mean(results, study, method, measure) for method in pair]
                rows.append((step, f"{pair[1]} after {pair[0]}", measure, *values))
        best = _best_on_validation(results, study, measure)
        values = [_mean(results, study, method, measure) for method in (best, BLEND)]
        rows.append(("blend", f"{BLEND} after {best}", measure, *values))
    tidy = pd.DataFrame(rows, columns=["step", "method", "measure", "before", "after"])
    tidy["mean"] = 100 * (tidy["after"] / tidy["before"] - 1)
    tidy = _completed(tidy.assign(dataset=results.dataset, sem=np.nan, n=1))
    lines = []
    for row in tidy.itertuples():
        cells = [number(row.before), number(row.after), _percent(row.mean)]
        lines.append([row.step, measures.label(row.measure), row.method, *cells])
    columns = ["step", "measure", "method", "before", "after", "change %"]
    medians = tidy["mean"].abs().groupby(tidy["measure"]).median()
    notes = [
        "Test values, settings tuned on validation before and after the step. Median size of the "
        + ", of the ".join(f"{measures.label(m)} changes: {v:.2f} %" for m, v in medians.items())
        + ".",
    ]
    caption = f"Steps of modelling on {results.dataset}: what they do to RMSE and to Track 2 error."
    return Table(tidy, pd.DataFrame(lines, columns=columns), caption, notes)


def differences(results: Results) -> Table:
    """The comparisons of section 5, with intervals over users."""
    return all_differences(results)


def chosen(results: Results) -> Table:
    """The setting chosen in each fold of both tracks."""
    return _both_tracks(results, chosen_table)


def grid(results: Results) -> Table:
    """Every setting tried in both tracks, with its score on validation."""
    return _both_tracks(results, grid_table)


def _both_tracks(results: Results, make) -> Table:
    tables = {study: make(results, study) for study in (TRACK1, TRACK2)}
    tidy, shown = (
        pd.concat(
            [getattr(table, part).assign(track=study[-1]) for study, table in tables.items()],
            ignore_index=True,
        )
        for part in ("tidy", "shown")
    )
    shown = shown[["track", *shown.columns[:-1]]]
    first = tables[TRACK1]
    return Table(tidy, shown, first.caption, first.notes)


def _scores(results: Results, study: str, method: str) -> pd.DataFrame:
    """Test scores of the chosen settings, or of the blend."""
    if method != BLEND:
        return results.chosen(study)
    scores = _blend_scores(results, study)
    scores = scores[scores["set"] == "test"]
    average = results.config["studies"][study]["average"]
    return scores.assign(method=BLEND, value=scores[f"{average}_mean"])


@cache
def _blend_scores(results: Results, study: str) -> pd.DataFrame:
    return read_scores(results.files_of(study, BLEND, ".csv"))


def _mean(results: Results, study: str, method: str, measure: str) -> float:
    return float(fold_values(_scores(results, study, method), method, measure).mean())


def _best_on_validation(results: Results, study: str, measure: str) -> str:
    found = results.chosen(study, "validation")
    means = found[found["measure"] == measure].groupby("method", sort=False)["value"].mean()
    return str(means.idxmin())


def _row(results: Results, study: str, method: str, measure: str, values: np.ndarray) -> dict:
    mean, sem = mean_and_error(values)
    published = float("nan")
    if (study, method, measure) in ANCHORS:
        published = _anchor(results, *ANCHORS[study, method, measure])
        if ANCHORS[study, method, measure][1].endswith("_percent"):
            published /= 100
    return {
        "dataset": results.dataset,
        "method": method,
        "measure": measure,
        "mean": mean,
        "sem": sem,
        "n": len(values),
        "published": published,
    }


def _anchor(results: Results, track: str, quantity: str, condition: str) -> float:
    """A number of the paper's text, where this is the dataset it speaks of."""
    anchors = _anchors()
    found = anchors[
        (anchors["dataset"] == track)
        & (anchors["quantity"] == quantity)
        & (anchors["condition"] == condition)
    ]
    known = PAPER[track] == results.dataset and len(found)
    return float(found["value"].iloc[0]) if known else float("nan")


@cache
def _anchors() -> pd.DataFrame:
    return read_published("kddcup2011", "anchors")


@lru_cache(maxsize=2)
def _test_users(results: Results, study: str, method: str) -> list[PerUser]:
    """Test values by user of each fold. The last ones are kept: one side of comparisons stays."""
    key = (results.config["studies"][study]["candidates"][0], "test")
    return [part for where, part in results.users(study, method).items() if where[1:] == key]


def _gain(
    results: Results, study: str, method: str, measure: str, against: str = BASELINE
) -> dict[str, float]:
    """Difference to another method: mean over folds, interval over users, and in percent."""
    if method == against:
        return dict.fromkeys(("gain", "gain_low", "gain_high", "relative"), float("nan"))
    entry = results.config["studies"][study]
    ours, theirs = (_test_users(results, study, name) for name in (method, against))
    means = [_mean(results, study, name, measure) for name in (method, against)]
    seed = (results.dataset, study)
    low, high = difference_interval(ours, theirs, measure, entry["average"], *seed)
    relative = 100 * (means[0] / means[1] - 1) if means[1] else float("nan")
    gain = means[0] - means[1]
    return {"gain": gain, "gain_low": low, "gain_high": high, "relative": relative}


def _test_variances(results: Results) -> np.ndarray:
    """The variance of the test ratings of Track 1, in each fold."""
    view = results.view(VIEW)
    path = results.file("splits", results.dataset, VIEW, "track1.npz")
    folds = sorted(set(results.scores(TRACK1)["fold"]))
    return np.array(
        [
            view.ratings.rating[splits.load_split(path, fold).roles == TEST].var(dtype=np.float64)
            for fold in folds
        ]
    )


def _completed(tidy: pd.DataFrame) -> pd.DataFrame:
    """The columns that every table has come first."""
    for name in TIDY:
        if name not in tidy:
            tidy[name] = np.nan
    tidy["difference"] = tidy["mean"] - tidy["published"]
    return tidy[[*TIDY, *(name for name in tidy.columns if name not in TIDY)]]


def _cell(row: pd.Series) -> str:
    return with_error(row["mean"], row["sem"])


def _gain_cell(row: pd.Series) -> str:
    if pd.isna(row["gain"]):
        return "–"
    text = f"{row['gain']:+.4f} [{row['gain_low']:+.4f}, {row['gain_high']:+.4f}]"
    return text.replace("-", "−")


def _percent(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:+.1f}".replace("-", "−")


def _plain(value: float) -> str:
    if pd.isna(value):
        return "–"
    text = f"{value:,.0f}" if value == round(value) else f"{value:.4g}"
    return text.replace("-", "−")
