"""Every row of the matrix in our own engines, which neither compile nor map over batches.

A row's function has a rule, so each engine is given a program around it, and its derivative again.
"""

from typing import Any

import pytest
from tests.engines.matrix import ROWS, Row, modes_of
from tests.engines.sameness import Setting, close, inner, moving

from chainrules.core.engine import engine_or_default
from chainrules.engines.adapters.array_functions import ArrayFunction
from chainrules.engines.leaves import Layout


class Rows:
    def __init__(self, row: Row, engine: str) -> None:
        self.s = Setting(row)
        f, kwargs = row.f, dict(row.kwargs)

        def program(*args: Any) -> Any:
            return f(*args, **kwargs)

        self.out, _ = Layout.of(row.f(*row.args, **row.kwargs), moving)
        self.f = ArrayFunction(program, self.s.layout, {}, engine_or_default(engine), self.out)
        self.needs = (True,) * len(self.s.x)

    def reverse(self) -> None:
        self.s.check_reverse(self.f.reverse(self.s.x, self.needs)[2](self.s.y_bar))

    def forward(self) -> None:
        self.s.check_forward(self.f.forward(self.s.x, self.s.dx)[2])

    def second(self) -> None:
        pulled = self.f.pulled(self.out, (True,) * len(self.s.y_bar), self.needs)
        slope = self.s.slope(lambda *x: pulled.value([*self.s.y_bar, *x])[1])
        given = [*self.s.y_bar, *self.s.x]
        still = [None] * len(self.s.y_bar)
        for got, wanted in zip(pulled.forward(given, [*still, *self.s.dx])[2], slope, strict=True):
            close(got, wanted)
        needs = (*(False for _ in still), *self.needs)
        found = pulled.reverse(given, needs)[2](self.s.other)[len(still) :]
        close(inner(found, self.s.dx), inner(slope, self.s.other))


@pytest.mark.parametrize(("engine", "mode"), [(e, m) for e in ("source", "tape") for m in modes_of(e)])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row(row: Row, engine: str, mode: str) -> None:
    getattr(Rows(row, engine), mode)()
