"""Imports inside a function: what the functions that they bind change is known as of any other."""

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from chainrules.testing import check_grads

X = numpy.array([1.3, 0.7, 2.1])


def heap(x: Any) -> Any:
    from heapq import heappop, heappush

    waiting: list[Any] = []
    for v in x:
        heappush(waiting, v * v)
    return heappop(waiting) * heappop(waiting) ** 2


def added_at(x: Any) -> Any:
    import numpy as np

    y = x * x
    np.add.at(y, [0, 0, 2], x)
    return np.sum(y**2)


def diagonal(x: Any) -> Any:
    import numpy as np
    from numpy import linalg

    a = np.zeros((3, 3))
    np.fill_diagonal(a, x)
    a[0, 1:] = x[:2]
    return np.sum(linalg.inv(a) ** 2)


def copied(x: Any) -> Any:
    from numpy import copyto, zeros

    y = zeros(3)
    copyto(y, x * 2.0)
    return y[0] * y[1] * y[2]


def one_of_two(x: Any) -> Any:
    if x[0] > 0.0:
        from math import sin as f
    else:
        from math import cos as f
    return f(x[0]) * x[1]


def of_a_parameter(x: Any, f: Any = None) -> Any:
    from numpy import sin as f

    return numpy.sum(f(x) ** 2)


@pytest.mark.parametrize("f", [heap, added_at, diagonal, copied, one_of_two, of_a_parameter])
def test_they_are_differentiated(f: Callable[[Any], Any]) -> None:
    check_grads(f, X)
