"""The engine protocol: what a rule may ask of whoever called it, and the slot of the default engine.

An engine is anything with the two functions below; every operator is written over them. A rule
that differentiates a function it was given (`map`, a quadrature, a root) names a keyword-only
parameter `engine` and receives the caller; to have the function's own cotangent too it hands
`call` over with the function as its first argument. The face of the package fills the default
slot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from .errors import ChainRulesError


@runtime_checkable
class Engine(Protocol):
    """What an engine must be able to do."""

    def value_and_pullback(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """f's value and its pullback: one cotangent for each positional argument."""
        ...

    def value_and_pushforward(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[..., Any]]:
        """f's value and its pushforward, which takes one tangent for each positional argument."""
        ...


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, so that f is an argument with a cotangent of its own."""
    return f(*args, **kwargs)


_default: Engine | None = None


def set_default_engine(engine: Engine) -> None:
    """Fill the slot that rules and checks fall back on."""
    global _default
    _default = engine


def default_engine() -> Engine:
    """The engine used where no caller is known."""
    if _default is None:
        raise ChainRulesError(
            "no default engine is set",
            next="import chainrules, which sets its own, or pass engine=",
        )
    return _default


def engine_or_default(engine: Engine | None) -> Engine:
    """The engine given, else the default one."""
    return default_engine() if engine is None else engine
