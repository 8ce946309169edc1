"""What is refused beside what SciPy documents, and complex points of real polynomials."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    BarycentricInterpolator,
    BPoly,
    KroghInterpolator,
    griddata,
    lagrange,
    pade,
    spalde,
    splrep,
    sproot,
)
from tests.rules.cases import normal

import chainrules as cr

X, Y = np.array([0.0, 0.7, 1.5, 2.2]), normal(4)
CUBIC = np.linspace(0.0, 5.0, 9)


@pytest.mark.parametrize("der", [0, 2])
def test_complex_points_of_a_real_polynomial(der: int) -> None:
    """Against differences; a cotangent of a value is real where the value is."""

    def value(x: Any, y: Any, at: Any) -> Any:
        p = BarycentricInterpolator(x, y).derivative(at, der)
        return np.sum(np.real(p) * np.array([0.3, 0.7]) + np.imag(p) * np.array([0.5, -0.4]))

    at = np.array([0.3 + 0.2j, 1.1 - 0.4j])
    bars = cr.grad(value, (0, 1, 2))(X, Y, at)
    for i, (given, bar) in enumerate(zip((X, Y, at), bars, strict=True)):
        assert bar.dtype == given.dtype
        for d in (np.cos(np.arange(len(given))), *((1j * np.ones(2),) if i == 2 else ())):
            ahead, behind = ([*(X, Y, at)[:i], given + h * d, *(X, Y, at)[i + 1 :]] for h in (1e-5, -1e-5))
            slope = (value(*ahead) - value(*behind)) / 2e-5
            np.testing.assert_allclose(np.sum(np.real(np.conj(bar) * d)), slope, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: lagrange(x, Y), X + 1j),
        (lambda at: KroghInterpolator(X, Y)(at), X + 1j),
        (lambda x: lagrange(x, np.zeros(0)), np.zeros(0)),
        (lambda x: spalde(x, splrep(CUBIC, np.sin(CUBIC))), np.ones((2, 2))),
        (lambda a: BPoly(np.ones((2, 1)), [0.0, 1.0]).integrate(a, np.array([0.3, 0.4])), 0.1),
    ],
)
def test_what_is_not_documented_is_refused(f: Any, x: Any) -> None:
    with pytest.raises(cr.UnsupportedArgument):
        cr.vjp(f, x)


def test_single_precision_stays_where_scipy_keeps_it() -> None:
    x, y, at = (v.astype(np.float32) for v in (X, Y, np.array([0.3, 1.1])))
    value, _ = cr.vjp(lambda x, y: griddata(x, y, at), x, y)
    assert value.dtype == griddata(x, y, at).dtype
    value, _ = cr.vjp(lambda a: pade(a, 1), y)
    assert [p.coeffs.dtype for p in value] == [p.coeffs.dtype for p in pade(y, 1)]


def test_a_spline_without_roots_has_no_derivative_of_them() -> None:
    def roots(c: Any) -> Any:
        return sproot((np.arange(10.0), c, 3))

    y, pullback = cr.vjp(roots, np.append(np.ones(6), np.zeros(4)))
    assert np.shape(y) == (0,)
    np.testing.assert_array_equal(pullback(np.zeros(0))[0] + np.zeros(10), np.zeros(10))
