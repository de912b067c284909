"""Commands for a shell, called by people and schedulers."""
