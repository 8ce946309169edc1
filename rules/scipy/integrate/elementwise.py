"""tanhsinh: many integrals at once, entry by entry, by limits, arguments and what the integrand captured.

    y = ∫ f(a + (b − a) u, θ) (b − a) du over 0 ≤ u ≤ 1

One integral of an array of `integral`, whose limits stand still; a limit that is infinite does not move. All
entries have their infinite limits on the same sides; else refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..optimize.solving import refuse_unconverged
from ..results import with_entries
from .integral import integral

SIDES = {(True, True): (0.0, 1.0), (True, False): (0.0, np.inf), (False, True): (-np.inf, 0.0)}
FINEST = 1e-9


class Stretched:
    """An integrand between limits that move, as one between limits that stand still."""

    def __init__(self, f: Any, finite: Any) -> None:
        self.f, self.finite = f, finite

    def __call__(self, u: Any, a: Any, b: Any, *args: Any) -> Any:
        below, above = self.finite
        if below and above:
            return self.f(a + (b - a) * u, *args) * (b - a)
        return self.f(a + u if below else b + u if above else u, *args)


def sides_of(a: Any, b: Any) -> Any:
    """Whether all the limits are finite, below and above; and the limits that stand still."""
    below, above = np.isfinite(a), np.isfinite(b)
    mixed = np.all(below) != np.any(below) or np.all(above) != np.any(above)
    if mixed or np.any(a == np.inf) or np.any(b == -np.inf):
        raise UnsupportedArgument(
            integrate.tanhsinh, "a", a, why="its entries differ in which limits are infinite",
            next="integrate those with infinite limits on their own, from the lower limit to the higher",
        )  # fmt: skip
    finite = bool(np.all(below)), bool(np.all(above))
    return finite, SIDES.get(finite, (-np.inf, np.inf))


def settings_of(log: Any, success: Any, atol: Any, rtol: Any) -> dict[str, Any]:
    """The settings of the integrals for derivatives."""
    if log:
        raise UnsupportedArgument(integrate.tanhsinh, "log", log, next="take the logarithm of the integral")
    refuse_unconverged(integrate.tanhsinh, success, "some integrals are not within the tolerance")
    return {"epsabs": max(atol or 0.0, 1e-200), "epsrel": max(rtol or 0.0, FINEST), "limit": 200}


@written_out(integrate.tanhsinh)
def tanhsinh(
    f: Callable, a: object, b: object, args: object = (), *, log=False, maxlevel=None, minlevel=2, atol=None,
    rtol=None, preserve_shape=False, callback=None,
):  # fmt: skip
    """y = ∫ₐᵇ f(x, θ) dx, entry by entry"""
    given: Any = args if isinstance(args, tuple) else (args,)
    result = own(integrate.tanhsinh, f, a, b, args=given, log=log, maxlevel=maxlevel, minlevel=minlevel,
                 atol=atol, rtol=rtol, preserve_shape=preserve_shape, callback=callback)  # fmt: skip
    settings = own(settings_of, log, result.success, atol, rtol)
    low, high = np.asarray(a) * 1.0, np.asarray(b) * 1.0
    finite, (start, end) = own(sides_of, low, high)
    y = integral(
        Stretched(f, finite), start, end, low, high, *given, found=result.integral, settings=settings
    )
    return with_entries(result, ("integral",), y)


non_differentiable(sides_of, settings_of, why="settings and checks")
