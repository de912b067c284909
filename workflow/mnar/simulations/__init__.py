"""Experiments where the truth is known: theorems, and behaviour over generator settings."""
