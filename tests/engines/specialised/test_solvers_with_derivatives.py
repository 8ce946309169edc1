"""Solvers that are given derivatives or bounds: the programs of their rules stand in specialised texts."""

import numpy as np
import pytest
from scipy import optimize
from tests.engines.specialised.compared import differences

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

P = np.array([1.5, 2.0, 0.7])


def a_root_with_its_jacobian(p):
    def residual(x, p):
        return x**3 + p[0] * x - p

    def slopes(x, p):
        return np.diag(3.0 * x**2 + p[0])

    found = optimize.root(residual, np.zeros(3), args=(p,), jac=slopes, tol=1e-12)
    again = optimize.fsolve(residual, np.zeros(3), args=(p,), fprime=slopes, xtol=1e-12)
    return np.sum(found.x * p) + again[1]


def a_minimum_with_its_hessian(p):
    found = optimize.minimize(
        lambda x: np.sum((x - p) ** 2) + 0.1 * np.sum(x**4),
        np.zeros(3),
        jac=lambda x: 2.0 * (x - p) + 0.4 * x**3,
        hess=lambda x: np.diag(2.0 + 1.2 * x**2),
        method="trust-exact",
        tol=1e-8,
    )
    return found.fun + found.x[0] * p[1]


def a_minimum_in_a_box(p):
    bounds = [(-1.0, 1.0)] * 3
    found = optimize.minimize(
        lambda x: np.sum((x - p) ** 2) + x[0] * x[2], np.zeros(3), bounds=bounds, tol=1e-12
    )
    return np.sum(found.x * p)


def a_root_with_a_jacobian_of_what_varies(p):
    found = optimize.root(
        lambda x: x**3 + p * x - 1.0, np.ones(3), jac=lambda x: np.diag(3.0 * x**2 + p), tol=1e-12
    )
    again = optimize.fsolve(
        lambda x: x**3 + p * x - 2.0, np.ones(3), fprime=lambda x: np.diag(3.0 * x**2 + p), xtol=1e-12
    )
    return np.sum(found.x * p) + again[1]


def a_minimum_with_a_hessian_of_what_varies(p):
    found = optimize.minimize(
        lambda x: np.sum(x**4 / 4 + p * x * x / 2 - x),
        np.zeros(3),
        jac=lambda x: x**3 + p * x - 1.0,
        hess=lambda x: np.diag(3.0 * x**2 + p),
        method="trust-exact",
        tol=1e-8,
    )
    return np.sum(found.x * p)


def minima_of_many(p):
    at = np.linspace(0.0, 1.0, 9)
    found = optimize.minimize(
        lambda x: np.sum((x - p[0] * at) ** 2) + p[1] * np.sum(x[1:] * x[:-1]) * 0.1, np.zeros(9), tol=1e-6
    )
    return np.sum(found.x**2) * p[2]


PROGRAMS = [
    *(a_root_with_its_jacobian, a_minimum_with_its_hessian, a_minimum_in_a_box, minima_of_many),
    *(a_root_with_a_jacobian_of_what_varies, a_minimum_with_a_hessian_of_what_varies),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_the_programs_of_their_rules_are_read(f):
    met: list[str] = []
    with specialised_after(1, compared=True):
        for k in range(3):
            cr.grad(f)(P + 0.01 * k)
    with specialised_after(1, met=met):
        for _ in range(3):
            found = cr.grad(f)(P)
        assert "refuse_unconverged" in text_of(f)
    assert met == []
    np.testing.assert_allclose(found, differences(f, P, 1e-4), rtol=2e-3, atol=1e-4)


def test_systems_of_all_sizes_have_one_text():
    """MINPACK's own Jacobian is taken of many unknowns alone."""

    def f(p):
        return np.sum(optimize.root(lambda x: x**3 + x - p, np.zeros(len(p)), tol=1e-12).x)

    with specialised_after(1):
        for n in (3, 20, 3, 20):
            p = np.linspace(0.5, 1.5, n)
            found = cr.grad(f)(p)
            np.testing.assert_allclose(found, differences(f, p), rtol=1e-5)
        known = [*f.__dict__["__chainrules_specialised__"].values()]
    assert [v.misses for v in known if v.program is not None] == [0]
