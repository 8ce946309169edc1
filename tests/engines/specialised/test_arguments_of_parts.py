"""Named tuples, functions in fields and dictionaries with numbers as keys, in what is differentiated."""

import dataclasses
import math
from collections import namedtuple
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.engines.specialised.compared import by_ordinary

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.tangents import fields_of

X = np.array([0.4, 1.3, -2.2])
Point = namedtuple("Point", "a b")


class Typed(NamedTuple):
    a: Any
    b: float = 1.0

    def scaled(self) -> Any:
        return self._replace(a=self.a * self.b)


@dataclasses.dataclass
class Layer:
    W: Any
    act: Any = np.tanh
    sort: Any = dataclasses.field(default=float)


@dataclasses.dataclass
class Springs:
    stiffness: dict[int, Any]


def leaves(g: Any) -> Iterator[Any]:
    if isinstance(g, int | float | np.ndarray):
        yield g
        return
    try:
        inside = fields_of(g)
    except AttributeError:
        return
    for t in inside.values() if isinstance(inside, dict) else inside:
        yield from leaves(t)


def of_point(p):
    a, b = p
    return np.sum(a**2) * b + p.a[0] * p[1]


def of_typed(p):
    return np.sum(np.sin(p.scaled().a)) * p.b


def of_nested(p):
    return np.sum(p.a.a * p.a.b) * p.b["u"].b + sum(q.b for q in p.b["v"])


def of_layers(layers):
    y = X
    for layer in layers:
        y = layer.act(layer.W @ y)
    return np.sum(y**2)


def with_a_builtin(layer):
    return layer.act(np.sum(layer.W)) * layer.W[0]


def rectified(v):
    return np.where(v > 0.0, v, 0.1 * v)


def of_springs(s):
    total = 0.0
    for i in range(3):
        total = total + s.stiffness[i] * X[i] ** 2
    return total * s.stiffness[0]


def of_numbers(d):
    total = d[0] * d[7]
    for key, v in d.items():
        total = total + key * v**2
    for key in d:
        total = total * 0.5 + d[key] * (key + 1)
    return total + sum(d[key] for key in sorted(d)) + len(d)


def of_numbers_and_texts(d):
    return np.sum(d[0] * d["x"]) + d[-1]


def changed_before(d):
    e = dict(d)
    e[0] = e[7] ** 2
    return e[0] * e[7]


CASES: list[tuple[Any, Any]] = [
    (of_point, Point(X, 2.0)),
    (of_point, Typed(X, 1.5)),
    (of_typed, Typed(X, 1.5)),
    (of_nested, Point(Typed(X, 0.5), {"u": Typed(X, 3.0), "v": [Point(1, 2.0), Point(2, 3.0)]})),
    (of_layers, [Layer(np.outer(X, X)), Layer(np.outer(X, X[:2]).T, np.sin), Layer(np.eye(2), rectified)]),
    (with_a_builtin, Layer(X, math.sin)),
    (of_springs, Springs({0: 1.0, 1: 2.5, 2: 0.5})),
    (of_numbers, {0: 1.0, 7: 2.0, 3: 0.5}),
    (of_numbers_and_texts, {0: X, "x": X * 2.0, -1: 1.0}),
]


@pytest.mark.parametrize(("f", "p"), CASES)
def test_gradients(f: Any, p: Any) -> None:
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(3):
            cr.grad(f)(p)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(p)
        assert text_of(f)
    assert met == []
    assert repr(found).partition("(")[0] == repr(by_ordinary(f, p)).partition("(")[0]
    pairs = [*zip(leaves(found), leaves(by_ordinary(f, p)), strict=True)]
    assert pairs
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_others_in_a_later_call() -> None:
    with specialised_after(1):
        for d in [
            {0: 1.0, 7: 2.0},
            {0: 1.0, 7: 2.0},
            {7: 2.0, 0: 1.0},
            {0: 3.0, 7: 1.0, 2: 5.0},
            {0: 1.0, 7: 4.0},
        ]:
            for f in (of_numbers, changed_before):
                found, expected = leaves(cr.grad(f)(d)), leaves(by_ordinary(f, d))
                np.testing.assert_allclose([*found], [*expected], rtol=1e-12)
        for act in (np.tanh, np.tanh, np.sin, rectified, np.tanh):
            layers = [Layer(np.outer(X, X), act), Layer(np.eye(3), act)]
            found, expected = leaves(cr.grad(of_layers)(layers)), leaves(by_ordinary(of_layers, layers))
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)
        for p in (Point(X, 2.0), Point(X, 2.0), Typed(X, 3.0), (X, 1.0), Point(2 * X, 1.5)):
            if type(p) is tuple:
                with pytest.raises(AttributeError):
                    cr.grad(of_point)(p)
                continue
            found, expected = leaves(cr.grad(of_point)(p)), leaves(by_ordinary(of_point, p))
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)


def test_directions_of_named_tuples() -> None:
    with specialised_after(1):
        p, v = Point(X, 2.0), cr.grad(of_point)(Point(X, 2.0))
        for _ in range(3):
            _, slope = cr.jvp(of_point, (p,), (v,))
            product = cr.hvp(of_point, p, v)
        np.testing.assert_allclose(slope, sum(np.sum(np.square(t)) for t in leaves(v)), rtol=1e-12)
        step = 1e-6
        ahead, back = (cr.grad(of_point)(Point(X + s * v.a, 2.0 + s * v.b)) for s in (step, -step))
        for a, b, c in zip(leaves(product), leaves(ahead), leaves(back), strict=True):
            np.testing.assert_allclose(a, (b - c) / (2 * step), rtol=1e-5)
