"""Breaks: where the derivative of an integrand may jump, guessed from what the integrand holds.

By a coefficient of a spline it is zero but in one piece. The sites of a spline or a table are numbers that
rise, and some of them lie between the limits. A guess costs at most panels: an integral that is split stays
the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

_MANY = 64  # sites that would cost more panels than an integral without them


def breaks_in(values: Iterable[Any], a: Any, b: Any) -> Any:
    """The numbers between finite limits, of all vectors that rise."""
    found = [np.zeros(0)]
    for v in values:
        if type(v) is np.ndarray and v.ndim == 1 and len(v) > 1 and np.all(v[:-1] < v[1:]):
            found.append(v[(min(a, b) < v) & (v < max(a, b))])
    breaks = np.unique(np.concatenate(found))
    return breaks if len(breaks) <= _MANY and np.isfinite(a) and np.isfinite(b) else found[0]


def with_breaks(points: Any, breaks: Any) -> Any:
    """The points at which an integral is split, with these."""
    return np.unique(np.concatenate([() if points is None else np.ravel(points), breaks]))
