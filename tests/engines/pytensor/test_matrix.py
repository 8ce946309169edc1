"""Every row of the matrix in PyTensor, compiled; it differentiates no complex numbers."""

from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.graph.basic import Variable
from pytensor.graph.replace import vectorize_graph
from tests.engines.matrix import ROWS, Row, modes_of
from tests.engines.pytensor.names import pullback, pushforward
from tests.engines.sameness import Setting, close, inner

import chainrules as cr


def moves(value: Any) -> bool:
    return isinstance(value, Variable) and str(value.dtype).startswith(("float", "complex"))


class Rows:
    def __init__(self, row: Row) -> None:
        self.s = Setting(row)
        self.x = [pt.tensor(dtype=np.asarray(a).dtype, shape=np.shape(a)) for a in self.s.x]
        self.y = self.s.of(cr.to_pytensor(row.f), moves)(*self.x)

    def run(self, outputs: Any) -> Any:
        compiled = pytensor.function(self.x, outputs, mode="FAST_COMPILE", on_unused_input="ignore")
        return compiled(*map(np.asarray, self.s.x))

    @property
    def pulled(self) -> Any:
        seeds = list(map(pt.as_tensor_variable, self.s.y_bar))
        return pullback(self.y, self.x, seeds, disconnected_inputs="ignore", return_disconnected="zero")

    def reverse(self) -> None:
        found = self.run(self.pulled)
        self.s.check_reverse(found)
        for got, wanted in zip(self.run(self.y), self.s.host(*self.s.x), strict=True):
            close(got, wanted)

    def forward(self) -> None:
        dx = list(map(pt.as_tensor_variable, self.s.dx))
        self.s.check_forward(self.run(pushforward(self.y, self.x, dx, use_op_pushforward=True)))

    def second(self) -> None:
        outer = pytensor.function(self.x, self.pulled, mode="FAST_COMPILE", on_unused_input="ignore")
        slope = self.s.slope(lambda *x: list(outer(*map(np.asarray, x))))
        weighted = sum((t * w).sum() for t, w in zip(self.pulled, self.s.other, strict=True))
        found = self.run(
            pytensor.grad(weighted, self.x, disconnected_inputs="ignore", return_disconnected="zero")
        )
        close(inner(found, self.s.dx), inner(slope, self.s.other))

    def compile(self) -> None:
        """Value and cotangents in one graph, with every rewriting: the function runs once for both."""
        compiled = pytensor.function(
            self.x, [*self.y, *self.pulled], mode=REWRITTEN, on_unused_input="ignore"
        )
        found = compiled(*map(np.asarray, self.s.x))
        for got, wanted in zip(found[: len(self.y)], self.s.host(*self.s.x), strict=True):
            close(got, wanted)
        self.s.check_reverse(found[len(self.y) :])

    def vmap(self) -> None:
        """A graph over a batch, from that of one point."""
        together = [pt.tensor(dtype=x.dtype, shape=(3, *x.type.shape)) for x in self.x]
        outputs = [pt.as_tensor_variable(y) for y in (*self.y, *self.pulled)]
        graph = vectorize_graph(outputs, dict(zip(self.x, together, strict=True)))
        points = [[np.asarray(a) * (1 + 0.01 * k) for a in self.s.x] for k in range(3)]
        one, many = (
            pytensor.function(x, y, mode="FAST_COMPILE", on_unused_input="ignore")
            for x, y in ((self.x, outputs), (together, graph))
        )
        found = many(*map(np.stack, zip(*points, strict=True)))
        for got, wanted in zip(found, zip(*(one(*x) for x in points), strict=True), strict=True):
            close(np.broadcast_to(got, np.shape(wanted)), np.stack(wanted))


REWRITTEN = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")


@pytest.mark.parametrize("mode", modes_of("pytensor"))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row(row: Row, mode: str) -> None:
    if any(np.iscomplexobj(a) for a in (*Setting(row).x, *Setting(row).y_bar)):
        with pytest.raises(TypeError, match=r"not differentiated in PyTensor|Gradients must always be"):
            getattr(Rows(row), mode)()
        return
    getattr(Rows(row), mode)()
