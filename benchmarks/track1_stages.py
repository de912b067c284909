"""Yahoo! Music Track 1 from text to a trained model: time and memory of every stage.

    python benchmarks/track1_stages.py 20_000_000
    python benchmarks/track1_stages.py               all 262,810,175 rows (needs 20 GB of disk)

The files are written first, in the format of the contest. Then the pipeline makes, one after the
other, the prepared data, the view, the split and a model with 50 factors, each in processes of its
own. Prints one line of JSON for each stage: seconds, the most memory that any process had, and what
lies on disk by then.
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

ROOT = Path(__file__).parents[1]
ROWS = 262_810_175
DATASET, STUDY, METHOD = "yahoo-music", "kddcup2011-track1", "mf-biased"
RUN = f"results/scores/{STUDY}/{DATASET}/{METHOD}/0-0.csv"
STAGES = {
    "prepare": f"results/data/{DATASET}/interactions.parquet",
    "view": f"results/views/{DATASET}/kddcup2011.npz",
    "split": f"results/splits/{DATASET}/kddcup2011/track1.npz",
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
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    method = config["methods"][METHOD]
    method["settings"]["sweeps"] = arguments.sweeps
    method["grid"] = {"factors": [arguments.factors], "lambda": [0.05]}
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")

    writer = Path(__file__).with_name("made_up_yahoo_music.py")
    run_stage("write", folder, [str(writer), str(files), str(arguments.rows)])
    snakemake = ["-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory"]
    for stage, target in STAGES.items():
        run_stage(stage, folder, [*snakemake, str(folder), "--cores", str(arguments.cores), target])
    print((folder / RUN).read_text(encoding="utf-8"))


def run_stage(stage: str, folder: Path, command: list[str]) -> None:
    """Run Python; report its time and the largest memory of any process that took part.

    This process must stay small, since a process that it starts counts as large as it is.
    """
    start = time.perf_counter()
    log = folder / f"{stage}.log"
    with log.open("w") as output:
        process = subprocess.Popen([sys.executable, *command], stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{stage} has failed:\n{log.read_text(encoding='utf-8')}")
    facts = {"seconds": round(time.perf_counter() - start, 1), "peak_gb": usage.ru_maxrss / 1e6}
    facts["disk_gb"] = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e9
    print(json.dumps({"stage": stage} | facts), flush=True)


if __name__ == "__main__":
    main()
