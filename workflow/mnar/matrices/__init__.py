"""Ratings as sparse matrices, what an experiment sees of a dataset, and factor models."""
