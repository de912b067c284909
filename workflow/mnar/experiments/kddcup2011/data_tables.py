"""Tables of kddcup2011 on the data: sizes, and section 2.2 in numbers."""

import json

import numpy as np
import pandas as pd

from mnar import splits
from mnar.experiments.kddcup2011 import VIEW
from mnar.experiments.kddcup2011.anchors import PAPER, anchor
from mnar.experiments.kddcup2011.cells import completed, plain
from mnar.experiments.kddcup2011.statements import Profile
from mnar.reporting.published_numbers import read_published
from mnar.reporting.results import Results
from mnar.reporting.table_format import Table
from mnar.splits import TEST, TRAIN, VALIDATION

SIZES = ("users", "items", "train", "validation", "test")


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
    tidy = completed(tidy.assign(dataset=results.dataset, sem=np.nan, n=1))
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
            "Official parts count rows with ratings or answers; the contest's test files have none."
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
    """The statements of section 2.2 on the data, in numbers."""
    rows = [
        {
            "method": quantity.group,
            "measure": quantity.name,
            "mean": quantity.value,
            "sem": quantity.margin / 1.96,
            "low": quantity.value - quantity.margin,
            "high": quantity.value + quantity.margin,
            "published": published_share(results, quantity.group, quantity.name),
        }
        for quantity in Profile(results).quantities()
    ]
    tidy = completed(pd.DataFrame(rows).assign(dataset=results.dataset, n=1))
    shown = pd.DataFrame(
        {
            "of": tidy["method"],
            "quantity": tidy["measure"],
            "value": [
                plain(row.mean)
                + (f" [{plain(row.low)}, {plain(row.high)}]" if pd.notna(row.low) else "")
                for row in tidy.itertuples()
            ],
        }
    )
    if tidy["published"].notna().any():
        shown["published"] = [plain(value) for value in tidy["published"]]
    notes = [
        "Validation: the official part where there is one, else the last four ratings of each user; "
        "brackets are 95 % intervals over users.",
        "Head, middle and tail are the most rated 4.7 %, the next 20 % and the last 75.3 % of the "
        "items (pradel2012). Weeks of change cut the weekly series into three constant pieces by "
        "least squares, the larger jump first.",
    ]
    return Table(tidy, shown, f"{results.dataset} in numbers.", notes)


def published_share(results: Results, group: str, name: str) -> float:
    quantity = {"share of items": "item_share", "share of ratings": "rating_share"}.get(name, "")
    found = anchor(results, "track1", f"{quantity}_percent", f"{group}s")
    return found / 100
