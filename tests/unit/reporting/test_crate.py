"""A crate holds what it lists, with right checksums, and lists what it holds."""

import hashlib
import json
import zipfile

import pytest
from helpers.running import ROOT

from mnar.core.files import write_json
from mnar.reporting import crate

CONFIG = {
    "seed": 3,
    "datasets": {"shop": {"source": "https://example.org", "licence": "ask first"}, "made": {}},
}
VERSIONS = {"python": "3.11.7", "snakemake": "9.27.1", "numpy": "2.4.6"}


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for dataset, files in {
        "shop": [{"role": "ratings", "file": "my shop.csv", "bytes": 12, "sha256": "ab" * 32}],
        "made": None,
    }.items():
        folder = tmp_path / "results/data" / dataset
        folder.mkdir(parents=True)
        write_json(folder / "summary.json", {"users": 3} | ({"files": files} if files else {}))
    (tmp_path / "results/summary.html").write_text("<p>a page</p>")
    return [
        "results/summary.html",
        "results/data/shop/summary.json",
        "results/data/made/summary.json",
    ]


def written(path, results):
    crate.write(path, results, ROOT, CONFIG, VERSIONS)
    with zipfile.ZipFile(path) as archive:
        payload = {name: archive.read(name) for name in archive.namelist()}
    graph = json.loads(payload.pop("ro-crate-metadata.json"))["@graph"]
    return payload, {entity["@id"]: entity for entity in graph}


def test_files_and_entities_are_the_same(tmp_path, results):
    payload, entities = written(tmp_path / "one.zip", results)
    files = {name: e for name, e in entities.items() if "File" in e["@type"]}
    assert set(files) == set(payload)
    assert {part["@id"] for part in entities["./"]["hasPart"]} == set(payload)
    for name, entity in files.items():
        assert entity["sha256"] == hashlib.sha256(payload[name]).hexdigest()
        assert entity["contentSize"] == str(len(payload[name]))
    assert {"Snakefile", "workflow/rules/train.smk", "envs/requirements.txt"} <= set(payload)
    assert not [name for name in payload if name.endswith((".pyc", ".nbi"))]


def test_every_reference_leads_to_an_entity(tmp_path, results):
    _, entities = written(tmp_path / "one.zip", results)

    def references(value):
        if isinstance(value, dict):
            yield from [value["@id"]] if set(value) == {"@id"} else references(list(value.values()))
        elif isinstance(value, list):
            for one in value:
                yield from references(one)

    for entity in entities.values():
        own = {key: value for key, value in entity.items() if key != "@id"}
        missing = [name for name in references(own) if name not in entities]
        assert [name for name in missing if not name.startswith("http")] == []


def test_the_run_names_its_inputs_with_checksums_and_its_outputs(tmp_path, results):
    payload, entities = written(tmp_path / "one.zip", results)
    run = entities["#run"]
    assert [one["@id"] for one in run["result"]] == results
    assert [one["@id"] for one in run["object"]] == ["config.yaml", "#data/shop/my%20shop.csv"]
    read = entities["#data/shop/my%20shop.csv"]
    assert (read["sha256"], read["contentSize"]) == ("ab" * 32, "12")
    assert "ask first" in read["description"]
    assert b"seed: 3" in payload["config.yaml"]
    assert entities["#package-numpy"]["softwareVersion"] == "2.4.6"


def test_same_files_same_bytes(tmp_path, results):
    written(tmp_path / "one.zip", results)
    written(tmp_path / "two.zip", results)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
