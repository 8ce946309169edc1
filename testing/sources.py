"""Where a derivative under test comes from: the rules of a callable, or an engine.

A check asks a source for a value with a pullback, or for a value with a tangent, and knows nothing
else of it; so the same checks hold one rule, a whole program, and any engine that implements the
protocol. A callable whose rules say that it mutates arguments is checked as the function that
returns its value and the states of those arguments after the call.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..core import Engine, forward, reverse, rules_for
from ..core.callables import name_of, normalise
from ..core.lookup import find
from ..core.registry import Mode
from ..core.report import RuleSet
from ..core.reverse import WrappedPullback, reverse_rule
from ..tangents import ZERO, Composite, is_zero, unthunk

Pullback = Callable[..., tuple[Any, ...]]


class Source(Protocol):
    """A derivative under test."""

    asks_needs: bool
    """Whether it says that it looks at `needs`."""

    def value(self, *args: Any) -> Any:
        """The function itself."""
        ...

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
        self.mutates, self.places = _mutated(*normalise(f, args, kwargs))
        hidden = len(normalise(f, args, kwargs)[1]) - len(args)  # the object of a bound method
        self.places = tuple(place - hidden for place in self.places)
        if min(self.places, default=0) < 0:
            raise ValueError(
                f"{name_of(f)} changes the object that it is bound to: check the function of the class, "
                "with the object as its first argument"
            )
        found = find("reverse", *normalise(f, args, kwargs))
        method = None if found is None else found.method
        signature = None if method is None else method.signature
        self.asks_needs = signature is not None and signature.wants_needs and not signature.wants_engine

    def value(self, *args: Any) -> Any:
        """The callable; with the states of what it mutates, if it does."""
        args = self._own(args)
        return self._with_states(self.f(*args, **self.kwargs), args)

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """The reverse rule, applied."""
        args = self._own(args)
        found = reverse(self.f, args, self.kwargs, needs=needs)
        if found is None or not self.mutates:
            return found
        y, pullback = found

        def of_value_and_states(seed: Any) -> tuple[Any, ...]:
            seed = unthunk(seed)
            y_bar, *states = (ZERO,) * (1 + len(self.mutates)) if is_zero(seed) else seed
            return pullback(y_bar, dict(zip(self.mutates, states, strict=True)))

        return self._with_states(y, args), of_value_and_states

    def bare_pullback(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> Pullback | None:
        """The pullback inside the contract, without the boundary at which seeds are projected.

        None for a callable that brings its own derivatives instead of having a rule.
        """
        f, values, kwargs = normalise(self.f, self._own(args), self.kwargs)
        before = (False,) * (len(values) - len(args))
        rule = reverse_rule(f, values, kwargs, (*before, *needs, *(False for _ in kwargs)), None)
        return None if rule is None else rule(*values, **kwargs)[1]

    def unprojected(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> Pullback | None:
        """The bare pullback, whose cotangents are as the author returned them, not projected."""
        back = self.bare_pullback(args, needs)
        if not isinstance(back, WrappedPullback):
            return back
        return WrappedPullback(back.rule, back.back, [None] * len(back.projectors), back.undo, back.answers)

    def as_returned(self, args: tuple[Any, ...], needs: tuple[bool, ...], seed: Any) -> Any:
        """The cotangents of the arguments as the author returned them; None without a rule."""
        back = self.unprojected(args, needs)
        hidden = len(normalise(self.f, args, self.kwargs)[1]) - len(args)
        return None if back is None else back(seed)[hidden : hidden + len(args)]

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """The forward rule, applied."""
        args = self._own(args)
        found = forward(self.f, args, tangents, self.kwargs)
        if found is None:
            return None
        y, dy, *states = found
        if states:
            dy = Composite[tuple](dy, *(states[0][i] for i in self.mutates))
        return self._with_states(y, args), dy

    def _own(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments that may be written into."""
        return copy.deepcopy(args) if self.mutates else args

    def _with_states(self, y: Any, args: tuple[Any, ...]) -> Any:
        return (y, *(args[i] for i in self.places)) if self.mutates else y

    def describe(self, mode: str) -> str:
        """The methods of one mode with file:line."""
        methods = self.rules.reverse if mode == "reverse" else self.rules.forward
        return "; ".join(map(str, methods)) or f"no {mode} rule"

    def __str__(self) -> str:
        return str(self.rules)


def _mutated(
    f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The data that this call changes, by the rules that answer it, and where they stand in the call."""
    modes: tuple[Mode, Mode] = ("reverse", "forward")
    for found in (find(mode, f, args, kwargs) for mode in modes):
        if found is not None and found.method is not None and found.binding is not None:
            slots = found.binding.data
            places = {i: slot for i in found.method.mutates if isinstance(slot := slots[i], int)}
            return tuple(places), tuple(places.values())
    return (), ()


class EngineSource:
    """An engine differentiating a program, whose value is settled before it is compared.

    Each run is one on copies of what the program changes, where the engine can tell what that is.
    """

    asks_needs = False

    def __init__(
        self, f: Callable[..., Any], engine: Engine, settle: Callable[..., Any] = lambda y, *args: y
    ) -> None:
        self.f, self.engine, self.settle = f, engine, settle

    def value(self, *args: Any) -> Any:
        """The program."""
        f, own = self._again(args)
        return self.settle(f(*own), *args)

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """The engine's pullback."""
        f, own = self._again(args)
        y, pullback = self.engine.value_and_pullback(f, *own)
        return self.settle(y, *args), pullback

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """The engine's pushforward along these tangents."""
        f, own = self._again(args)
        y, pushforward = self.engine.value_and_pushforward(f, *own)
        return self.settle(y, *args), pushforward(*tangents)

    def _again(self, args: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        copied = getattr(self.engine, "copied", None)
        return (self.f, args) if copied is None else copied(self.f, args, {})[:2]

    def describe(self, mode: str) -> str:
        """The engine's name."""
        return f"{mode} mode of {type(self.engine).__name__}"
