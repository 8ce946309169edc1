"""Integrals of integrals: the inner ones are answered by programs, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr
from chainrules.engines.specialised.reading.lifting import lifted

from .compared import differences, refuse_solvers_the_ordinary_program

X, ELSEWHERE = np.array([1.3, 0.7]), np.array([0.9, 1.1])
V = np.array([0.3, -0.8])


def double(x: Any) -> Any:
    k, m = x[0], x[1]
    return integrate.dblquad(lambda v, u: k * np.exp(-m * u * v), 0.0, 1.0, 0.0, 1.0)[0]


def between_functions(x: Any) -> Any:
    return integrate.dblquad(lambda v, u: u * v * x[0], 0.0, 1.0, lambda u: u * x[1], lambda u: 1.0 + u)[0]


def to_other_tolerances(x: Any) -> Any:
    found = integrate.dblquad(lambda v, u: u * v * x[0], 0.0, x[1], 0.0, 1.0, epsabs=1e-10, epsrel=1e-9)
    return found[0]


def of_a_dictionary(x: Any) -> Any:
    given = ({"k": x[0], "m": [x[1]]},)
    return integrate.dblquad(
        lambda v, u, p: p["k"] * np.exp(-p["m"][0] * u * v), 0.0, 1.0, 0.0, 1.0, args=given
    )[0]


def by_ranges(x: Any) -> Any:
    k, m = x[0], x[1]
    return integrate.nquad(lambda v, u: k * np.exp(-m * u * v), [[0.0, 1.0], [0.0, 1.0]])[0]


def triple(x: Any) -> Any:
    ranges = [lambda v, u: (0.0, u * x[1]), (0.0, 1.0), (0.0, 1.0)]
    return integrate.nquad(lambda w, v, u: w * v + u * x[0], ranges)[0]


def by_hand(x: Any) -> Any:
    p = {"k": x[0], "m": x[1]}

    def inner(u: Any) -> Any:
        return integrate.quad(lambda v: p["k"] * np.exp(-p["m"] * u * v), 0.0, u)[0]

    return integrate.quad(inner, 0.0, 1.0)[0]


PROGRAMS: list[Callable[[Any], Any]] = [
    double,
    between_functions,
    of_a_dictionary,
    by_ranges,
    triple,
    by_hand,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_answers(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for x in (X, X, X, X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)
    refuse_solvers_the_ordinary_program(monkeypatch)
    for x in (X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)


@pytest.mark.parametrize("f", [double, by_hand])
def test_derivatives_of_these_derivatives(f: Any) -> None:
    for _ in range(4):
        gradient = cr.grad(f)(X)
    assert np.allclose(cr.jvp(f, (X,), (V,))[1], gradient @ V, rtol=1e-5)
    moved = [cr.grad(f)(X + h * V) for h in (1e-3, -1e-3)]
    assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-3, rtol=2e-3, atol=2e-4)


def test_other_tolerances() -> None:
    for x in (X, X, X, X, ELSEWHERE):
        expected = differences(to_other_tolerances, x, 1e-5)
        assert np.allclose(cr.grad(to_other_tolerances)(x), expected, rtol=5e-5, atol=5e-6)


def test_the_rest_of_the_arguments_as_one_tuple() -> None:
    def made(k: float) -> Any:
        return lambda x, *rest: x * k + sum(rest) + rest[0] * len(rest)

    f = lifted(made(2.0), 3)
    assert f is not None
    assert f.f(1.0, 3.0, 5.0, *f.held) == made(2.0)(1.0, 3.0, 5.0)

    def shadowed(k: float) -> Any:
        return lambda x, *rest: (lambda rest: rest * k)(x) + rest[0]

    assert lifted(shadowed(2.0), 2) is None
