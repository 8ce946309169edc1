"""A table of programs, each with points at which both modes are checked against differences."""

from collections.abc import Callable
from typing import Any

import pytest

from chainrules.testing import check_grads

Program = Callable[..., Any]


class Table:
    """Collects programs with `@table(x, y, …)`; a further decoration adds a further point."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def __call__(self, *x: Any) -> Callable[[Program], Program]:
        def add(f: Program) -> Program:
            name = f"{getattr(f, '__name__', 'program')}-{len(self.rows)}"
            self.rows.append(pytest.param(f, x, id=name))
            return f

        return add


def check(f: Program, x: tuple[Any, ...]) -> None:
    """Value, both modes, linearity and repeated calls, first order."""
    check_grads(f, *x, order=1)
