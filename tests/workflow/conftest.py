"""Real snakemake runs in a folder of their own, on configs small enough for seconds."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]

# A dataset and search small enough that a whole run takes seconds, laid over config.yaml.
TINY: dict[str, Any] = {
    "datasets": {
        "tiny": {
            "generator": {"users": 80, "items": 50, "ratings_per_user": 12, "seed": 7},
            "scale": [1, 5],
            "relevant": 4,
            "quick": True,
        }
    },
    "learning_curve": {
        "checkpoints": [500, 1000, 2000],
        "folds": 2,
        "methods": ["mf-auc", "mf-adg"],
    },
}


def tiny_config(**changes: Any) -> dict[str, Any]:
    """config.yaml with every experiment on the tiny dataset, short training and small grids."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["datasets"].update(TINY["datasets"])
    config["learning_curve"] = TINY["learning_curve"]
    for method in config["methods"].values():
        settings, grid = method.setdefault("settings", {}), method.setdefault("grid", {})
        if "iterations" in settings:
            settings["iterations"] = 1000
        if "factors" in settings:
            settings["factors"] = 4
        method.pop("quick", None)
        for name, values in grid.items():
            grid[name] = [1, 2] if name == "factors" else values[:2]
    for protocol in config["protocols"].values():
        protocol["folds"] = 2
    for experiment in config["experiments"].values():
        experiment.update(datasets=["tiny"], paper_datasets=[], stand_ins=[])
    config.update(changes)
    return config


@pytest.fixture
def snakemake(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run snakemake in tmp_path with a config; the output is kept, the exit code not checked."""

    def run(
        *arguments: str, config: dict[str, Any] | None = None, cores: int = 2, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "config.yaml"
        if config is not None:
            path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
        command += ["--directory", str(tmp_path), "--cores", str(cores), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ), **options
        )

    return run
