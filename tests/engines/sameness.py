"""What rows of the matrix are held to in engines whose derivatives are functions of flat lists of arrays.

An engine gives its derivatives of a function of arrays as functions of NumPy's arrays, cotangents in our
convention: `pull(f, x, y_bar)`, `push(f, x, dx)`, and compositions of the two. They are compared with
differences of the host's function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tests.engines.matrix import Row

from chainrules.engines.leaves import Layout
from chainrules.testing import finite

Arrays = list[Any]


def moving(value: Any) -> bool:
    """Whether a part of a row's arguments is differentiated."""
    return isinstance(value, float | complex | np.ndarray) and np.asarray(value).dtype.kind in "fc"


class Setting:
    """A row: its function of the arrays that move, these arrays, and directions alike for every engine."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.layout, self.x = Layout.of(row.args, moving)
        numbers = np.random.default_rng(11)
        self.dx = [_like(numbers, a) for a in self.x]
        self.other = [_like(numbers, a) for a in self.x]
        self.y_bar = [_like(numbers, np.asarray(y)) for y in self.host(*self.x)]

    def host(self, *x: Any) -> Arrays:
        """The arrays that move in the value of the row's own function."""
        return self.of(self.row.f, moving)(*x)

    def of(self, f: Callable[..., Any], is_leaf: Callable[[Any], bool]) -> Callable[..., Arrays]:
        """An engine's function in the same form."""
        return lambda *x: Layout.of(f(*self.layout.filled(x), **self.row.kwargs), is_leaf)[1]

    def check_reverse(self, x_bar: Sequence[Any]) -> None:
        """⟨x̄, ẋ⟩ = ⟨ȳ, ẏ⟩, the latter from differences."""
        close(inner(x_bar, self.dx), finite.vjp(self.host, self.x, self.y_bar, self.dx)[0])

    def check_forward(self, dy: Sequence[Any]) -> None:
        """ẏ from differences."""
        for got, wanted in zip(dy, finite.jvp(self.host, self.x, self.dx).tangent, strict=True):
            close(got, wanted)

    def slope(self, pull: Callable[..., Arrays]) -> Arrays:
        """The change of an engine's pullback along ẋ, from differences."""
        return list(finite.jvp(lambda *x: pull(*x), self.x, self.dx).tangent)


def inner(u: Sequence[Any], v: Sequence[Any]) -> Any:
    """The real inner product."""
    return sum(np.vdot(np.asarray(a), np.asarray(b)).real for a, b in zip(u, v, strict=True))


def close(got: Any, wanted: Any) -> None:
    """As near as differences are."""
    np.testing.assert_allclose(got, wanted, rtol=3e-6, atol=3e-6)


def _like(numbers: Any, a: Any) -> Any:
    real = numbers.normal(size=np.shape(a))
    return real + 1j * numbers.normal(size=np.shape(a)) if np.iscomplexobj(a) else real
