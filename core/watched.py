"""Rules as debug mode runs them: what they are given and what they return is looked at.

What a rule borrows (arguments, tangents, seeds) is copied before and compared after. A tangent that
is returned must have the shape of its primal, where the rule keeps the whole contract itself, and a
dtype of floating point no less precise than both primal and seed; projection mends the rest. Where
all that went in is finite and what comes out is not, there is a warning. Lazy tangents are looked
at when they are forced. In a derivative that is differentiated again the inner rules run unwatched.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ..tangents import Composite, InplaceableThunk, Thunk, Wrapper, unthunk
from .callables import name_of
from .registry import Method
from .seeds import as_pair, broken
from .soundness import Form, coarsest, form_of, is_finite, misfit, numbers

_PACKAGE = __name__.partition(".")[0]
_warned: dict[Any, Any] = {}


class NumericStabilityWarning(RuntimeWarning):
    """In debug mode: a NaN or infinity appeared in the rule that the message names, called on this line."""


class Watch(NamedTuple):
    """One call of a rule: who is watched, where the user called, whether all was finite so far."""

    f: Callable[..., Any]
    method: Method
    place: tuple[str, int]
    sound: bool

    def look(self, t: Any, primal: Form, precision: float, what: str) -> Any:
        """A tangent that the rule returned, held to the space of its primal; a lazy one when it is forced."""
        if isinstance(t, InplaceableThunk):
            return InplaceableThunk(
                self.adding(t, what), lambda: self.look(unthunk(t), primal, precision, what)
            )
        if isinstance(t, Thunk):
            return Thunk(lambda: self.look(unthunk(t), primal, precision, what))
        fault = misfit(t, primal, precision, strict=self.method.complete)
        if fault:
            raise broken(self.method, f"{what} is {fault}", "return a tangent in the space of its primal")
        self.warn_unless_finite(t, what)
        return t

    def adding(self, t: InplaceableThunk, what: str) -> Callable[[Any], Any]:
        """How an in-place thunk adds itself, with a look at what it made of a finite accumulator."""

        def add_into(accumulator: Any) -> Any:
            finite = is_finite(accumulator)
            total = t.add_into(accumulator)
            if finite:
                self.warn_unless_finite(total, what)
            return total

        return add_into

    def warn_unless_finite(self, t: Any, what: str) -> None:
        """Warn where a NaN or infinity appeared."""
        if self.sound and not is_finite(t):
            found = "NaN" if any(np.isnan(n).any() for n in numbers(t)) else "inf"
            warnings.warn_explicit(
                f"{name_of(self.f)}: {what} has {found} in it, though everything that went in is finite\n"
                f"  {self.method}\n"
                "  next: keep the argument off the singular point, or give the rule a convention there",
                NumericStabilityWarning,
                *self.place,
                registry=_warned,
            )


class Watched:
    """A rule that is watched while it runs; `unwatched` is the rule itself."""

    __slots__ = ("f", "method", "unwatched", "wanted")

    def __init__(
        self, f: Callable[..., Any], method: Method, rule: Callable[..., Any], wanted: tuple[bool, ...] | None
    ) -> None:
        self.f, self.method, self.unwatched, self.wanted = f, method, rule, wanted

    def borrowed(self, values: tuple[Any, ...], what: str) -> list[tuple[str, Any, bytes]]:
        """The arrays that the rule must not write into: (name, array, its bytes now)."""
        arrays = [(i, v) for i, v in enumerate(values) if isinstance(v, np.ndarray)]
        return [(f"{what} {i}", v, v.tobytes()) for i, v in arrays if i not in self.method.mutates]


class WatchedReverse(Watched):
    """A reverse rule in debug mode."""

    __slots__ = ()

    def __call__(self, /, *data: Any, **metadata: Any) -> tuple[Any, Any]:
        before = [] if self.method.complete else self.borrowed(data, "argument")
        result = self.unwatched(*data, **metadata)
        unchanged(self.method, before, "it")
        y, back = as_pair(self.method, result, "value, pullback")
        watch = Watch(self.f, self.method, user_line(), all(map(is_finite, data)))
        watch.warn_unless_finite(y, "the value")
        wanted = self.wanted or (True,) * len(data)
        forms = [form_of(x) if want else None for x, want in zip(data, wanted[: len(data)], strict=True)]
        return y, WatchedPullback(back, watch._replace(sound=watch.sound and is_finite(y)), forms)


class WatchedPullback(Wrapper):
    """A pullback in debug mode; around it there are no linear maps but the identity."""

    __slots__ = ("back", "forms", "watch")

    def __init__(self, back: Any, watch: Watch, forms: list[Form]) -> None:
        self.back, self.watch, self.forms = back, watch, forms

    def __call__(self, y_bar: Any, *states: Any) -> Any:
        method = self.watch.method
        given = (y_bar, *(t for state in states for t in state.values()))
        before = [("seed", n, n.tobytes()) for n in numbers(given) if isinstance(n, np.ndarray)]
        result = self.back(y_bar, *states)
        unchanged(method, before, "its pullback")
        watch = self.watch._replace(sound=self.watch.sound and is_finite(given))
        if not method.complete:
            result = self.arrange(result)
        if type(result) is not tuple or (method.complete and len(result) != len(self.forms)):
            raise broken(
                method, f"its pullback did not return {len(self.forms)} cotangents", "return a tuple of them"
            )
        forms = (*self.forms, *(None,) * (len(result) - len(self.forms)))
        eps = coarsest(given)
        return tuple(
            watch.look(t, form, eps, _cotangent(i))
            for i, (t, form) in enumerate(zip(result, forms, strict=False))
        )

    def seed(self, y_bar: Any) -> Any:
        """The seed of back."""
        return y_bar

    def arrange(self, answers: Any) -> Any:
        """The answers of this pullback, from back's: a bare cotangent is that of the one argument."""
        return answers if type(answers) is tuple else (answers,)

    def transpose(self, seeds: tuple[Any, ...], answers: Any) -> Any:
        """The cotangent of back's answers, from that of the answers given."""
        return Composite[tuple](*seeds) if type(answers) is tuple else seeds[0]


class WatchedForward(Watched):
    """A forward rule in debug mode."""

    __slots__ = ()

    def __call__(self, tangents: tuple[Any, ...], /, *data: Any, **metadata: Any) -> Any:
        before = self.borrowed(tangents, "tangent")
        if not self.method.complete:  # such a rule may be that of a write, on its own account
            before += self.borrowed(data, "argument")
        result = self.unwatched(tangents, *data, **metadata)
        unchanged(self.method, before, "it")
        if type(result) is not tuple or len(result) != 2:
            return result  # of a rule that mutates, or refused by the caller
        y, dy = result
        watch = Watch(self.f, self.method, user_line(), all(map(is_finite, data)))
        watch.warn_unless_finite(y, "the value")
        watch = watch._replace(sound=watch.sound and is_finite(y) and is_finite(tangents))
        return y, watch.look(dy, form_of(y), coarsest(tangents), "the tangent of the value")


def _cotangent(i: int) -> str:
    return f"the cotangent of argument {i}"


def unchanged(method: Method, before: Iterable[tuple[str, Any, bytes]], who: str) -> None:
    """Refuse a rule that wrote into what it borrowed."""
    for name, now, then in before:
        if now.tobytes() != then:
            raise broken(
                method, f"{who} wrote into its {name}", "what a rule is given is borrowed: write into a copy"
            )


def user_line() -> tuple[str, int]:
    """File and line of the innermost call that is not of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _is_ours(frame: Any) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] == _PACKAGE or frame.f_code.co_filename.startswith("<pullback of ")
