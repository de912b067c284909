"""BLAS has one thread, whatever the environment asks for."""

import os
import subprocess
import sys


def test_blas_has_one_thread_once_blocks_have_run():
    program = """
from threadpoolctl import threadpool_info
from mnar.core.parallel import for_blocks
for_blocks(lambda first, last: None, 3, 1, 2)
print([library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"])
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[1]"
