"""What do directions cost? A derivative along one, a Hessian's product with one, and a whole Hessian.

The first stands beside the program's value, the second beside the gradient written by hand, the third beside
central differences of that gradient. Each is held to the hand-written gradient before it is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from benchmarks.case import Case, WrongGradient
from benchmarks.report import duration, table
from benchmarks.timing import medians

import chainrules as cr
from chainrules.tangents import ZERO

STEP = 1e-6
HESSIANS = 200
"""Up to how many numbers of the parameters a whole Hessian is measured."""


class Directions(NamedTuple):
    """One row: seconds of the value, of the gradient by hand, and of what stands beside them."""

    name: str
    value: float
    gradient: float
    along: float
    product: float
    hessian: float | None = None
    differences: float | None = None


def measured(case: Case, rounds: int) -> Directions:
    """One program's row; WrongGradient where a derivative is not that of the hand-written gradient."""
    draw = np.random.default_rng(11)
    v = tuple(draw.normal(size=np.shape(p)) for p in case.parameters)
    x = (*case.parameters, *case.data)
    still = (*v, *[ZERO] * len(case.data))
    contestants: dict[str, Callable[[], Any]] = {
        "value": lambda: case.program(*x),
        "gradient": case.hand_written,
        "along": lambda: cr.jvp(case.program, x, still),
        "product": lambda: cr.hvp(case.program, x, v, argnums=case.argnums),
    }
    _checked(case, v, contestants["along"]()[1], contestants["product"]())
    if len(case.parameters) == 1 and case.parameters[0].size <= HESSIANS:
        hessian = cr.hessian(case.program)
        contestants["hessian"] = lambda: hessian(*x)
        contestants["differences"] = lambda: _differences(case)
        _near(case, "Hessian", contestants["hessian"](), contestants["differences"]())
    return Directions(case.name, **medians(contestants, rounds))


def _checked(case: Case, v: tuple[Any, ...], along: Any, products: tuple[Any, ...]) -> None:
    _, gradients = case.hand_written()
    _near(case, "derivative along a direction", along, sum(map(np.vdot, gradients, v)))
    ahead, behind = (
        case.by_hand(*[p + h * w for p, w in zip(case.parameters, v, strict=True)], *case.data)[1]
        for h in (STEP, -STEP)
    )
    for mine, a, b in zip(products, ahead, behind, strict=True):
        _near(case, "product with the Hessian", mine, (a - b) / (2.0 * STEP))


def _near(case: Case, name: str, mine: Any, wanted: Any) -> None:
    scale = float(np.max(np.abs(wanted), initial=1e-3))
    if not np.allclose(mine, wanted, rtol=1e-4, atol=1e-4 * scale):
        raise WrongGradient(f"the {name} of {case.name} is {mine!r}, by differences {wanted!r}")


def _differences(case: Case) -> Any:
    """The Hessian by central differences of the hand-written gradient, an entry at a time."""
    (x,) = case.parameters
    columns = np.empty((x.size, x.size))
    for k in range(x.size):
        step = np.zeros(x.shape)
        step.flat[k] = STEP
        (ahead,), (behind,) = case.by_hand(x + step, *case.data)[1], case.by_hand(x - step, *case.data)[1]
        columns[:, k] = np.reshape((ahead - behind) / (2.0 * STEP), -1)
    return columns.reshape(x.shape + x.shape)


def markdown(rows: list[Directions]) -> str:
    """The rows as a table of ratios."""
    body = []
    for r in rows:
        whole = "–"
        if r.hessian is not None and r.differences is not None:
            whole = f"{r.hessian / r.differences:.2f}×"
        ratios = f"{r.along / r.value:.2f}×", f"{r.product / r.gradient:.2f}×", whole
        body.append([r.name, duration(r.value), duration(r.gradient), *ratios])
    heads = ["", "value", "gradient by hand", "`jvp` over value", "`hvp` over gradient"]
    return table([*heads, "`hessian` over differences of the gradient"], body)
