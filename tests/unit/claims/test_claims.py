"""Claims: every test kind on made-up tables, missing files, the list itself, and the page."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mnar.claims import compare, entries, evaluation, generated, identities, report
from mnar.claims.conditions import Parser
from mnar.claims.outcome import FAILS, HOLDS, UNDECIDED, UNTESTABLE, VERDICTS, Missing
from mnar.claims.tables import Tables
from mnar.core.errors import UserError
from mnar.reporting.page import render

ORIGINAL = [
    *(f"lim-{n:02}" for n in range(1, 32)),
    *(f"ste-{n:02}" for n in range(1, 52)),
    *(f"pra-{n:02}" for n in range(1, 42)),
    *(f"kdd-{n:02}" for n in range(1, 21)),
]


@pytest.fixture
def made(tmp_path: Path):
    """Writes a table, and applies tests to it."""

    class Made:
        results = tmp_path

        def table(self, rows: list[dict], name: str = "e/d/t.csv") -> "Made":
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            pd.DataFrame(rows).to_csv(path, index=False)
            return self

        def outcome(self, test: str):
            parsed = Parser("here").parse(yaml.safe_load(test))
            return parsed.apply(Tables(tmp_path, "d", "e/{dataset}/t.csv"))

        def verdict(self, test: str) -> str:
            return self.outcome(test).verdict

    return Made()


def two(low: float, high: float) -> list[dict]:
    return [
        {"method": "a", "mean": (low + high) / 2, "low": low, "high": high},
        {"method": "b", "mean": 0.0, "low": 0.0, "high": 0.0},
    ]


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(1, 2, HOLDS), (-2, -1, FAILS), (-1, 2, UNDECIDED)]
)
def test_the_whole_interval_decides(made, low, high, verdict):
    made.table(two(low, high))
    assert made.verdict("{value: {method: a}, above: 0}") == verdict
    assert made.verdict("{difference: [{method: a}, {method: b}], above: 0}") == verdict
    assert made.verdict("{order: {key: method, sequence: [b, a]}}") == verdict
    by_point = made.verdict("{value: {method: a}, above: 0, by: point}")
    assert by_point == (HOLDS if low + high > 0 else FAILS)


def test_bounds(made):
    made.table(two(1, 3))
    assert made.verdict("{value: {method: a}, inside: [0, 4]}") == HOLDS
    assert made.verdict("{value: {method: a}, inside: [2, 4]}") == UNDECIDED
    assert made.verdict("{value: {method: a}, inside: [4, 5]}") == FAILS
    assert made.verdict("{value: {method: a}, contains: 2}") == HOLDS
    assert made.verdict("{value: {method: a}, contains: 2, widest: 1}") == UNDECIDED
    assert made.verdict("{value: {method: a}, contains: 0}") == FAILS
    assert made.verdict("{value: {method: a}, below: 0, else: undecided}") == UNDECIDED


def test_a_family_asks_for_wider_intervals(made):
    made.table(two(0.1, 1.9))
    assert made.verdict("{value: {method: a}, above: 0}") == HOLDS
    assert made.verdict("{value: {method: a}, above: 0, family: 10}") == UNDECIDED


def test_folds_give_an_interval_by_students_t(made):
    made.table([{"method": "a", "mean": 1.0, "sem": 0.2, "n": 4}])
    found = made.outcome("{value: {method: a}, above: 0}")
    # 3.182 standard errors with three degrees of freedom.
    assert "[0.3635, 1.636]" in found.numbers
    assert found.verdict == HOLDS
    assert made.verdict("{value: {method: a}, above: 0.5}") == UNDECIDED


def test_a_number_without_interval_says_so(made):
    made.table([{"method": "a", "mean": 1.0}])
    assert made.outcome("{value: {method: a}, above: 0}").how == "> 0; by the number alone"
    made.table(two(1, 2))
    assert "by the number alone" not in made.outcome("{value: {method: a}, above: 0}").how


@pytest.mark.parametrize(
    ("gain", "p", "verdict"),
    [(0.1, 0.01, HOLDS), (-0.1, 0.01, FAILS), (0.1, 0.5, UNDECIDED), (-0.1, 0.5, UNDECIDED)],
)
def test_significance(made, gain, p, verdict):
    made.table([{"method": "a", "gain": gain, "p": p}])
    test = "{significant: {method: a, column: gain}, p: p, direction: %s}"
    assert made.verdict(test % "greater") == verdict
    assert made.verdict(test % "none") == (FAILS if p < 0.05 else HOLDS)
    assert made.verdict(test % "not greater") == (FAILS if verdict == HOLDS else HOLDS)


def test_all_and_any_and_each(made):
    made.table([*two(1, 2), {"method": "c", "mean": 0, "low": -1, "high": 1}])
    yes = "{value: {method: a}, above: 0.5}"
    no = "{value: {method: a}, below: 0.5}"
    maybe = "{value: {method: c}, above: 0.5}"
    assert made.verdict(f"{{all: [{yes}, {maybe}]}}") == UNDECIDED
    assert made.verdict(f"{{all: [{yes}, {maybe}, {no}]}}") == FAILS
    assert made.verdict(f"{{any: [{no}, {maybe}]}}") == UNDECIDED
    assert made.verdict(f"{{any: [{no}, {maybe}, {yes}]}}") == HOLDS
    each = '{each: {m: [a, z]}, %s test: {value: {method: "{m}"}, above: 0}}'
    assert made.verdict(each % "where_known: true,") == HOLDS
    with pytest.raises(Missing):
        made.outcome(each % "")


def test_two_places_have_the_same_verdict(made):
    made.table(two(1, 2)).table(two(-2, -1), "e/d/low.csv").table(two(-1, 2), "e/d/wide.csv")
    above = "{value: {method: a}, above: 0}"
    same = "{same: {x-01: [%s, {in: 'e/{dataset}/%s.csv', test: %s}]}}"
    assert made.verdict(same % (above, "t", above)) == HOLDS
    found = made.outcome(same % (above, "low", above))
    assert (found.verdict, found.numbers) == (FAILS, "x-01 holds, there does not hold")
    assert made.verdict(same % (above, "wide", above)) == UNDECIDED
    with pytest.raises(Missing, match=r"e/d/none\.csv"):
        made.outcome(same % (above, "none", above))


def test_steps_of_a_grid(made):
    made.table([{"method": "grid", "x": x} for x in (0, 0.01, 0.1, 1)]).table(
        [{"method": name, "mean": x} for name, x in (("a", 0.01), ("b", 1.0), ("c", 0.1))], "o.csv"
    )
    test = (
        "{steps_apart: {of: [{file: o.csv, method: %s}, {file: o.csv, method: %s}],"
        " among: {method: grid, column: x}}, at_most: 1}"
    )
    assert made.verdict(test % ("a", "c")) == HOLDS
    assert made.verdict(test % ("a", "b")) == FAILS


CURVE = [
    {"x": x, "set": name, "mean": mean + shift, "d": 0.02, "n": 1}
    for x, mean in ((0, 1.0), (0.01, 3.0), (0.1, 2.0), (1, 2.5))
    for name, shift in (("test", 0.0), ("xv", 0.1 * x))
]


def test_curves(made):
    made.table(CURVE)
    assert made.verdict("{argmax: {along: x, set: test}, inside: [0.005, 0.02]}") == HOLDS
    assert made.verdict("{argmax: {along: x, set: test, over: d}, inside: [0.4, 0.6]}") == HOLDS
    assert made.verdict("{argmax: {along: x, set: test, minus: d}, below: 0}") == HOLDS
    assert made.verdict("{argmin: {along: x, set: test}, at_most: 0}") == HOLDS
    assert made.verdict("{shortfall: {along: x, at: 0.1, set: test}, at_most: 0.5}") == FAILS
    assert made.verdict("{worst_rise: {along: x, set: test}, at_most: 0.4}") == FAILS
    assert made.verdict("{worst_rise: {along: x, set: test}, at_most: 0.5}") == HOLDS
    with pytest.raises(Missing):
        made.outcome("{shortfall: {along: x, at: 7, set: test}, at_most: 1}")


def test_two_curves(made):
    made.table(CURVE)
    pair = "{key: x, of: [{set: xv}, {set: test}]}"
    assert made.verdict(f"{{largest_gap: {pair}, at_most: 0.1000001}}") == HOLDS
    assert made.verdict(f"{{largest_gap: {pair}, at_most: 0.05}}") == FAILS
    assert made.verdict(f"{{smallest_lead: {pair}, at_least: 0}}") == HOLDS
    assert made.outcome(f"{{lead_from: {pair}, below: 1}}").numbers.endswith("0.01")
    assert made.verdict(f"{{kendall: {pair}, at_least: 1}}") == HOLDS
    assert made.verdict("{spearman: {key: x, of: [{set: test}]}, at_least: 0.5}") == FAILS


def test_every_row_against_its_own_bound(made):
    made.table([{"m": "a", "z": z, "bound": 3.0} for z in (0.5, -2.9, np.nan)])
    test = "{value: {m: a, column: z, absolute: true}, below: %s, every: true}"
    assert made.verdict(test % "bound") == HOLDS
    assert made.verdict(test % "0.9 * bound") == FAILS
    assert "1 of 2 rows" in made.outcome(test % "0.9 * bound").numbers


def test_ratios_gains_and_takes(made):
    made.table([{"m": m, "mean": v} for m, v in (("a", 3.0), ("b", 2.0), ("c", 0.0))])
    assert made.verdict("{ratio: [{m: a}, {m: b}], inside: [1.4, 1.6]}") == HOLDS
    assert made.verdict("{ratio: [{m: a}, {m: c}], above: 100}") == HOLDS
    assert made.verdict("{gain: [{m: a}, {m: b}], inside: [49, 51]}") == HOLDS
    assert made.verdict("{value: {m: [a, b, c], take: largest}, inside: [3, 3]}") == HOLDS
    assert made.verdict("{value: {m: [a, b, z], take: count}, inside: [2, 2]}") == HOLDS
    assert made.verdict("{value: {mean: {above: 1}, take: median}, inside: [2.5, 2.5]}") == HOLDS
    with pytest.raises(Missing, match="both 0"):
        made.outcome("{ratio: [{m: c}, {m: c}], above: 0}")
    with pytest.raises(Missing, match="2 rows"):
        made.outcome("{value: {m: [a, b]}, above: 0}")


def test_shares(made):
    made.table([{"m": m, "mean": v} for m, v in (("a", 0.97), ("b", 0.5), ("c", 0.01))])
    assert [made.verdict(f"{{share: {{m: {m}}}}}") for m in "abc"] == [HOLDS, UNDECIDED, FAILS]


def test_published(made):
    made.table(
        [
            {"m": "a", "mean": 1.02, "sem": 0.01, "published": 1.0, "published_sem": 0.0},
            {"m": "b", "mean": 9.0, "sem": 0.01, "published": np.nan, "published_sem": np.nan},
        ]
    )
    assert made.verdict("{published: {}, relative: 5}") == HOLDS
    assert made.verdict("{published: {}, within: 0.03}") == HOLDS
    assert made.verdict("{published: {}, errors: 3}") == HOLDS
    assert made.verdict("{published: {}, errors: 1}") == FAILS
    assert made.verdict("{published: {}}") == FAILS
    with pytest.raises(Missing, match="no number"):
        made.outcome("{published: {m: b}, within: 1}")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("{value: {method: z}, above: 0}", "no row with method z"),
        ("{value: {nobody: z}, above: 0}", "no column nobody"),
        ("{value: {method: a, column: nothing}, above: 0}", "no column nothing"),
        ("{value: {method: a, file: other.csv}, above: 0}", "other.csv is not there"),
    ],
)
def test_what_is_missing_is_said(made, test, words):
    made.table(two(1, 2))
    with pytest.raises(Missing, match=words):
        made.outcome(test)


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("{value: {method: a}}", "needs a bound"),
        ("{valu: {method: a}, above: 0}", "a test needs one of"),
        ("{value: {method: a}, above: 0, abov: 1}", "'abov' has no place"),
        ("{difference: [{method: a}], above: 0}", "a list of two"),
        ("{argmax: {method: a}, above: 0}", "needs 'along'"),
        ("{value: {method: a}, below: bound}", "every"),
        ("{value: {method: a, take: most}, above: 0}", "`take` can be"),
        ("{identity: nonsense}", "no identity"),
        ("{all: []}", "list of tests"),
        ("[]", "mapping"),
    ],
)
def test_a_bad_test_is_refused_when_it_is_read(test, words):
    with pytest.raises(UserError, match=words) as error:
        Parser("claims.yaml, claim lim-01").parse(yaml.safe_load(test))
    assert str(error.value).startswith("claims.yaml, claim lim-01: ")


ENTRY = {
    "id": "lim-01",
    "paper": "lim2015",
    "place": "Table 1",
    "statement": "a is <b>above</b> 0 & more",
    "kind": "behaviour",
    "datasets": ["d", "gone"],
    "stand_ins": ["synthetic"],
    "file": "e/{dataset}/t.csv",
    "test": {"value": {"method": "a"}, "above": 0},
}


def listed(tmp_path: Path, *changes: dict) -> list[entries.Claim]:
    path = tmp_path / "claims.yaml"
    found = [{**ENTRY, **change} for change in changes]
    found = [{k: v for k, v in entry.items() if v is not None} for entry in found]
    path.write_text(yaml.safe_dump(found, sort_keys=False), encoding="utf-8")
    return entries.load(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"statement": None}, "'statement' is missing"),
        ({"kind": "guess"}, "kind 'guess' is unknown"),
        ({"id": "1"}, "three letters"),
        ({"file": None}, "'file' is missing"),
        ({"place": 3}, "quote it"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"readings": {"other": {"tset": 1}}}, "readings"),
        ({"readings": {"other": {"test": ENTRY["test"], "each": {"a": [1]}}}}, "list of mappings"),
        ({"grid": ["0 < ?"]}, "neither a column nor a number"),
        ({"datasets": [3]}, "list of names"),
    ],
)
def test_a_bad_entry_is_refused(tmp_path, change, words):
    with pytest.raises(UserError, match=words):
        listed(tmp_path, change)


def test_an_id_twice_is_refused(tmp_path):
    with pytest.raises(UserError, match="two claims have the id lim-01"):
        listed(tmp_path, {}, {})


DATASETS = {"d": {}, "gone": {"source": "the attic"}, "synthetic": {"generator": {}}}
GRID = pd.DataFrame(
    {
        "popularity_exponent": [0, 1] * 12,
        "positivity": [1] * 24,
        "best": np.r_[np.full(20, 0.01), np.full(4, 0.5)],
        "good": [True] * 24,
    }
)


def rows_of(made, claims, *datasets: str) -> dict[str, dict]:
    pairs = [("e", dataset) for dataset in datasets]
    found = evaluation.Evaluation(made.results, pairs, DATASETS).rows(claims)
    assert list(found.columns) == list(evaluation.COLUMNS)
    return {row["dataset"]: row for row in found.to_dict("records")}


def test_a_dataset_that_is_not_there_is_named(made):
    made.table(two(1, 2))
    rows = rows_of(made, listed(made.results, {}), "d")
    assert rows["d"]["verdict"] == HOLDS
    assert rows["d"]["file"] == "e/d/t.csv"
    assert rows["gone"]["verdict"] == UNTESTABLE
    assert rows["gone"]["how"] == "needs gone: the attic"


def test_a_removed_file_never_holds(made):
    made.table(two(1, 2))
    (made.results / "e/d/t.csv").unlink()
    row = rows_of(made, listed(made.results, {}), "d")["d"]
    assert row["verdict"] == UNTESTABLE
    assert "e/d/t.csv is not there" in row["how"]
    assert row["file"] == ""


def test_other_readings_have_their_own_verdicts(made):
    made.table(two(1, 2))
    readings = {
        "method {m}": {
            "each": [{"m": "a"}, {"m": "b"}],
            "test": {"value": {"method": "{m}"}, "above": 0.5},
        },
        "elsewhere": {"file": "e/{dataset}/u.csv", "test": ENTRY["test"]},
    }
    change = {"readings": readings, "main_reading": "plain"}
    text = rows_of(made, listed(made.results, change), "d")["d"]["readings"]
    assert text.startswith("4 readings • plain: holds • method a: holds (")
    assert "method b: does not hold (" in text
    assert "elsewhere: cannot be tested here (e/d/u.csv is not there)" in text


def test_generated_data_only_demonstrate_behaviour(made):
    made.table(two(1, 2), "e/synthetic/t.csv")
    row = rows_of(made, listed(made.results, {}), "synthetic")["synthetic"]
    assert row["verdict"] == UNDECIDED
    assert row["numbers"].startswith("demonstration only, holds at the usual settings")
    theorem = rows_of(made, listed(made.results, {"kind": "theorem"}), "synthetic")["synthetic"]
    assert theorem["verdict"] == HOLDS
    other = {"readings": {"other": {"test": ENTRY["test"]}}, "main_reading": "plain"}
    row = rows_of(made, listed(made.results, other), "synthetic")["synthetic"]
    assert row["readings"].startswith(
        "2 readings • plain: undecided • other: holds at the usual settings ("
    )


def test_how_bounds_were_found_is_said(made):
    made.table(two(1, 2))
    row = rows_of(made, listed(made.results, {"why": "so it is said"}), "d")["d"]
    assert row["how"].endswith("(so it is said)")


def test_behaviour_is_judged_by_the_share_of_generators(made):
    made.table(two(-2, -1), "e/synthetic/t.csv").table(GRID.to_dict("records"), generated.GRID)
    row = rows_of(made, listed(made.results, {"grid": ["good", "0 < best <= 0.01"]}), "synthetic")[
        "synthetic"
    ]
    assert row["verdict"] == HOLDS
    assert row["file"] == generated.GRID
    assert "true in 20 of 24 generator settings" in row["numbers"]
    assert "at the usual settings does not hold" in row["numbers"]


def test_the_grid_does_not_stand_in_for_a_missing_file(made):
    made.table(GRID.to_dict("records"), generated.GRID)
    rows = rows_of(made, listed(made.results, {"grid": ["good"]}), "synthetic")
    assert rows["synthetic"]["verdict"] == UNTESTABLE


def test_the_share_is_compared_with_one_half():
    def verdict(*texts: str) -> str:
        return generated.judge([generated.Condition.parse(t, "here") for t in texts], GRID).verdict

    assert verdict("best < 0.1") == HOLDS
    assert verdict("best > 0.1") == FAILS
    assert verdict("popularity_exponent > 0") == UNDECIDED
    assert verdict("where popularity_exponent > 0", "popularity_exponent >= 1") == HOLDS
    assert verdict("10 * best <= popularity_exponent") == UNDECIDED
    assert verdict("best - popularity_exponent <= 1") == HOLDS
    with pytest.raises(Missing, match="no column worst"):
        verdict("best - worst > 0")
    with pytest.raises(Missing, match="no column worst"):
        verdict("worst > 0")


@given(st.integers(1, 200), st.data())
def test_the_interval_of_a_share_holds_it(tries, data):
    hits = data.draw(st.integers(0, tries))
    low, high = generated.share_interval(hits, tries)
    assert -1e-12 <= low <= hits / tries + 1e-12
    assert hits / tries - 1e-12 <= high <= 1 + 1e-12


@pytest.mark.parametrize("name", identities.IDENTITIES)
def test_identities_are_right(name):
    right, numbers, how = identities.IDENTITIES[name]()
    assert right is True or right is np.True_, numbers
    assert numbers
    assert how


def test_a_wrong_identity_is_caught(monkeypatch):
    right = identities.atop

    def wrong(counts):
        return right(counts) * (1 + 1e-9)

    monkeypatch.setattr(identities, "atop", wrong)
    assert not identities.auc_from_atop()[0]
    assert not identities.upper_bounds()[0]


def test_the_list_is_complete_and_can_be_read():
    claims = entries.load()
    ids = [claim.id for claim in claims]
    assert len(set(ids)) == len(ids)
    assert set(ORIGINAL) <= set(ids)
    assert {claim.paper for claim in claims} == {
        "lim2015",
        "steck2010",
        "pradel2012",
        "kddcup2011",
    }


def test_most_claims_can_be_tested_with_the_files_a_reader_can_place():
    """With MovieLens 1M, Coat and CM100k beside the embedded datasets, at least 100 of them."""
    config = yaml.safe_load((entries.LIST.parents[1] / "config.yaml").read_text(encoding="utf-8"))
    there = {"movielens-small", "synthetic", "movielens-1m", "coat", "cm100k"}
    pairs = [
        (name, dataset)
        for name, entry in config["experiments"].items()
        for dataset in [*entry["datasets"], *entry["paper_datasets"], *entry["stand_ins"]]
        if dataset in there
    ]
    claims = entries.load()
    here = [c for c in claims if evaluation.datasets_here(c, pairs) or c.kind == "identity"]
    assert len(here) >= 100


def test_every_file_of_the_list_is_made_by_its_experiment():
    from mnar.reporting.outline import outline

    for claim in entries.load():
        for file in claim.files:
            experiment, dataset, name = file.split("/")
            plan = outline(experiment)
            assert dataset == "{dataset}", claim.id
            assert name.removesuffix(".csv") in {**plan.tables, **plan.figures}, (claim.id, name)


def test_a_page_without_data_holds_nothing_but_mathematics(tmp_path):
    rows = evaluation.Evaluation(tmp_path, [], {}).rows(entries.load())
    held = rows[rows["verdict"] != UNTESTABLE]
    kinds = {claim.id: claim.kind for claim in entries.load()}
    assert {kinds[name] for name in held["id"]} == {"identity"}
    assert set(rows["id"]) == {claim.id for claim in entries.load()}


def test_a_page_of_one_experiment_lists_what_it_decides():
    claims = entries.load()
    pairs = [("kddcup2011", "yahoo-music")]
    names = {claim.id for claim in evaluation.on_page(claims, pairs, "kddcup2011")}
    assert {"kdd-01", "kdd-18"} <= names
    assert not names & {"lim-01", "ste-03"}
    assert len(evaluation.on_page(claims, pairs, "summary")) == len(claims)


def test_reports(made, tmp_path):
    made.table(two(1, 2))
    claims = listed(made.results, {}, {"id": "ste-01", "paper": "steck2010"})
    rows = evaluation.Evaluation(made.results, [("e", "d")], DATASETS).rows(claims)
    report.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    with (tmp_path / "claims.csv").open(encoding="utf-8") as stream:
        assert {row["verdict"] for row in csv.DictReader(stream)} == {HOLDS, UNTESTABLE}
    counts = report.counted(report.read(tmp_path / "claims.csv"))
    assert list(counts.loc["all", list(VERDICTS)]) == [2, 0, 0, 2]
    assert list(counts.loc["all", ["claims", "tested"]]) == [2, 2]
    text = (tmp_path / "claims.md").read_text(encoding="utf-8")
    assert "2 of 2 claims could be tested" in text
    assert "## steck2010" in text


def test_the_page_shows_claims_and_escapes_them(made, tmp_path):
    made.table(two(1, 2))
    claims = listed(made.results, {})
    rows = evaluation.Evaluation(made.results, [("e", "d")], DATASETS).rows(claims)
    report.write(rows, tmp_path / "claims.csv", tmp_path / "claims.md")
    runs = {"2015": rows, "2016": rows.assign(verdict=[UNDECIDED, UNTESTABLE])}
    compare.compared(runs).to_csv(tmp_path / "stability.csv", index=False)
    shown = report.read_for_page(tmp_path / "claims.csv", tmp_path / "stability.csv")
    html = render("summary", [], shown, {"seed": 1}, {"python": "3"})
    assert "a is &lt;b&gt;above&lt;/b&gt; 0 &amp; more" in html
    assert "<b>above" not in html
    assert '<span class="badge holds">holds</span>' in html
    assert "needs gone: the attic" in html
    assert 'href="e/d/t.csv"' in html
    assert "by seed: 2015 holds, 2016 undecided" in html
    assert "of 1 verdicts on claims as they stand now" in html
    assert "1 are not and are marked" in html
    assert "<script" not in html


def test_verdicts_on_another_test_do_not_count_as_compared(made):
    made.table(two(1, 2))
    changes = ({}, {"test": {"value": {"method": "a"}, "above": 0.5}}, {"why": "so"})
    before, after, explained = (
        evaluation.Evaluation(made.results, [("e", "d")], DATASETS).rows(listed(made.results, one))
        for one in changes
    )
    stability = compare.compared({"1": before, "2": before})
    assert report.for_page(before, stability)["compared"] == 1
    assert report.for_page(explained, stability)["compared"] == 1
    assert report.for_page(after, stability)["compared"] == 0
    other_here = report.for_page(before.assign(verdict=[FAILS, UNTESTABLE]), stability)
    assert (other_here["compared"], other_here["unsteady"]) == (1, 1)
    assert report.for_page(before, None)["compared"] == 0


def test_comparing_runs(tmp_path, capsys):
    columns = ["id", "dataset", "fingerprint", "verdict"]
    names = []
    for number, verdict in enumerate((HOLDS, HOLDS, UNDECIDED)):
        path = tmp_path / f"{number}.csv"
        rows = [["a", "d", "f", verdict], ["b", "d", "f", FAILS]]
        pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
        names.append(f"{number}={path}")
    output = tmp_path / "stability.csv"
    assert compare.main([*names, "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    assert "a d: holds | holds | undecided" in printed
    assert "1 of 2 verdicts are the same in all runs" in printed
    assert list(report.read(output)["2"]) == [UNDECIDED, FAILS]
    other = tmp_path / "other.csv"
    pd.DataFrame([["a", "d", "g", HOLDS]], columns=columns).to_csv(other, index=False)
    for wrong in (f"3={tmp_path / 'nowhere.csv'}", str(other), f"3={other}"):
        assert compare.main([names[0], wrong]) == 2
    assert compare.main([names[0]]) == 2
    errors = capsys.readouterr().err
    assert "different lists of claims" in errors
    assert f"2015={other}" in errors
