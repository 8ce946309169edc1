"""Objects that change, of which it is not known from the text which one a name is: specialised, and right."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.array([0.5, 1.2, 0.3, 0.8, 0.9, 0.1])


class Body:
    def __init__(self, pos, vel, mass=1.0):
        self.pos, self.vel, self.mass = pos, vel, mass

    def kick(self, a, h):
        self.vel = self.vel + h * a

    def drift(self, h):
        self.pos = self.pos + h * self.vel

    @property
    def energy(self):
        return 0.5 * self.mass * self.vel**2


class Spring(Body):
    def __init__(self, pos, vel, k):
        super().__init__(pos, vel)
        self.k = k

    def kick(self, a, h):
        self.vel = self.vel + h * (a - self.k * self.pos)


@dataclass
class Particle:
    pos: Any
    vel: Any
    log: list[Any] = field(default_factory=list)


class Account:
    def __init__(self, balance):
        self.balance, self.history = balance, []

    def pay(self, v):
        self.balance = self.balance - v
        self.history.append(v)


def many_bodies(x):
    bodies = [Body(x[i % 6] * i, x[(i + 1) % 6]) for i in range(36)]
    for _ in range(2):
        for b in bodies:
            a = 0.0
            for c in bodies:
                if c is not b:
                    a += c.mass * (c.pos - b.pos) / ((c.pos - b.pos) ** 2 + 0.5)
            b.kick(a, 0.01)
        for b in bodies:
            b.drift(0.01)
    return sum(b.energy for b in bodies)


def with_lists_and_arrays(x):
    particles = [Particle(x[:3] * i, x[3:]) for i in range(36)]
    for _ in range(3):
        for p in particles:
            p.vel = p.vel - 0.1 * p.pos
            p.pos = p.pos + 0.1 * p.vel
            p.log.append(np.sum(p.pos))
    return sum(sum(p.log) for p in particles) + np.sum(particles[3].pos * particles[7].vel)


def of_two_classes(x):
    bodies = [Body(x[i % 6], 0.1) for i in range(20)]
    springs = [Spring(x[i % 6], 0.1, x[0]) for i in range(40)]
    for _ in range(3):
        for b in bodies:
            b.kick(0.3, 0.1)
            b.drift(0.1)
        for s in springs:
            s.kick(0.3, 0.1)
            s.drift(0.1)
    return sum(b.pos for b in bodies) * sum(s.pos * s.k for s in springs)


def taken_out(x):
    bodies = [Body(x[i % 6], 0.1) for i in range(40)]
    while len(bodies) > 5:
        a, b = bodies.pop(), bodies[len(bodies) // 3]
        b.pos = b.pos + a.pos * 0.1
        b.mass = b.mass + a.mass
    best = max(bodies, key=lambda b: b.pos)
    return sum(b.pos * b.mass for b in bodies) + best.pos


def under_keys(x):
    accounts = {}
    for i in range(6):
        accounts[i] = Account(x[i])
    for k in range(20):
        a, b = accounts[k % 6], accounts[(k * 5 + 1) % 6]
        v = a.balance * 0.1
        a.pay(v)
        b.pay(-v)
    return sum(a.balance * i for i, a in accounts.items()) + sum(accounts[2].history)


def under_several_names(x):
    one, other = Body(x[0], x[1]), Body(x[2], x[3])
    bodies = [one, other, one, Body(x[4], x[5])]
    chosen = []
    for k in range(40):
        chosen.append(bodies[k % 4])
    for b in chosen:
        b.pos = b.pos * 0.9 + x[4]
    return one.pos * chosen[3].pos + sum(b.pos for b in chosen)


def one_or_another(x):
    one, other = Body(x[0], x[1]), Body(x[2], x[3])
    b = one if x[0] > 0.0 else other
    for _ in range(3):
        b.pos = b.pos * x[4]
        b = other
    return one.pos + 2.0 * other.pos


ALL = [
    *(many_bodies, with_lists_and_arrays, of_two_classes, taken_out, under_keys, under_several_names),
    one_or_another,
]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", [of_two_classes, taken_out, under_keys, under_several_names, one_or_another])
def test_directions(f):
    hold_directions(f, X)


def test_an_object_of_another_class_is_seen():
    def f(x):
        every = [Body(x[0] * i, x[1]) for i in range(40)]
        if x[5] > 0.5:
            every[7] = Spring(x[2], x[3], 2.0)
        for b in every:
            b.kick(x[4], 0.1)
        return sum(b.vel * b.pos for b in every)

    with specialised_after(1):
        for last in (0.1, 0.1, 0.1, 0.9, 0.1):
            x = X.copy()
            x[5] = last
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)


def test_objects_are_not_compared_by_their_fields():
    def f(x):
        every = [Body(x[0], x[1]) for _ in range(40)]
        total = 0.0
        for b in every:
            b.pos = b.pos + x[2]
            total += b.pos if b == every[0] else 0.1 * b.pos
        return total + (x[3] if every[3] in every[4:] else 0.0)

    is_right(f, X)


@pytest.mark.parametrize("changes", [True, False])
def test_lists_of_objects_are_compared_by_the_objects(changes):
    def f(x):
        every = [Body(x[0], x[1]) for _ in range(40)]
        others = [Body(x[0], x[1]) for _ in range(40)]
        if changes:
            for b in every + others:
                b.pos = b.pos + x[2]
        return every[0].pos * (2.0 if every == others else 3.0) + (x[3] if every[:2] == every[:2] else 0.0)

    is_right(f, X)


class Ordered(Body):
    def __lt__(self, other):
        return self.vel < other.vel


@pytest.mark.parametrize("changes", [True, False])
def test_objects_are_ordered_by_their_class(changes):
    def f(x):
        every = [Ordered(x[i % 6] * i, (7 * i) % 40 + x[0]) for i in range(40)]
        if changes:
            for b in every:
                b.pos = b.pos + x[2]
        ordered = sorted(every)
        return sum(b.pos * k for k, b in enumerate(ordered)) + max(every).pos

    is_right(f, X)


def test_arrays_in_fields_that_are_written_into():
    def f(x):
        every = [Particle(x[:3] * i, x[3:] * 1.0) for i in range(36)]
        for p in every:
            p.vel -= 0.1 * p.pos
            p.pos += 0.1 * p.vel
        return sum(np.sum(p.pos**2) for p in every)

    is_right(f, X)
