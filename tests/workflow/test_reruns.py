"""An edit reruns the jobs that use what was edited, and no others.

Each case edits one thing in a copy of the project beside a finished run, and compares the jobs that
Snakemake plans with the expected ones.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.running import ROOT, snakemake, tiny_config, write_config

LIBRARY = "workflow/mnar"
PAIRWISE = "mf-adg"
ALS = {
    "lim2015": [
        "allrank-regression",
        "allrank-binary-regression",
        "allrank-binary-logistic",
        "dense-svd",
        "observed-only-tuned-for-atop",
    ],
    "steck2010": [
        "observed-only-tuned-for-rmse",
        "observed-only-tuned-for-atop",
        "allrank-regression",
        "dense-svd",
        "allrank-binary-logistic",
        "allrank-binary-regression",
    ],
    "steck2010-weights": ["allrank-regression-weights"],
    "pradel2012": ["pradel-allrank", "pradel-allrank-binary"],
    "kddcup2011-track1": ["observed-only", "mf-biased", "mf-biased-fixed", "mf-temporal"],
    "kddcup2011-track2": [
        "observed-only",
        "dense-svd",
        "allrank-regression",
        "allrank-binary-regression",
        "allrank-binary-factors",
        "mf-balanced",
    ],
}
ALS["steck2010-rel4"] = ALS["steck2010"]


def trained(study, *methods):
    return {f"train {study} {method}" for method in methods}


def trained_all(study):
    return trained(study, *tiny_config()["studies"][study]["methods"])


def analysed(study, *names):
    return {f"analyse {study} {name}" for name in names}


def shown(*experiments):
    return {f"show_{name}" for name in experiments} | {"page", "all"}


GRID = {"generator_grid", "show_generator_grid"}
TRUST = {"simulate_trust", "show_trust"}
STECK = analysed("steck2010", "ranks", "fold_in_loss", "convergence")
BLENDS = analysed("kddcup2011-track1", "blend") | analysed("kddcup2011-track2", "blend")
EVERY_PAPER = ("trust", "lim2015", "steck2010", "pradel2012", "kddcup2011", "theorems")
# mf-biased-track2 and the taxonomy methods need what the tiny dataset does not have.
WITHOUT_TAXONOMY = trained(
    "kddcup2011-track2", "mf-biased-track2", "mf-taxonomy", "mf-balanced-taxonomy"
) | trained("kddcup2011-track1", "mf-taxonomy")


def comment(project, file):
    path = project / file
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def another_digit(project, file):
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert re.search(r"\d", text)
    path.write_text(re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text, count=1))


EDITS = {
    "a method": (
        f"{LIBRARY}/models/mf_adg.py",
        trained("lim2015", "mf-adg", "mf-adg-c1")
        | trained("kddcup2011-track2", "mf-adg")
        | analysed("lim2015", "learning_curve")
        | analysed("kddcup2011-track2", "blend")
        | GRID
        | TRUST
        | shown("lim2015", "kddcup2011", "theorems"),
    ),
    "a measure": (
        f"{LIBRARY}/measures/track2_error.py",
        trained_all("kddcup2011-track2") - WITHOUT_TAXONOMY
        | analysed("kddcup2011-track2", "blend")
        | shown("kddcup2011"),
    ),
    "a protocol": (
        f"{LIBRARY}/splits/track1.py",
        {"split track1"}
        | trained_all("kddcup2011-track1") - WITHOUT_TAXONOMY
        | analysed("kddcup2011-track1", "blend")
        | shown("kddcup2011"),
    ),
    "a protocol that a simulation takes by name": (
        f"{LIBRARY}/splits/four_folds.py",
        {"split four-folds", "simulate holdout"}
        | trained_all("lim2015")
        | analysed("lim2015", "learning_curve")
        | GRID
        # A table of kddcup2011 looks at every split.
        | shown("lim2015", "theorems", "kddcup2011"),
    ),
    "a kernel": (
        f"{LIBRARY}/kernels/batched_cholesky.py",
        {job for study, methods in ALS.items() for job in trained(study, *methods)}
        | STECK
        | BLENDS
        | GRID
        | TRUST
        | shown(*EVERY_PAPER),
    ),
    "an analysis": (
        f"{LIBRARY}/analyses/learning_curve.py",
        analysed("lim2015", "learning_curve") | shown("lim2015"),
    ),
    "a simulation": (
        f"{LIBRARY}/simulations/theorems/broken.py",
        {"simulate broken"} | shown("theorems"),
    ),
    "a table": (f"{LIBRARY}/experiments/lim2015/tables.py", shown("lim2015")),
    "a figure": (f"{LIBRARY}/experiments/kddcup2011/figures.py", shown("kddcup2011")),
    "a script": (
        "workflow/scripts/simulate.py",
        {
            f"simulate {name}"
            for name in (
                "bias",
                "broken",
                "holdout",
                "irrelevant",
                "ndcg_factor",
                "random_auc",
                "unseen",
            )
        }
        | shown("theorems"),
    ),
    "a test of a claim": (f"{LIBRARY}/experiments/lim2015/claims.py", {"page", "all"}),
    "a template": (f"{LIBRARY}/reporting/templates/page.html.j2", {"page", "all"}),
    "a reader": (f"{LIBRARY}/data/readers/table.py", {"prepare"}),
}

OWN = {
    "files": {"ratings": "mine.csv"},
    "format": {"columns": {"user": "user", "item": "item", "rating": "rating"}},
    "scale": [1, 5],
    "relevant": 4,
}
PREPARED = "results/data/mine/summary.json"


def config_with_own_data():
    config = tiny_config()
    config["datasets"]["mine"] = dict(OWN)
    return config


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, to be edited."""
    folder = tmp_path_factory.mktemp("copied") / "project"
    folder.mkdir()
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Snakefile", "config.yaml"):
        shutil.copy(ROOT / name, folder)
    (folder / "profiles").symlink_to("workflow/profiles")
    # The page reads what is recorded with the project.
    shutil.copytree(ROOT / "docs/reproduction", folder / "docs/reproduction")
    return folder


