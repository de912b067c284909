"""The command fold-in: each wrong thing ends in one sentence and exit code 1 or 2, never a traceback."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from mnar.commands import fold_in
from mnar.core.files import write_arrays
from mnar.matrices.factor_model import FactorModel
from mnar.tuning.chosen_models import Choice, StoredModel

GOOD = "user,item,rating\nnew,a,4\nnew,b,1\n"
SETTINGS = {"factors": 2, "missing_weight": 0.1, "imputed": 0, "lambda": 0.1}


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(1)
    model = FactorModel.without_biases(random.normal(size=(3, 2)), random.normal(size=(4, 2)))
    ids = np.array(["u", "v", "w"]), np.array(["a", "b", "c", "d"])
    StoredModel(model, Choice("allrank-regression", SETTINGS), *ids, 4.0).save(tmp_path / "m.npz")
    StoredModel(model, Choice("mf-adg", {"rate": 0.1, "lambda": 0.1}), *ids, 4.0).save(
        tmp_path / "pairs.npz"
    )
    write_arrays(tmp_path / "other.npz", {"x": np.arange(3)})
    whole = (tmp_path / "m.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[:-20])
    (tmp_path / "text.npz").write_text("not a model\n")
    (tmp_path / "folder").mkdir()
    return tmp_path


def run(folder, capsys, ratings, *more, model="m.npz"):
    path = folder / "new.csv"
    path.write_bytes(ratings if isinstance(ratings, bytes) else ratings.encode())
    code = fold_in.main(["--model", str(folder / model), "--ratings", str(path), *more], sys.stdout)
    return code, *capsys.readouterr()


RATINGS = [
    ("", "has no column 'user'; it must have user, item, rating, and has nothing"),
    ("user,item\nn,a\n", "has no column 'rating'"),
    ("user;item;rating\nn;a;4\n", "has no column 'user'"),
    ("user,item,rating\n", "has no rating of an item that the model knows"),
    ("user,item,rating\nn,z,4\n", "the model does not know item 'z'; leave its lines out"),
    ("user,item,rating\nn,a,1e39\n", "line 2: the rating '1e39' is not a finite number"),
    ("user,item,rating\nn,a,nan\n", "line 2: the rating 'nan' is not a finite number"),
    ("user,item,rating\nn,a,inf\n", "line 2: the rating 'inf' is not a finite number"),
    ("user,item,rating\nn,a,\n", "line 2: the rating '' is not a finite number"),
    ("user,item,rating\nn,a,good\n", "line 2: the rating 'good' is not a finite number"),
    ("user,item,rating\nn,a\n", "line 2: 2 columns where 3 are expected"),
    ("user,item,rating\nn,a,4,5\n", "line 2: 4 columns where 3 are expected"),
    ("user,item,rating\n,a,4\n", "line 2: the user '' is not an id"),
    ("user,item,rating\nn,,4\n", "line 2: the item '' is not an id"),
    (
        "user,item,rating\nn,a,4\nn,a,5\n",
        "the pair of user 'n' and item 'a' is there twice; keep one",
    ),
    ('user,item,rating\nn,"a,4\n', "line 2: a quote is opened and not closed"),
    (
        'user,item,rating\n"n"x,a,4\n',
        "line 2: a quote is opened and not closed, or not followed by a separator",
    ),
    (
        'user,item,rating,title\nn,a,4,"one\nm,b,5,two"\n',
        "line 2: a quote is opened that is closed",
    ),
    (b"user,item,rating\n\xe9,a,4\n", "line 2: the user is not written in the encoding"),
    ("user,item,rating\nn," + "x" * 200_000 + ",4\n", "the model does not know item 'xxx"),
]


@pytest.mark.parametrize(("ratings", "sentence"), RATINGS, ids=range(len(RATINGS)))
def test_wrong_ratings(folder, capsys, ratings, sentence):
    code, out, err = run(folder, capsys, ratings)
    assert (code, out) == (1, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert err.endswith(".\n")


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("none.npz", "none.npz is not there; make it: snakemake"),
        ("other.npz", "other.npz is no stored model; give a file of results/models"),
        ("cut.npz", "cut.npz is damaged or cut short"),
        ("text.npz", "text.npz is not a model of this project; give a file of results/models"),
        ("new.csv", "new.csv is not a model of this project; give a file of results/models"),
        ("folder", "folder cannot be read (Is a directory)"),
        ("pairs.npz", "Method mf-adg cannot fold new users in"),
    ],
)
def test_wrong_models(folder, capsys, model, sentence):
    code, _, err = run(folder, capsys, GOOD, model=model)
    assert code == 1
    assert sentence in err
    assert err.startswith("Error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("top", ["-1", "0", "1.5", "many", "", "٣"])
def test_wrong_numbers(folder, capsys, top):
    with pytest.raises(SystemExit) as caught:
        run(folder, capsys, GOOD, f"--top={top}")
    assert caught.value.code == 2
    assert f"expected a whole number from 1 up, found {top!r}" in capsys.readouterr().err


def test_a_ratings_file_that_is_not_there(folder, capsys):
    code = fold_in.main(["--model", str(folder / "m.npz"), "--ratings", str(folder / "no.csv")])
    assert code == 1
    assert "no.csv is not there, or no file" in capsys.readouterr().err


def test_unknown_items_are_skipped_and_counted_by_choice(folder, capsys):
    text = GOOD + "new,y,3\nnew,z,3\n"
    code, out, err = run(folder, capsys, text, "--skip-unknown")
    assert code == 0
    assert err == "2 lines of unknown items were skipped.\n"
    assert out == run(folder, capsys, GOOD)[1]
    assert out.splitlines()[0] == "user,item,score"
    assert {line.split(",")[1] for line in out.splitlines()[1:]} == {"c", "d"}
    only = "user,item,rating\nnew,z,3\n"
    assert "nothing to fold in" in run(folder, capsys, only, "--skip-unknown")[2]


@pytest.mark.parametrize("kind", [pl.Int64, pl.UInt8, pl.Float64, pl.String])
def test_ids_of_parquet_may_be_numbers_or_text(folder, capsys, kind):
    stored = StoredModel.load(folder / "m.npz")
    ids = np.array([7, 8, 9]), np.array([1, 2, 3, 4])
    StoredModel(stored.model, stored.choice, *ids, 4.0).save(folder / "numbers.npz")
    table = pl.DataFrame({"user": [9, 9], "item": [1, 2], "rating": [5.0, 3.0]})
    table = table.with_columns(pl.col("user", "item").cast(pl.Int64).cast(kind))
    table.write_parquet(folder / "new.parquet")
    asked = ["--model", str(folder / "numbers.npz"), "--ratings", str(folder / "new.parquet")]
    assert fold_in.main(asked, sys.stdout) == 0
    out, err = capsys.readouterr()
    assert err == ""
    shown = [line.split(",")[:2] for line in out.splitlines()[1:]]
    assert sorted(shown) == [["9", "3"], ["9", "4"]]


def test_new_items_for_known_users(folder, capsys):
    code, out, _ = run(folder, capsys, "user,item,rating\nu,x,5\n", "--new", "items")
    assert code == 0
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] in (
        [["x", "v"], ["x", "w"]],
        [["x", "w"], ["x", "v"]],
    )
    assert (
        "does not know user 'q'"
        in run(folder, capsys, "user,item,rating\nq,x,5\n", "--new", "items")[2]
    )


def test_a_closed_pipe_is_no_fault(folder):
    """Many users, a reader that takes one line: no traceback, exit code 0."""
    lines = "".join(f"n{n},a,4\n" for n in range(20_000))
    (folder / "many.csv").write_text("user,item,rating\n" + lines)
    asked = ["--model", str(folder / "m.npz"), "--ratings", str(folder / "many.csv")]
    with subprocess.Popen(
        [sys.executable, "-m", "mnar", "fold-in", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout.readline() == b"user,item,score\n"
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0
