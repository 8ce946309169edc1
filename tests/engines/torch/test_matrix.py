"""Every row of the matrix in PyTorch."""

from typing import Any

import numpy as np
import pytest
import torch
from tests.engines.matrix import ROWS, Row, modes_of
from tests.engines.sameness import Setting, close, inner, moving

import chainrules as cr

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning"
)


def tensors(values: Any) -> list[Any]:
    return [torch.as_tensor(np.asarray(v)) for v in values]


def moves(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


LIMITS = {
    (
        name,
        "compile",
    ): "an argument is a function"  # which breaks the graph: torch.compile has no way to keep it
    for name in ("apply-along-axis", "reduce", "piecewise")
}


HERE = "a tensor stands here"


def _places(args: Any) -> Any:
    """The arguments of a row, marked where something moves."""
    return [
        _places(v) if isinstance(v, tuple | list) and any(map(moving, v)) else HERE if moving(v) else v
        for v in args
    ]


def _with_leaves(args: Any, x: list[Any]) -> Any:
    """Arguments with tensors for what moves, in Python that a tracer follows."""
    given = []
    for value in args:
        if type(value) is list:
            given.append(_with_leaves(value, x))
        elif type(value) is str and value == HERE:
            given.append(x.pop(0))
        else:
            given.append(value)
    return given


class Rows:
    def __init__(self, row: Row) -> None:
        self.s = Setting(row)
        self.f = self.s.of(cr.to_torch(row.f), moves)
        self.x, self.dx, self.y_bar = map(tensors, (self.s.x, self.s.dx, self.s.y_bar))

    def tuple_of(self, *x: Any) -> Any:
        return tuple(self.f(*x))

    def pull(self, *x: Any) -> Any:
        return torch.func.vjp(self.tuple_of, *x)[1](tuple(self.y_bar))

    def reverse(self) -> None:
        x = [t.clone().requires_grad_() for t in self.x]
        found = torch.autograd.grad(self.f(*x), x, self.y_bar)
        self.s.check_reverse(found)
        for one, other in zip(found, self.pull(*self.x), strict=True):
            close(one, other)

    def forward(self) -> None:
        self.s.check_forward(torch.func.jvp(self.tuple_of, tuple(self.x), tuple(self.dx))[1])

    def second(self) -> None:
        slope = self.s.slope(lambda *x: [np.asarray(t) for t in self.pull(*tensors(x))])
        for got, wanted in zip(
            torch.func.jvp(self.pull, tuple(self.x), tuple(self.dx))[1], slope, strict=True
        ):
            close(got, wanted)
        x = [t.clone().requires_grad_() for t in self.x]
        first = torch.autograd.grad(self.f(*x), x, self.y_bar, create_graph=True)
        kept = [(t, w) for t, w in zip(first, tensors(self.s.other), strict=True) if t.requires_grad]
        back = (
            torch.autograd.grad([t for t, _ in kept], x, [w for _, w in kept], allow_unused=True)
            if kept
            else ()
        )
        total = sum(inner([t], [d]) for t, d in zip(back, self.s.dx, strict=bool(kept)) if t is not None)
        close(total, inner(slope, self.s.other))

    def compile(self) -> None:
        torch._dynamo.reset()
        f, args, kwargs = cr.to_torch(self.s.row.f), _places(self.s.row.args), dict(self.s.row.kwargs)

        def tuple_of(*x: Any) -> Any:
            y = f(*_with_leaves(args, list(x)), **kwargs)
            return tuple([t for t in (y if isinstance(y, tuple) else (y,)) if moves(t)])

        whole = torch.compile(tuple_of, fullgraph=True, backend="aot_eager")
        x = [t.clone().requires_grad_() for t in self.x]
        y = whole(*x)
        for one, other in zip(y, self.f(*self.x), strict=True):
            close(one.detach(), other)
        self.s.check_reverse(torch.autograd.grad(y, x, self.y_bar))

    def vmap(self) -> None:
        points = [[a * (1 + 0.01 * k) for a in self.x] for k in range(3)]
        together = [torch.stack(parts) for parts in zip(*points, strict=True)]
        for f in (self.tuple_of, self.pull):
            one_by_one = [f(*x) for x in points]
            for got, wanted in zip(torch.vmap(f)(*together), zip(*one_by_one, strict=True), strict=True):
                close(got, torch.stack(wanted))


@pytest.mark.parametrize("mode", modes_of("torch"))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row(row: Row, mode: str) -> None:
    if (row.name, mode) in LIMITS:
        with pytest.raises(torch._dynamo.exc.Unsupported, match=LIMITS[row.name, mode]):
            getattr(Rows(row), mode)()
        return
    getattr(Rows(row), mode)()
