"""Systems solved by a rough Jacobian and corrections, and what is left to the exact one."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.core import implicit
from chainrules.core.refining import FEW, by_differences, refined

N = 12
RNG = np.random.default_rng(3)
A = np.eye(N) * 4.0 + RNG.normal(size=(N, N)) / N
B = RNG.normal(size=N)


def residual(v):
    return A @ v + 0.3 * v**3 - B


def exact(v):
    return A + np.diag(0.9 * v**2)


def test_a_jacobian_by_differences_has_eight_digits():
    v = RNG.normal(size=N)
    rough = by_differences(residual, residual(v), v)
    np.testing.assert_allclose(rough, exact(v), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("transposed", [False, True])
def test_corrections_give_all_digits(transposed):
    v, b = RNG.normal(size=N), RNG.normal(size=N)
    J = exact(v).T if transposed else exact(v)
    rough = J * (1 + 1e-7 * RNG.normal(size=J.shape))
    np.testing.assert_allclose(refined(lambda w: J @ w, b, rough), np.linalg.solve(J, b), rtol=1e-13)


def test_what_does_not_converge_is_left():
    b = RNG.normal(size=N)
    assert refined(lambda w: -2.0 * (A @ w), b, A) is None
    assert refined(lambda w: w * np.nan, b, A) is None


def test_a_singular_jacobian_few_numbers_and_other_precisions_are_left():
    v = np.ones(N)
    assert by_differences(lambda w: w * np.sum(w), v * N, v) is not None
    assert by_differences(lambda w: np.full(N, np.sum(w)), np.full(N, float(N)), v) is None
    assert by_differences(lambda w: w * np.nan, v, v) is None
    assert by_differences(lambda w: w * 1.0, v[:FEW], v[:FEW]) is None
    assert by_differences(lambda w: w * 1.0, v.astype(np.float32), v.astype(np.float32)) is None
    assert by_differences(lambda w: w[:3], v[:3], v) is None


def raising(w):
    if np.any(w > 1.0):
        raise ValueError("outside")
    return w


def test_a_residual_that_cannot_be_evaluated_beside_the_solution_is_left():
    assert by_differences(raising, np.ones(N), np.ones(N)) is None


def found(b, a=1.0):
    """The root of A v + 0.3 a v³ = b, by Newton's iteration."""
    v = np.zeros(N)
    for _ in range(60):
        v = v - np.linalg.solve(A + np.diag(0.9 * a * v**2), A @ v + 0.3 * a * v**3 - b)
    return v


def of_parameter(b):
    v = found(cr.stop_gradient(b))
    return np.sum(implicit.root(lambda v, b: A @ v + 0.3 * v**3 - b, v, b) ** 2)


def of_captured(b):
    v = found(cr.stop_gradient(b))
    return np.sum(implicit.root(lambda v: A @ v + 0.3 * v**3 - b, v) ** 2)


@pytest.mark.parametrize("f", [of_parameter, of_captured])
def test_gradients_of_roots_agree_with_the_formula(f):
    v = found(B)
    expected = np.linalg.solve(exact(v).T, 2.0 * v)
    np.testing.assert_allclose(cr.grad(f)(B), expected, rtol=1e-12)
    db = RNG.normal(size=N)
    np.testing.assert_allclose(cr.jvp(f, (B,), (db,))[1], expected @ db, rtol=1e-12)


def test_second_derivatives_use_the_exact_jacobian():
    def slope(b):
        v = found(b)
        return np.linalg.solve(exact(v).T, 2.0 * v)

    db, h = RNG.normal(size=N), 1e-6
    expected = (slope(B + h * db) - slope(B - h * db)) / (2 * h)
    second = cr.jvp(lambda b: cr.grad(of_parameter)(b), (B,), (db,))[1]
    np.testing.assert_allclose(second, expected, rtol=1e-6)


def test_a_singular_root_is_refused():
    def f(b):
        return np.sum(implicit.root(lambda v, b: np.full(N, np.sum(v)) - b, np.ones(N), b))

    with pytest.raises(cr.NotDifferentiableError, match="singular"):
        cr.grad(f)(np.full(N, float(N)))


def test_a_place_that_is_no_root_is_refused():
    def f(b):
        return np.sum(implicit.root(lambda v, b: A @ v - b, np.ones(N), b))

    with pytest.raises(cr.NotDifferentiableError, match="is not one"):
        cr.grad(f)(B)
