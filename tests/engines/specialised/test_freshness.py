"""Functions whose result is their own: none shares memory with what it is given, so stores may go into it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, linalg, special
from tests.engines.specialised.compared import is_right

import chainrules as cr
from chainrules.engines.specialised.inferring.freshness import is_fresh
from chainrules.engines.specialised.reading.steps import Step

EYE, ONES = np.eye(3), np.ones((1, 3))
CALLS: list[tuple[Any, Any]] = [
    (linalg.solve, lambda f, a: f(EYE, a)),
    (linalg.solve_triangular, lambda f, a: f(EYE, a)),
    (linalg.solve_banded, lambda f, a: f((0, 0), ONES, a)),
    (linalg.solveh_banded, lambda f, a: f(ONES, a)),
    (linalg.cho_solve, lambda f, a: f((EYE, True), a)),
    (linalg.lu_solve, lambda f, a: f((EYE, np.arange(3)), a)),
    *[(f, lambda f, a: f(a)) for f in (linalg.inv, linalg.pinv, linalg.expm, linalg.block_diag)],
    *[(f, lambda f, a: f(a)) for f in (linalg.cholesky, linalg.sqrtm, linalg.logm, linalg.svdvals)],
    *[(f, lambda f, a: f(a, axis=0)) for f in (special.logsumexp, special.softmax, special.log_softmax)],
    (integrate.cumulative_trapezoid, lambda f, a: f(a)),
    *[(f, lambda f, a: f(a)) for f in (np.block, np.diagflat, np.unique, np.ediff1d, np.fft.fftshift)],
    *[(f, lambda f, a: f(a, axis=0)) for f in (np.median, np.average, np.nansum, np.nanmean, np.ptp)],
    (np.gradient, lambda f, a: f(a, axis=0)),
    (np.append, lambda f, a: f(a, np.zeros((0, 3)), axis=0)),
    (np.insert, lambda f, a: f(a, [], 1.0, axis=0)),
    (np.delete, lambda f, a: f(a, [], axis=0)),
    (np.polyval, lambda f, a: f([1.0, 0.0], a)),
    (np.select, lambda f, a: f([a < 9.0], [a])),
    (np.partition, lambda f, a: f(a, 1)),
]


@pytest.mark.parametrize(("f", "call"), CALLS, ids=lambda f: getattr(f, "__name__", ""))
def test_nothing_is_shared(f, call):
    assert is_fresh(f, Step("call", "y", ("=f", "x")))
    for a in (EYE.copy(), np.asfortranarray(EYE + 0.1 * np.ones((3, 3)))):
        assert not np.may_share_memory(call(f, a), a)


def test_calls_that_allow_it_are_none():
    assert is_fresh(np.ndarray.astype, Step("method", "y", ("x", "=float")))
    assert not is_fresh(np.ndarray.astype, Step("method", "y", ("x", "=float", "=False"), keywords=("copy",)))
    assert not is_fresh(linalg.inv, Step("call", "y", ("=f", "x", "=True")))
    assert not is_fresh(linalg.hessenberg, Step("call", "y", ("=f", "x")))


def rod(k):
    stored = np.zeros((3, len(k)))
    stored[1] = 2.0 * k + 1.0
    stored[0, 1:] = -k[:-1]
    stored[2, :-1] = -k[1:]
    u = linalg.solve_banded((1, 1), stored, np.ones(len(k)))
    return np.sum(u * u)


def test_stores_into_what_a_solver_is_given():
    assert is_right(rod, np.linspace(0.5, 1.5, 6))


@pytest.mark.parametrize("copy", [True, False])
def test_a_conversion_that_may_be_the_array_itself(copy):
    def f(x):
        y = x * 1.0
        z = y.astype(float, copy=False) if not copy else y.astype(float)
        z[0] = 5.0 * z[1]
        return np.sum(y**2)

    x = np.array([1.0, 2.0])
    for _ in range(6):
        np.testing.assert_allclose(cr.grad(f)(x), [2.0, 4.0] if copy else [0.0, 104.0])


def test_what_else_is_said_by_name_allows_nothing():
    def f(x):
        y = np.outer(x, x)
        most = np.max(y, axis=1, keepdims=True)
        y[0] = y[0] - most[0]
        return np.sum(np.exp(y - most) ** 2)

    assert is_right(f, np.array([0.7, 1.3, -0.4]))
