"""What people and schedulers call from a shell."""
