"""A rule's pullback may read all that the rule was given, whatever the program does with that afterwards."""

import functools
import io
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import PAIRS, Compared

import chainrules as cr


@dataclass
class State:
    w: Any

    def scaled(self, v: Any) -> Any:
        return np.sum(self.w * v**3)

    def __call__(self, v: Any) -> Any:
        return np.sum(self.w * v**2)

    def bend(self, t: Any) -> Any:
        return self.w * t**2

    @property
    def norm(self) -> Any:
        return np.sum(self.w**2)

    @property
    def inside(self) -> Any:
        return self.w

    def __mul__(self, v: Any) -> Any:
        return np.sum(self.w**2 * v)

    def __getitem__(self, i: int) -> Any:
        return self.w[i] ** 2

    def __abs__(self) -> Any:
        return np.sum(self.w**4)


def energy(o: Any) -> Any:
    return np.sum(o.w**3)


def total(d: dict[str, Any]) -> Any:
    return np.sum(d["a"] ** 2) + np.sum(d["b"] ** 3)


def at(f: Callable[[Any], Any], t: Any) -> Any:
    return f(t)


def head(v: Any) -> Any:
    return v[:2]


@cr.rrule(energy)
def _(o: State) -> Any:
    def pullback(g: Any) -> Any:
        return (cr.Composite[State](w=3.0 * g * o.w**2),)

    return energy(o), pullback


@cr.frule(energy)
def _(tangents: Any, o: State) -> Any:
    return energy(o), np.sum(3.0 * o.w**2 * tangents[0].w)


@cr.rrule(State.scaled)
def _(o: State, v: np.ndarray) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=g * v**3), 3.0 * g * o.w * v**2

    return np.sum(o.w * v**3), pullback


@cr.rrule(State.__call__)
def _(o: State, v: np.ndarray) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=g * v**2), 2.0 * g * o.w * v

    return np.sum(o.w * v**2), pullback


@cr.rrule(getattr, State, "norm")
def _(o: State) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=2.0 * g * o.w)

    return np.sum(o.w**2), pullback


@cr.rrule(getattr, State, "inside")
def _(o: State) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=g)

    return o.w, pullback


@cr.rrule(State.__mul__)
def _(o: State, v: np.ndarray) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=2.0 * g * o.w * v), g * o.w**2

    return np.sum(o.w**2 * v), pullback


@cr.rrule(State.__getitem__)
def _(o: State, i: int) -> Any:
    def pullback(g: Any) -> Any:
        return cr.Composite[State](w=2.0 * g * o.w * (np.arange(3) == i)), cr.NoTangent()

    return o.w[i] ** 2, pullback


@cr.rrule(State.__abs__)
def _(o: State) -> Any:
    def pullback(g: Any) -> Any:
        return (cr.Composite[State](w=4.0 * g * o.w**3),)

    return np.sum(o.w**4), pullback


@cr.rrule(total)
def _(d: dict) -> Any:
    def pullback(g: Any) -> Any:
        return (cr.Composite[dict]({"a": 2.0 * g * d["a"], "b": 3.0 * g * d["b"] ** 2}),)

    return total(d), pullback


@cr.rrule(at)
def _(f: object, t: float) -> Any:
    """By t alone, which is how the slope of an integral by its end is."""

    def pullback(g: Any) -> Any:
        return cr.NoTangent(), g * cr.derivative(f)(t)  # type: ignore[arg-type]  # plum wants plain classes

    return f(t), pullback  # type: ignore[operator]  # so here


@cr.rrule(head)
def _(v: np.ndarray) -> Any:
    def pullback(g: Any) -> Any:
        return (np.concatenate([g, np.zeros(v.size - 2)]),)

    return v[:2], pullback


@cr.frule(head)
def _(tangents: Any, v: np.ndarray) -> Any:
    return v[:2], np.array(tangents[0][:2])