@pytest.fixture(scope="module")
def finished(whole_run, tmp_path_factory):
    """The finished run, with a dataset of the user's own prepared beside it."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    shutil.copytree(whole_run, folder)
    (folder / "data/mine").mkdir(parents=True)
    rows = "".join(f"{u},{i},{1 + (u * i) % 5}\n" for u in range(9) for i in range(8))
    (folder / "data/mine/mine.csv").write_text(f"user,item,rating\n{rows}")
    done = snakemake(folder, PREPARED, "all", config=config_with_own_data())
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


def planned(project: Path, run: Path, *arguments: str) -> set[str]:
    """The jobs that Snakemake would run: the rule, with its study, method, … where it has one."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(project / "Snakefile")]
    done = subprocess.run(
        [*command, "--directory", str(run), "--dry-run", "--cores", "2", *arguments],
        capture_output=True,
        text=True,
        cwd=run,
        env={**os.environ, "PYTHONPATH": str(project / "workflow")},
    )
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-3000:]
    jobs = set()
    # Jobs of a group are indented.
    for block in re.split(r"\n\s*(?=(?:local)?rule \w+:\n)", done.stdout + done.stderr)[1:]:
        rule = re.match(r"(?:local)?rule (\w+):", block)[1]
        listed = re.search(r"wildcards: (.*)", block)
        words = dict(pair.split("=", 1) for pair in listed[1].split(", ")) if listed else {}
        named = ("study", "protocol", "method", "analysis", "simulation")
        jobs.add(" ".join([rule, *(words[name] for name in named if name in words)]))
    return jobs


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_reruns_what_uses_it(project, finished, kind):
    file, expected = EDITS[kind]
    before = (project / file).read_bytes()
    comment(project, file)
    try:
        assert planned(project, finished, PREPARED, "all") == expected
    finally:
        (project / file).write_bytes(before)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (f"{LIBRARY}/experiments/lim2015/published/table1.csv", shown("lim2015")),
        (f"{LIBRARY}/experiments/steck2010/published/table2.csv", shown("steck2010")),
    ],
)
def test_a_published_number_reruns_its_paper(project, finished, file, expected):
    before = (project / file).read_bytes()
    another_digit(project, file)
    try:
        assert planned(project, finished, PREPARED, "all") == expected
    finally:
        (project / file).write_bytes(before)


