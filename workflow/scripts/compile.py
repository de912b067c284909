"""Compile the kernels once, so that jobs that start together need not each do it."""

from mnar.commands.compile import compile_kernels
from mnar.core.script import logged

with logged(snakemake.log[0]):
    compile_kernels()
