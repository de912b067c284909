"""Who is measured: one file each, with a function for each task that it can do (see child.py).

als(job, variant): alternating least squares on the objective of `problem.py`, a lap after each sweep.
pairwise(job, variant): a pairwise ranking loss, a lap after each epoch.
evaluate(job, variant): score a given model on the held-out ratings; returns the seconds it took.
"""
