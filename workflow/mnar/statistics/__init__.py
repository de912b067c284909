"""One bootstrap, one t-test, one correction for many tests, and rank correlations."""
