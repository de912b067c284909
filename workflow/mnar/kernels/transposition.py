"""Turns rows of users into rows of items by counting: one pass, no sort, no extra copy."""

import numpy as np

from mnar.kernels.compiled import njit


@njit(cache=True, nogil=True)
def transpose(indptr, columns, values, marks, n_columns):
    """The transpose of a sparse matrix (CSR): its row starts, columns, values and marks.

    Rows are read in order, so columns rise within each row of the transpose.
    """
    starts = np.zeros(n_columns + 1, np.int64)
    for column in columns:
        starts[column + 1] += 1
    for column in range(n_columns):
        starts[column + 1] += starts[column]
    cursors = starts[:-1].copy()
    rows = np.empty(len(columns), np.int32)
    turned_values = np.empty_like(values)
    turned_marks = np.empty_like(marks)
    for row in range(len(indptr) - 1):
        for entry in range(indptr[row], indptr[row + 1]):
            at = cursors[columns[entry]]
            cursors[columns[entry]] += 1
            rows[at] = row
            turned_values[at] = values[entry]
            turned_marks[at] = marks[entry]
    return starts, rows, turned_values, turned_marks
