"""`outputs_rule`: both modes of an elementwise function with several outputs, from a table of partials.

One row for each output, in it one partial for each argument, a function `(ys, *x)` of all outputs and the
arguments. A cotangent of the arguments is the sum over the outputs that have one; a zero tangent or
cotangent stays zero where a partial is infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core import Array
from ....core.broadcasting import fit
from ....core.pushing import strong_multiply
from ....core.registry import Mode, register
from ....core.seeds import ready
from ....tangents import ZERO, Composite, NotImplementedTangent, is_zero


def outputs_rule(f: np.ufunc, *rows: Sequence[Any]) -> None:
    """Register both rules of f; each row has the partials of one output, by every argument.

    Shapes:  f broadcasts as ufuncs do.
    Example: >>> from scipy import special
             >>> outputs_rule(special.sici, [lambda y, x: np.sinc(x / np.pi)], [lambda y, x: np.cos(x) / x])
             ... # doctest: +SKIP
    """
    count = f.nin

    def outputs_frule(tangents: Any, *x: Any) -> Any:
        ys = f(*x)
        pushed = [_pushed(row, tangents, ys, x, y) for row, y in zip(rows, ys, strict=True)]
        return ys, Composite[tuple](*pushed)

    def outputs_rrule(*x: Any, needs: Any) -> Any:
        ys = f(*x)

        def outputs_pullback(y_bar: Any) -> Any:
            cotangents = [_pulled(rows, i, y_bar, ys, x) if needs[i] else ZERO for i in range(count)]
            return tuple(cotangents) if count > 1 else cotangents[0]

        return ys, outputs_pullback

    rules: tuple[tuple[Any, Mode], ...] = ((outputs_frule, "forward"), (outputs_rrule, "reverse"))
    for rule, mode in rules:
        rule.__name__ = rule.__qualname__ = f"{f.__name__}_{mode[0]}rule"
        register(f, rule, mode, types=(Array,) * count)


def _pushed(row: Any, tangents: Any, ys: Any, x: Any, y: Any) -> Any:
    """The tangent of one output."""
    total: Any = ZERO
    for part, dx in zip(row, tangents, strict=True):
        if is_zero(dx):
            continue
        if isinstance(part, NotImplementedTangent):
            return part
        total = total + strong_multiply(dx, part(ys, *x) if callable(part) else part)
    return total if is_zero(total) else np.broadcast_to(total, np.shape(y))


def _pulled(rows: Any, i: int, y_bar: Any, ys: Any, x: Any) -> Any:
    """The cotangent of argument i."""
    total: Any = ZERO
    for j in range(len(rows)):
        seed, part = ready(y_bar[j]), rows[j][i]
        if is_zero(seed):
            continue
        if isinstance(part, NotImplementedTangent):
            return part
        total = total + strong_multiply(seed, np.conj(part(ys, *x) if callable(part) else part))
    return total if is_zero(total) else fit(total, x[i])
