"""Holds for all tests: none is timed, and programs are found as in an activated environment."""

import os
import sys
from pathlib import Path

from hypothesis import Phase, settings

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

settings.register_profile("untimed", deadline=None)
# For planted faults: the same examples each time, and a failure is not made smaller.
settings.register_profile(
    "first-failure",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile("untimed")
