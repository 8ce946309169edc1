"""`inverse_rule`: the derivatives of a function's inverse in any one of its arguments.

Where y solves F(…, y, …) = p, implicit differentiation gives ẏ = (ṗ − Σ F_θ θ̇) / F_y, in which the partials
are those of the rule of F. SciPy gives p the place of the argument that is solved for. Where y is 0, the end
of a range, and F does not move there, y does not move either, whether or not F_y is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import scalar_rule
from ....core.errors import RegistrationError
from ....core.registry import rules_of
from ....tangents import NotImplementedTangent
from ...quiet import divide
from ...taking import positional, taking


def partials_of(f: Any) -> tuple[Any, ...]:
    """The partials that the rule of f was made of, functions of its value and its arguments."""
    rules = rules_of(f)
    methods = () if rules is None else rules.methods["forward"]
    for method in methods:
        if (scalar := getattr(method.rule, "scalar", None)) is not None:
            parts: tuple[Any, ...] = scalar.parts
            return parts
    raise RegistrationError(f"{f!r} has no scalar rule", next="register scalar_rule of it first")


def inverse_rule(g: np.ufunc, f: Callable[..., Any], at: int) -> None:
    """Register the rules of g, which solves f(…, y, …) = p for y at position `at`, where g takes p.

    Raises:  RegistrationError where f has no scalar rule.
    Example: >>> from scipy import special
             >>> inverse_rule(special.gammaincinv, special.gammainc, 1)     # doctest: +SKIP
    """
    parts = partials_of(f)
    scalar_rule(g, *(_inverse_partial(parts, at, i) for i in range(len(parts))), strong_zero=True)


def _inverse_partial(parts: tuple[Any, ...], at: int, i: int) -> Callable[..., Any] | Any:
    part, slope = parts[i], parts[at]
    if isinstance(part, NotImplementedTangent):
        return part
    if isinstance(slope, NotImplementedTangent):
        return slope

    def by_value(y: Any, *x: Any) -> Any:
        return divide(1.0, _at(slope, y, x, at))

    def by_parameter(y: Any, *x: Any) -> Any:
        moved, steep = _at(part, y, x, at), _at(slope, y, x, at)
        if np.any(still := np.equal(y, 0.0) & np.equal(moved, 0.0)):
            steep = np.where(still, 1.0, steep)
        return -divide(moved, steep)

    chosen: Any = by_value if i == at else by_parameter
    return taking(chosen, positional("y", *(f"x{j}" for j in range(len(parts)))))


def _at(part: Any, y: Any, x: tuple[Any, ...], at: int) -> Any:
    """A partial of f where its argument `at` is y and its value what stands there."""
    return part(x[at], *x[:at], y, *x[at + 1 :]) if callable(part) else part
