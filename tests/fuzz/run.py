"""Random files, configs, damage and kills against the rules of docs/security.md: make fuzz

    python tests/fuzz/run.py [--seed 1] [--seconds 600] [--files N] [--configs N] [--damage N] [--kills N]

Each case has a seed of its own, by which it can be run again: --again GROUP SEED. Prints a count by
group and every fault with its seed; exits with 1 if there is one.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz import configs, damage, files, kills

# Each has `cases(folder)`, which gives a function from a source of chance to what happened, in a word.
GROUPS = {"files": files, "configs": configs, "damage": damage}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="at most so long in all")
    for group, usual in (("files", 10_000), ("configs", 2_000), ("damage", 1_000), ("kills", 100)):
        parser.add_argument(f"--{group}", type=int, default=usual)
    parser.add_argument("--again", nargs=2, metavar=("GROUP", "SEED"), help="one case")
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    faults = []
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        if asked.again:
            group, seed = asked.again
            print(GROUPS[group].cases(Path(name))(random.Random(int(seed))))
            return 0
        for group, module in GROUPS.items():
            if not getattr(asked, group):
                continue
            folder = Path(name) / group
            folder.mkdir()
            faults += run(group, module.cases(folder), getattr(asked, group), asked.seed, until)
        if asked.kills:
            folder = Path(name) / "kills"
            folder.mkdir()
            faults += kills.run(folder, asked.kills, asked.seed, until)
    for fault in faults:
        print(f"FAULT {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def run(group, case, number, seed, until):
    """The cases of a group: the number asked for, or fewer if time runs out."""
    outcomes, faults = Counter(), []
    for done in range(number):
        if time.monotonic() > until:
            print(f"{group}: the time is up after {done} of {number} cases")
            break
        own = zlib.crc32(f"{group} {seed} {done}".encode())
        try:
            outcomes[case(random.Random(own))] += 1
        except Exception:
            outcomes["fault"] += 1
            faults.append(f"{group} {own}: {traceback.format_exc(limit=-3)}")
    counts = ", ".join(f"{count} {word}" for word, count in outcomes.most_common())
    print(f"{group}: {sum(outcomes.values())} cases ({counts})", flush=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())
