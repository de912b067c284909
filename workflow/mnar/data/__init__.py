"""Datasets: download, read, generate, prepare, view, profile."""
