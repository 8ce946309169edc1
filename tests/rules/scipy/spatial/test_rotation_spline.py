"""Splines of rotations: orientation, angular rate and acceleration, by times, rotations and where read."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, RotationSpline
from tests.rules.cases import normal

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.rules.scipy.spatial.rotation_spline import jumps, rate_of, rates_found
from chainrules.testing import check_grads, exempt

EXEMPT = [
    exempt(f, why="makes an object or reads it; orientations, rates and accelerations are checked")
    for f in (RotationSpline, RotationSpline.__call__)
]
TIMES, VECTORS = np.array([0.0, 1.0, 1.7, 3.0]), 0.5 * normal(4, 3)
AT = np.array([-0.2, 0.4, 1.2, 2.9])


def read(order: int) -> Any:
    """What a spline says: matrices, or rates or accelerations."""

    def f(times: Any, vectors: Any, at: Any) -> Any:
        y = RotationSpline(times, Rotation.from_rotvec(vectors))(at, order)
        return y.as_matrix() if order == 0 else y

    return f


@pytest.mark.parametrize("order", [0, 1, 2])
def test_by_times_rotations_and_where_it_is_read(order: int) -> None:
    check_grads(read(order), TIMES, VECTORS, AT, order=1)


def test_two_rotations_and_one_time() -> None:
    check_grads(read(0), TIMES[:2], VECTORS[:2], 0.3, order=1)
    check_grads(read(1), TIMES[:2], VECTORS[:2], 0.3, order=1)


def test_second_derivatives() -> None:
    def f(v: Any) -> Any:
        return np.sum(read(1)(TIMES[:3], v, AT[1:3]) ** 2)

    check_grads(cr.grad(f), VECTORS[:3], order=1, modes=("fwd",))


@pytest.mark.parametrize("size", [0.0, 1e-6, 1e-3])
def test_rotations_that_hardly_differ(size: float) -> None:
    """The rate is linear in the vectors at the identity: that of a cubic spline of them."""

    def f(v: Any) -> Any:
        return read(1)(TIMES, v, AT)

    small, along = size * VECTORS, normal(4, 3, seed=1)
    exact = (f(small + 1e-4 * along) - f(small - 1e-4 * along)) / 2e-4
    np.testing.assert_allclose(cr.jvp(f, (small,), (along,))[1], exact, atol=1e-6)


def test_the_equations_are_those_that_scipy_solves() -> None:
    made = RotationSpline(TIMES, Rotation.from_rotvec(VECTORS))
    r = (made.rotations[:-1].inv() * made.rotations[1:]).as_rotvec()
    np.testing.assert_allclose(jumps(rates_found(made), r, np.diff(TIMES)[:, None]), 0.0, atol=1e-8)
    rate = rate_of(made.interpolator(AT), made.interpolator(AT, 1))
    np.testing.assert_allclose(rate, made(AT, 1), rtol=1e-12)


def test_half_turns_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="half turn"):
        cr.grad(
            lambda s: np.sum(read(1)(TIMES[:2], s * np.array([[0.0, 0.0, 0.0], [np.pi, 0.0, 0.0]]), 0.3))
        )(1.0)
