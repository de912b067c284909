"""Ask a scheduler for the state of a job: python -m mnar job-state slurm|pbs|sge JOB.

Prints running, success or failed, the words that Snakemake's generic cluster executor understands.
A scheduler that does not answer is asked again later; a job that it does not know has failed, so that
it is run again rather than taken for finished.
"""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

RUNNING, SUCCESS, FAILED = "running", "success", "failed"
_WAITING = {"PENDING", "CONFIGURING", "COMPLETING", "RUNNING", "SUSPENDED", "REQUEUED", "RESIZING"}
# SGE's books are written a little after a job has ended.
_LOOKS, _SECONDS_BETWEEN = 5, 2.0


def slurm(job: str) -> str:
    answer = _ask("scontrol", "--oneliner", "show", "job", job)
    found = re.search(r"JobState=(\w+)", answer.stdout)
    if not found and "Invalid job id" not in answer.stderr:
        return RUNNING
    if not found:
        # Forgotten by the controller; a cluster with an accounting database still knows.
        accounts = _ask("sacct", "-X", "--noheader", "--parsable2", "--format=State", "--jobs", job)
        found = re.search(r"(\w+)", accounts.stdout)
    state = found[1] if found else "UNKNOWN"
    return RUNNING if state in _WAITING else SUCCESS if state == "COMPLETED" else FAILED


def pbs(job: str) -> str:
    # -x shows finished jobs, too; where qstat does not know it, it shows them without.
    answer = _ask("qstat", "-x", "-f", job)
    if answer.returncode:
        answer = _ask("qstat", "-f", job)
    state = re.search(r"job_state = (\w)", answer.stdout)
    if not state:
        return FAILED
    if state[1] not in "FC":
        return RUNNING
    code = re.search(r"exit_status = (-?\d+)", answer.stdout, flags=re.I)
    return SUCCESS if code and code[1] == "0" else FAILED


def sge(job: str) -> str:
    for _ in range(_LOOKS):
        if _ask("qstat", "-j", job).returncode == 0:
            return RUNNING
        books = _ask("qacct", "-j", job)
        if books.returncode == 0:
            facts = dict(re.findall(r"^(failed|exit_status)\s+(\d+)", books.stdout, flags=re.M))
            return SUCCESS if facts == {"failed": "0", "exit_status": "0"} else FAILED
        time.sleep(_SECONDS_BETWEEN)
    return FAILED


def _ask(*command: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


SCHEDULERS: dict[str, Callable[[str], str]] = {"slurm": slurm, "pbs": pbs, "sge": sge}


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in SCHEDULERS:
        print(f"usage: python -m mnar job-state {'|'.join(SCHEDULERS)} JOB", file=sys.stderr)
        return 2
    print(SCHEDULERS[arguments[0]](arguments[1]))
    return 0
