"""Functions of a user's with rules whose pullbacks read what the rule was given when they are called.

They are given arrays, objects, containers and functions; they are methods, operators, attributes, or write.
"""

from typing import Any

import numpy as np

import chainrules as cr


class Node:
    a: Any
    k: Any

    def __init__(self, a: Any) -> None:
        self.a = a

    def scaled(self, q: Any) -> Any:
        return np.sum(self.a**2 * q)

    def __call__(self, q: Any) -> Any:
        return np.sum(self.a**3 * q)

    @staticmethod
    def alone(v: Any) -> Any:
        return np.sum(v**4)

    @property
    def norm(self) -> Any:
        return np.sum(self.a**2)

    def __mul__(self, q: Any) -> Any:
        return np.sum(self.a**2 * q)

    def __neg__(self) -> Any:
        return np.sum(self.a**3)

    def __getitem__(self, i: int) -> Any:
        return self.a[i] ** 2

    def __abs__(self) -> Any:
        return np.sum(self.a**4)


class Tree:
    def __init__(self, left: Any, rest: Any) -> None:
        self.left, self.rest = left, rest


def cube(v: Any) -> Any:
    return np.sum(v**3)


def energy(o: Any) -> Any:
    return np.sum(o.a**3)


def deep(o: Any) -> Any:
    return np.sum(o.left.a**2) * np.sum(o.rest[0] ** 3)


def listed(o: Any) -> Any:
    return np.sum(o[0] ** 2) + np.sum(o[1] ** 3)


def mapped(o: Any) -> Any:
    return np.sum(o["a"] ** 3)


def paired(o: Any) -> Any:
    return np.sum(o[0] ** 2) * np.sum(o[1].a ** 2)


def doubled(o: Any) -> Any:
    return Node(o.a * o.a)


def parted(v: Any) -> Any:
    return [v**2, v**3]


def named(v: Any) -> Any:
    return {"k": v**2}


def at(f: Any, q: Any) -> Any:
    return f(q)


def scale_into(out: Any, v: Any) -> Any:
    out *= v**2


@cr.rrule(cube)
def _(v: np.ndarray) -> Any:
    return cube(v), lambda g: (3.0 * g * v**2,)


@cr.frule(cube)
def _(tangents: Any, v: np.ndarray) -> Any:
    return cube(v), np.sum(3.0 * v**2 * tangents[0])


@cr.rrule(energy)
def _(o: Node) -> Any:
    return energy(o), lambda g: (cr.Composite[Node](a=3.0 * g * o.a**2),)


@cr.frule(energy)
def _(tangents: Any, o: Node) -> Any:
    return energy(o), np.sum(3.0 * o.a**2 * tangents[0].a)


@cr.rrule(deep)
def _(o: Tree) -> Any:
    def pullback(g: Any) -> Any:
        u, v = o.left.a, o.rest[0]
        left = cr.Composite[Node](a=2.0 * g * u * np.sum(v**3))
        return (cr.Composite[Tree](left=left, rest=cr.Composite[list](3.0 * g * v**2 * np.sum(u**2))),)

    return deep(o), pullback


@cr.rrule(listed)
def _(o: list) -> Any:
    return listed(o), lambda g: (cr.Composite[list](2.0 * g * o[0], 3.0 * g * o[1] ** 2),)


@cr.rrule(mapped)
def _(o: dict) -> Any:
    return mapped(o), lambda g: (cr.Composite[dict]({"a": 3.0 * g * o["a"] ** 2}),)


@cr.rrule(paired)
def _(o: tuple) -> Any:
    def pullback(g: Any) -> Any:
        u, v = o[0], o[1].a
        second = cr.Composite[Node](a=2.0 * g * v * np.sum(u**2))
        return (cr.Composite[tuple](2.0 * g * u * np.sum(v**2), second),)

    return paired(o), pullback


@cr.rrule(doubled)
def _(o: Node) -> Any:
    y = doubled(o)
    return y, lambda g: (cr.Composite[Node](a=2.0 * o.a * cr.materialize(g.a, like=y.a)),)


@cr.rrule(parted)
def _(v: np.ndarray) -> Any:
    y = parted(v)

    def pullback(g: Any) -> Any:
        by_square, by_cube = cr.materialize(g, like=y)
        return (2.0 * v * by_square + 3.0 * y[0] * by_cube,)

    return y, pullback


@cr.rrule(named)
def _(v: np.ndarray) -> Any:
    y = named(v)

    def pullback(g: Any) -> Any:
        return (2.0 * np.sqrt(y["k"]) * np.sign(v) * cr.materialize(g, like=y)["k"],)

    return y, pullback


@cr.rrule(Node.scaled)
def _(o: Node, q: np.ndarray) -> Any:
    return np.sum(o.a**2 * q), lambda g: (cr.Composite[Node](a=2.0 * g * o.a * q), g * o.a**2)


@cr.rrule(Node.__call__)
def _(o: Node, q: np.ndarray) -> Any:
    return np.sum(o.a**3 * q), lambda g: (cr.Composite[Node](a=3.0 * g * o.a**2 * q), g * o.a**3)


@cr.rrule(Node.alone)
def _(v: np.ndarray) -> Any:
    return np.sum(v**4), lambda g: (4.0 * g * v**3,)


@cr.rrule(getattr, Node, "norm")
def _(o: Node) -> Any:
    return np.sum(o.a**2), lambda g: (cr.Composite[Node](a=2.0 * g * o.a),)


@cr.rrule(Node.__mul__)
def _(o: Node, q: np.ndarray) -> Any:
    return np.sum(o.a**2 * q), lambda g: (cr.Composite[Node](a=2.0 * g * o.a * q), g * o.a**2)


@cr.rrule(Node.__neg__)
def _(o: Node) -> Any:
    return np.sum(o.a**3), lambda g: (cr.Composite[Node](a=3.0 * g * o.a**2),)


@cr.rrule(Node.__getitem__)
def _(o: Node, i: int) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[Node](a=2.0 * g * o.a * (np.arange(3) == i)), cr.NoTangent()

    return o.a[i] ** 2, pullback


@cr.rrule(Node.__abs__)
def _(o: Node) -> Any:
    return np.sum(o.a**4), lambda g: (cr.Composite[Node](a=4.0 * g * o.a**3),)


@cr.rrule(at)
def _(f: object, q: np.ndarray) -> Any:
    """By a second run of f, when its slope is asked for."""
    return f(q), lambda g: cr.vjp(lambda f, q: f(q), f, q)[1](g)  # type: ignore[operator]  # plum wants plain classes


@cr.rrule(scale_into, mutates=(0,))
def _(out: np.ndarray, v: np.ndarray) -> Any:
    before = out.copy()
    out *= v**2

    def pullback(g: Any, states: Any) -> Any:
        out_bar = cr.materialize(states[0], like=before)
        return out_bar * v**2, 2.0 * out_bar * before * v

    return None, pullback
