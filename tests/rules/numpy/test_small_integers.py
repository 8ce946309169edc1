"""Arrays of small integers: no product, difference or negation of a rule wraps around in their type."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr

FUNCTIONS: dict[str, tuple[Callable[[Any], Any], list[int]]] = {
    "remainder": (lambda x: np.remainder(x[:1], x[1:]), [7, 2]),
    "divmod": (lambda x: np.divmod(x[:1], x[1:])[1], [7, 2]),
    "power": (lambda x: np.power(x[:1], x[1:]), [2, 6]),
    "square": (np.square, [9, 11]),
    "arctan": (np.arctan, [20, 100]),
    "arcsinh": (np.arcsinh, [20, 100]),
    "arccosh": (np.arccosh, [20, 127]),
    "log1p": (np.log1p, [20, 127]),
    "norm": (np.linalg.norm, [100, 20]),
    "norm of order 3": (lambda x: np.linalg.norm(x, 3), [100, 20]),
    "prod": (np.prod, [5, 3, 2]),
    "prod at a zero": (np.prod, [5, 0, 100]),
    "cumprod": (np.cumprod, [5, 3, 2]),
    "cumprod at a zero": (np.cumprod, [5, 0, 100]),
    "reflections": (lambda x: np.pad(x, 2, "reflect", reflect_type="odd"), [5, 9, 3]),
    "gradient": (np.gradient, [5, 3, 120]),
    "interp": (lambda x: np.interp(x, [0, 200], [3.0, 5.0]), [5, 100]),
}


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_for_floats(name: str, dtype: Any) -> None:
    f, values = FUNCTIONS[name]
    x, dx = np.array(values, dtype), np.arange(1.0, 1 + len(values))

    def total(x: Any) -> Any:
        return np.sum(1.0 * f(x))

    slope = (total(x + 1e-6 * dx) - total(x - 1e-6 * dx)) / 2e-6
    rtol = 2e-3 if name in ("arctan", "arcsinh", "arccosh", "log1p") else 1e-6  # values of half precision
    np.testing.assert_allclose(np.sum(cr.grad(total)(x) * dx), slope, rtol=rtol)
    np.testing.assert_allclose(cr.jvp(total, (x,), (dx,))[1], slope, rtol=rtol)
