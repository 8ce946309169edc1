"""Objects of the user's that NumPy takes for arrays or numbers, by methods that it asks unseen."""

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([0.5, 1.5, -0.7])


class AsArray:
    def __init__(self, v):
        self.v = v

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.v) * 2.0


class AsNumber:
    def __init__(self, v):
        self.v = v

    def __float__(self):
        return float(self.v) * 3.0


class Row:
    def __init__(self, *values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]

    def __rmul__(self, factor):  # which NumPy's numbers do not ask
        return Row(*[100.0 * factor * v for v in self.values])


class Prior(Row):
    __array_priority__ = 10  # now they do


@table(x)
def stored_numbers(x):
    y = np.zeros((2, 3))
    y[0, 1] = AsNumber(x[0])
    y[1] = [AsNumber(x[1]), y[0, 1], AsNumber(x[2])]
    return np.sum(y * y)


@table(x)
def stored_arrays(x):
    y, z = np.zeros(3), np.zeros(3, complex)
    y[:] = AsArray(x)
    y[1:] += Row(x[0], x[1])  # type: ignore[call-overload]
    z[0] = AsNumber(x[0])
    return y @ y + np.abs(z[0]) ** 2


@table(x)
def beside_arrays(x):
    y = x * AsArray(x) + Row(*x)
    y -= AsArray(x)
    return np.sum(y**2)


@table(x)
def beside_a_number_of_numpy(x):
    row = x[0] * Row(*x)
    assert type(row) is np.ndarray
    return row[0] + row[1] * row[2]


@table(x)
def by_their_own_operator(x):
    row, other = x[0] * Prior(*x), float(x[0]) * Row(*x)
    assert type(row) is Row and type(other) is Row
    return row[0] + other[1] * row[2]


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_they_are_taken_for_is_differentiated(f, x):
    for _ in range(5):
        cr.grad(f)(*x)
    check(f, x)
