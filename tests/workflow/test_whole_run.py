"""The default target on a tiny dataset: complete, repeatable to the byte, and restartable."""

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import time
from html import escape

import pandas as pd
from helpers.running import (
    ROOT,
    assert_same,
    command,
    results_of,
    snakemake,
    tiny_config,
    write_config,
)

from mnar.claims import entries, verdict_files
from mnar.claims.outcome import UNTESTABLE
from mnar.claims.page_verdicts import PageVerdicts
from mnar.core.files import read_csv
from mnar.reporting.outline import outline

HAS = ["timestamps", "random", "truth", "complete"]


def test_everything_is_there(whole_run):
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    for experiment in tiny_config()["experiments"]:
        plan = outline(experiment)
        folder = whole_run / "results" / experiment / "tiny"
        for name, endings in [
            *((name, ("csv", "md", "tex")) for name in plan.tables),
            *((name, ("csv", "pdf", "svg", "png")) for name in plan.figures),
        ]:
            for ending in endings:
                assert (folder / f"{name}.{ending}").stat().st_size > 0
            # A table without rows is not drawn; the page says why it has none.
            table = folder / f"{name}.md"
            empty = name in plan.tables and "\n|" not in table.read_text(encoding="utf-8")
            drawn = (name in plan.tables and not empty) or name in plan.on_page(HAS)
            assert not empty or f"{escape(plan.tables[name])}: not on this dataset." in page
            assert (f'id="{experiment}-tiny-{name}"' in page) == drawn
            assert (f'href="{experiment}/tiny/{name}.csv"' in page) == drawn


def test_the_page_needs_nothing_from_elsewhere(whole_run):
    page = (whole_run / "results/summary.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(https?:)?//', page)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy[1]


def test_nothing_half_written_is_left(whole_run):
    assert not [name for name in results_of(whole_run) if "/." in name]


def test_a_second_call_does_nothing(whole_run):
    done = snakemake(whole_run)
    assert done.returncode == 0
    assert "Nothing to be done" in done.stderr


def test_folds_trained_one_by_one_have_the_same_values(whole_run, tmp_path):
    """On data that is not quick, each fold has a job of its own."""
    config = copy.deepcopy(tiny_config())
    config["datasets"]["tiny"]["quick"] = False
    stem = "results/scores/lim2015/tiny/svd"
    done = snakemake(tmp_path, f"{stem}/0-0.csv", f"{stem}/1-1.csv", config=config)
    assert done.returncode == 0, done.stderr[-5000:]
    together = read_csv(whole_run / stem / "0-1.csv")
    alone = [read_csv(tmp_path / stem / f"{n}-{n}.csv") for n in (0, 1)]
    pd.testing.assert_frame_equal(pd.concat(alone, ignore_index=True), together)


def test_killed_and_started_again_on_one_core(whole_run, tmp_path):
    """All of it on one core, in two parts; the bytes are those of a run in one go on two cores."""
    write_config(tmp_path, tiny_config())
    running = subprocess.Popen(
        command(tmp_path, cores=1),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        start_new_session=True,
    )
    finished = tmp_path / "results/scores/lim2015/tiny"
    while running.poll() is None and len(list(finished.glob("*/[0-9]*.npz"))) < 2:
        time.sleep(0.1)
    # Snakemake and all of its jobs at once: nobody gets to tidy up.
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    # What was just being written has another name (.0-1.partial.csv).
    before = {path: path.stat().st_mtime_ns for path in finished.glob("*/[0-9]*.csv")}
    assert before

    snakemake(tmp_path, "--unlock")
    done = snakemake(tmp_path, cores=1)
    assert done.returncode == 0, done.stderr[-5000:]
    kept = [path for path, time_ns in before.items() if path.stat().st_mtime_ns == time_ns]
    # The job that was killed while it wrote may run again; finished ones do not.
    assert len(kept) >= len(before) - 1
    assert_same(results_of(tmp_path), results_of(whole_run))


def test_snakemake_shows_its_graph_and_report(whole_run):
    graph = snakemake(whole_run, "--rulegraph")
    assert graph.returncode == 0
    assert "digraph" in graph.stdout
    report = snakemake(whole_run, "--report", "report.html")
    assert report.returncode == 0, report.stderr[-3000:]
    text = (whole_run / "report.html").read_text(encoding="utf-8")
    assert 100_000 < len(text.encode()) < 15e6
    for experiment in tiny_config()["experiments"]:
        plan = outline(experiment)
        for title in (*plan.tables.values(), *plan.figures.values(), *plan.general.values()):
            assert title in text or json.dumps(title)[1:-1] in text


def test_the_lock_has_what_the_report_needs():
    lock = (ROOT / "envs/requirements.txt").read_text(encoding="utf-8")
    assert "\npygments==" in lock


def test_every_claim_has_a_verdict(whole_run):
    rows = verdict_files.read(whole_run / "results/claims.csv")
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
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        rows = PageVerdicts(files, pairs, {"tiny": {}}).rows(claims)
        return set(rows.loc[rows["dataset"] == "tiny", "verdict"])

    assert verdicts() - {UNTESTABLE}
    for table in (tmp_path / "lim2015/tiny").glob("*.csv"):
        table.unlink()
    assert verdicts() == {UNTESTABLE}
