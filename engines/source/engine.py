"""The source engine: the two functions that an engine is, over runs that follow a function.

A function runs as it is written, its operations replaced by sites (instrument.py). What varies is known by
which object it is (runs.py), so containers, objects, closures and generators are Python's own, and a change
of one is seen by every name of it. A run inside another is seen by that one, so derivatives nest.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...core.apply import as_tangent
from ...core.engine import name_engine
from ...core.loading import load_for
from ...core.registry import rules_of
from ...core.reverse import reverse_rule
from ...tangents import ZERO, is_zero, unthunk
from ..boundary import seed_for
from ..following import twins as twins  # which registers what runs in place of functions
from ..following.calls import call, is_followed_as_written
from ..following.entering import Entered, note_asked
from ..following.forward import ForwardRun, Missing
from ..following.here import below, here
from ..following.leaves import Integer, leaves_in
from ..following.looking import changed_by
from ..following.natives import INSTEAD, NATIVE, RECIPES
from ..following.pullbacks import InnerPullback, Pullback, Recorded, pulled_alone
from ..following.reverse import ReverseRun
from ..leaves import ALONE
from ..tape.engine import TapeEngine
from .reading.dependence import can_depend
from .reading.locate import NoText
from .reading.sourceless import taking_over
from .reruns import changes, codes_of, copied


class SourceEngine:
    """Differentiates Python by its source. It has no state of its own."""

    name = "source"

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

    def asked_by(self, x: tuple[Any, ...]) -> None:
        """Note that the objects in x vary, whose derivatives somebody asks for by a rule."""
        note_asked(None, leaves_in(x))

    def copied(self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """f, x and kwargs as they are now, for a run more; themselves where f changes nothing."""
        return copied(f, x, kwargs)

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
        try:
            y, layout, leaves = entered.run(run, f, kwargs)
        except NoText as missing:
            self._refuse_half(missing, f, x, kwargs)
            return taking_over(missing).reverse(f, x, kwargs, needs)  # type: ignore[no-any-return]  # a pair
        recorded = Recorded(run, entered, layout, leaves)
        if not here.runs:
            return y, Pullback(recorded)
        here.ended.add(run)
        return y, InnerPullback(recorded)

    def value_and_cotangents(
        self, f: FunctionType, twin: FunctionType, x: tuple[Any, ...], needs: tuple[bool, ...]
    ) -> Any:
        """A real value and its cotangents at once, for numbers and arrays and a function without a rule."""
        run = ReverseRun(self)
        entered = Entered(run, x, needs)
        try:
            y, layout, leaves = entered.run(run, f, {}, twin)
        except NoText as missing:
            self._refuse_half(missing, f, x, {})
            y, pullback = taking_over(missing).reverse(f, x, {}, needs)
            return y, pullback(seed_for(f, y, False))
        if type(y) is float and layout is ALONE:
            return y, pulled_alone(run, entered, leaves[0])
        recorded = Recorded(run, entered, layout, leaves)
        return y, recorded.pulled(run.events, seed_for(f, y, False), once=True)

    def _by_rule(self, f: Any, x: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
        """Value and pullback of a function that has a rule for this call, which changes nothing."""
        load_for((f, *map(type, x)))
        if rules_of(f) is None or (type(f) is FunctionType and f.__code__ in INSTEAD):
            return None
        rule = reverse_rule(f, x, kwargs, (*needs, *(False for _ in kwargs)), self)
        if rule is None or changed_by(rule):
            return None
        note_asked(f, leaves_in([v for v, need in zip(x, needs, strict=True) if need]))
        y, back = call(rule, *x, **kwargs)
        count = len(x)

        def positional(y_bar: Any) -> Any:
            return back(y_bar)[:count]

        return y, positional if kwargs else back

    def _refuse_half(self, missing: NoText, f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse to run f again where a callee has no source and f may have changed something before."""
        if here.runs or (missing.code not in codes_of(f) and changes(f, x, kwargs)):
            raise missing

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
        run, dx = ForwardRun(self), tuple(map(as_tangent, dx))
        moves = tuple([not is_zero(t) for t in dx])
        entered = Entered(run, x, moves)
        parts = entered.entries([t for t, moving in zip(dx, moves, strict=True) if moving])
        for leaf, t in zip(entered.leaves, parts, strict=True):
            if type(leaf) is Integer and (is_zero(t) or t == 0.0):
                del run.live[id(leaf)]  # a count, as most whole numbers are
            run.tangents[id(leaf)] = below(here.runs, unthunk, t)
        try:
            y, layout, leaves = entered.run(run, f, kwargs or {})
        except NoText as missing:
            self._refuse_half(missing, f, x, kwargs or {})
            return taking_over(missing).jvp(f, x, dx, kwargs)  # type: ignore[no-any-return]  # a pair
        tangents = [run.tangent(v) for v in leaves]
        for t in tangents:
            if type(t) is Missing:
                raise t.error
        return y, layout.tangent(tangents) if leaves else ZERO

    def root_pullback(self, residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None) -> Any:
        """The pullback of a root by specialised programs; None where there are none."""
        from ..specialised.running.solutions import root_pullback  # which is built on this engine

        return root_pullback(residual, x, parameters, jacobian)

    def root_pushforward(
        self, residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None
    ) -> Any:
        """The pushforward of a root by specialised programs; None where there are none."""
        from ..specialised.running.solutions import root_pushforward  # which is built on this engine

        return root_pushforward(residual, x, parameters, jacobian)

    def within_pullback(
        self, objective: Any, x: Any, bounds: Any, parameters: tuple[Any, ...], hessian: Any
    ) -> Any:
        """The pullback of a minimum within bounds by specialised programs; None where there are none."""
        from ..specialised.running.solutions import within_pullback  # which is built on this engine

        return within_pullback(objective, x, bounds, parameters, hessian)

    def pullbacks_of(self, f: Any, x: tuple[Any, ...], like: Any, wanted: tuple[bool, ...]) -> Any:
        """The pullbacks of a function at many points by specialised programs; None where there are none."""
        from ..specialised.running.pullbacks import pullbacks_of  # which is built on this engine

        return pullbacks_of(f, x, like, wanted)

    def pushforwards_of(self, f: Any, x: tuple[Any, ...], dx: tuple[Any, ...], df: Any, like: Any) -> Any:
        """The pushforwards of a function at many points, and their pullbacks; None where there are none."""
        from ..specialised.running.turned import pushforwards_of  # which is built on this engine

        return pushforwards_of(f, x, dx, df, like)

    def can_depend(self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any], i: int) -> bool:
        """Whether f's value can depend differentiably on argument i; "yes" where that is not known."""
        return can_depend(f, x, kwargs, i)


NATIVE.update(f for f in vars(SourceEngine).values() if isinstance(f, FunctionType))
engine = SourceEngine()
RECIPES[TapeEngine.reverse] = lambda own, f, x, kwargs, needs: engine.reverse(f, x, kwargs, needs)
RECIPES[TapeEngine.jvp] = lambda own, f, x, dx, kwargs=None: engine.jvp(f, x, dx, kwargs)
NATIVE.add(TapeEngine.value_and_pullback)
name_engine("source", engine)
