"""Derivatives of whole powers of arrays: products, which NumPy computes more quickly than powers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings

X = np.array([-1.5, 0.0, 0.3, 2.0])


def fourth(x: Any) -> Any:
    return np.sum(x**4)


def seventh(x: Any) -> Any:
    return np.sum((0.5 * x) ** 7 * 2.0)


def of_a_sum(x: Any) -> Any:
    return np.sum(np.sin(x + x[0]) ** 5.0)


@pytest.mark.parametrize("f", [fourth, seventh, of_a_sum])
def test_first_and_second_derivatives(f: Any) -> None:
    units = np.eye(len(X)) * 1e-5
    for _ in range(Settings.runs + 2):
        gradient, hessian = cr.grad(f)(X), cr.hessian(f)(X)
        product = cr.hvp(f, X, np.cos(X))
    np.testing.assert_allclose(gradient, [(f(X + u) - f(X - u)) / 2e-5 for u in units], rtol=1e-7, atol=1e-8)
    slopes = [(cr.grad(f)(X + u) - cr.grad(f)(X - u)) / 2e-5 for u in units]
    np.testing.assert_allclose(hessian, slopes, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(product, slopes @ np.cos(X), rtol=1e-7, atol=1e-8)
    text = cr.derivative_source(f, X, mode="specialised")
    assert all(f"** {p}" not in text for p in (3, 6, "4.0"))
