"""Systems solved by a rough Jacobian and corrections, and what is left to the exact one."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.core import implicit
from chainrules.core.refining import FEW, Nearly, by_differences, refined

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
    assert rough is not None
    np.testing.assert_allclose(rough.matrix, exact(v), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize(("error", "rounds"), [(1e-7, 2), (1e-2, 8)])
def test_corrections_give_all_digits(adjoint, error, rounds):
    v, b = RNG.normal(size=N), RNG.normal(size=N)
    rough = Nearly(exact(v) * (1 + error * RNG.normal(size=(N, N))))
    J = exact(v).T if adjoint else exact(v)
    products = []

    def product(w):
        products.append(w)
        return J @ w

    w = refined(product, b, rough, adjoint=adjoint, rounds=rounds)
    np.testing.assert_allclose(w, np.linalg.solve(J, b), rtol=1e-12)
    assert len(products) <= rounds + 1


def test_what_does_not_converge_is_left():
    b = RNG.normal(size=N)
    assert refined(lambda w: w[::-1] - w, b, Nearly(A), adjoint=False) is None
    assert refined(lambda w: A @ w + 0.5 * w[::-1], b, Nearly(A), adjoint=False, rounds=3) is None
    assert refined(lambda w: w * np.nan, b, Nearly(A), adjoint=False) is None


def test_nothing_is_the_solution_for_nothing():
    assert not np.any(refined(lambda w: A @ w, np.zeros(N), Nearly(A), adjoint=True))


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


@pytest.mark.parametrize("good", [True, False])
def test_an_array_that_is_near_serves_and_one_that_is_not_is_left(good):
    given = exact(found(B)) * (1 + 1e-3 * RNG.normal(size=(N, N))) if good else RNG.normal(size=(N, N))

    def f(b):
        v = found(cr.stop_gradient(b))
        return np.sum(implicit.root(lambda v, b: A @ v + 0.3 * v**3 - b, v, b, jacobian=given) ** 2)

    v = found(B)
    expected = np.linalg.solve(exact(v).T, 2.0 * v)
    for _ in range(5):
        np.testing.assert_allclose(cr.grad(f)(B), expected, rtol=1e-11)
    db = RNG.normal(size=N)
    np.testing.assert_allclose(cr.jvp(f, (B,), (db,))[1], expected @ db, rtol=1e-11)


def test_a_singular_jacobian_is_seen_behind_an_array_that_is_not():
    def f(b):
        x = np.ones(N)
        x[0] = 0.0  # a double root, that no Newton step moves
        return np.sum(
            implicit.root(lambda v, b: np.append(v[0] ** 2, v[1:] - b), x, b, jacobian=np.eye(N))[1:]
        )

    with pytest.raises(cr.NotDifferentiableError, match="singular"):
        cr.grad(f)(1.0)
