"""The following engine: the two functions that an engine is, over runs that follow a function.

A function runs as it is written, its operations replaced by sites (instrument.py). What varies is known by
which object it is (runs.py), so containers, objects, closures and generators are Python's own, and a change
of one is seen by every name of it. A run inside another is seen by that one, so derivatives nest.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...core.loading import load_for
from ...core.registry import rules_of
from ...core.reverse import reverse_rule
from ...tangents import ZERO, is_zero, unthunk
from ..source.calls.reruns import copied
from ..source.calls.resolution import INSTEAD
from ..source.engine import SourceEngine
from . import twins as twins  # which registers what runs in place of functions
from .calls import call, is_followed_as_written
from .entering import Entered
from .forward import ForwardRun, Missing
from .here import below, here
from .leaves import Integer
from .looking import changed_by
from .natives import NATIVE, RECIPES
from .pullbacks import InnerPullback, Pullback, Recorded
from .reverse import ReverseRun


class FollowingEngine:
    """Differentiates Python as it runs. It has no state of its own."""

    name = "following"

    def value_and_pullback(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """f's value and its pullback: one cotangent for each positional argument.

        Raises:  NoRuleError in the pullback, where a derivative would pass through an opaque function;
                 NotDifferentiableError where f has no source.
        """
        return self.reverse(f, x, kwargs, (True,) * len(x))

    def value_and_pushforward(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[..., Any]]:
        """f's value and its pushforward, which takes one tangent for each positional argument.

        The pushforward runs f again, on copies of what f changes.
        """
        kept = copied(f, x, kwargs)

        def pushforward(*dx: Any) -> Any:
            g, at, words = copied(*kept)
            return self.jvp(g, at, dx, words)[1]

        return call(f, *x, **kwargs), pushforward

    def reverse(
        self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...]
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """Value and pullback where only some arguments vary."""
        if not is_followed_as_written(f):
            direct: tuple[Any, Any] | None = self._by_rule(f, x, kwargs, needs)
            if direct is not None:
                return direct
        run = ReverseRun(self)
        entered = Entered(run, x, needs)
        y, layout, leaves = entered.run(run, f, kwargs)
        recorded = Recorded(run, entered, layout, leaves)
        if not here.runs:
            return y, Pullback(recorded)
        here.ended.add(run)
        return y, InnerPullback(recorded)

    def _by_rule(self, f: Any, x: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
        """Value and pullback of a function that has a rule for this call, which changes nothing."""
        load_for((f, *map(type, x)))
        if rules_of(f) is None or (type(f) is FunctionType and f.__code__ in INSTEAD):
            return None
        rule = reverse_rule(f, x, kwargs, (*needs, *(False for _ in kwargs)), self)
        if rule is None or changed_by(rule):
            return None
        y, back = call(rule, *x, **kwargs)
        count = len(x)

        def positional(y_bar: Any) -> Any:
            return back(y_bar)[:count]

        return y, positional if kwargs else back

    def jvp(
        self,
        f: Callable[..., Any],
        x: tuple[Any, ...],
        dx: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
    ) -> tuple[Any, Any]:
        """Value and tangent in one run; the tangents of values that are gone are forgotten.

        Raises:  NoRuleError where the value's tangent passed through an opaque function.
        """
        run = ForwardRun(self)
        moves = tuple([not is_zero(t) for t in dx])
        entered = Entered(run, x, moves)
        parts = entered.entries([t for t, moving in zip(dx, moves, strict=True) if moving])
        for leaf, t in zip(entered.leaves, parts, strict=True):
            if type(leaf) is Integer and (is_zero(t) or t == 0.0):
                del run.live[id(leaf)]  # a count, as most whole numbers are
            run.tangents[id(leaf)] = below(here.runs, unthunk, t)
        y, layout, leaves = entered.run(run, f, kwargs or {})
        tangents = [run.tangent(v) for v in leaves]
        for t in tangents:
            if type(t) is Missing:
                raise t.error
        return y, layout.tangent(tangents) if leaves else ZERO


NATIVE.update(f for f in vars(FollowingEngine).values() if isinstance(f, FunctionType))
engine = FollowingEngine()
RECIPES[SourceEngine.reverse] = lambda own, f, x, kwargs, needs, program=None: engine.reverse(
    f, x, kwargs, needs
)
RECIPES[SourceEngine.jvp] = lambda own, f, x, dx, kwargs=None: engine.jvp(f, x, dx, kwargs)
RECIPES[SourceEngine.value_and_pullback] = lambda own, f, *x, **words: engine.value_and_pullback(
    f, *x, **words
)
RECIPES[SourceEngine.value_and_pushforward] = lambda own, f, *x, **words: engine.value_and_pushforward(
    f, *x, **words
)
