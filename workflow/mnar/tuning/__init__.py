"""Search for settings on validation data: grid, choice, scores on disk, chosen models."""
