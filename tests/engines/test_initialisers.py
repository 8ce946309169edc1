"""Initialisers that change what they are given: the caller sees it, by whatever name."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.signal import StateSpace

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


SITES = (np.array([0.0, 1.0, 2.5]), [1.0, 2.0])


def of_a_class_with_rules(x):
    """Its rules say what it changes: nothing, whatever its `__init__` does to what it makes of it."""
    return CubicSpline(SITES[0], np.append(x, 0.3))(0.7)


def of_a_property_with_rules(x):
    system = StateSpace(np.diag(x), x[:, None], SITES[1], 0.0)
    return StateSpace(system.A, system.B, -system.C, system.D).C * system.B[0]


@pytest.mark.parametrize("f", [of_a_class_with_rules, of_a_property_with_rules])
def test_what_has_rules_changes_nothing(f):
    check_grads(f, np.array([1.3, 0.4]))
