"""Rules of a user's that say which object they change: its arrays and numbers vary from then on."""

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules import Composite, NoTangent, Zero

table = Table()
x = np.array([0.5, 1.5, -0.7])


class Sums:
    """Sums in an array, in a field and in a list."""

    def __init__(self, n):
        self.entries, self.squares, self.others = np.zeros(n), 0.0, [0.0, 1.0]

    def add(self, i, v):
        self.entries[i] += v
        self.squares = self.squares + v * v
        self.others[0] = self.others[0] + 3.0 * v


class Twice(Sums):
    def add(self, i, v):
        super().add(i, 2.0 * v)


def number(t):
    return 0.0 if isinstance(t, Zero | NoTangent) else cr.unthunk(t)


def parts(t):
    """The tangents of the three sums."""
    if isinstance(t, Zero):
        return np.zeros(3), 0.0, 0.0
    entries = np.zeros(3) + number(t.entries)
    return entries, number(t.squares), 0.0 if isinstance(t.others, Zero) else number(t.others[0])


@cr.rrule(Sums.add, mutates=(0,))
def add_rrule(s: Sums, i: int, v: float):
    Sums.add(s, i, v)

    def add_pullback(y_bar, states):
        entries, squares, others = parts(states[0])
        return states[0], NoTangent(), entries[i] + 2.0 * v * squares + 3.0 * others

    return None, add_pullback


@cr.frule(Sums.add, mutates=(0,))
def add_frule(tangents, s: Sums, i: int, v: float):
    entries, squares, others = parts(tangents[0])
    dv = number(tangents[2])
    Sums.add(s, i, v)
    entries[i] += dv
    moved = Composite[list](others + 3.0 * dv, 0.0)
    return (
        None,
        NoTangent(),
        {0: Composite[type(s)](entries=entries, squares=squares + 2.0 * v * dv, others=moved)},
    )


@table(x)
def from_zeros(x):
    s = Sums(3)
    view, y = s.entries[:2], 0.0
    for i, v in enumerate(x):
        y = y + np.sum(s.entries * s.entries * x[0])
        s.add(i % 2, v * v)
    y = y + view[1] ** 2 + s.squares * x[1] + s.others[0] * s.others[1]
    return s.entries.sum() * s.entries[0] + y + 0.0 * x[0] + 1.0 * x[2]


@table(x)
def changed_between(x):
    s = Sums(3)
    s.entries = x * 1.0
    s.add(0, x[1])
    s.entries[1] *= 2.0
    s.add(1, x[0])
    s.squares *= x[0]
    s.add(2, 1.0)
    return np.sum(s.entries**2) + s.squares + s.others[0]


@table(x)
def by_a_subclass(x):
    s = Twice(3)
    s.add(1, x[0] * x[1])
    s.add(1, x[2])
    return s.entries[1] ** 2 * s.squares


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_a_rule_has_written_varies(f, x):
    for _ in range(5):
        cr.grad(f)(*x)
    check(f, x)
    v = x[0]
    expected = [(cr.grad(f)(v + h) - cr.grad(f)(v - h)) / 2e-5 for h in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(cr.hessian(f)(v), expected, atol=1e-6)
