"""The source engine: the two functions that an engine is, over generated programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.apply import as_tangent
from ...core.engine import name_engine
from ...core.errors import AliasedMutationError, ChainRulesError, HigherOrderError, UnsupportedSyntaxError
from ...tangents import ZERO
from ..calls import forward_of, reverse_of
from .analysis.writers import is_new
from .calls import (
    construction,
    equivalents,
    forward_resolution,
    forward_sites,
    outside,
    records,
    resolution,
    setters,
    sites,
    streaming,
)
from .calls.carried_effects import ENTRIES, bring, waiting
from .calls.reruns import changes, codes_of, copied
from .locking.locks import locks_released
from .nesting import nested
from .reading.dependence import can_depend
from .reading.locate import NoText
from .reading.sourceless import taking_over
from .syntax.collector import rest, wake
from .syntax.where import began
from .values.answers import Placed

REFUSED = (UnsupportedSyntaxError, AliasedMutationError, HigherOrderError)
"""What this engine says of programs that the following engine may be able to differentiate."""


class SourceEngine:
    """Differentiates Python by rewriting its source. It has no state of its own."""

    name = "source"
    follower: Any = None  # gives the engine that follows a function as it runs; followers.py says
    hands_over = True  # whether it is asked what this one refuses

    def value_and_pullback(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """f's value and its pullback: one cotangent for each positional argument.

        Raises:  UnsupportedSyntaxError before f runs; NoRuleError where it meets an opaque callable.
        """
        return reverse_of(f, x, kwargs, (True,) * len(x), self)

    def value_and_pushforward(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[..., Any]]:
        """f's value and its pushforward, which takes one tangent for each positional argument.

        The pushforward runs f again, so that nothing is kept of the first run, on copies of what f changes.
        """

        kept = copied(f, x, kwargs)

        def pushforward(*dx: Any) -> Any:
            g, at, words = copied(*kept)
            return forward_of(g, at, dx, words, self)[1]

        if outside.changing(f, x) is not None:
            return forward_of(f, x, (ZERO,) * len(x), kwargs, self)[0], pushforward
        return f(*x, **kwargs), pushforward

    def copied(self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """f, x and kwargs as they are now, for a run more; themselves where f changes nothing."""
        return copied(f, x, kwargs)

    def reverse(
        self,
        f: Callable[..., Any],
        x: tuple[Any, ...],
        kwargs: dict[str, Any],
        needs: tuple[bool, ...],
        program: Any = None,
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """Value and pullback where only some arguments vary; `program` does the call where that is known."""
        mask = needs if not kwargs else (*needs, *(False for _ in kwargs))
        if program is None and is_new(f):
            rest()
        before = waiting()
        try:
            with locks_released() as run:
                run.result, back = (
                    resolution.called(f, x, kwargs, mask) if program is None else program.run(f, x, kwargs)
                )
        except NoText as missing:
            wake()
            self._refuse_half(missing, f, x, kwargs)
            return taking_over(missing).reverse(f, x, kwargs, needs)  # type: ignore[no-any-return]  # a pair
        except REFUSED as refused:
            wake()
            return self._followed(refused, lambda e: e.reverse(f, x, kwargs, needs))  # type: ignore[no-any-return]  # a pair
        finally:
            wake()
            bring(before)
        y = run.result
        return y, back if not kwargs else Placed(back, tuple((i, None) for i in range(len(x))))

    def _refuse_half(self, missing: NoText, f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse to run f again where a callee has no source and f may have changed something before."""
        if missing.code not in codes_of(f) and changes(f, x, kwargs):
            raise missing

    def _followed(self, refused: ChainRulesError, ask: Any) -> Any:
        """What the following engine answers where this one refuses before anything runs."""
        if self.follower is None or not self.hands_over:
            raise refused
        if began(refused):  # what f did until then is not done again
            refused.closest = refused.closest or 'engine="following", which may differentiate it'
            raise refused
        try:
            return ask(self.follower())
        except ChainRulesError:
            raise refused from None

    def jvp(
        self,
        f: Callable[..., Any],
        x: tuple[Any, ...],
        dx: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
    ) -> tuple[Any, Any]:
        """Value and tangent in one run, in constant memory."""
        tangents = (*map(as_tangent, dx), *(ZERO for _ in kwargs or ()))
        if is_new(f):
            rest()
        before = waiting()
        try:
            with locks_released():
                y, dy = forward_resolution.called(f, x, kwargs or {}, tangents)
        except NoText as missing:
            wake()
            self._refuse_half(missing, f, x, kwargs or {})
            return taking_over(missing).jvp(f, x, dx, kwargs)  # type: ignore[no-any-return]  # a pair
        except REFUSED as refused:
            wake()
            given = tuple(map(as_tangent, dx))
            return self._followed(refused, lambda e: e.jvp(f, x, given, kwargs))  # type: ignore[no-any-return]  # a pair
        finally:
            wake()
            bring(before)
        return y, dy

    def root_pullback(self, residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None) -> Any:
        """The pullback of a root by specialised programs; None where there are none."""
        from ..specialised.running.solutions import root_pullback  # which is built on this engine

        return root_pullback(residual, x, parameters, jacobian)

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


ENTRIES.update((SourceEngine.reverse.__code__, SourceEngine.jvp.__code__))
engine = SourceEngine()
name_engine("source", engine)
resolution.set_engine(engine)

__all__ = [
    "SourceEngine",
    "construction",
    "engine",
    "equivalents",
    "forward_sites",
    "nested",
    "outside",
    "records",
    "setters",
    "sites",
    "streaming",
]  # most are imported for what they register
