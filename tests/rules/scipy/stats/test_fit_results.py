"""`scipy.stats.fit`: parameters between bounds move with the data, those at an end with that end."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.stats._result_classes import FitResult

import chainrules as cr
from chainrules.testing import check_grads, exempt

EXEMPT = [
    exempt(f, why="stops where its optimiser does: checked against one that stops later")
    for f in (stats.fit, FitResult.nllf)
]
X = stats.gamma.rvs(2.3, size=30, random_state=1)
ALONG = np.linspace(-1.0, 1.0, 30)
GAMMA = {"a": (0.5, 10.0), "scale": (0.1, 10.0)}
COUNTS = stats.nbinom.rvs(5, 0.5, size=60, random_state=1)


def tight(f: Any, bounds: Any, **options: Any) -> Any:
    """A search within bounds, to more digits than any that SciPy makes by itself."""
    if "integrality" in options:
        return optimize.differential_evolution(f, bounds, rng=1, **options)
    start = np.clip(np.full(len(bounds), 1.1), *np.transpose(bounds))
    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 400}
    with np.errstate(all="ignore"):
        return optimize.minimize(f, start, method="Nelder-Mead", bounds=bounds, options=options)


def fitted(x: Any, bounds: Any, **given: Any) -> Any:
    return np.stack(stats.fit(stats.gamma, x, bounds, optimizer=tight, **given).params)


@pytest.mark.parametrize("method", ["mle", "mse"])
def test_by_the_data(method: str) -> None:
    def moved(t: Any) -> Any:
        return fitted(X * (1.0 + t * ALONG), GAMMA, method=method)

    exact = (moved(1e-3) - moved(-1e-3)) / 2e-3
    forward = cr.jvp(moved, (0.0,), (1.0,))[1]
    np.testing.assert_allclose(forward, exact, rtol=1e-3)
    np.testing.assert_allclose(cr.jacobian(moved)(0.0), forward, rtol=1e-9)


def test_equal_data_share_their_spacings() -> None:
    def moved(t: Any) -> Any:
        return fitted(np.concatenate((X, X[:5])) * (1.0 + t), GAMMA, method="mse")

    np.testing.assert_allclose(cr.jacobian(moved)(0.0), [0.0, 0.0, moved(0.0)[2]], atol=1e-6)


def test_parameters_at_an_end_move_with_it() -> None:
    def by_loc(m: Any) -> Any:
        return fitted(X, {**GAMMA, "loc": (m, m)})

    def by_end(m: Any) -> Any:
        return fitted(X, [(0.5, m), (0.0, 0.0), (0.1, 10.0)])

    for f, at in ((by_loc, -0.1), (by_end, 1.5)):
        exact = (f(at + 1e-3) - f(at - 1e-3)) / 2e-3
        np.testing.assert_allclose(cr.jacobian(f)(at), exact, rtol=1e-3, atol=1e-9)


def test_the_likelihood_that_is_left() -> None:
    def left(t: Any) -> Any:
        return stats.fit(stats.gamma, X * (1.0 + t), GAMMA, optimizer=tight).nllf()

    assert cr.grad(left)(0.0) == pytest.approx(30.0, rel=1e-9)  # n log(1 + t) more
    found = stats.fit(stats.gamma, X, GAMMA, optimizer=tight)
    check_grads(lambda a, s, x: found.nllf((a, 0.0, s), x), 1.7, 1.3, X)


def test_counts() -> None:
    """The number of successes is whole, and stays; the probability moves with an end alone."""

    def found(end: Any) -> Any:
        return np.stack(stats.fit(stats.nbinom, COUNTS, [(5, 7), (0.0, end)], optimizer=tight).params)

    assert np.array_equal(cr.jacobian(found)(0.3), [0.0, 1.0, 0.0])
    assert np.array_equal(cr.jacobian(found)(0.9), [0.0, 0.0, 0.0])