NAMES = {
    "np": np, "functools": functools, "State": State, "energy": energy, "total": total, "at": at,
}  # fmt: skip
OBJECTS = {
    "an entry of a field": "s = State(v); m = energy(s); s.w[0] = 5.0 * x[1]",
    "a field": "s = State(v); m = energy(s); s.w = x * 7.0",
    "what a field holds": "m = energy(State(v)); v[0] = 5.0 * x[1]",
    "in a list": "s = State(v); h = [s]; m = energy(h[0]); h[0].w *= x[1]",
    "mapped": "s = State(v); m = sum(map(energy, [s, s])); s.w *= x[1]",
    "captured": "s = State(v); run = lambda: energy(s); m = run(); s.w *= x[1]",
    "by a partial": "s = State(v); run = functools.partial(energy, s); m = run(); s.w *= x[1]",
    "in a dict": "d = {'a': v, 'b': x * x}; m = total(d); d['b'] = v * 3.0; d['a'][0] = x[1]",
    "in a loop": """\
s = State(v); m = 0.0
    for i in range(3):
        m += energy(s)
        s.w[i] = x[1] * i""",
    "argument of a method": "s = State(v); u = x * x; m = s.scaled(u); u[0] = x[1]; v = v * u",
    "object of a method": "s = State(v); m = s.scaled(x * x); s.w[0] = x[1]",
    "method in a variable": "s = State(v); k = s.scaled; m = k(x * x); s.w[0] = x[1]",
    "argument of an object": "s = State(v); u = x * x; m = s(u); u[0] = x[1]; v = v * u",
    "object that is called": "s = State(v); m = s(x * x); s.w = x * 2.0",
    "constant object of a method": "s = State(np.ones(3)); m = s.scaled(v); s.w[0] = 3.0",
    "number of a constant object": "s = State(2.0); m = s.scaled(v); s.w = 3.0",
    "attribute": "s = State(v); m = s.norm; s.w[0] = x[1]",
    "attribute by name": "s = State(v); m = getattr(s, 'norm'); s.w = x * x",
    "operator": "s = State(v); u = x * x; m = s * u; s.w[0] = x[1]; u[1] = x[0]; v = v * u",
    "operator of a constant": "s = State(np.ones(3)); m = s * v; s.w[0] = 3.0",
    "item": "s = State(v); m = s[1]; s.w[1] = x[0]",
    "function of the library": "s = State(v); m = abs(s); s.w = x * x",
    "all of these in a loop": """\
s = State(v); m = 0.0
    for i in range(3):
        m += s.norm + s[i] + abs(s) * (s * x)
        s.w[i] = x[0] * i""",
    "constant object that is called": "s = State(np.ones(3)); m = s(v); s.w[0] = 3.0",
}
FUNCTIONS = {
    "an entry of what is captured": "c = np.ones(3); m = at(lambda t: np.sum(c) * t**2, x[0]); c[0] = 5.0",
    "an item of a list": "c = [2.0]; m = at(lambda t: c[0] * t**2, x[0]); c[0] = 3.0",
    "a variable": "k = 2.0; m = at(lambda t: k * t**2, x[0]); k = 5.0; v *= k",
    "a loop's variable": "m = 0.0\n    for k in range(1, 4):\n        m += at(lambda t: k * t**2, x[0])",
    "of a function in a loop": """\
m = 0.0
    for k in range(1, 4):
        def f(t): return k * t**2
        m += at(f, x[0])""",
    "of a partial": "k = 2.0; f = functools.partial(at, lambda t: k * t**2); m = f(x[0]); k = 3.0; v *= k",
    "a default": "c = np.ones(3); m = at(lambda t, c=c: np.sum(c) * t**2, x[0]); c[0] = 5.0",
    "a method": "s = State(2.0); m = at(s.bend, x[0]); s.w = 3.0",
    "by a method": "s = State(2.0); m = at(lambda t: s.bend(t), x[0]); s.w = 3.0",
    "of another function": "c = lambda t: 2.0 * t; m = at(lambda t: c(t)**2, x[0]); c = lambda t: t**3",
    "of a function that calls itself": """\
k = 2.0
    def f(t, n=2): return k * t if n == 0 else t * f(t, n - 1)
    m = at(f, x[0])
    k = 5.0""",
}
ALL = OBJECTS | FUNCTIONS


def compared(lines: str) -> Compared:
    return Compared(f"def program(x):\n    v = x * 1.5\n    {lines}\n    return m * np.sum(v * v)\n", NAMES)


@pytest.mark.parametrize("lines", ALL.values(), ids=ALL)
def test_first_derivatives(lines: str) -> None:
    compared(lines).first_order()


