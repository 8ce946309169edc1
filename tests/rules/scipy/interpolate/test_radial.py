"""Radial basis functions: every kernel by data points, values, smoothing, epsilon and points."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator
from tests.rules.cases import case, complex_normal, normal, of_one_form

import chainrules as cr
from chainrules.rules.scipy.interpolate.kernels import KERNELS, slope, thin_plate_spline
from chainrules.testing import check_grads, check_rule

RNG = np.random.default_rng(7)
Y, X, D = RNG.uniform(-1, 1, (9, 2)), RNG.uniform(-0.8, 0.8, (4, 2)), normal(9, 2)


def surface(values: Any = D, **how: Any) -> Any:
    return RBFInterpolator(Y, values, **how)


CASES = [
    case(thin_plate_spline, of_one_form(np.array([0.3, 2.0]))),
    case(slope, of_one_form(np.array([0.3, 2.0]))),
    case(RBFInterpolator.__call__, surface(), X),
    case(RBFInterpolator.__call__, surface(complex_normal(9)), X),
    case(RBFInterpolator.__call__, surface(neighbors=5, kernel="cubic", smoothing=0.1), X),
    case(RBFInterpolator.__call__, surface(normal(9), neighbors=1, kernel="gaussian", epsilon=1.3), X),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("neighbors", [None, 7])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_by_everything(kernel: str, neighbors: Any) -> None:
    def value(y: Any, d: Any, smoothing: Any, epsilon: Any, x: Any) -> Any:
        return RBFInterpolator(y, d, neighbors, smoothing, kernel, epsilon)(x)

    check_grads(value, Y, D, RNG.uniform(0.1, 0.2, 9), 1.4, X, order=1)


@pytest.mark.parametrize("kernel", ["thin_plate_spline", "inverse_quadratic"])
def test_second_derivatives(kernel: str) -> None:
    def value(y: Any, epsilon: Any, x: Any) -> Any:
        return RBFInterpolator(y, D[:6, 0], smoothing=0.2, kernel=kernel, epsilon=epsilon)(x)

    check_grads(value, Y[:6], 1.4, X[:1], order=2)


@pytest.mark.parametrize("degree", [-1, 0, 2])
def test_degrees_of_the_polynomial_and_complex_values(degree: int) -> None:
    def value(y: Any, d: Any, x: Any) -> Any:
        return RBFInterpolator(y, d, kernel="gaussian", epsilon=1.0, degree=degree, smoothing=0.1)(x)

    check_grads(value, Y, complex_normal(9), X, order=1)


@pytest.mark.parametrize("kernel", ["thin_plate_spline", "cubic", "gaussian"])
def test_on_a_data_point_the_slope_is_that_of_the_surface(kernel: str) -> None:
    check_grads(lambda x: surface(kernel=kernel, epsilon=1.2)(x), Y[:2], order=1)


def test_the_second_derivative_of_a_thin_plate_on_a_data_point_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="infinite"):
        cr.hessian(lambda x: np.sum(surface()(x)))(Y[:1])
    with pytest.raises(cr.NotDifferentiableError, match="infinite"):
        cr.grad(lambda x: np.sum(cr.grad(lambda x: np.sum(surface()(x)))(x)))(Y[:1])


def test_values_of_neighbours_farther_away_do_not_count() -> None:
    at = X[:1]
    by_values = cr.grad(lambda d: np.sum(RBFInterpolator(Y, d, 3)(at)))(D[:, 0])
    assert np.count_nonzero(by_values) == 3
