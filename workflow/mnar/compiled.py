"""numba's `njit`, from a numba that starts without scipy.linalg: 0.2 s of every job with kernels.

When the first kernel is called, numba looks whether there is one, for np.cov and np.corrcoef alone;
what else of linear algebra a kernel may call imports it then.
"""

import sys

from numba import njit

__all__ = ["njit"]

WANTED = "scipy.linalg.cython_blas"

if WANTED not in sys.modules and "numba.np.arraymath" not in sys.modules:
    sys.modules[WANTED] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[WANTED]
