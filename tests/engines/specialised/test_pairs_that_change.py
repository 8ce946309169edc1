"""Loops over pairs and counted items that write into something: specialised, and right."""

import bisect
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from .compared import hold_directions, is_right

X = np.array([0.5, 1.2, -0.3, 0.8, 0.9, -1.1, 0.4, 0.2])


@dataclass
class Body:
    pos: Any
    vel: Any
    mass: float = 1.0

    def energy(self):
        return 0.5 * self.mass * self.vel @ self.vel


@dataclass
class System:
    bodies: list[Body]
    energies: list[Any] = field(default_factory=list)

    def pulls(self):
        made = [np.zeros(2) for _ in self.bodies]
        for (i, a), (j, b) in itertools.combinations(enumerate(self.bodies), 2):
            r = b.pos - a.pos
            f = r / (r @ r + 0.1) ** 1.5
            made[i] = made[i] + b.mass * f
            made[j] = made[j] - a.mass * f
        return made

    def step(self):
        for b, a in zip(self.bodies, self.pulls(), strict=True):
            b.vel = b.vel + 0.05 * a
            b.pos = b.pos + 0.05 * b.vel
        self.energies.append(sum(b.energy() for b in self.bodies))


def simulated(x):
    system = System([Body(r[:2], r[2:], 1.0 + i) for i, r in enumerate(x.reshape(2, 4))])
    for _ in range(3):
        system.step()
    return sum(system.energies)


def into_a_table(x):
    table = np.zeros((8, 8))
    for (i, a), (j, b) in itertools.combinations(enumerate(x), 2):
        table[i, j] = table[j, i] = a * b * (1 + i)
    return (table @ table)[0] @ x


def into_what_it_goes_through(x):
    rows = [x[0], x[1], x[2], x[3]]
    total = 0.0
    for a, b in itertools.combinations(rows, 2):
        rows[3] = rows[3] * 0.5 + a
        total += a * b * rows[3]
    return total


def into_the_array_it_goes_through(x):
    y = x * 1.0
    total = 0.0
    for a, b in itertools.combinations(y, 2):
        y[3] = a * b
        total += a * b * y[3]
    return total


def into_the_rows_it_goes_through(x):
    y = x.reshape(4, 2) * 1.0
    total = 0.0
    for a, b in itertools.combinations(y, 2):
        b[0] = a[1] * 0.5
        total += a @ b
    return total


def a_copy_of_a_list(x):
    bodies = [Body(x[2 * i : 2 * i + 2], x[:2]) for i in range(3)]
    for b in list(bodies):
        b.pos = b.pos * b.vel
    return sum(b.pos @ b.vel for b in list(bodies)[1:])


def counted_pairs(x):
    pairs = list(enumerate(x, start=1))
    return sum(k * v**2 for k, v in pairs) * max(enumerate([1.0, 3.0]))[1]


def spline(x):
    knots = [0, 0, 0, 1, 2, 3, 3, 3]
    total = 0.0
    for t in (0.5, 1.5, 2.5):
        k = min(bisect.bisect_right(knots, t) - 1, 4)
        total += x[k] * (t - knots[k]) ** 2
    return total * x[7]


ALL = [simulated, into_a_table, into_what_it_goes_through, a_copy_of_a_list, counted_pairs, spline]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


@pytest.mark.parametrize("f", [into_the_array_it_goes_through, into_the_rows_it_goes_through])
def test_items_of_arrays_that_are_written_into(f):
    is_right(f, X)
