"""Tests, bootstrap, corrections and rank correlations: one of each."""
