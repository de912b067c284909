"""The commands and examples of README and docs are run as they stand there."""

import re
import shlex
import subprocess
import sys

import pandas as pd
from helpers.running import ROOT, tiny_config, write_config

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [README, *(page.read_text(encoding="utf-8") for page in sorted(ROOT.glob("docs/*.md")))]


def block(language, containing):
    """The code block of the README in a language that contains a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.S | re.M)
    [found] = [text for text in blocks if containing in text]
    return found


def run(line, folder):
    """A line of a page that calls snakemake, run with the project's Snakefile in another folder."""
    program, *arguments = shlex.split(line, comments=True)
    assert program == "snakemake"
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True)


def test_own_data_and_own_method(tmp_path):
    (tmp_path / "data/my-shop").mkdir(parents=True)
    rows = [
        f"{u},p{i},{1 + (3 * u + i) % 5},{u + i}" for u in range(40) for i in range(u % 7, 30, 2)
    ]
    text = "customer,product,stars,time\n" + "\n".join(rows) + "\n"
    (tmp_path / "data/my-shop/shop.csv").write_text(text, encoding="utf-8")
    [method] = re.findall(r"^Write `(\S+\.py)`:", README, flags=re.M)
    (tmp_path / method).parent.mkdir()
    (tmp_path / method).write_text(block("python", "def fit"), encoding="utf-8")
    mine = block("yaml", "my-shop") + block("yaml", "random-scores")
    (tmp_path / "my.yaml").write_text(mine, encoding="utf-8")
    # Short searches in place of the project's own.
    write_config(tmp_path, tiny_config("lim2015"))

    done = run(block("sh", "my.yaml"), tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    table = pd.read_csv(tmp_path / "results/lim2015/my-shop/table1.csv")
    assert set(table["method"]) == {"mf-auc", "mf-adg", "svd", "random-scores"}
    assert table["mean"].notna().all()


def test_commands_that_make_a_file_are_planned(tmp_path):
    """All of them in one go: their targets are known, and nothing is missing."""
    lines = [
        line
        for page in PAGES
        for line in re.findall(
            r"^snakemake -c\d results/.*|(?<=`)snakemake -c\d results/[^`]+", page, re.M
        )
    ]
    targets = sorted({shlex.split(line, comments=True)[2] for line in lines})
    assert targets
    done = run(shlex.join(["snakemake", "--dry-run", "--cores", "1", *targets]), tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    for target in targets:
        assert target in done.stdout + done.stderr


def test_make_help_lists_the_targets_that_pages_name():
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    named = {name for page in PAGES for name in re.findall(r"(?:^|`)make ([a-z-]+)", page, re.M)}
    assert {"test", "setup-cluster"} <= named
    assert sorted(name for name in named if f"make {name} " not in listed) == []
