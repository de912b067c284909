"""What schedulers say of a job, in the words that Snakemake understands; with programs that only talk."""

import pytest

from mnar.commands import job_state as scheduler

SAYS = {
    ("slurm", "scontrol", "JobId=7 JobState=PENDING", 0): "running",
    ("slurm", "scontrol", "JobId=7 JobState=COMPLETING", 0): "running",
    ("slurm", "scontrol", "JobId=7 JobState=COMPLETED ExitCode=0:0", 0): "success",
    ("slurm", "scontrol", "JobId=7 JobState=OUT_OF_MEMORY", 0): "failed",
    ("slurm", "scontrol", "JobId=7 JobState=CANCELLED", 0): "failed",
    ("slurm", "scontrol", "JobId=7 JobState=NODE_FAIL", 0): "failed",
    ("slurm", "sacct", "COMPLETED", 0): "success",
    ("slurm", "sacct", "CANCELLED by 0", 0): "failed",
    ("slurm", "sacct", "", 1): "failed",
    ("pbs", "qstat", "    job_state = R", 0): "running",
    ("pbs", "qstat", "    job_state = Q", 0): "running",
    ("pbs", "qstat", "    job_state = F\n    Exit_status = 0", 0): "success",
    ("pbs", "qstat", "    job_state = F\n    Exit_status = 271", 0): "failed",
    ("pbs", "qstat", "    job_state = C\n    exit_status = 0", 0): "success",
    ("pbs", "qstat", "", 153): "failed",
    ("sge", "qstat", "job_number: 7", 0): "running",
    ("sge", "qacct", "failed       0\nexit_status  0", 0): "success",
    ("sge", "qacct", "failed       100 : assumedly after job\nexit_status  137", 0): "failed",
    ("sge", "qacct", "", 1): "failed",
}


@pytest.mark.parametrize(
    ("case", "status"), SAYS.items(), ids=lambda value: " ".join(map(str, value))
)
def test_status(tmp_path, monkeypatch, case, status):
    name, program, answer, code = case
    said = {"scontrol": ("slurm_load_jobs error: Invalid job id specified", 1), "qstat": ("", 1)}
    said[program] = (answer, code)
    for each, (text, exit_code) in said.items():
        stream = ">&2" if exit_code else ""
        script = f"#!/bin/sh\ncat <<'END' {stream}\n{text}\nEND\nexit {exit_code}\n"
        (tmp_path / each).write_text(script, encoding="utf-8")
        (tmp_path / each).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(scheduler, "_SECONDS_BETWEEN", 0.0)
    assert scheduler.SCHEDULERS[name]("7") == status


def test_a_scheduler_that_does_not_answer_is_asked_again(tmp_path, monkeypatch):
    script = "#!/bin/sh\necho 'Unable to contact slurm controller' >&2\nexit 1\n"
    (tmp_path / "scontrol").write_text(script, encoding="utf-8")
    (tmp_path / "scontrol").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert scheduler.slurm("7") == "running"
