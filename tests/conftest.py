"""Programs that tests start find the library as the tests do."""

from mnar.sources import share_with_jobs

share_with_jobs()
