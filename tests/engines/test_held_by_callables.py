"""What something that is called holds, or is given, and what is changed or bound anew after the call."""

import functools
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import PAIRS, Compared

import chainrules as cr

X = np.array([0.317, 0.713, 1.129])


class Bending:
    """A class in sight of the programs, whose methods change what they are given."""

    def dot(self, v: Any) -> None:
        v[0] = v[0] * 2.0

    def fold(self, *v: Any) -> None:
        v[0][0] = v[0][0] * 2.0


READ: list[str] = []


class Model:
    def __init__(self, a: Any) -> None:
        self.a = a

    @property
    def run(self) -> Any:
        READ.append("run")
        a = self.a
        return lambda w: np.sum(a * w)


class Open(Model):
    def __getattr__(self, name: str) -> Any:
        if name != "score":
            raise AttributeError(name)
        READ.append(name)
        return functools.partial(np.dot, self.a)


def halve(v: Any, *others: Any) -> Any:
    v[0] = v[0] * 0.5
    return v[0] * v[1]


def called(op: Any, x: Any) -> Any:
    a = x * 1.0
    m = np.sum(op(a))
    a[2] = m * x[0]
    return np.sum(a) * m


NAMES = {
    "np": np, "functools": functools, "Bending": Bending, "Model": Model, "Open": Open, "halve": halve,
    "called": called,
}  # fmt: skip
AFTER = "w[0] = a[1]; a[2] = m * w[1]; return np.sum(w * a) * m"
BOTH_ORDERS = {
    "a method that a class in sight has too": f"m = a.dot(w); {AFTER}",
    "given by a star": f"q = [w]; m = a.dot(*q); {AFTER}",
    "one of several functions": """\
m = 0.0
for op in [np.multiply, np.dot, halve]:
    w = x * x
    m = m + np.sin(np.sum(op(a, w)))
    w[0] = x[1] * m
    a[1] = np.cos(m * w[0])
return np.sum(a) * m""",
    "a part of it": f"b = [a]; m = b[0].dot(w); {AFTER}",
    "a partial": f"c = functools.partial(np.dot, a); m = c(w); {AFTER}",
    "a function that is an argument": "return called(np.prod, x) + called(halve, x)",
    "a list that a mapped function captured": """\
o = [a]
m = list(map(lambda p: np.sum(o[0] ** p), [2, 3]))[1]
o = None
a[0] = m
return np.sum(a) * m""",
    "an object that a reduced function captured": """\
o = Model(a)
m = functools.reduce(lambda p, q: p * o.a[0] * q, [0.5, 1.5], 1.0)
o = None
a[0] = m
return np.sum(a) * m""",
}
FIRST_ORDER = {
    "one of several in place": """\
m = 0.0
for op in [np.prod, halve]:
    m = m + op(a) ** 2
    a[1] = x[2] * m
return np.sum(a) * m""",
    "a field that holds a function": """\
m = 0.0
for h in [Model(np.prod), Model(halve)]:
    m = m + h.a(a) ** 2
    a[1] = x[2] * m
return np.sum(a) * m""",
}


def compared(lines: str) -> Compared:
    body = "".join(f"    {line}\n" for line in lines.split("\n"))
    return Compared(f"def program(x):\n    a = x * 1.0\n    w = x * x\n{body}", NAMES)


@pytest.mark.parametrize("lines", [*BOTH_ORDERS.values(), *FIRST_ORDER.values()])
def test_what_a_call_kept_is_changed_later(lines: str) -> None:
    compared(lines).first_order()


@pytest.mark.parametrize("lines", BOTH_ORDERS.values(), ids=BOTH_ORDERS)
def test_second_derivatives_of_that(lines: str) -> None:
    assert len(compared(lines).second_order()) == len(PAIRS)


def of_property(s: Any) -> Any:
    a = s * X
    m = Model(a).run(a * a)
    a[2] = m * a[1]
    return np.sum(a) * m


def of_getattr(s: Any) -> Any:
    a = s * X
    m = Open(a).score(a * a)
    a[2] = m * a[1]
    return np.sum(a) * m


def unchanged(s: Any) -> Any:
    return Model(s * X).run(s * X) * Open(s * X).score(X)


@pytest.mark.parametrize("f", [of_property, of_getattr, unchanged])
def test_a_computed_attribute_that_is_called_is_read_once(f: Any) -> None:
    read: list[list[str]] = []
    for differentiate in (lambda f: f, cr.grad, cr.derivative):
        READ.clear()
        differentiate(f)(1.5)
        read.append(list(READ))
    assert read[0] == read[1] == read[2]


@pytest.mark.parametrize("f", [of_property, of_getattr, unchanged])
def test_derivatives_of_calls_of_computed_attributes(f: Any) -> None:
    slope, curvature = ((g(1.5 + 1e-6) - g(1.5 - 1e-6)) / 2e-6 for g in (f, cr.grad(f)))
    for first in (cr.grad, cr.derivative):
        assert first(f)(1.5) == pytest.approx(slope, rel=1e-6)
        for second in (cr.grad, cr.derivative):
            assert second(first(f))(1.5) == pytest.approx(curvature, rel=1e-6)