def test_a_claim_reruns_the_page(project, finished):
    [file] = project.glob("workflow/**/lim2015/claims.yaml")
    before = file.read_bytes()
    file.write_text(file.read_text(encoding="utf-8").replace("MF-ADG", "mf-adg", 1))
    assert file.read_bytes() != before
    try:
        assert planned(project, finished, PREPARED, "all") == {"page", "all"}
    finally:
        file.write_bytes(before)


def changed(project, finished, change):
    """The jobs planned under a changed config."""
    config = config_with_own_data()
    change(config)
    before = (finished / "config.yaml").read_bytes()
    write_config(finished, config)
    try:
        return planned(project, finished, PREPARED, "all")
    finally:
        (finished / "config.yaml").write_bytes(before)


def test_an_entry_of_the_config_reruns_what_it_concerns(project, finished):
    def another_grid(config):
        config["methods"]["mf-auc"]["grid"]["lambda"] = [0.3, 0.5]

    # Rivals are searched alike: they share one grid.
    rivals = ("mf-auc", "mf-adg", "mf-adg-c1", "bpr")
    expected = trained("lim2015", *rivals) | analysed("lim2015", "learning_curve")
    found = changed(project, finished, another_grid)
    # kddcup2011 searches in its own way, but its tables speak of the methods' entries.
    assert found == expected | shown("lim2015", "theorems", "kddcup2011")


def test_what_jobs_do_not_read_reruns_the_page_alone(project, finished):
    """The page shows the whole config."""

    def relevant(config):
        config["datasets"]["mine"]["relevant"] = 5

    def offline(config):
        config["offline"] = not config["offline"]

    for change in (relevant, offline):
        assert changed(project, finished, change) == {"page", "all"}

    def scale(config):
        config["datasets"]["mine"]["scale"] = [1, 6]

    assert changed(project, finished, scale) == {"prepare", "page", "all"}


def test_estimators_of_a_study_train_nothing(project, finished):
    def estimators(config):
        config["studies"]["lim2015"]["estimators"] = ["adg~snips(popularity)"]

    found = changed(project, finished, estimators)
    assert found == analysed("lim2015", "learning_curve") | shown("lim2015", "theorems")


def test_settings_of_one_theorem_rerun_it_alone(project, finished):
    def draws(config):
        config["theorems"]["unseen"]["draws"] += 1

    assert changed(project, finished, draws) == {"simulate unseen"} | shown("theorems")


def test_a_method_taken_out_of_a_study(project, finished):
    found = changed(project, finished, lambda c: c["studies"]["lim2015"]["methods"].remove("svd"))
    assert found == shown("lim2015", "theorems")


def test_a_method_added_to_a_study(project, finished):
    found = changed(
        project,
        finished,
        lambda c: c["studies"]["lim2015"]["methods"].append("allrank-regression-weights"),
    )
    assert found == trained("lim2015", "allrank-regression-weights") | shown("lim2015", "theorems")


def test_nothing_changed_nothing_to_do(project, finished, tmp_path):
    """Touched files, a moved project and run, another number of cores."""
    for file in (project / LIBRARY).rglob("*.py"):
        file.touch()
    for file in (project / "workflow/scripts").glob("*.py"):
        file.touch()
    (finished / "data/mine/mine.csv").touch()
    moved_project, moved_run = tmp_path / "elsewhere" / "renamed", tmp_path / "run"
    shutil.copytree(project, moved_project)
    shutil.copytree(finished, moved_run)
    assert planned(moved_project, moved_run, PREPARED, "all", "--cores", "1") == set()
