"""Every point of steck2010's grids on the embedded data: is the objective as low as that of plain sweeps?

Prints the largest shortfall of each method, and fails where one is above the bound.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.continuation import METHODS, shortfalls, training_ratings

BOUND = 0.001


def main() -> int:
    train = training_ratings()
    worst = 0.0
    for method in METHODS:
        found = list(shortfalls(method, train))
        point, largest = max(found, key=lambda pair: pair[1])
        worst = max(worst, largest)
        print(f"{method}: {len(found)} points, largest shortfall {100 * largest:.3f} % at {point}")
    return int(worst > BOUND)


if __name__ == "__main__":
    sys.exit(main())
