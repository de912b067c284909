"""A made-up paper: a list of claims, their tests, and tables to judge them by."""

from pathlib import Path
from types import ModuleType

import pandas as pd
import yaml

from mnar.claims import above, entries, page_verdicts

ENTRY = {
    "place": "Table 1",
    "statement": "a is <b>above</b> 0 & more",
    "kind": "behaviour",
    "datasets": ["d", "gone"],
    "stand_ins": ["synthetic", "other"],
    "files": ["t"],
}
DATASETS = {"d": {}, "other": {}, "gone": {"source": "the attic"}, "synthetic": {"generator": {}}}


def positive(data):
    return above(data.pick("t", method="a"), 0)


def row(low: float, high: float, **more) -> dict:
    return {"method": "a", "mean": (low + high) / 2, "low": low, "high": high, **more}


class Paper:
    """Writes tables and a list; gives the verdicts by dataset."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.files: list[Path] = []

    def table(self, rows, name: str = "e/d/t.csv") -> "Paper":
        path = self.folder / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(path, index=False)
        self.files.append(path)
        return self

    def claims(self, *changes: dict, test=positive, defaults=None, **more) -> list[entries.Claim]:
        """One claim for each of the changes to the usual entry, the first is lim-01."""
        found = {f"lim-{n:02}": {**ENTRY, **change} for n, change in enumerate(changes or [{}], 1)}
        found = {
            entry.pop("id", name): {key: v for key, v in entry.items() if v is not None}
            for name, entry in found.items()
        }
        path = self.folder / "claims.yaml"
        content = {"claims": found} | ({"defaults": defaults} if defaults else {})
        path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        tests = ModuleType("tests")
        for name in found:
            setattr(tests, str(name).replace("-", "_"), test)
        vars(tests).update(more)
        return entries.read(path, "e", tests)

    def evaluated(self, claims, *datasets: str) -> pd.DataFrame:
        pairs = [("e", dataset) for dataset in datasets or ("d",)]
        return page_verdicts.PageVerdicts(self.files, pairs, DATASETS).rows(claims)

    def rows(self, claims, *datasets: str) -> dict[str, dict]:
        found = self.evaluated(claims, *datasets)
        assert list(found.columns) == list(page_verdicts.COLUMNS)
        return {row["dataset"]: row for row in found.to_dict("records")}
