"""`try`: what ran before an exception counts, the engine's own errors pass, half-done changes are refused."""

import numpy as np
import pytest
from tests.engines import rightly
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


@table(X)
def several_clauses_for_a_group(x):
    total, a = x[0], x[2]
    try:
        y = np.exp(x)
        raise ExceptionGroup("both", [ValueError("one"), KeyError("other")])
    except* ValueError:
        total = total * y[1]
        a = a * a
    except* (KeyError, IndexError) as group:
        del group
        total = total + a * y[0]
    finally:
        total = total * 3.0
    return total


@table(X)
def the_rest_of_a_group(x):
    try:
        try:
            y = x * 2
            raise ExceptionGroup("both", [ValueError("one"), TypeError("other")])
        except* ValueError:
            y = y * x
    except* TypeError:
        y = y + x**3
    return np.sum(y)


@table(X)
def no_group_at_all(x):
    try:
        y = bounded(x[0])
        z = bounded(x[2])
    except* ValueError:
        z = y * x[2]
    except* TypeError:
        z = 0.0
    return y * z


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


def opaque_in_a_group(x):
    try:
        return_value = float(repr(x))
    except* Exception:
        return_value = x
    return return_value


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
    with pytest.raises(cr.ChainRulesError):
        mode(opaque_in_a_group)(1.0)
    assert mode(half_done)(0.25) == 2.0
    rightly.grad(half_done)(2.0)
