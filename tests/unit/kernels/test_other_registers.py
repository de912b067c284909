"""The tests of vector code once more, as on processors with shorter and with longer registers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from unittest.mock import patch
with patch("llvmlite.binding.get_host_cpu_features", return_value={features}):
    from mnar.kernels import vectors
import test_batched_cholesky, test_score_tiles, test_twins
for case in test_twins.CASES:
    test_twins.test_an_llvm_function_equals_its_twin(case)
test_batched_cholesky.test_systems_side_by_side_are_solved_as_one_by_one()
for n_items in test_score_tiles.ITEMS:
    test_score_tiles.test_scores_are_products_wherever_an_item_stands(n_items)
test_score_tiles.test_the_top_of_a_line_is_its_highest_score()
print("lanes:", vectors.LANES)
"""


@pytest.mark.parametrize(("lanes", "features"), [(8, {}), (16, {"avx512f": True})])
def test_vector_code_does_not_depend_on_the_register(lanes, features, tmp_path):
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    # A cache of its own: numba's does not know that another width is simulated.
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAM.format(features=features)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[-2] == f"lanes: {lanes}"
