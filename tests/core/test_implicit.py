"""The implicit function theorem: both modes and orders, structures, large systems, refusals."""

import functools

import numpy as np
import pytest

import chainrules as cr
from chainrules import implicit


def cube_root(a):
    return implicit.root(lambda x, a: x**3 - a, float(np.cbrt(cr.stop_gradient(a))), a)


def captured(a):
    return implicit.root(lambda x: x**3 - a, float(np.cbrt(cr.stop_gradient(a))))


@pytest.mark.parametrize("f", [cube_root, captured])
def test_a_root_to_second_and_third_order(f):
    first, second, third = 1 / 12, -1 / 144, 5 / 3456
    assert cr.grad(f)(8.0) == pytest.approx(first, rel=1e-12)
    assert cr.derivative(f)(8.0) == pytest.approx(first, rel=1e-12)
    for outer in (cr.grad, cr.derivative):
        for inner in (cr.grad, cr.derivative):
            assert outer(inner(f))(8.0) == pytest.approx(second, rel=1e-11)
    assert cr.grad(cr.grad(cr.grad(f)))(8.0) == pytest.approx(third, rel=1e-10)


def test_the_tape_refuses_what_it_cannot_see_through():
    for f in (captured, lambda a: implicit.minimum(lambda x: (x - 2 * a) ** 2, 16.0)):
        with pytest.raises(cr.NotDifferentiableError, match="captured values that are recorded"):
            cr.grad(f, engine="tape")(8.0)
    with pytest.raises(cr.NotDifferentiableError, match="the tape records"):
        cr.grad(lambda a: implicit.root(lambda x, a: x**3 - a, np.array([2.0]), a)[0], engine="tape")(8.0)


def nested(f, depth):
    return f if depth == 0 else nested(lambda x: f(x), depth - 1)


def with_default(a):
    def residual(x, a=a):
        return x**3 - a

    return residual


class Cube:
    def __init__(self, a):
        self.a = a

    def residual(self, x):
        return x**3 - self.a


@pytest.mark.parametrize(
    "residual_of",
    [
        lambda a: nested(lambda x: x**3 - a, 9),
        lambda a: functools.partial(lambda a, x: x**3 - a, a),
        lambda a: lambda x, fs=[lambda x: x**3 - a]: fs[0](x),
        lambda a: Cube(a).residual,
        with_default,
    ],
    ids=["deep", "partial", "in a list", "method", "default"],
)
def test_the_tape_finds_what_a_residual_holds(residual_of):
    with pytest.raises(cr.NotDifferentiableError, match="captured values that are recorded"):
        cr.grad(lambda a: implicit.root(residual_of(a), 2.0), engine="tape")(8.0)


def test_the_tape_differentiates_roots_of_one_number():
    assert cr.grad(lambda a: implicit.root(lambda x, a: x**3 - a, 2.0, a), engine="tape")(8.0) == 1 / 12


def test_a_residual_of_one_number_may_be_an_array_of_one_entry():
    def solve(a, shape=(1,)):
        return implicit.root(lambda x, a: np.full(shape, x**3 - a), 2.0, a)

    for derivative in (cr.grad, cr.derivative):
        assert derivative(solve)(8.0) == pytest.approx(1 / 12)
        with pytest.raises(cr.ShapeMismatch, match="has 3 numbers where its root has one"):
            derivative(lambda a: solve(a, 3))(8.0)


def test_a_root_of_one_number_by_large_and_by_structured_parameters():
    """Where the parameters' cotangents are arrays and structures, multiples of the slopes are taken."""
    w = np.linspace(0.5, 1.5, 50)
    exact = -2.0 / (3 * 4.0 + np.sum(w)) * np.ones(50)

    def by_array(w):
        return implicit.root(lambda x, w: x**3 + np.sum(w) * x - 108.0, 2.0, w)

    def by_parts(p):
        return implicit.root(lambda x: x**3 + np.sum(p["w"][0]) * x - p["b"], 2.0)

    np.testing.assert_allclose(cr.grad(by_array)(w), exact, rtol=1e-12)
    g = cr.grad(by_parts, form="plain")({"w": [w], "b": 108.0})
    np.testing.assert_allclose(g["w"][0], exact, rtol=1e-12)
    assert g["b"] == pytest.approx(1 / 62.0)
    v = np.sin(np.arange(50.0))
    # of x³ + s x = 108 by s: (3x² + s) x′ + x = 0, (3x² + s) x″ + 6x x′² + 2x′ = 0
    first = -2.0 / 62.0
    second = -(6 * 2.0 * first**2 + 2 * first) / 62.0
    for inner in (cr.grad(by_array), cr.grad(lambda w: by_parts({"w": [w], "b": 108.0}))):
        _, moved = cr.jvp(inner, (w,), (v,))
        np.testing.assert_allclose(moved, second * np.sum(v) * np.ones(50), rtol=1e-9)
        np.testing.assert_allclose(
            cr.grad(lambda w, inner=inner: inner(w) @ v)(w), second * np.sum(v) * np.ones(50), rtol=1e-9
        )


