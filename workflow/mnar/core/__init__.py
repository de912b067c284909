"""The base of all rooms: errors, files, seeds, threads, the frame of scripts, provenance."""
