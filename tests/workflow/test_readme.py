"""The examples of the README are run as they stand there."""

import re
import shutil
import subprocess

import pandas as pd
import yaml
from helpers.running import ROOT, command, tiny_config, write_config

README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language, containing):
    """The code block of a language that contains a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.S | re.M)
    [found] = [text for text in blocks if containing in text]
    return found


def merged(config, extra):
    for key, value in extra.items():
        both = isinstance(value, dict) and isinstance(config.get(key), dict)
        config[key] = merged(config[key], value) if both else value
    return config


def test_own_dataset_and_own_method(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for name in ("Snakefile", "config.yaml"):
        shutil.copy(ROOT / name, project)
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, project / name)
    [method] = re.findall(r"`workflow/mnar/models/(\w+)\.py`:", README)
    (project / f"workflow/mnar/models/{method}.py").write_text(
        block("python", "FactorModel"), encoding="utf-8"
    )
    work = tmp_path / "work"
    (work / "data/my-shop").mkdir(parents=True)
    rows = [
        f"{u},p{i},{1 + (3 * u + i) % 5},{u + i}" for u in range(40) for i in range(u % 7, 30, 2)
    ]
    text = "customer,product,stars,time\n" + "\n".join(rows) + "\n"
    (work / "data/my-shop/shop.csv").write_text(text, encoding="utf-8")
    write_config(work, tiny_config("lim2015"))
    mine = yaml.safe_load(block("yaml", "my-shop"))
    merged(mine, yaml.safe_load(block("yaml", "random-scores")))
    (work / "my.yaml").write_text(yaml.safe_dump(mine), encoding="utf-8")

    targets = re.findall(r"--configfile my.yaml -- (\S+)", block("sh", "my.yaml"))
    done = subprocess.run(
        command(work, "--configfile", "my.yaml", "--", *targets, root=project),
        capture_output=True,
        text=True,
        cwd=work,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    table = pd.read_csv(work / "results/lim2015/my-shop/table1.csv")
    assert set(table["method"]) == {"mf-auc", "mf-adg", "svd", "random-scores"}
    assert table["mean"].notna().all()


def test_every_target_named_in_the_readme_is_known(tmp_path):
    for target in re.findall(r"^snakemake -c\d (results/\S+)", README, flags=re.M):
        config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
        write_config(tmp_path, config)
        done = subprocess.run(
            command(tmp_path, "--dry-run", target), capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr[-2000:]


def test_make_help_lists_the_targets_of_the_readme():
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    named = re.findall(r"(?:^|`)make ([a-z-]+)", README, flags=re.M)
    assert named
    for target in named:
        assert f"make {target} " in listed, target
