"""Slices whose bounds vary: what selects has no derivative, and what computes with bounds says so."""

from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

from chainrules.core.callables import attribute
from chainrules.testing import check_grads, exempt

X = np.arange(5.0)
WHY = "what selects has no derivative; the tests here say so"
EXEMPT = [
    exempt(slice, why=WHY),
    *(exempt(attribute(name), why=WHY) for name in ("start", "stop", "step")),
]


class Box:
    """Computes with its key."""

    def __getitem__(self, key: Any) -> Any:
        return 3.0 * (key.start if isinstance(key, slice) else key[0])


BOX = Box()


def test_what_selects_has_no_derivative() -> None:
    check_grads(lambda x: x[x.shape[0] // 2 :] ** 2, X, order=2)
    check_grads(lambda x: x[slice(x.shape[0] - 3, None)] ** 2, X, order=2)
    check_grads(lambda x: [x, 2 * x, x**2][x.shape[0] - 4 :][0], X, order=1)
    check_grads(lambda x: x.reshape(1, 5)[x.shape[0] - 5, 1:], X, order=1)


@pytest.mark.parametrize(
    "f", [lambda s: BOX[s:3], lambda s: BOX[slice(s, 7)], lambda s: BOX[slice(s, 7)] * s, lambda s: BOX[s::2]]
)
def test_bounds_that_are_computed_with(f: Any) -> None:
    for call in (rightly.grad(f), rightly.derivative(f)):
        call(2.0)


def test_a_key_beside_a_slice_is_seen() -> None:
    check_grads(lambda s: BOX[s, 1:3] * s, 2.0, order=2)
    check_grads(lambda s: BOX[(s, slice(1, 3))], 2.0, order=1)