def test_a_minimum_and_a_fixed_point():
    def least(a):
        return implicit.minimum(lambda x, a: np.sum((x - a) ** 2 + x**4), np.full(2, 0.5), a)

    at = np.full(2, 0.75)
    np.testing.assert_allclose(cr.jacobian(least)(at), 0.4 * np.eye(2), rtol=1e-12)
    np.testing.assert_allclose(cr.jacobian(least, jac_mode="fwd")(at), 0.4 * np.eye(2), rtol=1e-12)
    second = -2 * 24 * 0.5 * 0.4 / 25.0
    np.testing.assert_allclose(cr.hessian(lambda a: np.sum(least(a)))(at), second * np.eye(2), rtol=1e-11)
    golden = (1 + 5**0.5) / 2
    slope = cr.grad(lambda a: implicit.fixed_point(lambda x, a: 1 + a / x, golden, a))(1.0)
    assert slope == pytest.approx(1 / (golden + 1 / golden))


def test_structures():
    def solve(a):
        return implicit.root(lambda x, a: [x["p"] ** 2 - a, x["q"] - x["p"] * a], {"p": 2.0, "q": 8.0}, a)

    assert cr.grad(lambda a: solve(a)["q"])(4.0) == pytest.approx(3.0)
    assert cr.derivative(lambda a: solve(a)["q"])(4.0) == pytest.approx(3.0)
    by_parts = cr.grad(lambda p: implicit.root(lambda x: x * p["a"] - p["b"][0], 2.0), form="plain")
    assert by_parts({"a": 3.0, "b": [6.0]}) == {"a": pytest.approx(-2 / 3), "b": [pytest.approx(1 / 3)]}


def test_a_complex_root():
    def root(a):
        return implicit.root(lambda x, a: x * x - a, 2j, a)

    assert cr.grad(lambda a: root(a).imag)(-4.0) == pytest.approx(-0.25)
    assert cr.derivative(root)(-4.0) == pytest.approx(-0.25j)


def chain(x, a):
    return x**3 + 0.1 * np.roll(x, 1) - a


@pytest.mark.parametrize("solver", [None, lambda product, b: np.linalg.solve(matrix_of(product, len(b)), b)])
def test_large_systems_by_products(solver):
    rng = np.random.default_rng(0)
    x = 1 + rng.random(250)
    a, v = chain(x, 0.0), rng.normal(size=250)

    def solved(a, solver=solver):
        return np.sum(implicit.root(chain, x, a, solver=solver) ** 2)

    matrix = np.diag(3 * x**2) + 0.1 * np.roll(np.eye(250), 1, axis=0)
    np.testing.assert_allclose(cr.grad(solved)(a), np.linalg.solve(matrix.T, 2 * x), rtol=1e-8)
    _, moved = cr.jvp(solved, (a,), (v,))
    assert moved == pytest.approx(2 * x @ np.linalg.solve(matrix, v), rel=1e-8)


def matrix_of(product, n):
    return np.stack([product(e) for e in np.eye(n)], axis=1)


def test_second_order_by_products():
    x = 1 + np.random.default_rng(1).random(8)
    a, v = chain(x, 0.0), np.random.default_rng(2).normal(size=8)

    def iterated(product, b):
        return np.linalg.solve(matrix_of(product, len(b)), b)

    def total(a, solver):
        return np.sum(implicit.root(chain, x, a, solver=solver) ** 2)

    dense = cr.hvp(total, (a, None), v, argnums=0)
    np.testing.assert_allclose(cr.hvp(total, (a, iterated), v, argnums=0), dense, rtol=1e-9)


def test_what_is_refused():
    refused = {
        "Newton step from it has length": lambda a: implicit.root(lambda x, a: x**2 - a, 3.0, a),
        "singular at the solution": lambda a: implicit.root(lambda x, a: x**2 * a, 0.0, a),
        "not finite": lambda a: implicit.root(lambda x, a: np.inf * x - a, 0.0, a),
        "the gradient of": lambda a: implicit.minimum(lambda x, a: (x - a) ** 4, a, a),
    }
    for message, f in refused.items():
        for derivative in (cr.grad, cr.derivative):
            with pytest.raises(cr.NotDifferentiableError, match=message):
                derivative(f)(4.0)


def test_nothing_is_checked_without_a_derivative():
    assert implicit.root(lambda x, a: x - a, 3.0, 4.0) == 3.0


EXPANDED = (lambda x, a: x * x - 2 * x + 1 - a, lambda x, a: x**3 - 3 * x * x + 3 * x - 1 - a)
FACTORED = (lambda x, a: (x - 1) ** 2 - a, lambda x, a: (x - 1) ** 3 - a)


