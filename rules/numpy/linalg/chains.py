"""Products of many matrices: multi_dot, each derivative in the cheapest order that there is.

Refused by name: stacks and numbers, which NumPy lets pass where there are two factors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, frule, rrule
from ....tangents import ZERO, from_fields
from ..adjoints import adjoint
from ..joining import frames_of
from ..nesting import nest, unnest


def as_matrices(arrays: Any) -> Any:
    """The factors, a vector at the beginning as a row and one at the end as a column."""
    for x in arrays:
        if np.ndim(x) not in (1, 2):
            raise UnsupportedArgument(np.linalg.multi_dot, "arrays", x, next="multiply with numpy.dot")
    first, last = arrays[0], arrays[-1]
    if np.ndim(first) == 1:
        first = np.reshape(first, (1, -1))
    if np.ndim(last) == 1:
        last = np.reshape(last, (-1, 1))
    return (first, *arrays[1:-1], last)


@frule(np.linalg.multi_dot)
def multi_dot_frule(tangents, arrays: list | tuple):
    """y = a b c …        ẏ = ȧ b c … + a ḃ c … + …"""
    dy: Any = ZERO
    for k in range(len(arrays)):
        dx = nest(tangents[0][k], np.shape(arrays[k]))
        dy = dy + np.linalg.multi_dot((*arrays[:k], dx, *arrays[k + 1 :]))
    return np.linalg.multi_dot(arrays), dy


@rrule(np.linalg.multi_dot)
def multi_dot_rrule(arrays: list | tuple):
    """y = a b c …        b̄ = aᴴ ȳ (c …)ᴴ, for each factor"""
    matrices, frames = as_matrices(arrays), frames_of(arrays)
    y_shape = (np.shape(matrices[0])[0], np.shape(matrices[-1])[1])

    def multi_dot_pullback(y_bar):
        answer: Any = ()
        for k in range(len(arrays)):
            factors: Any = (np.reshape(y_bar, y_shape),)
            for j in range(k):
                factors = (adjoint(matrices[j]), *factors)
            for j in range(len(arrays) - 1, k, -1):
                factors = (*factors, adjoint(matrices[j]))
            x_bar = np.reshape(np.linalg.multi_dot(factors), np.shape(arrays[k]))
            answer = (*answer, unnest(x_bar, frames[k]))
        return from_fields(type(arrays), answer)

    return np.linalg.multi_dot(arrays), multi_dot_pullback
