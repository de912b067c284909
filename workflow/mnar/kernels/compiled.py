"""numba's `njit`, with a cache on disk that never runs an outdated kernel.

A compiled kernel contains the code of the kernels that it calls. numba checks only whether the file
of the kernel itself has changed; the locators below also check every library file it imports.
"""

from typing import Any

from numba import config, njit
from numba.core import caching

from mnar.core.provenance import kernel_stamp

__all__ = ["njit"]


class _StampOfImports:
    """A locator whose source stamp covers a kernel's file and all library files it imports."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[call-arg]
        self.kernel_file = py_file

    def get_source_stamp(self) -> str:
        return kernel_stamp(self.kernel_file)


class InGivenFolder(_StampOfImports, caching.UserProvidedCacheLocator):
    """Keeps kernels in the folder that NUMBA_CACHE_DIR names."""


class BesideFile(_StampOfImports, caching.InTreeCacheLocator):
    """Keeps kernels in __pycache__ beside their file."""


class InHome(_StampOfImports, caching.UserWideCacheLocator):
    """Keeps kernels in the user's cache folder, where the library's own folder is read-only."""


# The setting NUMBA_CACHE_LOCATOR_CLASSES is public: numba's manual, "Notes on Caching", documents it.
config.CACHE_LOCATOR_CLASSES = ",".join(  # type: ignore[attr-defined]
    f"{__name__}.{locator.__name__}" for locator in (InGivenFolder, BesideFile, InHome)
)
