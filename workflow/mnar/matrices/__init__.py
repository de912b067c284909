"""Ratings as sparse matrices, an experiment's view of a dataset, and factor models."""
