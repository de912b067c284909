"""Compiled code that is no method: numba's njit without stale kernels, and the LLVM vector code."""
