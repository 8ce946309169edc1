"""Functions with what they captured, as functions of that; and how solutions move by their programs."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr
from chainrules.engines.specialised.reading.lifting import lifted
from chainrules.engines.specialised.running import roots, sites, solutions
from chainrules.engines.specialised.running.columns import jacobian_at_once
from chainrules.engines.specialised.running.entry import Settings
from chainrules.rules.scipy.integrate.initial_values import time_first
from chainrules.tangents import Composite, is_zero

X = np.array([0.3, -0.8, 1.2])


def outside(x, a):
    return np.sin(x) * a


def made_of(a, b, n):
    def inner(y):
        return y * b + outside(y, a)

    def outer(x, *more):
        return inner(x**n) - outside(*more)

    return outer


def test_a_closure_in_a_closure() -> None:
    f = made_of(2.0, X, 2)
    made = lifted(f, 3)
    assert made is not None
    assert not any(type(c.cell_contents) in (float, np.ndarray) for c in made.f.__closure__ or ())
    np.testing.assert_array_equal(made.f(X, 1.0, 2.0, *made.held), f(X, 1.0, 2.0))
    t = made.cotangent([float(i) for i in range(len(made.held))])
    assert isinstance(t, Composite[FunctionType])
    given = dict(zip(map(id, made.held), range(len(made.held)), strict=True))
    assert t.inner.b == given[id(X)]
    assert t.a != t.inner.a  # each capture has its own


def test_the_users_function_is_left_as_it_was() -> None:
    assert lifted(outside, 2, around="{} * 2.0") is not None
    assert not vars(outside)


def test_functions_made_again_share_one() -> None:
    one, other = lifted(made_of(2.0, X, 2), 2), lifted(made_of(3.0, X + 1.0, 5), 2)
    assert one is not None and other is not None
    assert one.f is other.f
    assert one.held != other.held


MANY = [
    lambda y, t: 0 * y,
    lambda y, t: 1 * y,
    lambda y, t: 2 * y,
    lambda y, t: 3 * y,
    lambda y, t: 4 * y,
    lambda y, t: 5 * y,
    lambda y, t: 6 * y,
    lambda y, t: 7 * y,
    lambda y, t: 8 * y,
    lambda y, t: 9 * y,
    lambda y, t: 10 * y,
    lambda y, t: 11 * y,
    lambda y, t: 12 * y,
    lambda y, t: 13 * y,
    lambda y, t: 14 * y,
    lambda y, t: 15 * y,
    lambda y, t: 16 * y,
    lambda y, t: 17 * y,
]


def test_functions_that_the_library_wraps_are_told_apart() -> None:
    assert all(lifted(time_first(f), 2) is not None for f in MANY)


def spread_out(f, t):
    return lambda p: np.sum(f(t, *p) ** 2)


def test_numbers_are_handed_on_one_by_one() -> None:
    made = lifted(spread_out(lambda t, a, b: a * t + b, X), 1, size=2)
    assert made is not None
    assert made.f(np.array([2.0, 1.0]), *made.held) == np.sum((2.0 * X + 1.0) ** 2)
    assert lifted(spread_out(lambda t, a, b: a * t + b, X), 1, size=None) is not made


def handing_on(g):
    return lambda t, *p: g((t, *p))


def test_what_a_star_stands_for_in_a_tuple() -> None:
    made = lifted(handing_on(lambda x: x[0] + 10.0 * x[1] + 100.0 * x[2]), 3)
    assert made is not None
    assert made.f(1.0, 2.0, 3.0) == 321.0


def test_what_is_around() -> None:
    made = lifted(lambda x, a: x * a, 2, "np.sum(weight_ * ({} - given0_))")
    assert made is not None
    assert made.f(X, X, 3.0) == np.sum(X * (X * 3.0 - X))
    last = lifted(outside, 2, "np.sum(weight_ * {})")
    assert last is not None and last.held == ()
    assert is_zero(last.cotangent([]))


def test_a_function_outside_is_itself() -> None:
    made = lifted(outside, 2)
    assert made is not None and made.f is outside


def shadowed(a):
    return lambda x: np.sum(np.array([a * x for a in (1.0, 2.0)])) + a


def counting():
    n = 0.0

    def f(x):
        nonlocal n
        n += 1.0
        return x * n

    return f


class Remembering:
    def __init__(self) -> None:
        self.last = 1.0

    def step(self, x: float) -> float:
        self.last = x
        return self.last


REFUSED: dict[str, Any] = {
    "a name bound again inside": shadowed(2.0),
    "a variable that it sets": counting(),
    "a list that changes": (lambda rows: lambda x: x * rows.pop())([1.0]),
    "a list of other things": (lambda rows: lambda x: x * rows[0])([1.0, 1j]),
    "an object that remembers": (lambda o: lambda x: x * o.step(x))(Remembering()),
    "complex numbers": (lambda z: lambda x: (x * z).real)(1j),
    "single precision": (lambda v: lambda x: np.sum(x * v))(X.astype(np.float32)),
    "defaults": (lambda: lambda x, a=2.0: x * a)(),
    "a method": np.ndarray.sum,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_left_as_it_is(name: str) -> None:
    assert lifted(REFUSED[name], 1) is None


def test_names_that_a_text_has_are_told_apart() -> None:
    def made(held0_: float, made0_: Any) -> Any:
        return lambda given0_: given0_ * held0_ + made0_(given0_)

    f = made(2.0, made(5.0, np.sin))
    once = lifted(f, 1)
    assert once is not None
    assert once.f(3.0, *once.held) == f(3.0)


# programs with solvers: whatever answers, each call gives the derivative of what it was given


def captured_root(p):
    return np.sum(optimize.root(lambda x: x**3 + x * p[0] - p[1:], np.ones(len(p) - 1)).x ** 2)


def root_of_a_list(p):
    return optimize.fsolve(lambda x: [x[0] ** 2 - p[0] - 2.0, x[1] * x[0] - p[1]], [1.5, 0.0])[1]


def captured_number(p):
    return optimize.brentq(lambda x: x**3 + x * p[0] ** 2 - p[1], -9.0, 9.0)


def captured_minimum(p):
    def energy(x):
        return np.sum((x - p) ** 2) + np.sum(x**4) * p[0] ** 2

    return np.sum(optimize.minimize(energy, np.zeros(len(p)), options={"gtol": 1e-7}).x * p[::-1])


def bounded(p):
    found = optimize.minimize(
        lambda x: np.sum((x - p) ** 2) + x[0] * x[1], np.zeros(len(p)), bounds=[(-0.25 * p[2], 0.9)] * len(p)
    )
    return np.sum(found.x * p)


def constrained(p):
    found = optimize.minimize(
        lambda x: np.sum((x - p) ** 2 * p[2]),
        np.zeros(len(p)),
        constraints=[
            {"type": "eq", "fun": lambda x: np.sum(x) - p[0]},
            {"type": "ineq", "fun": lambda x: 0.1 * p[2] - x[2]},
        ],
        method="SLSQP",
        options={"ftol": 1e-15},
    )
    return np.sum(found.x**2)


def fixed(p):
    return np.sum(
        optimize.fixed_point(lambda x: 0.3 * np.cos(x * p) + p[0] * 0.1, np.zeros(len(p)), xtol=1e-12)
    )


def fitted(p):
    t = np.linspace(0.0, 2.0, 20)
    y = np.exp(-t * p[2]) * (1.5 + p[0]) + 0.01 * np.sin(9 * t * p[1])
    return np.sum(optimize.curve_fit(lambda t, a, b: a * np.exp(-b * t), t, y, [1.0, 1.0])[0] * p[:2])


def least(p):
    t = np.linspace(0.0, 2.0, 20)
    found = optimize.least_squares(
        lambda x: x[0] * t + x[1] ** 3 - np.sin(t * p[2]) * p[0], [0.1, 1.0], loss="soft_l1", f_scale=0.5,
        xtol=1e-15, ftol=1e-15, gtol=1e-15,
    )  # fmt: skip
    return found.x[0] * p[1] + found.x[1]


def many(p):
    x = optimize.root(lambda x: 3 * x + x**3 - np.roll(x, 1) * p[0] - p[1], np.zeros(250), method="krylov",
                      options={"fatol": 1e-12}).x  # fmt: skip
    return np.sum(x) * p[2]


def within_an_integral(p):
    return integrate.quad(lambda t: optimize.brentq(lambda x: x**3 + x - t * p[0] ** 2 - p[1], -9, 9), 0, 1)[
        0
    ]


PROGRAMS: list[Callable[[Any], Any]] = [
    captured_root,
    root_of_a_list,
    captured_number,
    captured_minimum,
    bounded,
    constrained,
    fixed,
    fitted,
    least,
    many,
    within_an_integral,
]


def central(f: Callable[[Any], Any], p: Any) -> Any:
    h = 1e-4
    steps = h * np.eye(len(p))
    return np.array([(f(p + e) - f(p - e)) / (2 * h) for e in steps])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_each_call_gives_its_own_derivative(f: Callable[[Any], Any]) -> None:
    for k in range(2 + Settings.runs):
        p = np.array([0.4, -0.8, 1.2]) + 0.05 * k
        np.testing.assert_allclose(cr.grad(f)(p), central(f, p), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("f", PROGRAMS[:9], ids=lambda f: str(f.__name__))
def test_programs_of_what_was_captured_are_written(
    f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = []

    def noted(known: Any) -> Any:
        def note(*given: Any) -> Any:
            ready.append(known(*given))
            return ready[-1]

        return note

    monkeypatch.setattr(solutions, "root_pullback", noted(solutions.root_pullback))
    monkeypatch.setattr(sites.Site, "__call__", noted(sites.Site.__call__))
    for _ in range(1 + 2 * Settings.runs):
        cr.grad(f)(np.array([0.4, -0.8, 1.2]))
    assert ready[-1] is not None


@pytest.mark.parametrize("listed", [False, True])
def test_the_jacobian_of_a_root_is_written_down_by_one_run(
    listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    def noted(*given: Any) -> Any:
        found.append(jacobian_at_once(*given))
        return found[-1]

    monkeypatch.setattr(roots, "jacobian_at_once", noted)
    a = 4.0 * np.eye(8) + np.random.default_rng(5).normal(size=(8, 8)) / 8

    def balance(x: Any, b: Any) -> Any:
        y = a @ x + 0.3 * x**3 - np.roll(x, 1) - b
        return [*y] if listed else y

    def f(b: Any) -> Any:
        return np.sum(optimize.root(balance, np.zeros(8), args=(b,), tol=1e-13).x ** 2)

    b = np.linspace(-1.0, 2.0, 8)
    for _ in range(3 + 2 * Settings.runs):
        gradient = cr.grad(f)(b)
    x = optimize.root(balance, np.zeros(8), args=(b,), tol=1e-13).x
    expected = a + np.diag(0.9 * x**2) - np.roll(np.eye(8), 1, axis=0)
    np.testing.assert_allclose(gradient, np.linalg.solve(expected.T, 2.0 * x), rtol=1e-10)
    if not listed:
        np.testing.assert_allclose(found[-1][1], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("program", ["root", "integral", "equation"])
def test_a_captured_function_with_a_rule_is_differentiated_by_it(program: str) -> None:
    def bent(v):
        return v * 1.0

    @cr.rrule(bent)
    def bent_rrule(v: float):
        return bent(v), lambda y_bar: (10.0 * y_bar,)

    def f(p):
        if program == "root":
            return optimize.brentq(lambda x: x - bent(p[0]), -5.0, 5.0)
        if program == "integral":
            return integrate.quad(lambda x: bent(p[0]) * x, 0.0, 1.0)[0] * 2.0
        return integrate.solve_ivp(lambda t, y: [bent(p[0])], (0.0, 1.0), [0.0]).y[0, -1]

    for _ in range(5):
        np.testing.assert_allclose(cr.grad(f)(np.array([1.0])), [10.0])
