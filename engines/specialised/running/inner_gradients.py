"""Inner gradients: how a gradient moves that a function asks for while it is differentiated.

    g = ∂f/∂x (x, θ)        ġ = (∂²f/∂x² ẋ + ∂²f/∂x∂θ θ̇)        (x̄, θ̄) = ∂/∂ε ∇f (x + ε ḡ, θ)

Second derivatives are symmetric, so that both are products of the Hessian with a vector: along the tangents
of all that moves, and along the cotangent of g.
"""

from __future__ import annotations

import warnings
from typing import Any

from ....core import frule, rrule
from ....tangents import ZERO, is_zero, unthunk
from ...hessians import hvp
from ...operators import derivative, grad
from ..reading.inner import gradient_at
from ..reading.lifting import Lifted, lifted
from ..reading.taken import is_floating


class Inner:
    """A function with what it captured behind its arguments, and those of all these that may move."""

    def __init__(self, operator: Any, f: Any, i: int, x: tuple[Any, ...]) -> None:
        made = lifted(f, len(x))
        if made is None or not is_floating(x[i]):
            raise ValueError("a gradient inside that is left to the ordinary program")
        self.made: Lifted = made
        self.forward = operator.__name__ == "derivative"  # whose value may be of another type
        self.i, self.count, self.all = i, len(x), (*x, *made.held)

    def gradient(self) -> Any:
        """Its gradient by the one argument."""
        made = derivative(self.made.f) if self.forward else grad(self.made.f, self.i)
        return made(*self.all)

    def products(self, places: tuple[int, ...], tangents: list[Any]) -> tuple[Any, ...]:
        """The Hessian by what stands at these places, times a vector."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            along = tuple([_like(tangents[j], self.all[j]) for j in places])
            found: tuple[Any, ...] = hvp(self.made.f, self.all, along, argnums=places)
        return found


def _like(t: Any, x: Any) -> Any:
    """A tangent as an array or number like x."""
    t = unthunk(t)
    return x * 0.0 if is_zero(t) else t + x * 0.0


def _rule_for(needs: tuple[bool, ...], types: tuple[Any, ...]) -> Any:
    """The rule for what needs a cotangent; all of it where that is not said."""

    def gradient_at_rrule(operator: object, f: object, i: int, *x: object) -> Any:
        """(x̄, f̄) = ∂/∂ε ∇f (xᵢ + ε ȳ)"""
        return _pulled(Inner(operator, f, i, x), needs or (True,) * (3 + len(x)))

    gradient_at_rrule.for_call = _rule_for  # type: ignore[attr-defined]
    return gradient_at_rrule


rrule(gradient_at, complete=True)(_rule_for((), ()))


def _pulled(inner: Inner, needs: tuple[bool, ...]) -> Any:
    """The gradient, and its pullback to what needs a cotangent."""
    i, wanted = inner.i, (*needs[3:], *[needs[1]] * len(inner.made.held))
    places = tuple([j for j, v in enumerate(inner.all) if j == i or (wanted[j] and is_floating(v))])

    def gradient_at_pullback(y_bar: Any) -> Any:
        along = [y_bar if j == i else ZERO for j in range(len(inner.all))]
        found = dict(zip(places, inner.products(places, along), strict=True))
        every = [found.get(j, ZERO) for j in range(len(inner.all))]
        return ZERO, inner.made.cotangent(every[inner.count :]), ZERO, *every[: inner.count]

    return inner.gradient(), gradient_at_pullback


@frule(gradient_at, complete=True)
def gradient_at_frule(tangents: Any, operator: object, f: object, i: int, *x: object) -> Any:
    """ẏ = ∂/∂ε ∂f/∂xᵢ (x + ε ẋ)"""
    inner = Inner(operator, f, i, x)
    moved: list[Any] = [*tangents[3:], *[ZERO] * len(inner.made.held)]
    held = moved[inner.count :]
    inner.made.tangents(tangents[1], held)
    moved[inner.count :] = held
    places = tuple(
        [j for j, v in enumerate(inner.all) if j == i or (is_floating(v) and not is_zero(moved[j]))]
    )
    return inner.gradient(), inner.products(places, moved)[places.index(i)]
