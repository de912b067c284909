"""Real snakemake runs in folders of their own, on configs small enough for seconds."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]

TINY = {
    "generator": {"users": 80, "items": 50, "ratings_per_user": 12, "seed": 7},
    "scale": [1, 5],
    "relevant": 4,
    "quick": True,
}


# Systems of the tiny experiment trust.
TRUSTED = ("bestseller-count", "svd", "observed-only", "mf-ips", "allrank-regression", "mf-adg")


def tiny_config(*experiments: str, **changes: Any) -> dict[str, Any]:
    """config.yaml with some experiments (default: all) on a tiny dataset, short searches."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["datasets"]["tiny"] = dict(TINY)
    config["analyses"]["learning_curve"].update(checkpoints=[500, 1000, 2000], folds=2)
    config["search"]["beyond_edges"] = 1
    config["theorems"]["ranking"]["settings"]["iterations"] = 1000
    config["theorems"]["user_repetitions"] = 8000
    config["theorems"]["broken"]["item_repetitions"] = 1000
    config["synthetic_grid"]["generator"] = dict(TINY["generator"])
    config["synthetic_grid"]["vary"] = {
        name: values[-1:] for name, values in config["synthetic_grid"]["vary"].items()
    }
    config["trust"]["quick"] |= {"generator": {"users": 60, "items": 40}, "seeds": 1}
    config["trust"]["quick"]["mechanisms"] = {
        name: values[-1:] for name, values in config["trust"]["mechanisms"].items()
    }
    config["trust"] |= {"samples": 20, "attainable_draws": 3, "ratings_per_user": 10}
    config["trust"]["systems"] = {
        name: entry for name, entry in config["trust"]["systems"].items() if name in TRUSTED
    }
    own = [
        entry for study in config["studies"].values() for entry in study.get("search", {}).values()
    ]
    # Rivals are searched alike on every dataset, so datasets' own grids are cut in the same way.
    own += [m for entry in config["datasets"].values() for m in entry.get("methods", {}).values()]
    for method in [*config["methods"].values(), *own]:
        settings, grid = method.get("settings", {}), method.get("grid", {})
        if "iterations" in settings:
            settings["iterations"] = 1000
        if "factors" in settings:
            settings["factors"] = 4
        if "factors" in grid:
            grid["factors"] = [1, 2]
        for name, values in grid.items():
            grid[name] = values[:2]
        method.pop("quick", None)
        method.pop("refine", None)
    for protocol, entry in config["protocols"].items():
        # All data can be split at one moment in one way only.
        entry["folds"] = 1 if protocol == "global-time" else 2
    kept = experiments or tuple(config["experiments"])
    config["experiments"] = {
        name: {**config["experiments"][name], "datasets": ["tiny"]} for name in kept
    }
    config.update(changes)
    return config


def snakemake(
    folder: Path, *arguments: str, config: dict[str, Any] | None = None, cores: int = 2
) -> subprocess.CompletedProcess[str]:
    """Run snakemake in a folder; output is kept, the exit code is for the caller to judge."""
    if config is not None:
        write_config(folder, config)
    return subprocess.run(
        command(folder, *arguments, cores=cores), capture_output=True, text=True, cwd=folder
    )


def write_config(folder: Path, config: dict[str, Any]) -> None:
    text = yaml.safe_dump(config, sort_keys=False, allow_unicode=True)
    (folder / "config.yaml").write_text(text, encoding="utf-8")


def command(folder: Path, *arguments: str, cores: int = 2, root: Path = ROOT) -> list[str]:
    start = [sys.executable, "-m", "snakemake", "--snakefile", str(root / "Snakefile")]
    return [*start, "--directory", str(folder), "--cores", str(cores), *arguments]


def made_by(*words: str) -> list[str]:
    """The arguments of the snakemake that `make` calls for these words."""
    done = subprocess.run(
        ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    [line] = [line for line in done.stdout.splitlines() if line.startswith(".venv/bin/snakemake")]
    return shlex.split(line)[1:]


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What `make` does with these words, with this environment, in a folder that has its own config."""
    start = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    return subprocess.run([*start, *made_by(*words)], cwd=folder, capture_output=True, text=True)


def results_of(folder: Path) -> dict[str, bytes]:
    """Every file under results/, by its path; hidden and left-over files count, too."""
    files = (folder / "results").rglob("*")
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(files) if f.is_file()}


def assert_same(ours: dict[str, bytes], theirs: dict[str, bytes]) -> None:
    """Two runs gave the same files with the same bytes."""
    assert sorted(ours) == sorted(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []
