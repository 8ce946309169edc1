"""How operators and rules call an engine: with which arguments vary, in one run, where it can do that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tangents import is_zero, project_to
from .apply import as_tangent
from .engine import Engine, call, engine_or_default
from .errors import ShapeMismatch
from .holdings import for_all
from .recording import by_rule


def reverse_of(
    f: Callable[..., Any],
    x: tuple[Any, ...],
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    engine: Engine | str | None,
) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Value and pullback of f at x, where the arguments that `needs` names vary."""
    chosen = engine_or_default(engine)
    reverse = getattr(chosen, "reverse", None)
    if reverse is None:
        return chosen.value_and_pullback(f, *x, **kwargs)
    return reverse(f, x, kwargs, needs)  # type: ignore[no-any-return]  # an engine's own extension


@for_all
def applied(f: Callable[..., Any], *x: Any) -> Any:
    """`f(*x)`, by which a rule asks for the derivative by all that f holds."""
    return call(f, *x)


@by_rule
def in_space_of(x: Any, dx: Any) -> Any:
    """A tangent from outside in the space of x."""
    return project_to(x)(as_tangent(dx))


def forward_of(
    f: Callable[..., Any],
    x: tuple[Any, ...],
    dx: tuple[Any, ...],
    kwargs: dict[str, Any],
    engine: Engine | str | None,
) -> tuple[Any, Any]:
    """Value and tangent of f at x along dx, in one run where the engine can."""
    if len(x) != len(dx):
        raise ShapeMismatch(
            f"{len(x)} primals and {len(dx)} tangents", next="give one tangent for each primal"
        )
    given = tuple(t if is_zero(t) else in_space_of(p, t) for p, t in zip(x, dx, strict=True))
    chosen = engine_or_default(engine)
    fused = getattr(chosen, "jvp", None)
    if fused is None:
        y, pushforward = chosen.value_and_pushforward(f, *x, **kwargs)
        return y, pushforward(*given)
    return fused(f, x, given, kwargs)  # type: ignore[no-any-return]  # an engine's own extension
