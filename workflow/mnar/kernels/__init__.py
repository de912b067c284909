"""Compiled code that belongs to no single method: numba helpers and LLVM vector code.

LLVM code lives in this room alone. Each LLVM function `name` (decorator `llvm_function`) has its plain
numpy twin `name_plain` beside it in the same file, with the same arguments and the same effect. Only
tests/unit/kernels calls the twins: it compares each LLVM function with its twin.
"""
