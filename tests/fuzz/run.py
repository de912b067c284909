"""Random files, tables, configs, damage and kills against the rules of docs/security.md: make fuzz

    python tests/fuzz/run.py [--seed 1] [--seconds 600]
                             [--files N] [--tables N] [--configs N] [--damage N] [--kills N]

Ends after ten minutes, of which each group gets its share; a group that is done early leaves the rest
to those after it. `--seconds inf` makes all cases that are asked for, by default 10,000 files, 10,000
tables, 2,000 configs, 1,000 damaged intermediates and 100 kills; on two cores that takes about two hours.

Each case has a seed of its own, by which it can be run again: --again GROUP SEED. Of kills it is the
seed of all of them, `--kills` says how many. Prints a count by
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

from polars.exceptions import PanicException

from fuzz import configs, damage, files, kills, tables

# Each has `cases(folder)`, which gives a function from a source of chance to what happened, in a word.
GROUPS = {"files": files, "tables": tables, "configs": configs, "damage": damage}
USUAL = {"files": 10_000, "tables": 10_000, "configs": 2_000, "damage": 1_000, "kills": 100}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=600, help="at most so long in all (600; inf: no limit)"
    )
    for group, usual in USUAL.items():
        parser.add_argument(f"--{group}", type=int, default=usual)
    parser.add_argument("--again", nargs=2, metavar=("GROUP", "SEED"), help="one case")
    asked = parser.parse_args(arguments)
    if asked.again and asked.again[0] not in USUAL:
        parser.error(f"--again: unknown group {asked.again[0]!r}; known are {', '.join(USUAL)}")
    end = time.monotonic() + asked.seconds
    groups = [group for group in USUAL if getattr(asked, group)]
    faults = []
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        if asked.again:
            return again(*asked.again, Path(name), asked.kills, end)
        for number, group in enumerate(groups):
            folder = Path(name) / group
            folder.mkdir()
            until = share(end, len(groups) - number)
            wanted = getattr(asked, group)
            if group == "kills":
                faults += kills.run(folder, wanted, asked.seed, until)
            else:
                faults += run(group, GROUPS[group].cases(folder), wanted, asked.seed, until)
    for fault in faults:
        print(f"FAULT {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def again(group, seed, folder, wanted, end):
    """One case by its seed: it raises what it raised before. Of kills, those that are wanted."""
    if group == "kills":
        faults = kills.run(folder, wanted, int(seed), end)
        print("\n".join(f"FAULT {fault}" for fault in faults) or "no fault")
        return 1 if faults else 0
    print(GROUPS[group].cases(folder)(random.Random(int(seed))))
    return 0


def share(end, groups):
    """Until when the next group may run, of `groups` that are left."""
    now = time.monotonic()
    return now + max(0.0, end - now) / groups


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
        except (Exception, PanicException):
            outcomes["fault"] += 1
            faults.append(f"{group} {own}: {traceback.format_exc(limit=-3)}")
    counts = ", ".join(f"{count} {word}" for word, count in outcomes.most_common())
    print(f"{group}: {sum(outcomes.values())} cases ({counts})", flush=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())
