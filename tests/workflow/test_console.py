"""`make` shows a run in a screenful; what it leaves out is in files."""

import io
import re
import time
from pathlib import Path

import pytest
import snakemake_logger_plugin_brief as brief
from helpers.running import make, tiny_config, write_config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("console")
    write_config(folder, tiny_config("lim2015"))
    return folder


def test_a_run_fits_a_screen(folder):
    done = make(folder, "run")
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) <= 25
    assert any(re.match(r"\d+ jobs to do: \d+ train, ", line) for line in lines)
    [total] = {found[1] for line in lines if (found := re.match(r"\d+ of (\d+) jobs, ", line))}
    assert f"{total} of {total} jobs, " in lines[-2]
    assert any("running: " in line and " left" in line for line in lines)
    log = Path(lines[-1].removeprefix("Complete log(s): "))
    assert "rule train:" in log.read_text(encoding="utf-8")
    assert (folder / "logs/train/lim2015/tiny/mf-adg/0-1.log").exists()
    assert "Nothing to be done" in make(folder, "run").stderr


def test_a_preview_is_short(folder):
    done = make(folder, "preview", "TARGET=results/lim2015/movielens-small/table1.md")
    assert done.returncode == 0, done.stderr
    assert re.match(r"\d+ jobs to do: .*\b1 show_lim2015\b", done.stderr.splitlines()[-1])
    assert len(done.stderr.splitlines()) <= 3
    assert not (folder / "results/lim2015/movielens-small").exists()


def test_a_typo_lists_near_names(folder):
    done = make(folder, "lim2051")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "Error: There is no target 'lim2051'. Did you mean lim2015? "
        "`make targets` lists all targets and datasets."
    )


def test_missing_scores_get_one_sentence_before_any_work(tmp_path):
    config = tiny_config("lim2015")
    config["methods"]["mine"] = {"scores": "scores/{dataset}/{fold}.parquet"}
    config["studies"]["lim2015"]["methods"] = ["svd", "mine"]
    write_config(tmp_path, config)
    done = make(tmp_path, "results/lim2015/tiny/table1.md")
    assert done.returncode != 0
    [line] = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert line.startswith("Error: scores/tiny/0.parquet is missing: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_failed_job_shows_the_end_of_its_log(tmp_path):
    config = tiny_config("lim2015")
    (tmp_path / "broken.py").write_text(
        "def fit(train, settings, seed, threads):\n"
        "    print('\\n'.join(f'step {n}' for n in range(50)))\n"
        "    raise ValueError('no luck today')\n",
        encoding="utf-8",
    )
    config["methods"]["broken"] = {"module": "broken.py"}
    config["studies"]["lim2015"]["methods"] = ["broken"]
    write_config(tmp_path, config)
    done = make(tmp_path, "results/scores/lim2015/tiny/broken/0-1.csv")
    assert done.returncode != 0
    assert "Failed: train lim2015 tiny broken 0-1" in done.stderr
    assert "The end of logs/train/lim2015/tiny/broken/0-1.log:" in done.stderr
    assert "no luck today" in done.stderr
    assert "step 1\n" not in done.stderr


def test_the_time_left_goes_by_the_mean_of_each_rule(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(brief.time, "monotonic", lambda: now[0])
    progress = brief.Progress()
    progress.plan({"quick": 6, "slow": 2, "total": 8})
    assert progress.left() is None
    for job in range(4):
        progress.start(job, "quick", {})
        now[0] += 1
        progress.finish(job)
    progress.start(4, "slow", {"dataset": "coat"})
    now[0] += 96
    progress.finish(4)
    # One after the other: 4 × 1 s and 96 s in 100 s. Left: two quick jobs and a slow one.
    progress.done = 5
    assert progress.left() == pytest.approx(2 * 1 + 96)
    progress.start(5, "slow", {"dataset": "coat", "fold": "1"})
    now[0] += 50
    assert progress.left() == pytest.approx((2 * 1 + 46) / 1)
    assert progress.line() == "5 of 8 jobs, 2 min, about 48 s left; running: slow coat 1"


def test_no_time_is_told_before_a_job_of_the_long_rule_has_ended():
    progress = brief.Progress()
    progress.plan({"view": 6, "train": 60, "total": 66})
    for job in range(6):
        progress.start(job, "view", {})
        progress.finish(job)
    assert progress.left() is None
    progress.start(6, "train", {})
    assert progress.left() is None
    progress.finish(6)
    assert progress.left() is not None


def test_a_terminal_gets_the_time_again_while_a_long_job_runs(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(brief, "REFRESH", 0.01)
    monkeypatch.setattr(brief.sys, "stderr", Terminal())
    handler = brief.LogHandler(common_settings=None, settings=None)
    handler.progress.plan({"train": 1, "total": 1})
    handler.progress.start(0, "train", {"dataset": "coat"})
    until = time.monotonic() + 30
    while handler.stream.getvalue().count("running: train coat") < 2 and time.monotonic() < until:
        time.sleep(0.01)
    handler.close()
    assert handler.stream.getvalue().count("running: train coat") >= 2
