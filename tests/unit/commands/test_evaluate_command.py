"""mnar evaluate: the answer of the library, from files, on the screen or in a file."""

import io
import subprocess
import sys

import pandas as pd
import pytest

import mnar
from mnar.__main__ import main as front_door
from mnar.commands.evaluate import main

TRAIN = pd.DataFrame({"user": ["a", "b"], "item": ["x", "y"], "rating": [4, 2]})
TEST = pd.DataFrame({"user": ["a", "b", "b"], "item": ["y", "x", "z"], "rating": [5, 4, 1]})
SCORES = pd.DataFrame(
    {"user": ["a", "a", "b", "b"], "item": ["y", "z", "x", "z"], "score": [2, 1, 1, 3]}
)


@pytest.fixture
def files(tmp_path):
    for name, table in (("train", TRAIN), ("test", TEST), ("scores", SCORES)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    SCORES.assign(score=-SCORES["score"]).to_parquet(tmp_path / "other.parquet")
    return tmp_path


def asked(files, *more):
    start = ["--train", str(files / "train.csv"), "--test", str(files / "test.csv")]
    return [*start, "--scores", str(files / "scores.csv"), *more]


def test_the_file_has_what_the_library_gives(files):
    out = files / "found.csv"
    more = [
        "--scores",
        f"turned={files / 'other.parquet'}",
        "--relevant",
        "4",
        "--measures",
        "adg",
        "atop",
    ]
    assert main(asked(files, *more, "--output", str(out))) == 0
    turned = SCORES.assign(score=-SCORES["score"])
    both = {"scores": SCORES, "turned": turned}
    expected = mnar.evaluate(both, TRAIN, TEST, relevant=4, measures=["adg", "atop"])
    found = pd.read_csv(out)
    assert list(found["system"]) == list(expected["system"])
    assert found["value"].to_list() == pytest.approx(expected["value"].to_list())
    assert found["low"].to_list() == pytest.approx(expected["low"].to_list())


def test_the_ending_says_how_the_file_is_written(files):
    more = ["--relevant", "4", "--measures", "adg"]
    for name in ("found.csv", "found.parquet"):
        assert main(asked(files, *more, "--output", str(files / name))) == 0
    text, binary = pd.read_csv(files / "found.csv"), pd.read_parquet(files / "found.parquet")
    assert list(binary.columns) == list(text.columns)
    assert binary["value"].to_list() == pytest.approx(text["value"].to_list())


def test_more_items_come_from_a_file(files):
    (files / "more.csv").write_text("item\nq\nr\n", encoding="utf-8")
    more = ["--relevant", "4", "--measures", "atop", "--samples", "0"]
    values = []
    for items in ([], ["--items", str(files / "more.csv")]):
        out = files / "found.csv"
        assert main(asked(files, *more, *items, "--output", str(out))) == 0
        values.append(pd.read_csv(out)["value"].item())
    expected = mnar.evaluate(
        SCORES, TRAIN, TEST, relevant=4, measures="atop", samples=0, items=["q", "r"]
    )
    assert values[1] == pytest.approx(expected["value"].item())
    assert values[1] > values[0]


def test_the_screen_shows_a_table_and_help_shows_an_example(files, capsys):
    out = io.StringIO()
    assert main(asked(files, "--relevant", "all", "--measures", "recall@1"), out) == 0
    assert "recall@1" in out.getvalue()
    with pytest.raises(SystemExit) as left:
        front_door(["evaluate", "--help"])
    assert left.value.code == 0
    assert "mnar evaluate --train" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--relevant", "many"], "--relevant is 'many'"),
        ([], "say which are relevant"),
        (["--scores", "x/scores.csv", "--relevant", "4"], "Two systems are called 'scores'"),
        (["--scores", "b=none.parquet", "--relevant", "4"], "none.parquet is not there"),
        (["--relevant", "4", "--measures", "hits"], "hits"),
        (["--relevant", "4", "--scores", "=x.csv"], "--scores is '=x.csv'; write NAME=FILE"),
        (["--relevant", "4", "--scores", "ours="], "--scores is 'ours='; write NAME=FILE"),
        (["--relevant", "4", "--items", "abc"], "--items abc must end in one of .parquet, .csv"),
        (["--relevant", "4", "--items", "no.csv"], "items: no.csv is not there"),
        (["--relevant", "4", "--gamma", "nan"], "gamma is nan; it must be"),
        (["--relevant", "4", "--threads", "0"], "threads is 0; it must be"),
    ],
)
def test_wrong_input_ends_with_a_sentence_and_leaves_no_file(files, capsys, more, words):
    out = files / "found.csv"
    assert main(asked(files, *more, "--output", str(out))) == 1
    said = capsys.readouterr().err
    assert said.startswith("Error: ")
    assert words in said
    assert not out.exists()


@pytest.mark.parametrize("name", ["found.xlsx", "found", "found.tsv"])
def test_an_unknown_ending_is_refused_before_anything_is_read(files, capsys, name):
    out = files / name
    assert main(["--test", "none.csv", "--scores", "none.csv", "--output", str(out)]) == 1
    assert f"--output {out} must end in .csv or .parquet" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("name", ["train", "test", "scores", "link", "more", "drawn"])
def test_no_input_is_overwritten(files, capsys, name):
    (files / "link.csv").symlink_to(files / "scores.csv")
    (files / "more.csv").write_text("item\nq\n", encoding="utf-8")
    TEST.to_csv(files / "drawn.csv", index=False)
    out = files / f"{name}.csv"
    before = out.read_bytes()
    more = ["--items", str(files / "more.csv"), "--random", str(files / "drawn.csv")]
    assert main(asked(files, "--relevant", "4", *more, "--output", str(out))) == 1
    said = capsys.readouterr().err
    assert f"--output {out} is the input " in said
    assert said.endswith("name another file.\n")
    assert out.read_bytes() == before
    assert main(asked(files, "--relevant", "4", "--output", str(files / "new.csv"))) == 0
    assert main(asked(files, "--relevant", "4", "--output", str(files / "new.csv"))) == 0


def test_a_place_that_cannot_be_written_gets_a_sentence(files, capsys):
    out = files / "train.csv" / "found.csv"
    assert main(asked(files, "--relevant", "4", "--output", str(out))) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"Error: {out} cannot be written (")


def test_a_closed_pipe_is_no_fault(files):
    """The reader has gone before the first line: no traceback, exit code 0."""
    with subprocess.Popen(
        [sys.executable, "-m", "mnar", "evaluate", *asked(files, "--relevant", "4")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdout.close()
        assert b"Traceback" not in running.stderr.read()
        assert running.wait() == 0
