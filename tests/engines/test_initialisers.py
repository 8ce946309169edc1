"""Initialisers that change what they are given: the caller sees it, by whatever name."""

import numpy as np
import pytest

from chainrules.testing import check_grads


class Body:
    def __init__(self, v):
        self.v = v
        self.f = np.zeros(2)


class System:
    def __init__(self, bodies):
        self.bodies = bodies
        self.accumulate()

    def accumulate(self):
        for b in self.bodies:
            b.f += b.v**2


def made(x):
    return [Body(x * 1.0), Body(x * 2.0)]


def by_its_name(x):
    bodies = made(x)
    system = System(bodies)
    return np.sum(bodies[0].f * system.bodies[1].f)


def by_a_copy_of_the_list(x):
    bodies = made(x)
    system = System(list(bodies))
    return np.sum(bodies[0].f * system.bodies[1].f)


def in_a_display(x):
    a, b = made(x)
    system = System([a, b])
    return np.sum(a.f * system.bodies[1].f)


def as_it_is_made(x):
    system = System([Body(x * k) for k in (1.0, 2.0)])
    return np.sum(system.bodies[0].f * system.bodies[1].f)


@pytest.mark.parametrize("f", [by_its_name, by_a_copy_of_the_list, in_a_display, as_it_is_made])
def test_the_change_is_seen(f):
    check_grads(f, np.array([1.3, 0.4]))
