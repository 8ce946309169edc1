"""Quotients, powers and logarithms as derivative rules need them at singular points.

`divide`, `power` and `log` follow IEEE 754 for Python numbers too and warn of no division by zero:
an infinite partial is a fact about the function, and the caller was warned, or not, by the function
itself. `ratio` is for corners whose convention is zero: it is 0 where the divisor is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import scalar_rule
from ..core.types import is_foreign
from ..tangents.spans import in_seconds

_NUMPY = np.ndarray | np.generic


def divide(a: Any, b: Any) -> Any:
    """a / b, infinite without a warning where b is zero; spans of time in seconds."""
    if type(b) is np.ndarray or type(a) is np.ndarray:
        a, b = in_seconds(a), in_seconds(b)
    if type(b) is np.ndarray:
        if np.count_nonzero(b) == b.size:
            return a / b
    elif not is_foreign(b) and b:
        return a / b
    with np.errstate(divide="ignore"):
        return np.true_divide(a, b)


def ratio(a: Any, b: Any) -> Any:
    """a / b, and 0 where b is zero."""
    if isinstance(b, _NUMPY) or is_foreign(b):
        at_zero = b == 0
        return np.where(at_zero, 0.0, a / np.where(at_zero, 1, b))
    return a / b if b else a * 0.0


def power(x: Any, p: Any) -> Any:
    """x ** p, infinite without a warning where x is zero and p negative."""
    if isinstance(x, _NUMPY) or isinstance(p, _NUMPY) or is_foreign(x) or is_foreign(p):
        if type(x) is np.ndarray and x.dtype.kind == "f" and is_product(p):
            return product(x, int(p))
        with np.errstate(divide="ignore"):
            return x**p
    return math.inf if x == 0 and p.real < 0 else x**p


def is_product(p: Any) -> bool:
    """Whether a power of arrays is computed by products, which NumPy does some ten times as quick."""
    return type(p) in (int, float) and p in _PRODUCTS


_PRODUCTS = range(3, 13)


def product(x: Any, n: int) -> Any:
    """x to the n-th, n whole and positive."""
    if n == 1:
        return x
    half = product(x, n // 2)
    return half * half * x if n % 2 else half * half


def power_text(x: str, p: float, arrays: bool) -> str:
    """The text of x ** p, for a name x."""
    return product_text(x, int(p)) if arrays and is_product(p) else f"{x} ** {p!r}"


def product_text(x: str, n: int) -> str:
    """The text of the same products."""
    if n == 1:
        return x
    even = f"{product_text(x, n // 2)} ** 2"
    return f"({even} * {x})" if n % 2 else f"({even})"


def log(x: Any) -> Any:
    """The natural logarithm, −∞ without a warning at zero."""
    with np.errstate(divide="ignore"):
        return np.log(x)


def as_floats(x: Any) -> Any:
    """NumPy's integers as floats, whose squares and products do not wrap around."""
    return np.multiply(x, 1.0) if isinstance(x, _NUMPY) and x.dtype.kind in "iu" else x


def power_by_base(y: Any, x: Any, p: Any) -> Any:
    """∂(x**p)/∂x = p x**(p−1): for p = 0 it is 0 also at x = 0, for 0 < p < 1 it is infinite there."""
    x = as_floats(x)
    if isinstance(p, _NUMPY) or is_foreign(p):
        return p * power(x, np.where(p == 0, 1, np.subtract(p, 1)))
    if p == 2:
        return 2 * x
    if isinstance(y, np.floating) and isinstance(x, int | float):
        x = np.float64(x)  # NumPy's power of a negative number is NaN, Python's a complex number
    return p * power(x, p - 1) if p else 0.0


def power_by_exponent(y: Any, x: Any, p: Any) -> Any:
    """∂(x**p)/∂p = y log x: 0 at x = 0 for p ≥ 0; the real part, y log|x|, for negative x and real y."""
    x = as_floats(x)
    base = x + 0j if np.iscomplexobj(y) else abs(x)
    flat = (x == 0) & (np.real(p) >= 0)
    return y * log(np.where(flat, 1, base))


scalar_rule(divide, lambda y, a, b: divide(1.0, b), lambda y, a, b: -divide(y, b))
scalar_rule(power, power_by_base, power_by_exponent, strong_zero=True)
scalar_rule(log, lambda y, x: divide(1.0, x), strong_zero=True)
