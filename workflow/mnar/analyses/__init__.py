"""What is computed from chosen models."""
