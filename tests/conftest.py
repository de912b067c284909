"""What holds for all tests: programs they start find the library, and no test is timed."""

from hypothesis import settings

from mnar.core.provenance import share_with_jobs

share_with_jobs()
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
