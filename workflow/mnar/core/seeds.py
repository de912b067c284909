"""Seeds that depend on names alone: the same on any machine, core count and order of jobs."""

from zlib import crc32

import numpy as np


def seed_of(*parts: object) -> int:
    """A 63-bit seed for a place in the workflow: seed_of(2015, "movielens-small", "fold", 3)."""
    words = [crc32(str(part).encode()) for part in parts]
    state = np.random.SeedSequence(words).generate_state(1, np.uint64)[0]
    return int(state >> np.uint64(1))


def generator(*parts: object) -> np.random.Generator:
    """A numpy generator for a place in the workflow (see :func:`seed_of`)."""
    return np.random.default_rng(seed_of(*parts))
