"""Directions and Hessians where a sum with what stands still is kept, and its operand changes afterwards.

At first the change leaves the tangents as they are, so that no comparison tells.
"""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after


def added(x, w):
    y = x * 2.0
    z = y + 1.0
    y[0] = y[0] * w
    return np.sum(z * z) + np.sum(y * y)


def subtracted(x, w):
    y = x * 2.0
    z, u = y - 1.0, y + w
    y *= w
    return np.sum(z * u * z) + np.sum(y * y)


def signed(x, w):
    y = x * 2.0
    z = +y
    y[0] = y[0] * w
    return np.sum(z * z * z) + np.sum(y * y)


def remained(x, w):
    y = x * 2.0
    z = y % 7.0
    y[1:] = y[1:] * w
    return np.sum(z * z) + np.sum(y * y)


def listed(x, w):
    y = x * 2.0
    zs = [y[1:] + 1.0, y[:2] - w]
    y[1] = y[1] * w
    return np.sum(zs[0] * zs[1]) + np.sum(y * y)


def turned(x, w):
    y = x * 2.0
    z = np.flip(y) + 1.0
    y[0] = y[0] * w
    return np.sum(z * z) + np.sum(y * y)


def by_rule(x, w):
    y = x * 2.0
    z = y.astype(float)
    y[0] = y[0] * w
    return np.sum(z * z) + np.sum(y * y)


PROGRAMS = [added, subtracted, signed, remained, listed, turned, by_rule]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_sums_with_what_changes(f: Any) -> None:
    x, v, h = np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.5, 0.25]), 1e-4
    met: list[str] = []
    with specialised_after(1, met=met):
        for w in (1.0, 1.0, 3.0):
            value, along = cr.jvp(f, (x, w), (v, 0.0))
            (product,) = cr.hvp(f, (x, w), (v,), argnums=(0,))
            hessian = cr.hessian(f)(x, w)
            assert np.isclose(value, f(x, w))
            assert np.isclose(along, (f(x + h * v, w) - f(x - h * v, w)) / (2 * h), rtol=1e-6)
            ahead, behind = (_gradient(f, x + k * h * v, w) for k in (1, -1))
            np.testing.assert_allclose(product, (ahead - behind) / (2 * h), rtol=1e-4, atol=1e-3)
            np.testing.assert_allclose(hessian @ v, product)
    assert not met


def _gradient(f: Any, x: Any, w: float) -> Any:
    """By central differences."""
    steps = 1e-4 * np.eye(len(x))
    return np.array([(f(x + s, w) - f(x - s, w)) / 2e-4 for s in steps])
