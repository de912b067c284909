"""roc-validator accepts the crate of a small run (all requirements of Workflow Run Crate 0.5), offline.

The validator reads the JSON-LD context of RO-Crate from its HTTP cache, which is filled here with the copy
that the package rocrate brings along. Both live in an environment of their own: `make test-crate`.
"""

import json
import subprocess
import zipfile

import pytest
from helpers.running import ROOT, snakemake, tiny_config

BIN = ROOT / ".venv-validator/bin"

FILL = """
import io, sys
from importlib.resources import files
from requests import Response
from requests.adapters import BaseAdapter
from requests_cache import CachedSession
from urllib3 import HTTPResponse

class Stored(BaseAdapter):
    def send(self, request, **options):
        content = files("rocrate").joinpath("data/ro-crate.jsonld").read_bytes()
        answer = Response()
        answer.status_code, answer.url, answer.request = 200, request.url, request
        answer.headers["Content-Type"] = "application/ld+json"
        answer.raw = HTTPResponse(io.BytesIO(content), status=200, headers=answer.headers,
                                  preload_content=False, request_url=request.url)
        return answer

    def close(self):
        pass

with CachedSession(sys.argv[1], backend="sqlite", expire_after=-1) as session:
    session.mount("https://", Stored())
    session.get("https://w3id.org/ro/crate/1.1/context").raise_for_status()
"""


@pytest.fixture(scope="module")
def crate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crate")
    done = snakemake(folder, "--", "results/summary.crate.zip", config=tiny_config("lim2015"))
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "results/summary.crate.zip"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    path = tmp_path_factory.mktemp("cache") / "http"
    subprocess.run([BIN / "python", "-c", FILL, path], check=True)
    return path


def validate(crate, cache):
    options = ["--offline", "--cache-path", cache, "--skip-availability-check", "--no-paging", "-v"]
    options += ["--requirement-severity", "required", "-p", "workflow-run-crate-0.5"]
    call = [BIN / "rocrate-validator", "--no-interactive", "--disable-color", "validate", *options]
    return subprocess.run([*call, crate], capture_output=True, text=True)


def test_the_validator_accepts_the_crate(crate, cache):
    done = validate(crate, cache)
    assert done.returncode == 0, done.stdout
    assert "RO-Crate is a valid workflow-run-crate-0.5" in " ".join(done.stdout.split())


def test_the_validator_sees_a_fault(crate, cache, tmp_path):
    """Without its main entity, or with a file that is not there, a crate is refused."""
    for name, change in {
        "no main entity": lambda graph: graph[1].pop("mainEntity"),
        "a file too many": lambda graph: graph.append({"@id": "gone.csv", "@type": "File"}),
    }.items():
        faulty = tmp_path / f"{name}.zip"
        with zipfile.ZipFile(crate) as old, zipfile.ZipFile(faulty, "w") as new:
            for entry in old.namelist():
                content = old.read(entry)
                if entry == "ro-crate-metadata.json":
                    metadata = json.loads(content)
                    change(metadata["@graph"])
                    content = json.dumps(metadata).encode()
                new.writestr(entry, content)
        done = validate(faulty, cache)
        assert done.returncode == 1, (name, done.stdout)
        assert "RO-Crate is not a valid" in " ".join(done.stdout.split())
