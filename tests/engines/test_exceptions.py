"""`try`: what ran before an exception counts, the engine's own errors pass, half-done changes are refused."""

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
X = np.array([1.0, 2.0, 3.5])


def bounded(v):
    if v > 3:
        raise ValueError("too large")
    return v * v


@table(X)
def every_clause(x):
    s = 0.0
    for v in x:
        a = v * 2
        try:
            b = v * v * 3
            s = s + bounded(v) * b
        except ValueError:
            s = s + a * b
        else:
            s = s * 1.5
        finally:
            a = None
    return s


@table(X)
def returning_from_it(x):
    try:
        return x[0] * bounded(x[2])
    except (KeyError, ValueError):
        return x[0] * x[1]


@table(X)
def leaving_loops(x):
    for i in range(5):
        try:
            y = x[i] * x[i]
            if i == 1:
                continue
            z = x[i + 1] * y
        except IndexError:
            break
    return z * y


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


def unhandled(x):
    try:
        y = bounded(x * 10)
    finally:
        x = None
    return y


def opaque(x):
    try:
        return float(repr(x))
    except Exception:
        return x


class Tank:
    def __init__(self, level):
        self.level = level

    def fill(self, amount):
        self.level = self.level + amount
        if self.level > 1:
            raise OverflowError


def half_done(x):
    tank = Tank(x)
    try:
        tank.fill(x)
    except OverflowError:
        x = 0.0
    return tank.level


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_errors(mode):
    with pytest.raises(ValueError, match="too large"):
        mode(unhandled)(1.0)
    with pytest.raises(cr.ChainRulesError):
        mode(opaque)(1.0)
    assert mode(half_done)(0.25) == 2.0
    with pytest.raises(cr.UnsupportedSyntaxError, match="may have changed its arguments"):
        mode(half_done)(2.0)
