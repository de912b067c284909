"""A finished run is kept with all that is needed to check it, and a difference is found."""

import json
from pathlib import Path

import pytest

from mnar.commands import record as command
from mnar.core.errors import UserError
from mnar.reporting import recording

CONFIG = {"seed": 7, "datasets": {}}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A small finished run in the working directory: a table, a figure, times."""
    monkeypatch.chdir(tmp_path)
    made = {
        "results/paper/shop/table1.md": "| a |",
        "results/paper/shop/table1.csv": "a\n1",
        "results/paper/shop/figure1.svg": "<svg/>",
        "results/paper/shop/figure1.txt": "a line",
    }
    others = {"results/paper/shop/table1.tex": "a", "results/paper/shop/figure1.png": "png"}
    times = {
        "logs/benchmarks/train/s/shop/svd/0-3.tsv": "s\tcpu_time\n2.5\t4",
        "logs/benchmarks/train/s/shop/ease/0-3.tsv": "s\tcpu_time\n1.5\tNA",
        "logs/benchmarks/view/shop/v.tsv": "s\tcpu_time\n0.5\t0.25",
    }
    for name, text in (made | others | times).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    return list(made)


def keep(made: list[str]) -> dict:
    return recording.keep(made, Path("kept"), CONFIG, {"numpy": "2"})


def test_tables_and_figures_are_kept_and_all_forms_have_checksums(run: list[str]) -> None:
    keep(run)
    kept = {path.relative_to("kept").as_posix() for path in Path("kept").rglob("*.*")}
    assert kept == {
        "record.json",
        "paper/shop/table1.md",
        "paper/shop/table1.csv",
        "paper/shop/figure1.svg",
    }
    record = recording.load(Path("kept"))
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


def test_time_is_summed_by_stage_and_by_study_of_training(run: list[str]) -> None:
    assert keep(run)["time"] == {
        "train/s/shop": {"jobs": 2, "seconds": 4.0, "cpu_seconds": 4.0},
        "view": {"jobs": 1, "seconds": 0.5, "cpu_seconds": 0.25},
    }


def test_each_difference_is_named(run: list[str], capsys: pytest.CaptureFixture) -> None:
    keep(run)
    assert command.main(["--check", "--folder", "kept"]) == 0
    Path("results/paper/shop/figure1.png").write_text("other", encoding="utf-8")
    Path("results/paper/shop/table1.csv").unlink()
    capsys.readouterr()
    assert command.main(["--check", "--folder", "kept", "paper/shop"]) == 1
    said = capsys.readouterr().out
    assert "results/paper/shop/figure1.png: other content" in said
    assert "results/paper/shop/table1.csv: not there" in said
    assert "6 recorded files compared, 2 not the same" in said


def test_what_is_no_longer_made_is_no_longer_kept(run: list[str]) -> None:
    keep(run)
    keep([name for name in run if "figure1" not in name])
    assert not Path("kept/paper/shop/figure1.svg").exists()
    assert Path("kept/paper/shop/table1.md").exists()


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
    with pytest.raises(UserError, match="Parts are: paper/shop"):
        recording.outputs_of(recording.load(Path("kept")), "papre")


def test_expected_time_is_read_from_the_record(
    run: list[str], capsys: pytest.CaptureFixture
) -> None:
    command.main(["--expect", "--folder", "kept"])
    assert "unknown" in capsys.readouterr().out
    keep(run)
    path = Path("kept/record.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    record["time"]["view"]["cpu_seconds"] = 3600.0
    path.write_text(json.dumps(record), encoding="utf-8")
    command.main(["--expect", "--folder", "kept"])
    assert "took 60 CPU minutes" in capsys.readouterr().out
