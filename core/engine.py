"""The engine protocol: what a rule may ask of whoever called it, and the slot of the default engine.

An engine is anything with the two functions below; every operator is written over them. A rule
that differentiates a function it was given (`map`, a quadrature, a root) names a keyword-only
parameter `engine` and receives the caller; to have the function's own cotangent too it hands
`call` over with the function as its first argument. The face of the package fills the default
slot. Operators and checks take an engine or the name of one: `name_engine` registers a name, and
`engine_or_default` is the one place where names are resolved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from .errors import ChainRulesError, UnsupportedArgument
from .recording import is_recording, recorder, recording_engine


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
    """`f(*args, **kwargs)`, so that f is an argument with a cotangent of its own.

    An engine that records values does the call by f's rule. It cannot see a plain call of a function that is
    written in C, or in Python: write `call(f, x)` there.

    Example: >>> call(pow, 2.0, 3.0)
             8.0
    """
    hook = recorder((args, kwargs)) if is_recording() else None
    return f(*args, **kwargs) if hook is None else hook(f, args, kwargs)


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


_named: dict[str, Engine] = {}


def name_engine(name: str, engine: Engine) -> None:
    """Let operators and checks take this engine by a name, as in `engine="tape"`."""
    _named[name] = engine


def engine_or_default(engine: Engine | str | None) -> Engine:
    """The engine given, by itself or by name; else the one that is recording, else the default one.

    Raises:  UnsupportedArgument for a name that no engine has.
    Example: >>> engine_or_default(None) is default_engine()
             True
    """
    if engine is None:
        return recording_engine() or default_engine()
    if not isinstance(engine, str):
        return engine
    if engine not in _named:
        raise UnsupportedArgument(
            "the operators",
            "engine",
            engine,
            supported=sorted(_named),
            why="no engine has this name",
            next="give one of these names, or an object with value_and_pullback and value_and_pushforward",
        )
    return _named[engine]
