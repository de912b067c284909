"""Folds to train on elsewhere, and scores that were made elsewhere (docs/scores.md)."""
