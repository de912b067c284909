"""Holds for all tests: none is timed, and programs are found as in an activated environment."""

import os
import sys
from pathlib import Path

from hypothesis import settings

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
