"""Makes the environment of one peer, from its locked packages.

    python benchmarks/install_peer.py lenskit

The first line of envs/bench/<peer>.in may say which Python the peer needs: `# python 3.13`. A peer that
does not install stops nobody: the file `failed` in its environment says why, and the tables repeat it.
Packages without a wheel are built from their sources, for the processor at hand where their own build
says so (cmfrec and RecoMetrics: -march=native).
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from contest import ENVIRONMENTS, ROOT

LOCKS = ROOT / "envs" / "bench"
# What pip says of each package: where it came from, among other things.
REPORT = "installed.json"
NEEDED = re.compile(r"# python (\d+\.\d+)")


def main() -> None:
    [name] = sys.argv[1:]
    folder = ENVIRONMENTS / name
    shutil.rmtree(folder, ignore_errors=True)
    problem = install(name, folder)
    if problem:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "failed").write_text(problem + "\n", encoding="utf-8")
        print(f"{name} {problem}")


def install(name: str, folder: Path) -> str | None:
    """Why the peer could not be installed, if so."""
    wanted = needed_python(LOCKS / f"{name}.in")
    python = sys.executable if wanted is None else find_python(wanted)
    if python is None:
        return f"needs Python {wanted}, which was not found"
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check"]
    commands = (
        [python, "-m", "venv", folder],
        [
            *pip,
            "--quiet",
            "--require-hashes",
            "-r",
            LOCKS / f"{name}.txt",
            "--report",
            folder / REPORT,
        ],
    )
    for command in commands:
        if subprocess.run([str(part) for part in command], check=False).returncode:
            version = subprocess.check_output([python, "--version"], text=True).strip()
            return f"does not install with {version}"
    return None


def needed_python(listed: Path) -> str | None:
    """The version of Python that a list of packages asks for."""
    found = NEEDED.match(listed.read_text(encoding="utf-8"))
    return found[1] if found else None


def find_python(version: str) -> str | None:
    """A Python of this version: on the path, or one that pyenv keeps."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for candidate in (f"python{version}", *map(str, kept)):
        try:
            done = subprocess.run([candidate, "--version"], capture_output=True, check=False)
        except OSError:
            continue
        if done.returncode == 0:
            return candidate
    return None


if __name__ == "__main__":
    main()
