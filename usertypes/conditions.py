"""Types whose values are differentiable only under a condition: `register_type(np.ndarray, where=...)`.

Without a condition, integers are differentiable, with float tangents. `register_type` narrows a type down:
what the condition refuses is no argument of a gradient any more, and is refused by name, before any work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.caches import invalidate
from ..core.callables import describe, name_of
from ..core.errors import NotDifferentiableError
from ..tangents import NO_TANGENT, zero_tangent
from .roles import DifferentiablePtr

Condition = Callable[[Any], bool]


class Registration:
    """A condition that holds until it is removed, or to the end of a `with` block."""

    def __init__(self, P: type, where: Condition) -> None:
        self.P, self.where = P, where
        _conditions.append(self)
        invalidate()  # specialised programs too, which ask of no value whether a condition holds

    def remove(self) -> None:
        """Let the condition hold no longer."""
        if self in _conditions:
            _conditions.remove(self)

    def __enter__(self) -> Registration:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


_conditions: list[Registration] = []


def register_type(P: type, *, where: Condition) -> Registration:
    """Let values of P be differentiated only where a condition holds.

    Shapes:  the result can be removed again, by `remove()` or as a `with` block.
    Example: >>> with register_type(np.ndarray, where=lambda x: x.dtype.kind in "fc"):
             ...     is_differentiable(np.arange(3)), is_differentiable(np.ones(3))
             (False, True)
    """
    if not isinstance(P, type) or not callable(where):
        raise TypeError(f"register_type takes a class and a condition, not {P!r} and {where!r}")
    return Registration(P, where)


def is_differentiable(x: Any) -> bool:
    """Whether a value can be perturbed.

    Example: >>> is_differentiable(np.zeros(4)), is_differentiable(np.zeros(4, bool)), is_differentiable("a")
             (True, False, False)
    """
    if isinstance(x, DifferentiablePtr):
        return True
    return zero_tangent(x) is not NO_TANGENT and refused(x) is None


def any_holds() -> bool:
    """Whether there is a condition for values of some type."""
    return bool(_conditions)


def refused(x: Any) -> Registration | None:
    """The condition that refuses a value, if one does."""
    return next((c for c in _conditions if isinstance(x, c.P) and not c.where(x)), None)


def refuse(x: Any, f: Callable[..., Any], i: int) -> None:
    """Raise where a condition refuses a value, which is argument i of f.

    Raises:  NotDifferentiableError that names the condition.
    """
    condition = refused(x) if _conditions else None
    if condition is not None:
        named = getattr(condition.where, "__qualname__", repr(condition.where))
        raise NotDifferentiableError(
            f"argument {i} of {name_of(f)} is {describe(x)}, and not one for which {named} holds",
            next="give a value for which it holds, such as x.astype(float), or remove the registration",
        )
