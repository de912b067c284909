"""A finished run as an RO-Crate: one zip of page, tables, figures, config, code, versions and checksums.

RO-Crate 1.1 with the profile Workflow Run Crate 0.5. Input data stay outside, since their terms often
forbid to pass them on; the crate names their files, sizes and checksums.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from mnar.core.files import atomic, read_json
from mnar.reporting.outline import page_files
from mnar.reporting.run_facts import SUMMARY

Entity = dict[str, Any]

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
CONTEXT = [
    "https://w3id.org/ro/crate/1.1/context",
    {
        "sha256": "https://w3id.org/ro/terms/workflow-run#sha256",
        # As in 1.1; later contexts have it elsewhere.
        "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
    },
]
FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".yaml": "application/yaml",
}
# Files of the project beside workflow/.
PROJECT_FILES = ("Snakefile", "LICENSE", "README.md", "CITATION.cff", "pyproject.toml")
# Kernels and bytecode are made again from their sources.
COMPILED = {".nbi", ".nbc", ".pyc"}


def inputs(page: str, sections: list[tuple[str, str]]) -> list[str]:
    """The page, its tables and figures, its claims, and the summary of each dataset."""
    stem = "results/claims" if page == SUMMARY else f"results/{page}.claims"
    datasets = dict.fromkeys(dataset for _, dataset in sections)
    return [
        f"results/{page}.html",
        f"{stem}.csv",
        f"{stem}.md",
        *page_files(page, sections),
        *(f"results/data/{dataset}/summary.json" for dataset in datasets),
    ]


def project_files(project: Path) -> list[Path]:
    """The code and the locked packages."""
    names = [project / name for name in PROJECT_FILES]
    names += [*sorted((project / "workflow").rglob("*")), project / "envs/requirements.txt"]
    return [path for path in names if path.is_file() and path.suffix not in COMPILED]


def write(
    path: str | Path,
    results: Iterable[str],
    project: Path,
    config: Mapping[str, Any],
    versions: Mapping[str, str],
) -> None:
    """The zip; the same files give the same bytes."""
    contents = {file.relative_to(project).as_posix(): file for file in project_files(project)}
    payload = {name: file.read_bytes() for name, file in contents.items()}
    made = {name: Path(name).read_bytes() for name in results}
    settings = yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True)
    payload |= made | {"config.yaml": settings.encode()}
    newest = max(Path(name).stat().st_mtime for name in made)
    ended = datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")
    graph = described(payload, list(made), dict(config), versions, ended)
    metadata = json.dumps({"@context": CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False)
    with atomic(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as crate:
        for name, content in {"ro-crate-metadata.json": metadata.encode(), **payload}.items():
            # A fixed date, since a zip would else differ from run to run.
            crate.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def described(
    payload: Mapping[str, bytes],
    made: list[str],
    config: dict[str, Any],
    versions: Mapping[str, str],
    ended: str,
) -> list[Entity]:
    """The entities of the crate: the run, its workflow and packages, each file, each input."""
    read = [
        entity for name in made if name.endswith("summary.json") for entity in _read(name, config)
    ]
    packages = [_package(name, version) for name, version in versions.items()]
    files = [_file(name, content) for name, content in payload.items() if name != "Snakefile"]
    workflow = {
        **_file("Snakefile", payload["Snakefile"]),
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "mnar: four papers on data missing not at random, reproduced",
        "programmingLanguage": {"@id": "#snakemake"},
        "softwareRequirements": _ids(packages),
    }
    language = {
        "@id": "#snakemake",
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "url": {"@id": "https://snakemake.github.io"},
        "version": versions["snakemake"],
    }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"A run of the workflow with seed {config['seed']}",
        "endTime": ended,
        "instrument": {"@id": "Snakefile"},
        "object": [{"@id": "config.yaml"}, *_ids(read)],
        "result": [{"@id": name} for name in made],
        "actionStatus": {"@id": "http://schema.org/CompletedActionStatus"},
    }
    profiles = [
        {"@id": address, "@type": "CreativeWork", "name": name, "version": address.split("/")[-1]}
        for address, name in PROFILES.items()
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": _ids(profiles),
        "name": "A run of mnar: what can you trust, when users chose what they rated?",
        "description": "Tables, figures, claims and the page of one run, with config, code and versions.",
        "datePublished": ended,
        "license": {"@id": "LICENSE"},
        "mainEntity": {"@id": "Snakefile"},
        "hasPart": _ids([workflow, *files]),
        "mentions": [{"@id": "#run"}],
    }
    return [_descriptor(), root, workflow, language, run, *profiles, *packages, *read, *files]


def _descriptor() -> Entity:
    return {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": [
            {"@id": "https://w3id.org/ro/crate/1.1"},
            {"@id": "https://w3id.org/workflowhub/workflow-ro-crate/1.0"},
        ],
    }


def _file(name: str, content: bytes) -> Entity:
    return {
        "@id": name,
        "@type": "File",
        "name": name,
        "encodingFormat": FORMATS.get(Path(name).suffix, "text/plain"),
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _read(summary: str, config: dict[str, Any]) -> list[Entity]:
    """The files that a dataset was read from; none for generated data, whose settings are in the config."""
    dataset = Path(summary).parent.name
    entry = config["datasets"][dataset]
    return [
        {
            "@id": f"#data/{dataset}/{file['file']}".replace(" ", "%20"),
            "@type": "CreativeWork",
            "name": f"{dataset}: {file['file']}",
            "description": f"{entry.get('source', 'own data')}. Terms: {entry.get('licence', 'not given')}.",
            "contentSize": str(file["bytes"]),
            "sha256": file["sha256"],
        }
        for file in read_json(summary).get("files", [])
    ]


def _package(name: str, version: str) -> Entity:
    return {
        "@id": f"#package-{name}",
        "@type": "SoftwareApplication",
        "name": name,
        "softwareVersion": version,
    }


def _ids(entities: Iterable[Entity]) -> list[dict[str, str]]:
    return [{"@id": entity["@id"]} for entity in entities]
