"""A finished run is kept with all that is needed to check it, and a difference is found."""

import json
from pathlib import Path

import pytest

from mnar.commands import record as command
from mnar.core.errors import UserError
from mnar.reporting import recording

PART = "steck2010/shop"
CONFIG = {
    "seed": 7,
    "datasets": {},
    "studies": {"steck2010": {}, "lim2015": {}},
    "experiments": {"steck2010": {"datasets": ["embedded"]}, "lim2015": {"datasets": []}},
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A small finished run in the working directory: a table, a figure, times."""
    monkeypatch.chdir(tmp_path)
    made = {
        "results/steck2010/shop/table1.md": "| a |",
        "results/steck2010/shop/table1.csv": "a\n1",
        "results/steck2010/shop/figure1.svg": "<svg/>",
        "results/steck2010/shop/figure1.txt": "a line",
    }
    others = {"results/steck2010/shop/table1.tex": "a", "results/steck2010/shop/figure1.png": "png"}
    times = {
        "logs/benchmarks/train/steck2010/shop/svd/0-3.tsv": "s\tcpu_time\n2.5\t4",
        "logs/benchmarks/train/steck2010/shop/ease/0-3.tsv": "s\tcpu_time\n1.5\tNA",
        "logs/benchmarks/view/shop/v.tsv": "s\tcpu_time\n0.5\t0.25",
        "logs/benchmarks/train/lim2015/shop/svd/0-3.tsv": "s\tcpu_time\n50\t40",
        "logs/benchmarks/train/steck2010/other/svd/0-3.tsv": "s\tcpu_time\n70\t60",
    }
    for name, text in (made | others | times).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    return list(made)


def keep(made: list[str], part: str = PART, *, whole: bool = True) -> dict:
    return recording.keep({part: made}, Path("kept"), CONFIG, {"numpy": "2"}, whole=whole)


def test_tables_and_figures_are_kept_and_all_forms_have_checksums(run: list[str]) -> None:
    keep(run)
    kept = {path.relative_to("kept").as_posix() for path in Path("kept").rglob("*.*")}
    assert kept == {
        "record.json",
        "steck2010/shop/table1.md",
        "steck2010/shop/table1.csv",
        "steck2010/shop/figure1.svg",
        "steck2010/shop/figure1.txt",
    }
    record = recording.load(Path("kept"))["parts"][PART]
    assert {Path(name).suffix for name in record["outputs"]} == {
        ".md",
        ".csv",
        ".tex",
        ".svg",
        ".txt",
        ".png",
    }
    assert record["versions"] == {"numpy": "2"}
    assert record["seed"] == 7


@pytest.mark.parametrize(
    ("name", "size", "kept"),
    [
        ("steck2010/shop/table2.csv", recording.LARGE, True),
        ("steck2010/shop/table2.csv", recording.LARGE + 1, False),
        ("steck2010/shop/figure2.svg", 1, True),
        ("lim2015/shop/table1_recall_curve.svg", 1, False),
        ("lim2015/shop/table1_recall_curve.csv", 1, False),
        ("steck2010/embedded/table2.csv", 1, False),
    ],
)
def test_what_is_large_or_folded_or_made_by_default_has_its_checksum_alone(
    run: list[str], name: str, size: int, *, kept: bool
) -> None:
    path = Path("results", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a" * size)
    record = keep([str(path)], name.rpartition("/")[0])
    assert Path("kept", name).exists() == kept
    assert f"results/{name}" in recording.outputs_of(record, "")


def test_time_is_that_of_the_part_and_of_the_jobs_it_shares(run: list[str]) -> None:
    """Other experiments on the dataset, and other datasets of the experiment, do not count."""
    assert keep(run)["parts"][PART]["time"] == {"jobs": 3, "seconds": 4.5, "cpu_seconds": 4.25}


def test_a_part_leaves_the_others_on_record_and_the_whole_run_does_not(run: list[str]) -> None:
    keep(run)
    other = Path("results/lim2015/shop/table1.md")
    other.parent.mkdir(parents=True)
    other.write_text("| b |", encoding="utf-8")
    keep([str(other)], "lim2015/shop", whole=False)
    assert {*recording.load(Path("kept"))["parts"]} == {PART, "lim2015/shop"}
    assert Path("kept/steck2010/shop/table1.md").exists()
    keep([str(other)], "lim2015/shop", whole=True)
    assert {*recording.load(Path("kept"))["parts"]} == {"lim2015/shop"}
    assert not Path("kept/steck2010/shop/table1.md").exists()


def test_a_part_says_when_and_at_which_commit_it_was_recorded(run: list[str]) -> None:
    keep(run)
    part = recording.load(Path("kept"))["parts"][PART]
    said = recording.told(Path("kept"), "steck2010", "shop")
    assert said == f"recorded on {part['date']}, commit {(part['commit'] or 'unknown')[:7]}"


def test_each_difference_is_named(run: list[str], capsys: pytest.CaptureFixture) -> None:
    keep(run)
    assert command.main(["--check", "--folder", "kept"]) == 0
    Path("results/steck2010/shop/figure1.png").write_text("other", encoding="utf-8")
    Path("results/steck2010/shop/table1.csv").unlink()
    capsys.readouterr()
    assert command.main(["--check", "--folder", "kept", PART]) == 1
    said = capsys.readouterr().out
    assert "results/steck2010/shop/figure1.png: other content" in said
    assert "results/steck2010/shop/table1.csv: not there" in said
    assert "6 recorded files compared, 2 not the same" in said


def test_what_is_no_longer_made_is_no_longer_kept(run: list[str]) -> None:
    keep(run)
    keep([name for name in run if "figure1" not in name])
    assert not Path("kept/steck2010/shop/figure1.svg").exists()
    assert Path("kept/steck2010/shop/table1.md").exists()


def test_the_config_counts_by_its_content_not_its_order() -> None:
    one, other = {"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}
    assert recording.config_hash(one) == recording.config_hash(other)
    assert recording.config_hash(one) != recording.config_hash({"a": 1, "b": [2, 1]})


def test_wrong_parts_and_missing_records_get_a_sentence(
    run: list[str], capsys: pytest.CaptureFixture
) -> None:
    assert command.main(["--check", "--folder", "kept"]) == 1
    assert "nothing was recorded" in capsys.readouterr().err
    keep(run)
    with pytest.raises(UserError, match=f"Parts are: {PART}"):
        recording.outputs_of(recording.load(Path("kept")), "papre")


def test_expected_time_is_read_from_the_record(
    run: list[str], capsys: pytest.CaptureFixture
) -> None:
    command.main(["--expect", "--folder", "kept"])
    assert "unknown" in capsys.readouterr().out
    keep(run)
    path = Path("kept/record.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    record["parts"][PART]["time"]["cpu_seconds"] = 3600.0
    path.write_text(json.dumps(record), encoding="utf-8")
    command.main(["--expect", "--folder", "kept"])
    assert "took 60 CPU minutes" in capsys.readouterr().out
