"""Products of sparse arrays, and other formats of them, where an entry is zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

import chainrules as cr


def test_what_is_zero_in_a_product_or_another_format_still_moves() -> None:
    x, v = np.array([0.5, 0.0, 1.0]), np.array([1.0, 2.0, 3.0])
    other = sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 1.0]]))

    def converted(x: Any) -> Any:
        return np.sum(sparse.diags(x).tocsr() @ v) + np.sum(sparse.diags_array(x, format="csc") @ v)

    def product(x: Any) -> Any:
        made = sparse.csr_array((x, ([0, 1, 2], [0, 1, 2])), shape=(3, 3))
        return np.sum(((other @ made) @ v) ** 2)

    for f in (converted, product):
        expected = [(f(x + d) - f(x - d)) / 2e-6 for d in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-6)
        np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], np.dot(expected, v), rtol=1e-6)
