"""The default target on a tiny dataset: complete, repeatable to the byte, and restartable."""

import copy
import os
import re
import shutil
import signal
import subprocess
import time

from helpers.running import (
    TINY,
    assert_same,
    command,
    results_of,
    snakemake,
    tiny_config,
    write_config,
)

from mnar.claims import entries, report
from mnar.claims.evaluation import Evaluation
from mnar.claims.outcome import UNTESTABLE
from mnar.reporting.outline import outline


def test_everything_is_there(whole_run):
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    for experiment in tiny_config()["experiments"]:
        plan = outline(experiment)
        folder = whole_run / "results" / experiment / "tiny"
        for name, endings in [
            *((name, ("csv", "md", "tex")) for name in plan.tables),
            *((name, ("csv", "pdf", "svg", "png")) for name in plan.figures_of(TINY["has"])),
        ]:
            for ending in endings:
                assert (folder / f"{name}.{ending}").stat().st_size > 0
            assert f'id="{experiment}-tiny-{name}"' in page
            assert f'href="{experiment}/tiny/{name}.csv"' in page


def test_the_page_needs_nothing_from_elsewhere(whole_run):
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert "<script" not in page


def test_nothing_half_written_is_left(whole_run):
    assert not [name for name in results_of(whole_run) if "/." in name]


def test_a_second_call_does_nothing(whole_run):
    done = snakemake(whole_run)
    assert done.returncode == 0
    assert "Nothing to be done" in done.stderr


def test_a_touched_file_reruns_nothing_and_a_parameter_its_dependants(whole_run):
    (whole_run / "results/data/tiny/summary.json").touch()
    changed = copy.deepcopy(tiny_config())
    changed["methods"]["mf-auc"]["grid"]["lambda"] = [0.3, 0.5]
    try:
        write_config(whole_run, changed)
        done = snakemake(whole_run, "--dry-run", "results/lim2015/tiny/table1.md")
    finally:
        write_config(whole_run, tiny_config())
    jobs = dict(re.findall(r"^(\w+)\s+(\d+)$", done.stdout + done.stderr, flags=re.M))
    jobs.pop("total")
    assert jobs == {"train_lim2015_1": "1", "learning_curve": "1", "show_lim2015": "1"}


def test_same_bytes_on_one_core(whole_run, tmp_path):
    done = snakemake(tmp_path, config=tiny_config(), cores=1)
    assert done.returncode == 0, done.stderr[-5000:]
    assert_same(results_of(tmp_path), results_of(whole_run))


def test_views_and_splits_made_one_by_one_have_the_same_bytes(whole_run, tmp_path):
    # On data that is not quick, each has a job of its own.
    config = copy.deepcopy(tiny_config())
    config["datasets"]["tiny"]["quick"] = False
    made = [
        path.relative_to(whole_run).as_posix()
        for folder in ("views", "splits")
        for path in (whole_run / "results" / folder / "tiny").rglob("*.npz")
    ]
    done = snakemake(tmp_path, *made, config=config)
    assert done.returncode == 0, done.stderr[-5000:]
    assert "rule split:" in done.stderr
    assert "rule split_" not in done.stderr
    assert len(made) > 10
    for name in made:
        assert (tmp_path / name).read_bytes() == (whole_run / name).read_bytes(), name


def test_killed_and_started_again(whole_run, tmp_path):
    # One method a job: what a job trains with others in one go has the same bytes alone.
    write_config(tmp_path, tiny_config(methods_per_job=1))
    running = subprocess.Popen(
        command(tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        start_new_session=True,
    )
    finished = tmp_path / "results/runs/lim2015/tiny"
    for _ in range(3000):
        if len(list(finished.glob("*/[0-9]*.npz"))) >= 2:
            break
        time.sleep(0.1)
    # Snakemake and all of its jobs at once: nobody gets to tidy up.
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    # What was just being written has another name (.0-1.partial.csv).
    before = {path: path.stat().st_mtime_ns for path in finished.glob("*/[0-9]*.csv")}
    assert before

    snakemake(tmp_path, "--unlock")
    done = snakemake(tmp_path)
    assert done.returncode == 0, done.stderr[-5000:]
    kept = [path for path, time_ns in before.items() if path.stat().st_mtime_ns == time_ns]
    # A job that was killed while it wrote may run again; finished ones do not.
    assert len(kept) >= len(before) - 2
    ours = results_of(tmp_path)
    # The page shows the config.
    page = ours["results/summary.html"]
    ours["results/summary.html"] = page.replace(b"methods_per_job: 1\n", b"methods_per_job: 20\n")
    assert_same(ours, results_of(whole_run))


def test_snakemake_shows_its_graph_and_report(whole_run):
    graph = snakemake(whole_run, "--rulegraph")
    assert graph.returncode == 0
    assert "digraph" in graph.stdout
    report = snakemake(whole_run, "--report", "report.html")
    assert report.returncode == 0, report.stderr[-3000:]
    assert (whole_run / "report.html").stat().st_size > 100_000


def test_every_claim_has_a_verdict(whole_run):
    rows = report.read(whole_run / "results/claims.csv")
    assert set(rows["id"]) == {claim.id for claim in entries.load()}
    tested = rows[rows["verdict"] != UNTESTABLE]
    assert set(tested["dataset"]) <= {"tiny", ""}
    assert (tested["dataset"] == "tiny").any()
    for file in set(tested["file"]) - {""}:
        assert (whole_run / "results" / file).exists()
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    for name in set(rows["id"]):
        assert f'id="{name}"' in page


def test_a_removed_dataset_cannot_be_tested(whole_run, tmp_path):
    shutil.copytree(whole_run / "results/lim2015", tmp_path / "lim2015")
    claims, pairs = entries.load(), [("lim2015", "tiny")]

    def verdicts() -> set[str]:
        rows = Evaluation(tmp_path, pairs, {"tiny": {}}).rows(claims)
        return set(rows.loc[rows["dataset"] == "tiny", "verdict"])

    assert verdicts() - {UNTESTABLE}
    for table in (tmp_path / "lim2015/tiny").glob("*.csv"):
        table.unlink()
    assert verdicts() == {UNTESTABLE}
