"""Lists of more objects than are written out, as tuples of their fields: specialised, and right."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.array([0.5, 1.2, 0.3, 0.8, 0.9, 0.1])


@dataclass(frozen=True)
class State:
    pos: Any
    vel: Any

    def step(self, k, dt):
        return replace(self, pos=self.pos + dt * self.vel, vel=self.vel - dt * k * self.pos)

    @property
    def energy(self):
        return self.pos**2 + self.vel**2


class Body:
    def __init__(self, pos, vel):
        self.pos, self.vel = pos, vel

    def moved(self, h):
        return Body(self.pos + h * self.vel, self.vel - h * self.pos)


class Point(NamedTuple):
    a: float
    b: float


def trajectory(x):
    s = State(x[0], x[1])
    states = [s]
    for _ in range(60):
        s = s.step(x[2], 0.1)
        states.append(s)
    return sum(t.pos**2 for t in states) + states[-1].vel * states[3].energy


def until_there_are_enough(x):
    states = [State(x[0], x[1])]
    while len(states) < 50:
        states.append(states[-1].step(x[2], 0.05))
    return states[-1].energy


def of_arrays(x):
    body = Body(x[:3], x[3:])
    path = [body]
    for _ in range(40):
        body = body.moved(0.05)
        path.append(body)
    return sum(np.sum(b.pos * b.vel) for b in path[10:])


def neighbours(x):
    every = [Body(v, v * v) for v in np.linspace(0.0, 1.0, 50) * x[0]]
    total = 0.0
    for a, b in zip(every[1:], every[:-1], strict=True):
        total += a.pos * b.vel
    return total * x[1]


def changed_before_they_are_put(x):
    every = []
    for i in range(50):
        b = Body(x[i % 6], 0.0)
        b.vel = b.pos * i
        every.append(b)
    return sum(b.pos * b.vel for b in every)


def with_their_times(x):
    s, states = State(x[0], x[1]), []
    for k in range(60):
        s = s.step(x[2], 0.1)
        states.append((k * 0.1, s))
    return sum(t * s.pos for t, s in states)


def named(x):
    points = [Point(x[i % 6], x[(i + 1) % 6] * i) for i in range(60)]
    return sum((p.a - q.a) ** 2 + p.b * q.b for p, q in zip(points[1:], points[:-1], strict=True))


ALL = [
    *(trajectory, until_there_are_enough, of_arrays, neighbours, changed_before_they_are_put),
    *(with_their_times, named),
]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


class Other:
    def __init__(self, pos, vel):
        self.pos, self.vel = vel, pos


def test_objects_of_two_classes_are_told_apart():
    def f(x):
        every: list[Any] = []
        for i in range(40):
            every.append(Body(x[0], x[1] * i))
            if x[5] > 0.5:
                every.append(Other(x[0], x[1] * i))
        return sum(b.pos * 2.0 + b.vel for b in every)

    with specialised_after(1):
        for last in (0.1, 0.1, 0.1, 0.9, 0.1):
            x = X.copy()
            x[5] = last
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)


def test_objects_that_change_later_are_not_taken_for_what_they_were():
    def f(x):
        every = [Body(v, v * v) for v in np.linspace(0.0, 1.0, 40) * x[0]]
        for b in every:
            b.pos = b.pos + b.vel
        return sum(b.pos**2 for b in every)

    is_right(f, X)


def test_a_list_that_is_given_beside_one_of_the_texts_own():
    def f(x, bodies):
        moved = [Body(b.pos * x[0], b.vel + x[1]) for b in bodies]
        return sum(b.pos * b.vel for b in moved)

    bodies = [Body(0.1 * i, 1.0 - 0.1 * i) for i in range(40)]
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f, argnums=0)(X, bodies)
    expected = differences(lambda x: f(x, bodies), X)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@dataclass(frozen=True)
class Curve:
    coefficients: list[Any]
    weight: float


def objects_with_lists(x):
    curves = [Curve([x[i % 6], x[(i + 1) % 6] * i], i * 0.1) for i in range(40)]
    return sum(sum(c.coefficients) * c.weight for c in curves)


def tuples_with_lists(x):
    rows = [(i, [x[i % 6]]) for i in range(40)]
    for i, row in rows:
        row.append(row[0] * i)
    rows.append((3, rows[2][1]))
    rows[1] = (7, rows[0][1])
    return sum(k * sum(row) for k, row in rows)


@pytest.mark.parametrize("f", [objects_with_lists, tuples_with_lists])
def test_lists_in_what_is_in_a_list(f):
    assert is_right(f, X)
    hold_directions(f, X)
