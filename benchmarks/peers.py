"""How each peer was built, and which vector instructions its own compiled files contain.

A file of machine code is taken apart by objdump. `zmm` are registers of 512 bits, `ymm` of 256; `vfmadd` is
a fused multiply-add. A library that picks its instructions when it starts (OpenBLAS, PyTorch) is not
looked into: it belongs to no peer alone.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from contest import Contestant, Failed
from install_peer import REPORT

# Packages of each environment that peers are made of.
PACKAGES = {
    "compiled": ("implicit", "irspack", "lightfm-next"),
    "cmfrec": ("cmfrec",),
    "recometrics": ("recometrics",),
    "lenskit": ("lenskit",),
    "rectools": ("rectools",),
    "rankfm": ("rankfm",),
}
INSTRUCTIONS = ("zmm", "ymm", "vfmadd")
PROGRAM = """
import json, platform, sys
from importlib.metadata import distribution
found = distribution(sys.argv[1])
files = [str(found.locate_file(f)) for f in found.files or [] if str(f).endswith(".so")]
print(json.dumps([found.version, platform.python_version(), files]))
"""


def measure() -> list[dict[str, Any]]:
    """Rows of (package, version, python, build, and how often each instruction occurs)."""
    return [
        row for name, packages in PACKAGES.items() for row in (_row(name, one) for one in packages)
    ]


def _row(environment: str, package: str) -> dict[str, Any]:
    try:
        python = Contestant(package, "-", "-", environment).python
    except Failed as reason:
        return {"package": package, "build": str(reason)}
    command = [python, "-c", PROGRAM, package]
    version, used, files = json.loads(subprocess.check_output(command, text=True))
    build = build_of(package, python.parents[1] / REPORT) if files else "no machine code of its own"
    row = {"package": package, "version": version, "python": used, "build": build}
    return row | (count_instructions([Path(file) for file in files]) if files else {})


def build_of(package: str, report: Path) -> str:
    """What pip says of where it had a package from: a wheel, or sources that it built."""
    installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    [url] = [one["download_info"]["url"] for one in installed if one["metadata"]["name"] == package]
    if url.endswith((".tar.gz", ".zip")):
        return "from source, on this machine"
    return "wheel of the registry"


def count_instructions(files: list[Path]) -> dict[str, int | None]:
    """Lines of machine code that name each register or instruction; None without objdump."""
    if shutil.which("objdump") is None:
        return dict.fromkeys(INSTRUCTIONS)
    found = dict.fromkeys(INSTRUCTIONS, 0)
    for file in files:
        with subprocess.Popen(
            ["objdump", "-d", "--no-show-raw-insn", file], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            for line in process.stdout:
                for name in INSTRUCTIONS:
                    found[name] += name in line
    return found
