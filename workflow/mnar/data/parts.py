"""The parts of a dataset's official split, in the column `part` of its interactions.

Splits have roles of their own (mnar.splits): an official part may get any of them.
"""

OFFICIAL_TRAIN, OFFICIAL_VALIDATION, OFFICIAL_TEST = range(3)
