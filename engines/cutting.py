"""Cutting and changing the flow of derivatives: `stop_gradient` and `with_gradient`.

Both return what they are given. The first lets no derivative through, in either mode, and ends
activity for an engine that analyses programs. The second hands the cotangent that passes to a
function and passes on what that returns. Forward mode has no cotangents: there the tangent passes
through the transposed of the function, which exists where the function is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.decorators import frule, non_differentiable, rrule
from ..core.errors import NotDifferentiableError
from ..core.recording import by_rule
from ..tangents import NO_TANGENT, inner, materialize


@by_rule
def stop_gradient(x: Any) -> Any:
    """x itself, as a constant: no derivative passes.

    It also says that a derivative of zero is meant: no `ZeroDerivativeWarning` follows.

    Shapes:  any value, of any structure.
    Example: >>> import chainrules as cr
             >>> cr.grad(lambda x: x * cr.stop_gradient(x))(3.0)
             3.0
    """
    return x


@by_rule
def with_gradient(x: Any, fn: Callable[[Any], Any]) -> Any:
    """x itself; the cotangent that passes back through here becomes `fn` of it.

    fn may look at it, clip it, scale it or raise; it runs once for each cotangent that is not
    zero. What it captured counts as constant.

    Shapes:  fn gets a cotangent like x, zeros filled in, and returns one.
    Raises:  NotDifferentiableError in forward mode, where fn is not linear.
    Example: >>> import chainrules as cr
             >>> cr.grad(lambda x: cr.with_gradient(x, lambda t: 10 * t) ** 2)(3.0)
             60.0
    """
    return x


non_differentiable(stop_gradient, why="lets no derivative through")


@frule(with_gradient)
def with_gradient_frule(tangents: Any, x: object, fn: object, *, engine: Any) -> Any:
    """y = x        ẏ = fnᵀ(ẋ), where fn is linear"""
    dx = materialize(tangents[0], like=x)
    image, transposed = engine.value_and_pullback(fn, dx)
    (dy,) = transposed(dx)
    refuse_nonlinear(image, dy, dx)
    return x, dy


@rrule(with_gradient)
def with_gradient_rrule(x: object, fn: Any) -> Any:
    """y = x        x̄ = fn(ȳ)"""

    def with_gradient_pullback(y_bar: Any) -> Any:
        return fn(materialize(y_bar, like=x)), NO_TANGENT

    return x, with_gradient_pullback


def refuse_nonlinear(image: Any, dy: Any, dx: Any) -> None:
    """A linear map has ⟨ẋ, fn ẋ⟩ = ⟨fnᵀ ẋ, ẋ⟩; raise where that does not hold."""
    if not np.allclose(inner(dx, image), inner(dy, dx), rtol=1e-5, atol=0.0, equal_nan=True):
        raise NotDifferentiableError(
            "with_gradient in forward mode: its function is not linear, so nothing is known of tangents",
            closest="in reverse mode it changes the cotangent that passes",
            next="differentiate in reverse, as with grad, or give with_gradient a linear function",
        )


non_differentiable(refuse_nonlinear, why="checks")
