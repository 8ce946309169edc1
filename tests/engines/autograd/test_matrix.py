"""Every row of the matrix in HIPS autograd, which neither compiles nor maps over batches."""

from typing import Any

import autograd.numpy as anp
import numpy as np
import pytest
from autograd.builtins import tuple as boxed_tuple
from autograd.core import make_jvp, make_vjp
from autograd.tracer import isbox
from tests.engines.matrix import ROWS, Row, modes_of
from tests.engines.sameness import Setting, close, inner

import chainrules as cr


def moves(value: Any) -> bool:
    while isbox(value):
        value = value._value
    return isinstance(value, float | complex | np.ndarray) and np.asarray(value).dtype.kind in "fc"


class Rows:
    def __init__(self, row: Row) -> None:
        self.s = Setting(row)
        self.f = self.s.of(cr.to_autograd(row.f), moves)

    def value(self, x: Any) -> Any:
        """The value as autograd's tuple, at a tuple."""
        return boxed_tuple(self.f(*[x[i] for i in range(len(self.s.x))]))

    def pull(self, *x: Any) -> Any:
        """The pullback in our convention, by the gradient of an inner product, so that autograd traces it."""

        def product(x: Any) -> Any:
            y = self.value(x)
            return sum(anp.sum(anp.real(anp.conj(t) * y[i])) for i, t in enumerate(self.s.y_bar))

        back, _ = make_vjp(product, tuple(x))
        return [anp.conj(t) for t in back(1.0)]

    def reverse(self) -> None:
        self.s.check_reverse(self.pull(*self.s.x))

    def forward(self) -> None:
        self.s.check_forward(make_jvp(self.value, tuple(self.s.x))(tuple(self.s.dx))[1])

    def second(self) -> None:
        slope = self.s.slope(self.pull)

        def gradient(x: Any) -> Any:
            return boxed_tuple(self.pull(*[x[i] for i in range(len(self.s.x))]))

        def weighted(x: Any) -> Any:
            return sum(
                anp.sum(anp.real(anp.conj(w) * t)) for w, t in zip(self.s.other, gradient(x), strict=True)
            )

        back, _ = make_vjp(weighted, tuple(self.s.x))
        found = back(1.0)
        close(inner([np.conj(t) for t in found], self.s.dx), inner(slope, self.s.other))


@pytest.mark.filterwarnings("ignore:Output seems independent of input")
@pytest.mark.parametrize("mode", modes_of("autograd"))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row(row: Row, mode: str) -> None:
    getattr(Rows(row), mode)()
