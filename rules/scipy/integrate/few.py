"""Integrals of few numbers: QUADPACK's for one after the other, with the values at a point computed once.

The points of the first integral serve the others, too, but where one of these asks for more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

FEW = 12
"""Up to how many numbers; `quad_vec` is quicker with more."""


def of_few(f: Callable[[float], Any], a: Any, b: Any, at: float, settings: Any) -> Any:
    """∫ f(x) dx from a to b; None of many or complex numbers, and where an integral is not sure of itself.

    f gives a number, an array or a tuple of numbers. `at` is a point between the limits, and `settings` are
    those of `scipy.integrate.quad`; None of others.
    """
    if settings.keys() - {"epsabs", "epsrel", "limit", "points"}:
        return None
    first = np.asarray(f(at))
    if not 0 < first.size <= FEW or first.dtype != float:
        return None
    known: dict[float, Any] = {at: first.ravel().tolist()}

    def values(x: float) -> Any:
        found = known.get(x)
        if found is None:
            found = f(x)
            known[x] = found = found if type(found) is tuple else np.ravel(found).tolist()
        return found

    total = []
    for k in range(first.size):
        part, _, *told = integrate.quad(lambda x, k=k: values(x)[k], a, b, full_output=1, **settings)
        if len(told) > 1:
            return None
        total.append(part)
    return np.reshape(total, first.shape)[()]
