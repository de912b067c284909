"""What every room stands on: errors, files, seeds, threads, what a script does, provenance."""
