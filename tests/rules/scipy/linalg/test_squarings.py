"""Scaling and squaring: every order and number of squares, against the exponential of a block."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import complex_normal, normal

from chainrules.rules.scipy.linalg.squarings import along


@pytest.mark.parametrize("norm", [1e-3, 0.1, 0.5, 1.5, 4.0, 9.0, 30.0])
@pytest.mark.parametrize("draw", [normal, complex_normal])
def test_it_is_the_corner_of_the_exponential_of_a_block(norm: float, draw: Any) -> None:
    a, e = draw(5, 5), draw(5, 5, seed=1)
    a = a * norm / np.linalg.norm(a, 1)
    block = np.block([[a, e], [np.zeros((5, 5)), a]])
    expected = linalg.expm(block)[:5, 5:]
    np.testing.assert_allclose(along(a, e), expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def test_along_the_matrix_itself_it_is_the_product_with_the_exponential() -> None:
    a = normal(4, 4)
    np.testing.assert_allclose(along(a, a), a @ linalg.expm(a), rtol=1e-12)


def test_the_precision_is_kept() -> None:
    a, e = normal(3, 3).astype(np.float32), normal(3, 3, seed=1).astype(np.float32)
    assert along(a, e).dtype == np.float32
    np.testing.assert_allclose(along(a, e), along(a.astype(float), e.astype(float)), rtol=1e-5)


def test_what_is_not_finite_stays_so() -> None:
    assert np.isnan(along(np.array([[np.nan]]), np.ones((1, 1)))).all()
