"""Where a derivative under test comes from: the rules of a callable, or an engine.

A check asks a source for a value with a pullback, or for a value with a tangent, and knows nothing
else of it; so the same checks hold one rule, a whole program, and any engine that implements the
protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..core import Engine, default_engine, forward, reverse, rules_for
from ..core.callables import name_of, normalise
from ..core.report import RuleSet

Pullback = Callable[..., tuple[Any, ...]]


class Source(Protocol):
    """A derivative under test."""

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """Value and pullback; None where there is no reverse rule."""
        ...

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """Value and its tangent; None where there is no forward rule."""
        ...

    def describe(self, mode: str) -> str:
        """What gives this derivative, for messages."""
        ...


class RuleSource:
    """The registered rules of a callable."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.f, self.kwargs = f, kwargs
        self.rules: RuleSet = rules_for(normalise(f, args, kwargs)[0])

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """The reverse rule, applied."""
        return reverse(self.f, args, self.kwargs, needs=needs)

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """The forward rule, applied."""
        found = forward(self.f, args, tangents, self.kwargs)
        return None if found is None else (found[0], found[1])

    def describe(self, mode: str) -> str:
        """The methods of one mode with file:line."""
        methods = self.rules.reverse if mode == "reverse" else self.rules.forward
        return "; ".join(map(str, methods)) or f"no {mode} rule"

    def __str__(self) -> str:
        return str(self.rules)


class EngineSource:
    """An engine differentiating a program."""

    def __init__(self, f: Callable[..., Any], engine: Engine | None) -> None:
        self.f, self.engine = f, default_engine() if engine is None else engine

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """The engine's pullback."""
        return self.engine.value_and_pullback(self.f, *args)

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """The engine's pushforward along these tangents."""
        y, pushforward = self.engine.value_and_pushforward(self.f, *args)
        return y, pushforward(*tangents)

    def describe(self, mode: str) -> str:
        """The engine's name and the program's."""
        return f"{mode} mode of {type(self.engine).__name__} on {name_of(self.f)}"

    def __str__(self) -> str:
        return type(self.engine).__name__
