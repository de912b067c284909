"""Bad input ends with one clear sentence, a non-zero exit code, and no half-written output."""

import pytest
from helpers.running import results_of, snakemake, tiny_config

GOOD = "user,item,rating\n" + "".join(
    f"{u},{i},{1 + (u * i) % 5}\n" for u in range(9) for i in range(8)
)


def own_data(**changes):
    config = tiny_config("lim2015")
    config["datasets"]["mine"] = {
        "files": {"ratings": "mine.csv"},
        "format": {"columns": {"user": "user", "item": "item", "rating": "rating"}},
        "scale": [1, 5],
        "relevant": 4,
        **changes,
    }
    return config


def run(folder, text, config=None, target="results/views/mine/lim2015.npz"):
    (folder / "data/mine").mkdir(parents=True)
    (folder / "data/mine/mine.csv").write_text(text, encoding="utf-8")
    return snakemake(folder, target, config=config or own_data())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD.replace("rating", "stars", 1), "'rating'"),
        (GOOD.replace("3,4,3", "3,4,good"), "line"),
        ("", "no ratings"),
    ],
    ids=["missing column", "text for a number", "empty file"],
)
def test_files(tmp_path, text, sentence):
    done = run(tmp_path, text)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    [line] = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert "mine.csv" in line
    assert sentence in line
    assert not results_of(tmp_path)


def test_a_recipe_that_leaves_nothing(tmp_path):
    done = run(tmp_path, GOOD, own_data(views={"lim2015": {"min_per_user": 1000}}))
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "min_per_user" in done.stderr
    assert not [name for name in results_of(tmp_path) if name.startswith("results/views")]


def test_config_stops_at_parse_time(tmp_path):
    config = tiny_config("lim2015")
    config["studies"]["lim2015"]["methods"] = ["mf-adg", "mf-agd"]
    done = snakemake(tmp_path, config=config)
    assert done.returncode != 0
    assert "studies.lim2015.methods: unknown method 'mf-agd'; did you mean 'mf-adg'?" in done.stderr
    assert not (tmp_path / "results").exists()


def test_files_to_be_placed_stop_before_any_work(tmp_path):
    done = snakemake(tmp_path, "results/lim2015/lastfm/table1.md", config=tiny_config("lim2015"))
    assert done.returncode != 0
    assert "kaggle_visible_evaluation_triplets.txt" in done.stderr
    assert "Put the files into data/lastfm" in done.stderr
    assert not (tmp_path / "results").exists()


def test_data_without_ratings_stop_before_any_work(tmp_path):
    config = own_data(format={"columns": {"user": "user", "item": "item"}})
    config["experiments"] |= tiny_config("steck2010")["experiments"]
    done = run(tmp_path, GOOD, config, "results/steck2010/mine/table2.md")
    assert done.returncode != 0
    assert "steck2010 compares ratings of different values, and the dataset 'mine'" in done.stderr
    assert not (tmp_path / "results").exists()
