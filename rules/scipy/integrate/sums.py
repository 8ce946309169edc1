"""nsum: long sums and series by limits, step, arguments and what the term captured.

    y = Σ f(a + i s, θ), i = 0, 1, …        from n on: ∫ f(a + i s) di + (f(a + n s) − f(a + (n − 1) s)) / 24

The integral runs from n − ½ on: the midpoint rule read backwards, whose next term is of the third
derivative [DLMF 2.10]. A finite sum is taken term by term. The number of terms stays: b moves nothing, and a
moves all of the points. Refused: sums to −∞, finite sums that SciPy itself extrapolates, entries of which
only some are infinite, logarithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import as_found, own, written_out
from ..optimize.solving import refuse_unconverged
from ..results import with_entries
from .integral import integral

TERMS = 1024
"""So many terms of a series are added one by one."""

START = TERMS - 0.5

NEAR = 1e-7
"""Our sum and SciPy's agree so far, beside what SciPy says of its error."""


class Terms:
    """The terms of the rest of a series, as a function of how far they are beyond its start u = 0."""

    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, u: Any, a: Any, step: Any, *args: Any) -> Any:
        return self.f(a + START * (1.0 + u) * step, *args) * START


def counted(f: Any, a: Any, b: Any, step: Any, given: Any, maxterms: Any) -> Any:
    """How far each term counts, the numbers of the terms, and whether the sum goes on for ever."""
    shape = np.shape(np.asarray(f(np.asarray(a, float), *given)))
    shape = np.broadcast_shapes(shape, np.shape(a), np.shape(b), np.shape(step))
    counts = np.floor((np.broadcast_to(b, shape) - np.asarray(a)) / np.asarray(step)) + 1
    endless = np.isposinf(counts)
    if not np.all(np.isfinite(a)) or np.any(endless) != np.all(endless):
        raise UnsupportedArgument(
            integrate.nsum, "a", a, why="a sum to −∞, or entries of which only some are infinite",
            next="add the series to the right and the one to the left, each with entries of one kind",
        )  # fmt: skip
    if np.any(endless):
        return np.ones((TERMS, *shape)), np.arange(float(TERMS)).reshape(-1, *([1] * len(shape))), True
    most = int(np.max(counts, initial=0))
    if most > maxterms:
        raise UnsupportedArgument(
            integrate.nsum, "maxterms", maxterms, why=f"the sum of {most} terms would be extrapolated",
            next=f"give maxterms={most}",
        )  # fmt: skip
    i = np.arange(float(max(most, 1))).reshape(-1, *([1] * len(shape)))
    return (i < counts).astype(float), np.minimum(i, np.maximum(counts - 1, 0)), False


def settings_of(log: Any, success: Any, tolerances: Any) -> dict[str, Any]:
    """The settings of the integral for the rest of a series."""
    if log:
        raise UnsupportedArgument(integrate.nsum, "log", log, next="take the logarithm of the sum")
    refuse_unconverged(integrate.nsum, success, "some sums are not within the tolerance")
    return {"epsabs": 1e-14, "epsrel": 1e-8, "limit": 1000}


def refuse_other(f: Any, found: Any, total: Any) -> None:
    """Raise where the sum that is differentiated is not the one that SciPy found."""
    if not np.all(np.abs(total - found.sum) <= 10 * found.error + NEAR * np.abs(found.sum)):
        raise NotDifferentiableError(
            "the rest of a series has no derivative that can be told: its integral and nsum's sum differ by "
            f"{np.max(np.abs(total - found.sum)):.3g}",
            next="give terms that run smoothly and fall off between whole numbers, or a finite b",
        )


non_differentiable(counted, settings_of, refuse_other, why="numbers, settings and checks")


@written_out(integrate.nsum)
def nsum(
    f: Callable, a: object, b: object, step: object = 1, args: object = (),
    *, log=False, maxterms=1048576, tolerances=None,
):  # fmt: skip
    """y = Σ f(a + i s, θ)        ẏ = Σ (f_θ θ̇ + f_x (ȧ + i ṡ))"""
    given: Any = args if isinstance(args, tuple) else (args,)
    result = own(integrate.nsum, f, a, b, step=step, args=given, log=log, maxterms=maxterms,
                 tolerances=tolerances)  # fmt: skip
    settings = settings_of(log, result.success, tolerances)
    low, apart = np.asarray(a) * 1.0, np.asarray(step) * 1.0
    weights, i, is_endless = counted(f, a, b, step, given, maxterms)
    total = np.sum(weights * f(low + i * apart, *given), axis=0)
    if is_endless:
        rest = integral(Terms(f), 0.0, np.inf, low, apart, *given, settings=settings)
        turn = f(low + TERMS * apart, *given) - f(low + (TERMS - 1.0) * apart, *given)
        total = total + rest + turn / 24.0
    refuse_other(f, result, total)
    return with_entries(result, ("sum",), as_found(result.sum, total))
