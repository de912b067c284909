"""Run the steps of the Dockerfile without Docker, in a fresh Debian folder (Debian, as root, debootstrap).

    python tests/container/build.py ROOT [--share PATH ...] [--command "make preview"]

ROOT is made by debootstrap unless it is there. Files and folders to share (pip's settings, a package
mirror, certificates) are seen at the same place below ROOT. COPY takes the files that git tracks.
The last step is Dockerfile's CMD, or `--command`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import join, quote

PROJECT = Path(__file__).parents[2]


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Instruction and argument of each line; a line that ends in a backslash goes on in the next."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            instruction, _, argument = line.partition(" ")
            yield instruction, argument.strip()


def build(root: Path, share: list[Path], command: str | None) -> None:
    workdir = "/"
    for instruction, argument in steps((PROJECT / "Dockerfile").read_text(encoding="utf-8")):
        print(f"--- {instruction} {argument}", flush=True)
        if instruction == "FROM":
            start(root, argument)
        elif instruction == "WORKDIR":
            workdir = argument
            (root / workdir.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif instruction == "COPY" and argument == ". .":
            listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=PROJECT, text=True)
            for name in filter(None, listed.split("\0")):
                copy(PROJECT / name, root / workdir.lstrip("/") / name)
        elif instruction == "RUN":
            inside(root, workdir, share, ["/bin/sh", "-c", argument])
        elif instruction == "CMD":
            last = ["/bin/sh", "-c", command] if command else json.loads(argument)
            inside(root, workdir, share, last)
        else:
            sys.exit(f"Dockerfile: this script does not know {instruction} {argument!r}.")


def start(root: Path, image: str) -> None:
    """The smallest Debian of the image's release."""
    system, _, tag = image.partition(":")
    if system != "debian":
        sys.exit(f"Dockerfile: only images of Debian can be made here, not {image}.")
    if not (root / "bin").exists():
        release = tag.removesuffix("-slim")
        subprocess.run(["debootstrap", "--variant=minbase", release, str(root)], check=True)


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        target.unlink(missing_ok=True)
        target.symlink_to(source.readlink())
    elif source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def inside(root: Path, workdir: str, share: list[Path], command: list[str]) -> None:
    """A command in the new root, with nothing of this environment but pip's settings.

    Mounts belong to the command alone and end with it.
    """
    mounts = [f"mount -t proc proc {quote(str(root / 'proc'))}"]
    for path in [Path("/dev"), *share]:
        target = root / path.relative_to("/")
        if not target.exists():
            copy(path, target) if path.is_file() else target.mkdir(parents=True)
        mounts.append(f"mount --rbind {quote(str(path))} {quote(str(target))}")
    enter = f"exec chroot {quote(str(root))} /usr/bin/env --chdir={quote(workdir)} {join(command)}"
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    script = " && ".join([*mounts, enter])
    subprocess.run(
        ["unshare", "--mount", "/bin/sh", "-c", script],
        env={**kept, "PATH": path, "HOME": "/root"},
        check=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--share", type=Path, nargs="*", default=[])
    parser.add_argument("--command", help="in place of the Dockerfile's CMD")
    asked = parser.parse_args()
    build(asked.root.absolute(), asked.share, asked.command)


if __name__ == "__main__":
    main()
