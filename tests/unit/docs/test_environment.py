"""The conda file holds the locked versions of the packages of pyproject.toml, and no others."""

import importlib.util

from helpers.running import ROOT

_spec = importlib.util.spec_from_file_location(
    "write_environment", ROOT / "envs/write_environment.py"
)
write_environment = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(write_environment)


def test_the_conda_file_is_what_the_lock_gives():
    text = (ROOT / "envs/environment.yaml").read_text(encoding="utf-8")
    assert text == write_environment.environment(), "run `make lock`"


def test_the_version_for_this_python_is_taken():
    lock = (
        "# a comment\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:1\n"
        "numpy==2.5.4 ; python_full_version >= '3.12' \\\n    --hash=sha256:2\n"
        "scipy==1.17.1 \\\n    --hash=sha256:3\n"
    )
    assert write_environment.versions(lock) == {"numpy": "2.4.6", "scipy": "1.17.1"}