@pytest.mark.parametrize("name", ["attribute", "operator", "a loop's variable", "a field"])
def test_first_derivatives_where_rules_are_watched(name: str) -> None:
    with cr.debug_mode():
        compared(ALL[name]).first_order()


@pytest.mark.parametrize("lines", ALL.values(), ids=ALL)
def test_second_derivatives(lines: str) -> None:
    computed = compared(lines).second_order()
    assert set(list(PAIRS)[:2]) <= set(computed)
    assert len(computed) == len(PAIRS) or "energy" not in lines  # of which both rules are there


VIEWS = {
    "what it is a view of": "v[0] = 5.0 * x[1]",
    "itself": "h[0] = 5.0 * x[1]",
    "by an operator": "v *= x",
    "in a function": "set_first(v, x[1])",
    "in a loop": "for i in range(2): h[i] = h[i] * x[1]",
}


def set_first(v: Any, t: Any) -> None:
    v[0] = t


@pytest.mark.parametrize("line", VIEWS.values(), ids=VIEWS)
def test_a_rule_that_returns_a_view_of_what_changes_is_right_or_refused(line: str) -> None:
    body = f"v = x * x\n    h = head(v)\n    {line}\n    return np.sum(h * h) + np.sum(v)"
    f = Compared(f"def program(x):\n    {body}\n", NAMES | {"head": head, "set_first": set_first}).f
    x, dx = np.array([1.3, 0.7, -0.4]), np.ones(3)
    rightly.or_refused(lambda: rightly.grad(f)(x))
    rightly.or_refused(lambda: rightly.jvp(f, (x,), (dx,)))
    rightly.or_refused(lambda: rightly.hessian(f)(x))
    rightly.or_refused(lambda: rightly.hvp(f, x, dx))


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_view_of_what_does_not_change_is_right(mode: str) -> None:
    def f(x: Any) -> Any:
        v = x * x
        h = head(v)
        return np.sum(h * h) + np.sum(v)

    x = np.array([1.3, 0.7, -0.4])
    gradient = cr.grad(f)(x) if mode == "reverse" else [cr.jvp(f, (x,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(gradient, 4.0 * x**3 * [1, 1, 0] + 2.0 * x)


def test_an_attribute_whose_rule_returns_what_is_stored_can_be_stored_into() -> None:
    lines = "s = State(v); u = s.inside; m = np.sum(u * x); u[0] = x[1]; m = m * np.sum(s.w)"
    compared(lines).first_order()


def test_a_function_that_notes_what_it_is_asked_still_does() -> None:
    seen: list[float] = []

    def f(x: Any) -> Any:
        def noting(t: Any) -> Any:
            seen.append(float(cr.stop_gradient(t)))
            return t**2

        return at(noting, x) * x

    assert f(3.0) == 27.0
    assert cr.grad(f)(3.0) == 27.0
    assert seen[:2] == [3.0, 3.0]


class Guarded:
    """Data beside what nobody copies."""

    def __init__(self, w: Any) -> None:
        self.w, self.lock, self.out, self.rest = (
            w,
            threading.Lock(),
            io.StringIO(),
            SimpleNamespace(k=w * 2.0),
        )

    def __copy__(self) -> Any:
        raise TypeError("not to be copied")


def guarded(o: Any) -> Any:
    o.out.write("seen")
    return np.sum(o.w**3) + np.sum(o.rest.k**2)


@cr.rrule(guarded)
def _(o: Guarded) -> Any:
    def pullback(g: Any) -> Any:
        rest = cr.Composite[SimpleNamespace](k=2.0 * g * o.rest.k)
        return (cr.Composite[Guarded](w=3.0 * g * o.w**2, rest=rest),)

    return guarded(o), pullback


def test_an_object_is_copied_without_running_its_code_and_what_it_uses_stays() -> None:
    def f(x: Any) -> Any:
        o = Guarded(x * 1.0)
        m = guarded(o)
        o.w[0] = 5.0
        o.rest.k[1] = 3.0
        return m * np.sum(o.w) * np.sum(o.rest.k) * len(o.out.getvalue())

    x = np.array([0.3, 0.7, 1.1])
    slopes = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(x), slopes, rtol=1e-6)
