"""Yahoo! Music Track 1 from text to a trained model: time and memory of every stage.

    python benchmarks/track1.py 20_000_000
    python benchmarks/track1.py               all 262,810,175 rows (needs 20 GB of disk)

The files are written first, in the format of the contest. Then the pipeline makes, one after the
other, the prepared data, the view, the split and a model with 50 factors, each in processes of its
own. Prints one line of JSON for each stage: seconds, and the most memory that any process had.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from yahoo_music import ROWS, write_track1

ROOT = Path(__file__).parents[1]
DATASET, STUDY, METHOD = "yahoo-music", "kddcup2011-track1", "mf-biased"
RUN = f"results/runs/{STUDY}/{DATASET}/{METHOD}/0-0.csv"
STAGES = {
    "prepare": f"results/data/{DATASET}/interactions.parquet",
    "view": f"results/views/{DATASET}/kddcup2011.npz",
    "split": f"results/splits/{DATASET}/kddcup2011/track1.npz",
    "compile": "results/runs/compiled",
    "train": RUN,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int, nargs="?", default=ROWS)
    parser.add_argument("--factors", type=int, default=50)
    parser.add_argument("--sweeps", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        measure(Path(folder), arguments)


def measure(folder: Path, arguments: argparse.Namespace) -> None:
    files = folder / "data" / DATASET
    files.mkdir(parents=True)
    start = time.perf_counter()
    write_track1(files, arguments.rows)
    size = sum(file.stat().st_size for file in files.iterdir())
    report("write", time.perf_counter() - start, rows=arguments.rows, gb_of_text=size / 1e9)

    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    method = config["methods"][METHOD]
    method["settings"]["sweeps"] = arguments.sweeps
    method["grid"] = {"factors": [arguments.factors], "lambda": [0.05]}
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    for stage, target in STAGES.items():
        start = time.perf_counter()
        memory = run_stage(folder, target, arguments.cores)
        report(stage, time.perf_counter() - start, peak_gb=memory)
    print((folder / RUN).read_text(encoding="utf-8"))


def run_stage(folder: Path, target: str, cores: int) -> float:
    """Make one file; the largest memory of any process that took part, in GB."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(folder), "--cores", str(cores), target]
    log = folder / "stage.log"
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{target} could not be made:\n{log.read_text(encoding='utf-8')}")
    return usage.ru_maxrss / 1e6


def report(stage: str, seconds: float, **facts: float) -> None:
    print(json.dumps({"stage": stage, "seconds": round(seconds, 1), **facts}), flush=True)


if __name__ == "__main__":
    main()
