"""Compile the kernels once, so that jobs that start together need not each do it."""

from mnar.job import logged
from mnar.warmup import compile_kernels

with logged(snakemake.log[0]):
    compile_kernels()
