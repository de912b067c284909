"""Used from elsewhere: as a module, from another directory, with a config of one's own."""

import copy
import re
import subprocess
import sys

import pandas as pd
import pytest
import yaml
from helpers.running import ROOT, command, results_of, snakemake, tiny_config

TABLE = "results/lim2015/tiny/table1.csv"

OUTER = f"""\
configfile: "mine.yaml"


module mnar:
    snakefile:
        "{ROOT}/Snakefile"
    config:
        config
    prefix:
        "papers"


use rule * from mnar as mnar_*


rule mine:
    default_target: True
    input:
        "papers/{TABLE}",
    output:
        "mine.csv",
    shell:
        "cp {{input}} {{output}}"
"""


def test_as_a_module_with_a_prefix_and_its_own_config(whole_run, tmp_path):
    (tmp_path / "Snakefile").write_text(OUTER, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(tiny_config("lim2015")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / "mine.csv").read_bytes() == (whole_run / TABLE).read_bytes()
    assert not (tmp_path / "results").exists()


OWN = """\
import numpy as np

from mnar.matrices.model import ScoreMatrix


def fit(train, settings, seed, threads):
    counts = np.bincount(train.items, minlength=train.n_items).astype(np.float32)
    return ScoreMatrix(np.tile(counts, (train.n_users, 1)))
"""


def test_own_data_method_and_scores_as_a_module_with_a_prefix(tmp_path):
    """Files of the user lie where the workflow runs; the prefix is for results."""
    config = tiny_config("lim2015")
    config["datasets"]["mine"] = {
        "files": {"ratings": "mine.csv"},
        "format": {"columns": {"user": "user", "item": "item", "rating": "rating"}},
        "scale": [1, 5],
        "relevant": 4,
        "quick": True,
    }
    config["methods"]["own"] = {"module": "my_methods/own.py"}
    config["methods"]["given"] = {"scores": "scores/{study}/{dataset}/{fold}.parquet"}
    config["studies"]["lim2015"]["methods"] = ["mf-auc", "mf-adg", "svd", "own", "given"]
    (tmp_path / "data/mine").mkdir(parents=True)
    rows = [f"{u},{i},{1 + (u * i + i) % 5}" for u in range(30) for i in range(u % 3, 20, 2)]
    (tmp_path / "data/mine/mine.csv").write_text("user,item,rating\n" + "\n".join(rows) + "\n")
    (tmp_path / "my_methods").mkdir()
    (tmp_path / "my_methods/own.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "Snakefile").write_text(OUTER, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    start = [sys.executable, "-m", "snakemake", "--cores", "2"]
    folds = [f"papers/results/export/lim2015/mine/{fold}" for fold in (0, 1)]

    def run(*targets):
        done = subprocess.run([*start, *targets], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]

    run(*(f"{fold}/train.parquet" for fold in folds))
    (tmp_path / "scores/lim2015/mine").mkdir(parents=True)
    for number, fold in enumerate(folds):
        train = pd.read_parquet(tmp_path / fold / "train.parquet")
        counts = train.groupby("item").size().rename("score").reset_index()
        scores = train[["user"]].drop_duplicates().merge(counts, how="cross")
        scores.attrs = train.attrs
        scores.to_parquet(tmp_path / f"scores/lim2015/mine/{number}.parquet")
    made = [f"papers/results/scores/lim2015/mine/{method}/0-1.csv" for method in ("own", "given")]
    run(*made)
    own, given = (pd.read_csv(tmp_path / file).query("candidates == 'unseen'") for file in made)
    assert len(own) > 10
    assert own["user_mean"].to_list() == pytest.approx(given["user_mean"].to_list())


def test_the_snippet_of_the_docs_as_it_stands(tmp_path):
    """The project's whole config, a file of changes over it, and a method in the other project."""
    page = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    [snippet] = re.findall(r"^```python\n(.*?module mnar:.*?)^```", page, flags=re.S | re.M)
    text = snippet.replace("path/to/project", str(ROOT))
    (tmp_path / "Snakefile").write_text(text, encoding="utf-8")
    (tmp_path / "my_methods").mkdir()
    (tmp_path / "my_methods/own.py").write_text(OWN, encoding="utf-8")
    mine = {"methods": {"own": {"module": "my_methods/own.py"}}}
    mine["studies"] = {"lim2015": {"methods": ["mf-auc", "mf-adg", "svd", "own"]}}
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(mine), encoding="utf-8")
    target = "results/scores/lim2015/synthetic/own/0-3.csv"
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", target],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / target).exists()


def test_from_another_directory_with_a_config_file(tmp_path):
    """The project's config, changed by a file that lies elsewhere; results go to --directory."""
    called_from, work = tmp_path / "called", tmp_path / "work"
    called_from.mkdir()
    work.mkdir()
    (called_from / "my.yaml").write_text(yaml.safe_dump(tiny_config("lim2015")), encoding="utf-8")
    target = "results/views/tiny/lim2015.npz"
    done = subprocess.run(
        command(work, "--configfile", "my.yaml", "--", target),
        cwd=called_from,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (work / target).exists()
    assert not (called_from / "results").exists()


def test_deployed_as_snakedeploy_does(tmp_path):
    """snakedeploy writes a Snakefile with a module and copies the config: that must be enough."""
    listed = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    assert listed["usage"]["report"] is True
    (tmp_path / "workflow").mkdir()
    text = OUTER.replace('"mine.yaml"', '"config/config.yaml"').partition("    prefix:")[0]
    (tmp_path / "workflow/Snakefile").write_text(
        text + "\n\nuse rule * from mnar\n", encoding="utf-8"
    )
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_bytes((ROOT / "config.yaml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.parametrize("name", ["slurm", "cluster"])
def test_profiles_are_known_to_snakemake(tmp_path, name):
    profile = ROOT / "workflow/profiles" / name
    done = snakemake(
        tmp_path,
        "--dry-run",
        "--profile",
        str(profile),
        config=copy.deepcopy(tiny_config("lim2015")),
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert not results_of(tmp_path)