@pytest.mark.parametrize("off", [2e-9, -2e-8, 1e-7, -1e-5, 2e-4])
@pytest.mark.parametrize("f", [*EXPANDED, *FACTORED])
def test_a_multiple_root_is_refused_however_near(f, off):
    """A matrix of one number has condition 1 always, and J is not quite zero beside the root."""
    x = 1.0 + off
    with pytest.raises(cr.NotDifferentiableError, match=r"is singular at the solution|is not finite"):
        cr.grad(lambda a: implicit.root(f, x, a))(0.0)
    with pytest.raises(cr.NotDifferentiableError, match=r"is singular at the solution|is not finite"):
        cr.derivative(
            lambda a: implicit.root(lambda v, a: np.stack([f(v[0], a), v[1] - 3.0]), np.array([x, 3.0]), a)[0]
        )(0.0)


def test_a_multiple_root_in_a_direction_of_a_system_is_refused():
    rng = np.random.default_rng(0)
    turned, mixed = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    solution = rng.normal(size=4)

    def f(x, a):
        z = turned @ (x - solution)
        return mixed @ np.concatenate([z[:1] ** 2, z[1:] + 0.1 * z[1:] ** 2]) - a

    off = np.linalg.solve(turned, np.eye(4)[0])
    for size in (1e-8, 1e-6, 1e-4):
        with pytest.raises(cr.NotDifferentiableError, match="is singular at the solution"):
            cr.grad(lambda a, size=size: np.sum(implicit.root(f, solution + size * off, a)))(0.0)


START = 1.7e9 + 0.25

# a residual, its root where a is given, and the derivative of the root
SIMPLE = {
    "a root that is small beside 1": (lambda x, a: x * x - a, 1e-10, 1e-20, 5e9),
    "a time of many seconds": (lambda x, a: np.sin((x - a) / 10), START, START, 1.0),
    "many turns": (lambda x, a: np.sin(1e9 * x) - a, np.pi / 6e9, 0.5, 2e-9 / np.sqrt(3)),
    "nearly double": (lambda x, a: (x - 1) ** 2 - a, 1.0 + 1e-7, 1e-14, 5e6),
    "nearly double, to rounding": (lambda x, a: x * x - 2 * x + 1 - a, 1.0 + 1e-5, 1e-10, 5e4),
    "zero": (lambda x, a: np.exp(x) - np.cos(a) ** 2 - np.sin(a) ** 2 + 0.0 * a, 0.0, 0.7, 0.0),
    "known to six digits": (lambda x, a: np.exp(x) - a, np.log(2.0) + 1e-6, 2.0, 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", SIMPLE)
def test_a_simple_root_is_not_taken_for_a_multiple_one(name):
    f, x, a, expected = SIMPLE[name]
    assert cr.grad(lambda a: implicit.root(f, x, a))(a) == pytest.approx(expected, rel=1e-5, abs=1e-12)


def test_a_badly_scaled_system_is_not_taken_for_a_singular_one():
    rng = np.random.default_rng(1)
    mixed, sizes = rng.normal(size=(6, 6)) + 2 * np.eye(6), 10.0 ** np.array([-4, 3, 0, -2, 5, 1])
    solution = rng.normal(size=6) * sizes

    def f(x, a):
        z = mixed @ (x / sizes)
        return z + 0.1 * np.sin(z) - a

    target = f(solution, 0.0)
    z = mixed @ (solution / sizes)
    expected = sizes * np.linalg.solve(mixed, 1 / (1 + 0.1 * np.cos(z)))
    found = cr.jacobian(lambda a: implicit.root(f, solution, target + a))(0.0)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_jacobian_and_a_solver_may_capture_what_varies():
    """They serve the linear system alone, so that they have no part in the derivative."""

    def solution(p):
        x = np.ones(2)
        for _ in range(40):
            x = x - (x**3 + p * x - 1.0) / (3.0 * x * x + p)
        return cr.stop_gradient(x)

    def with_a_jacobian(p):
        x = implicit.root(lambda x: x**3 + p * x - 1.0, solution(p), jacobian=lambda x: np.diag(3 * x**2 + p))
        return np.sum(x * p)

    def with_a_solver(p):
        def solve(product, b):
            return b / (3.0 * solution(p) ** 2 + p)

        return np.sum(implicit.root(lambda x: x**3 + p * x - 1.0, solution(p), solver=solve) * p)

    def with_a_hessian(p):
        x = implicit.minimum(
            lambda x: np.sum(x**4 / 4 + p * x * x / 2 - x),
            solution(p),
            hessian=lambda x: np.diag(3 * x**2 + p),
        )
        return np.sum(x * p)

    p, v = np.array([1.0, 2.0]), np.array([0.3, -0.5])
    expected = [
        (np.sum(solution(p + e) * (p + e)) - np.sum(solution(p - e) * (p - e))) / 2e-6
        for e in 1e-6 * np.eye(2)
    ]
    for f in (with_a_jacobian, with_a_solver, with_a_hessian):
        for _ in range(4):
            np.testing.assert_allclose(cr.grad(f)(p), expected, rtol=1e-6)
            np.testing.assert_allclose(cr.jvp(f, (p,), (v,))[1], np.dot(expected, v), rtol=1e-6)
        slope = (cr.grad(f)(p + 1e-5 * v) - cr.grad(f)(p - 1e-5 * v)) / 2e-5
        np.testing.assert_allclose(cr.hvp(f, p, v), slope, rtol=1e-5)
