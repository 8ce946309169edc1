"""Classes that say what functions of NumPy's do with their objects, or what array these are."""

from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([0.5, 1.5, -0.7])


class Quantity(np.lib.mixins.NDArrayOperatorsMixin):
    """Numbers with the power of a unit."""

    def __init__(self, v, power=0):
        self.v, self.power = v, power

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        values = [a.v if isinstance(a, Quantity) else a for a in inputs]
        powers = [a.power if isinstance(a, Quantity) else 0 for a in inputs]
        y = getattr(ufunc, method)(*values, **kwargs)
        if ufunc is np.multiply:
            return Quantity(y, sum(powers))
        if ufunc is np.sqrt:
            return Quantity(y, powers[0] / 2)
        if ufunc is np.add:
            if len(set(powers)) > 1:
                raise TypeError("units")
            return Quantity(y, powers[0])
        return y if ufunc is np.less else NotImplemented

    def __array_function__(self, function, types, args, kwargs):
        assert Quantity in types
        if function is not np.concatenate:
            return NotImplemented
        return Quantity(np.concatenate([a.v if isinstance(a, Quantity) else a for a in args[0]]), 1)


class Scaled:
    def __init__(self, v):
        self.v = v

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.v) * 2.0


class Length:
    def __init__(self, v):
        self.v = v

    def __pow__(self, n):
        return self.v**n * 2.0

    def __rpow__(self, a):
        return a + self.v

    def __divmod__(self, other):
        return 1.0, self.v * other

    def __rdivmod__(self, other):
        return 2.0, self.v / other


@table(x)
def functions_of_python(x):
    n = Length(x[0])
    return pow(n, 2) + pow(2.0, n) * divmod(n, x[1])[1] + divmod(3.0, n)[1]


@table(x)
def units(x):
    m, s = Quantity(x, 1), Quantity(2.0, -1)
    with pytest.raises(TypeError, match="units"):
        m + s
    v, w = m * s * 3.0, np.sqrt(m * m)
    w *= x[0] * m
    return np.sum(v.v) * m.power + np.sum(w.v) * w.power + (2.0 if (m < 1.0)[0] else 1.0) * (x * m).v[1]


@table(x)
def functions(x):
    q: Any = Quantity(x, 1)
    m: Any = np.concatenate([q, x * x])
    return m.v[4] * np.add.reduce(q).v * m.power


@table(x)
def arrays(x):
    y = np.sin(Scaled(x)) + np.where(x > 0, x, Scaled(x)) + np.asarray(Scaled(x))
    return np.sum(y * np.stack([Scaled(x), x])) + np.dot(Scaled(x), x)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_they_say_is_differentiated(f, x):
    for _ in range(5):
        cr.grad(f)(*x)
    check(f, x)
    cr.testing.check_grads(f, *x, order=2)


def test_a_function_that_no_class_knows_is_refused_as_numpy_does():
    with pytest.raises(TypeError, match="no implementation found"):
        np.sort(Quantity(x))  # type: ignore[call-overload]
    with pytest.raises((TypeError, cr.NoRuleError)):
        cr.grad(lambda x: np.sort(Quantity(x))[0])(x)  # type: ignore[call-overload]
