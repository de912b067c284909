"""The pages to open: of a tiny run made here, and the default one where it is finished."""

from pathlib import Path

import pytest
from helpers.running import ROOT, snakemake, tiny_config
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FINISHED = ROOT / "results" / "summary.html"


@pytest.fixture(scope="session")
def tiny_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    done = snakemake(folder, config=tiny_config())
    assert done.returncode == 0, done.stderr[-5000:]
    return folder / "results" / "summary.html"


@pytest.fixture(params=["tiny", *(["default"] if FINISHED.exists() else [])])
def page_file(request: pytest.FixtureRequest) -> Path:
    return FINISHED if request.param == "default" else request.getfixturevalue("tiny_page")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium: Browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=ARGUMENTS
        )
        yield chromium
        chromium.close()
