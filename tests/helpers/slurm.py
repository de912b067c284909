"""A real Slurm of one node, from Debian's packages, in a folder of its own.

python tests/helpers/slurm.py FOLDER starts one, says how to use it, and stops it when interrupted.
"""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PACKAGES = ["slurmctld", "slurmd", "slurm-client", "munge"]
PROGRAMS = ["slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel", "scontrol"]

KNOWN = Path("/etc/slurm/slurm.conf")

# More CPUs and memory than a small machine has: jobs of groups must find room, not work fast.
CONFIG = """\
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
MinJobAge=3600
KillWait=2
MpiDefault=none
NodeName=localhost CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


class NoSlurm(Exception):
    """Slurm cannot be installed or started here."""


def install() -> None:
    """Debian's packages, unless the programs are there already."""
    if not _missing():
        return
    start = [] if os.geteuid() == 0 else ["sudo", "-n"]
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        with suppress(OSError):
            subprocess.run(
                [*start, "apt-get", "-q", *arguments],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdout=subprocess.DEVNULL,
            )
    if _missing():
        raise NoSlurm(
            f"Slurm cannot be installed here: {', '.join(_missing())} not found after "
            f"apt-get install {' '.join(PACKAGES)}. The tests of the cluster profiles need a "
            "Debian machine on which packages can be installed as root."
        )


@contextmanager
def running(folder: Path, cpus: int = 16, memory: int = 16000) -> Iterator[None]:
    """A Slurm that is up within the block."""
    install()
    if os.geteuid() != 0:
        raise NoSlurm("Slurm's daemons must be started as root to run the tests of the profiles.")
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    config = folder / "slurm.conf"
    settings = {"folder": folder, "ports": _free_ports(2), "user": getpass.getuser()}
    config.write_text(CONFIG.format(cpus=cpus, memory=memory, **settings), encoding="utf-8")
    _make_it_known(config)
    _start_munge()
    daemons = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command in (["slurmctld", "-D"], ["slurmd", "-D", "-N", "localhost"])
    ]
    try:
        _wait_until_idle(folder)
        yield
    finally:
        with suppress(subprocess.SubprocessError):
            subprocess.run(["scancel", "--user", getpass.getuser()], timeout=20)
            time.sleep(1)
        for daemon in daemons:
            daemon.send_signal(signal.SIGTERM)
        for daemon in daemons:
            daemon.wait(30)
        if KNOWN.is_symlink() and KNOWN.readlink() == config:
            KNOWN.unlink()


def _make_it_known(config: Path) -> None:
    """Put a link where Slurm looks: SLURM_CONF does not reach every process of a job."""
    if KNOWN.exists() and not KNOWN.is_symlink():
        raise NoSlurm(f"{KNOWN} is there: this machine has a Slurm of its own, left alone.")
    if _works(["scontrol", "ping"]):
        raise NoSlurm(f"A Slurm of these tests is running already, see {KNOWN.resolve()}.")
    KNOWN.unlink(missing_ok=True)
    KNOWN.parent.mkdir(exist_ok=True)
    KNOWN.symlink_to(config)


def _missing() -> list[str]:
    return [name for name in PROGRAMS if not shutil.which(name)]


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("localhost", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _start_munge() -> None:
    """The daemon that vouches for who sends a message; one that runs already will do."""
    if _works(["munge", "--no-input"]):
        return
    folder = Path("/run/munge")
    folder.mkdir(exist_ok=True)
    shutil.chown(folder, "munge", "munge")
    subprocess.run(["runuser", "-u", "munge", "--", "munged"], check=False)
    if not _works(["munge", "--no-input"]):
        raise NoSlurm("Slurm cannot be started here: munged, which it needs, does not start.")


def _works(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0


def _wait_until_idle(folder: Path) -> None:
    for _ in range(600):
        state = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True)
        if state.stdout.strip() == "idle":
            return
        time.sleep(0.1)
    logs = "".join(path.read_text(errors="replace")[-2000:] for path in folder.glob("*.log"))
    raise NoSlurm(f"Slurm does not start here; the end of its logs:\n{logs}")


if __name__ == "__main__":
    with running(Path(sys.argv[1]).resolve()):
        print("Slurm runs; interrupt to stop it.", flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()
