"""The commands and examples of README and docs are run as they stand there."""

import re
import shlex
import shutil
import subprocess
import sys

import pandas as pd
import pytest
import yaml
from helpers.running import ROOT, make, tiny_config, write_config

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCKER = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace('"', "'")
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


def laid_together(*texts):
    """Several examples as one config, as a reader would add them to each other."""
    whole = {}
    for text in texts:
        for key, entries in yaml.safe_load(text).items():
            whole.setdefault(key, {}).update(entries)
    return whole


def test_own_data_own_method_and_own_scores_in_one_table_and_on_the_page(tmp_path):
    (tmp_path / "data/my-shop").mkdir(parents=True)
    rows = [
        f"{u},p{i},{1 + (3 * u + i) % 5},{u + i}" for u in range(40) for i in range(u % 7, 30, 2)
    ]
    text = "customer,product,stars,time\n" + "\n".join(rows) + "\n"
    (tmp_path / "data/my-shop/shop.csv").write_text(text, encoding="utf-8")
    [method] = re.findall(r"^Write `(\S+\.py)`:", README, flags=re.M)
    (tmp_path / method).parent.mkdir()
    (tmp_path / method).write_text(block("python", "def fit"), encoding="utf-8")
    parts = [block("yaml", word) for word in ("shop.csv", "random-scores:", "my-model:")]
    # What the reader has written in the end: the last list of methods takes the place of the first.
    needed = "".join(parts).splitlines()
    assert len(needed) - 3 < 15, "the sections `methods` and `studies` are there twice"
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(laid_together(*parts)), encoding="utf-8")
    # Short searches in place of the project's own.
    write_config(tmp_path, tiny_config("lim2015"))

    [export] = [line for line in block("sh", "results/export").splitlines() if line]
    start, folds, end = re.fullmatch(r"(.*) (\S+)\{0,1,2,3\}(\S+)", export).groups()
    done = run(f"{start} {folds}0{end} {folds}1{end}", tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    code = block("python", "read_parquet")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    done = run(block("sh", "results/lim2015.html"), tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    table = pd.read_csv(tmp_path / "results/lim2015/my-shop/table1.csv")
    assert set(table["method"]) == {"mf-auc", "mf-adg", "svd", "random-scores", "my-model"}
    assert table["mean"].notna().all()
    page = (tmp_path / "results/lim2015.html").read_text(encoding="utf-8")
    assert "my-model" in page
    assert "random-scores" in page

    done = run(block("sh", "my-shop/table1.md"), tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    # A score file that changed is noticed.
    path = tmp_path / "scores/lim2015/my-shop/1.parquet"
    changed = pd.read_parquet(path)
    changed["score"] = -changed["score"]
    changed.to_parquet(path)
    done = run(block("sh", "my-shop/table1.md"), tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    after = pd.read_csv(tmp_path / "results/lim2015/my-shop/table1.csv")
    before, after = (t.set_index(["method", "measure"])["mean"] for t in (table, after))
    assert set((before != after).loc[lambda different: different].index.get_level_values(0)) == {
        "my-model"
    }
    # One that is gone stops the run, though everything made from it is there.
    path.unlink()
    for target in ("lim2015.html", "lim2015/table1.md", "lim2015/my-shop/table1.md"):
        done = run(f"snakemake -n -c1 --configfile my.yaml -- results/{target}", tmp_path)
        assert "scores/lim2015/my-shop/1.parquet is missing" in done.stdout + done.stderr


def commands(page):
    """The lines of a page's shell blocks, without their comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page, flags=re.S | re.M)
    whole = "\n".join(blocks).replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in whole.splitlines()]
    return [shlex.join(line) for line in lines if line]


# Run in a copy of a finished run, by the call that `make` makes.
MADE = ["make", "make results/lim2015/movielens-small/table1.md"]
RUN_BY_OTHER_TESTS = {
    "make test": "this run",
    "source .venv/bin/activate": "every test of a rule: they run in this environment",
    "make targets": "unit/commands/test_list_targets.py",
    "snakemake -c2 --configfile my.yaml -- results/lim2015/my-shop/table1.md": "the test above",
    "snakemake -c2 --configfile my.yaml -- results/lim2015.html": "the test above",
    "snakemake -c2 --configfile my.yaml -- 'results/export/lim2015/my-shop/{0,1,2,3}/train.parquet'": (
        "the test above"
    ),
    "make setup-cluster": "cluster/conftest.py",
    "snakemake --profile workflow/profiles/slurm": "cluster/test_profiles.py",
    "snakemake --profile workflow/profiles/cluster": "cluster/test_profiles.py",
}


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


def test_every_command_of_the_readme_is_run_somewhere():
    assert sorted(commands(README)) == sorted([*MADE, *RUN_BY_OTHER_TESTS])


@pytest.fixture(scope="module")
def finished(whole_run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme")
    return shutil.copytree(whole_run, folder, dirs_exist_ok=True)


@pytest.mark.parametrize("line", [*MADE, "make preview", "make crate"])
def test_commands_of_the_readme(line, finished):
    _, *words = shlex.split(line)
    done = make(finished, *(words or ["run"]))
    assert done.returncode == 0, done.stderr[-4000:]
    made = {"crate": "results/summary.crate.zip", **{word: word for word in words if "/" in word}}
    for word in words:
        assert word not in made or (finished / made[word]).exists()


def test_snakemake_in_a_finished_run_has_nothing_to_do(finished):
    assert "`snakemake -n`" in README
    assert "Nothing to be done" in run("snakemake -n", finished).stdout


DOCUMENTED = sorted({line for page in PAGES[1:] for line in commands(page)} - set(commands(README)))


@pytest.mark.parametrize("line", DOCUMENTED)
def test_commands_of_the_documentation(line, tmp_path):
    """Planned, or asked for their help: they would take hours, and none may be wrong."""
    program, *words = shlex.split(line)
    if program == "snakemake":
        words = words[2:] if words[0] == "--snakefile" else words
        done = run(shlex.join(["snakemake", "--dry-run", *words]), tmp_path)
    elif program == "make":
        done = subprocess.run(
            ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True
        )
    elif program == "mnar" or line.startswith("python -m mnar "):
        name, *options = words if program == "mnar" else words[2:]
        call = [sys.executable, "-m", "mnar", name, "--help"]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
        assert [o for o in options if o.startswith("--") and o not in done.stdout] == []
    elif line.startswith("python -m pytest "):
        call = [sys.executable, *words, "--collect-only"]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    else:
        # `make setup` makes this environment and installs the project; the Dockerfile names its calls.
        assert line in {"source .venv/bin/activate", "pip install ."} or f"#     {line}" in DOCKER
        return
    assert done.returncode == 0, done.stdout + done.stderr


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
    named = {
        name for page in PAGES for name in re.findall(r"(?:^|`)make ([a-z-]+)(?=[\s`])", page, re.M)
    }
    assert {"test", "setup-cluster"} <= named
    assert sorted(name for name in named if f"make {name} " not in listed) == []
