"""Covariances as objects: densities move with what these are made of."""

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.stats import Covariance
from tests.rules.cases import normal

import chainrules as cr
from chainrules.testing import check_grads

LOW = np.tril(normal(3, 3)) + 2.0 * np.eye(3)
MATRIX = LOW @ LOW.T
VALUES, VECTORS = np.linalg.eigh(MATRIX)
WAYS = [
    pytest.param(Covariance.from_diagonal, (np.array([0.4, 1.3, 2.0]),), id="diagonal"),
    pytest.param(lambda low: Covariance.from_precision(low @ low.T), (LOW,), id="precision"),
    pytest.param(lambda low: Covariance.from_cholesky(np.tril(low)), (LOW,), id="cholesky"),
    pytest.param(
        lambda w, v: Covariance.from_eigendecomposition((w, v)), (VALUES, VECTORS), id="eigendecomposition"
    ),
]


@pytest.mark.parametrize(("made", "of"), WAYS)
def test_densities_by_objects(made: Any, of: Any) -> None:
    x, mean = normal(4, 3, seed=1), np.array([0.1, 0.2, 0.3])

    def by_matrix(*given: Any) -> Any:
        return np.sum(stats.multivariate_normal.logpdf(x, mean, made(*given).covariance))

    def by_object(*given: Any) -> Any:
        return np.sum(stats.multivariate_normal.logpdf(x, mean, made(*given)))

    def by_frozen(*given: Any) -> Any:
        return np.sum(stats.multivariate_normal(mean, made(*given)).logpdf(x))

    check_grads(by_matrix, *of)
    wanted = cr.grad(by_matrix)(*of)
    np.testing.assert_allclose(cr.grad(by_object)(*of), wanted, rtol=1e-9)
    np.testing.assert_allclose(cr.grad(by_frozen)(*of), wanted, rtol=1e-9)


def test_the_inverse_counts_where_the_matrix_is_given_beside_it() -> None:
    x, inverse = normal(4, 3, seed=1), np.linalg.inv(MATRIX)

    def logpdf(p: Any, m: Any) -> Any:
        return np.sum(stats.multivariate_normal.logpdf(x, None, Covariance.from_precision(p, m)))

    along = 1e-6 * MATRIX
    exact = (logpdf(inverse + along, MATRIX) - logpdf(inverse - along, MATRIX)) / 2.0
    assert cr.jvp(lambda p: logpdf(p, MATRIX), (inverse,), (along,))[1] == pytest.approx(exact, rel=1e-5)
    assert np.sum(cr.grad(lambda p: logpdf(p, MATRIX))(inverse) * along) == pytest.approx(exact, rel=1e-5)


def test_the_matrix_itself_counts_in_distribution_functions() -> None:
    def cdf(m: Any) -> Any:
        given = Covariance.from_precision(np.eye(2), m)
        return stats.multivariate_normal.cdf(np.array([0.3, 0.5]), None, given)

    by = cr.jvp(cdf, (np.eye(2),), (np.eye(2),))[1]
    exact = (cdf(1.001 * np.eye(2)) - cdf(0.999 * np.eye(2))) / 2e-3
    assert by == pytest.approx(exact, rel=1e-4)
    with pytest.raises(cr.NotDifferentiableError, match="beside its inverse"):
        cr.grad(
            lambda p: stats.multivariate_normal(None, Covariance.from_precision(p, p)).logpdf([0.1, 0.2])
        )(np.eye(2))


def test_an_array_that_is_changed_after_an_object_was_made_of_it() -> None:
    """The object holds the array itself, and has computed the determinant before."""

    def f(low: Any) -> Any:
        factor = np.tril(low)
        made = Covariance.from_cholesky(factor)
        factor[0, 0] = 5.0 * low[0, 0] ** 2
        return np.sum(made.colorize(np.array([1.0, 2.0, 3.0]))) + np.sum(made.covariance) + made.log_pdet

    check_grads(f, LOW)
