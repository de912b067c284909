"""numba's `njit`, which starts faster and does not run a kernel that is out of date.

Faster by 0.2 s of every job, without scipy.linalg: when the first kernel is called, numba looks
whether there is one, for np.cov and np.corrcoef alone; what else of linear algebra a kernel may call
imports it then.

Compiled kernels are kept beside their files, with what they call of other files in them. numba takes
them for good as long as the one file is the same; here, as long as all that it imports are.
"""

import sys

from numba import config, njit
from numba.core import caching

from mnar.core.provenance import kernel_stamp

__all__ = ["njit"]

WANTED = "scipy.linalg.cython_blas"

if WANTED not in sys.modules and "numba.np.arraymath" not in sys.modules:
    sys.modules[WANTED] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[WANTED]


class _WithImports:
    def get_source_stamp(self) -> str:
        return kernel_stamp(self._py_file)  # type: ignore[attr-defined]


class InGivenFolder(_WithImports, caching.UserProvidedCacheLocator):
    """NUMBA_CACHE_DIR."""


class BesideFile(_WithImports, caching.InTreeCacheLocator):
    pass


class InHome(_WithImports, caching.UserWideCacheLocator):
    """Where files lie that may not be written to."""


config.CACHE_LOCATOR_CLASSES = ",".join(  # type: ignore[attr-defined]
    f"{__name__}.{place.__name__}" for place in (InGivenFolder, BesideFile, InHome)
)
