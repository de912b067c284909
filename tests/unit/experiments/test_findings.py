"""Findings turn with their numbers, and say which numbers were recorded, when and at which commit."""

import json
from pathlib import Path

import pandas as pd
import pytest

from mnar.experiments.kddcup2011.printed import printed
from mnar.experiments.lim2015 import MEASURES, PAIR
from mnar.experiments.lim2015 import findings as lim2015
from mnar.experiments.lim2015.differences import ALLRANK
from mnar.experiments.trust import findings as trust
from mnar.reporting import page_findings as library
from mnar.reporting.page_findings import Numbers, story

CONFIG = {"datasets": {"shop": {}, "coat": {}, "made": {"generator": {}}}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty run, and an empty record beside it."""
    kept = tmp_path / "docs/reproduction"
    monkeypatch.setattr(library, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(
        library, "recorded_files", lambda: sorted([*kept.glob("*/*/*.csv"), *kept.glob("*.json")])
    )
    return tmp_path


def write(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)


def table1(gain: float, low: float, high: float) -> list[dict]:
    """MF-AUC at 0.5 in every measure, MF-ADG with a gain and its interval."""
    ends = {"gain": gain, "gain_low": low, "gain_high": high}
    rows = []
    for measure in MEASURES:
        rows.append({"method": PAIR[0], "measure": measure, "mean": 0.5})
        rows.append({"method": PAIR[1], "measure": measure, "mean": 0.5 + gain, **ends})
    return rows


def duel(folder: Path, rows: list[dict], datasets: tuple[str, ...] = ("shop",)) -> library.Finding:
    for dataset in datasets:
        write(folder / "results/lim2015" / dataset / "table1.csv", rows)
    numbers = Numbers([("lim2015", dataset) for dataset in datasets], CONFIG)
    return lim2015.findings(numbers)[0]


@pytest.mark.parametrize(
    ("ends", "says", "number", "words"),
    [
        ((0.1, 0.05, 0.15), "yes", "5 of 5", "MF-ADG is better in "),
        ((-0.1, -0.15, -0.05), "no", "0 of 5", "MF-ADG is worse in "),
        ((0.1, -0.05, 0.25), "no", "0 of 5", "MF-ADG is not surely different in "),
    ],
)
def test_the_duel_turns_with_its_interval(folder, ends, says, number, words):
    found = duel(folder, table1(*ends))
    assert (found.answer, found.number) == (says, number)
    assert found.sentence.startswith(words)


def test_a_duel_that_some_measures_win_is_partly_so(folder):
    rows = table1(0.1, 0.05, 0.15)
    rows[1] |= {"gain": -0.1, "gain_low": -0.2, "gain_high": -0.01}
    found = duel(folder, rows)
    assert (found.answer, found.number) == ("partly", "4 of 5")
    assert "worse in " in found.sentence
    assert found.brief in found.sentence


def test_a_duel_tells_how_it_stands_after_more_training(folder):
    curve = [
        {"method": method, "measure": measure, "iterations": n, "mean": n / 1e7 + 0.1 * plus}
        for plus, method in enumerate(PAIR)
        for measure in ("adg", "atop")
        for n in (1_000_000, 4_000_000)
    ]
    write(folder / "results/lim2015/shop/learning_curve.csv", curve)
    told = duel(folder, table1(0.1, 0.05, 0.15)).sentence
    assert told.endswith("ADG is 0.500 against 0.400 after 4,000,000 iterations each (shop).")
    # One of them has diverged by then.
    curve[1]["mean"] = None
    write(folder / "results/lim2015/shop/learning_curve.csv", curve)
    assert "iterations" not in duel(folder, table1(0.1, 0.05, 0.15)).sentence


def test_generated_data_do_not_speak_where_there_are_real_ones(folder):
    write(folder / "results/lim2015/made/table1.csv", table1(-0.1, -0.2, -0.05))
    write(folder / "results/lim2015/shop/table1.csv", table1(0.1, 0.05, 0.15))
    numbers = Numbers([("lim2015", "made"), ("lim2015", "shop")], CONFIG)
    assert lim2015.findings(numbers)[0].answer == "yes"
    assert "made" not in lim2015.findings(numbers)[0].sentence


@pytest.mark.parametrize(("sign", "advised"), [(1, True), (-1, False)])
def test_advice_on_training_is_given_only_where_it_is_sure(folder, sign, advised):
    write(folder / "results/lim2015/shop/table1.csv", table1(0.1, 0.05, 0.15))
    gaps = {"method": ALLRANK, "fact": f"minus {PAIR[1]}", "mean": 0.1 * sign}
    ends = {"low": 0.1 * sign - 0.01, "high": 0.1 * sign + 0.01}
    rows = [{**gaps, **ends, "measure": measure} for measure in MEASURES]
    write(folder / "results/lim2015/shop/differences.csv", rows)
    numbers = Numbers([("lim2015", "shop")], CONFIG)
    assert any("AllRank" in line for line in lim2015.advice(numbers)) == advised
    beaten = lim2015.findings(numbers)[1]
    assert beaten.answer == ("no" if advised else "yes")


@pytest.mark.parametrize(("moved", "words"), [(-25.0, "hardly do"), (-1.0, "do, too")])
def test_measures_survive_only_if_the_others_move_more(folder, moved, words):
    values = {"adg": 0.5, "atop": 0.1, "recall@10": 0.4}
    rows = [{"method": "m", "measure": m, "mean": values.get(m, moved)} for m in MEASURES]
    write(folder / "results/lim2015/shop/table2.csv", rows)
    survivors = lim2015.findings(Numbers([("lim2015", "shop")], CONFIG))[-1]
    assert words in survivors.sentence


def looks(tau: float, low: float, high: float, price: float) -> dict[str, list[dict]]:
    """recall@10 on users' own choice, and three random ratings a user as a test set."""
    selection = dict.fromkeys(["popularity_exponent", "positivity", "correlation"])
    row = {**selection, "measure": "recall@10", "tau": tau, "tau_low": low, "tau_high": high}
    estimators = [{**row, "estimator": "naive", "right": 0.3, "wrong": 0.2}]
    bought = {**selection, "use": "test alone", "n": 3, "regret": 0, "users": 1200}
    # Another measure than the one spoken of, which must not be mixed into it.
    others = {"measure": "adg", "tau": -1}
    return {
        "trust": [*estimators, {**estimators[0], **others}],
        "price": [{**bought, "measure": "recall@10", "tau": price}, {**bought, **others}],
    }


def trusted(folder: Path, *numbers: float) -> tuple[str, library.Finding, list[library.Finding]]:
    for name, rows in looks(*numbers).items():
        write(folder / f"results/trust/shop/{name}.csv", rows)
    read = Numbers([("trust", "shop")], CONFIG)
    first, *others = trust.findings(read)
    return " ".join(trust.answer(read)), first, others


@pytest.mark.parametrize(
    ("ends", "says", "start", "words"),
    [
        ((0.9, 0.85, 0.95), "yes", "Often even a plain mean", "much as the truth does"),
        ((0.4, 0.3, 0.5), "partly", "Not a plain mean", "only partly"),
        ((0.1, -0.1, 0.3), "no", "Not a plain mean", "no better than chance"),
        ((-0.4, -0.5, -0.3), "no", "Not a plain mean", "against the truth"),
    ],
)
def test_trust_turns_with_tau_and_its_interval(folder, ends, says, start, words):
    answer, found, _ = trusted(folder, *ends, 0.9)
    assert found.answer == says
    assert answer.startswith(start)
    assert words in answer
    assert words in found.sentence


@pytest.mark.parametrize(
    ("tau", "number", "words"), [(0.9, "3", "order"), (0.2, "more than 3", "Even 3")]
)
def test_random_ratings_are_enough_only_where_they_order_well(folder, tau, number, words):
    answer, _, (bought,) = trusted(folder, 0.1, -0.1, 0.3, tau)
    assert bought.number == number
    assert words in bought.sentence
    assert ("as the test set" in answer) == (tau > 0.7)
    assert f"τ = {tau:.2f}" in bought.sentence
    assert "1,200 users" in bought.brief


def test_the_fewest_random_ratings_that_are_enough_are_told(folder):
    made = looks(0.1, -0.1, 0.3, 0.2)
    made["price"] += [{**made["price"][0], "n": n, "tau": tau} for n, tau in ((10, 0.8), (50, 0.9))]
    for name, rows in made.items():
        write(folder / f"results/trust/shop/{name}.csv", rows)
    bought = trust.findings(Numbers([("trust", "shop")], CONFIG))[1]
    assert bought.number == "10"
    assert "τ = 0.80" in bought.sentence


def test_one_random_rating_is_singular(folder):
    rows = looks(0.1, -0.1, 0.3, 0.9)
    for row in rows["price"]:
        row["n"] = 1
    for name in rows:
        write(folder / f"results/trust/shop/{name}.csv", rows[name])
    bought = trust.findings(Numbers([("trust", "shop")], CONFIG))[1]
    assert bought.sentence.startswith("1 random rating from each of 1,200 users orders systems")


def test_numbers_of_two_measures_are_not_mixed(folder):
    answer, found, (bought,) = trusted(folder, 0.9, 0.85, 0.95, 0.8)
    told = " ".join([answer, found.sentence, found.about, bought.sentence, bought.about])
    assert "ADG" not in told
    assert "−1.00" not in told
    assert "3 random ratings from each of 1,200 users" in answer


def simulated(dataset: str, tau: float) -> list[dict]:
    """Random and uneven selection on one dataset."""
    row = {"dataset": dataset, "measure": "recall@10", "right": 0.3, "wrong": 0.5}
    rows = []
    for effect, value in ((0, 0.9), (1, tau)):
        point = {"popularity_exponent": effect, "positivity": effect, "correlation": 0}
        ends = {"tau": value, "tau_low": value - 0.1, "tau_high": value + 0.1}
        rows += [{**row, **point, **ends, "estimator": name} for name in ("naive", "snips(known)")]
    return rows


def test_generated_data_say_that_they_are_and_lead_to_real_ones(folder, monkeypatch):
    write(folder / "results/trust/made/trust.csv", simulated("made", -0.5))
    numbers = Numbers([("trust", "made")], CONFIG)
    told = story(numbers)
    assert ": on generated data (made), where some items are shown" in told["answer"][0]
    assert told["headline"] == ["made"]
    assert "on generated data" in told["findings"][0].brief
    assert [one["file"] for one in told["elsewhere"]] == ["docs/trust.md"]
    # A link would depend on where the run lies, if not in the project's folder.
    assert told["elsewhere"][0]["link"] == ""
    monkeypatch.setattr(library, "RESULTS", library.PROJECT / "results")
    [link] = [one["link"] for one in story(numbers)["elsewhere"]]
    assert (library.RESULTS / link).resolve().is_file()


def test_recorded_real_data_go_before_generated_ones(folder):
    kept = folder / "docs/reproduction"
    write(folder / "results/trust/made/trust.csv", simulated("made", -0.9))
    write(kept / "trust/shop/trust.csv", simulated("shop", -0.6))
    write(kept / "trust/coat/trust.csv", looks(0.4, 0.3, 0.5, 0.9)["trust"])
    when = {"date": "2026-01-02", "commit": "0123456789abcdef"}
    record = {"parts": {"trust/coat": when, "trust/shop": when}}
    (kept / "record.json").write_text(json.dumps(record), encoding="utf-8")
    told = story(Numbers([("trust", "made")], CONFIG))
    answer = " ".join(told["answer"])
    assert ": on shop (real ratings, simulated selection), where some items" in answer
    assert told["headline"] == ["shop"]
    assert len(told["answer"]) == 1
    assert "τ = −0.60" in answer
    assert "0.40 [0.30, 0.50] (coat, users' own choice)" in answer
    assert "recorded on 2026-01-02, commit 0123456" in answer
    assert "made" not in answer
    assert told["elsewhere"] == []
    # Random selection of the same data.
    assert (
        "yes if items are rated at random (τ = 0.90); τ of users' own choice: coat 0.40"
        in told["findings"][0].brief
    )


def test_recorded_numbers_carry_date_and_commit(folder):
    kept = folder / "docs/reproduction"
    write(kept / "lim2015/coat/table1.csv", table1(-0.1, -0.2, -0.05))
    # This run has its own numbers of the shop: the recorded ones are not read.
    write(kept / "lim2015/shop/table1.csv", table1(-0.1, -0.2, -0.05))
    when = {"date": "2026-01-02", "commit": "0123456789abcdef"}
    record = {"parts": {"lim2015/coat": when, "lim2015/shop": when}}
    (kept / "record.json").write_text(json.dumps(record), encoding="utf-8")
    found = duel(folder, table1(0.1, 0.05, 0.15))
    assert found.number == "5 of 10"
    assert found.about.startswith("comparisons (measure × dataset) in which MF-ADG")
    assert "(coat: recorded on 2026-01-02, commit 0123456)" in found.sentence
    numbers = Numbers([("lim2015", "shop")], CONFIG)
    assert numbers.link("lim2015", "shop", "table1") == "#lim2015-shop-table1"
    assert (
        numbers.link("lim2015", "coat", "table1") == "../docs/reproduction/lim2015/coat/table1.csv"
    )
    assert story(numbers)["recorded"]


def test_nothing_is_said_to_be_recorded_without_a_record(folder):
    assert "recorded" not in duel(folder, table1(0.1, 0.05, 0.15)).sentence
    assert story(Numbers([("lim2015", "shop")], CONFIG))["recorded"] == []


def test_the_printed_contest_table_stands_beside_its_sums():
    (table,) = printed().values()
    rows = table.shown.set_index("submissions of a team")
    for said, summed in (("teams, in the text", "teams, summed here"),):
        assert rows.loc[said].tolist() == rows.loc[summed].tolist()
    assert rows.loc["submissions, in the text", "teams, Track 1"] == "6,344"
