"""The tape engine: the two functions that an engine is, over runs on recorded values."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from ...core.decorators import frule, rrule
from ...core.engine import default_engine, name_engine
from ...tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, is_zero
from ..calls import forward_of, reverse_of
from ..leaves import Layout
from ..returned import Returned, settle
from ..source.analysis.held_functions import captured_by
from ..source.reruns import copied
from .forward import Forward
from .levels import Run, is_argument, refuse_hidden
from .reverse import Tape
from .value import Value

Marks = tuple[bool, ...]


class TapeEngine:
    """Differentiates what runs, without looking at its source. It has no state of its own."""

    name = "tape"

    def value_and_pullback(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """f's value and its pullback: one cotangent for each positional argument.

        Raises:  NoRuleError, AliasedMutationError or NotDifferentiableError where f does what a tape
                 cannot follow.
        """
        return self.reverse(f, x, kwargs, (True,) * len(x))

    def value_and_pushforward(
        self, f: Callable[..., Any], *x: Any, **kwargs: Any
    ) -> tuple[Any, Callable[..., Any]]:
        """f's value and its pushforward, which takes one tangent for each positional argument.

        The pushforward runs f again, so that nothing is kept of the first run, on copies of what f changes.
        """

        kept = copied(f, x, kwargs)

        def pushforward(*dx: Any) -> Any:
            g, at, words = copied(*kept)
            return self.jvp(g, at, dx, words)[1]

        return f(*x, **kwargs), pushforward

    def copied(self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """f, x and kwargs as they are now, for a run more; themselves where f changes nothing."""
        return copied(f, x, kwargs)

    def reverse(
        self, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any], needs: Marks
    ) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """Value and pullback where only some arguments vary."""
        if _is_written_out(f):
            return reverse_of(f, x, kwargs, needs, default_engine())
        tape = Tape(self)
        inputs, leaves, args = entered(x, needs, tape.value)
        y = _run(tape, f, x, args, kwargs, leaves)
        out, ys = _taken_apart(y, tape)
        back = Pullback(tape, inputs, out, [v.note for v in ys], needs)
        return out.filled([v.value for v in ys]), back

    def jvp(
        self,
        f: Callable[..., Any],
        x: tuple[Any, ...],
        dx: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
    ) -> tuple[Any, Any]:
        """Value and tangent in one run, in constant memory."""
        if _is_written_out(f):
            return forward_of(f, x, dx, kwargs or {}, default_engine())
        run = Forward(self)
        moves = tuple(not is_zero(t) for t in dx)
        inputs, _ = Layout.of(chosen(x, moves), is_argument, into_functions=True)
        notes = iter(inputs.entries(Composite[tuple](*chosen(dx, moves))))
        _, leaves, args = entered(x, moves, lambda leaf: Value(run, leaf, next(notes)))
        y = _run(run, f, x, args, kwargs or {}, leaves)
        out, ys = _taken_apart(y, run)
        return out.filled([v.value for v in ys]), out.tangent([v.note for v in ys]) if ys else ZERO


class Pullback:
    """The pullback of a run: a sweep over its tape."""

    def __init__(self, tape: Tape, inputs: Layout, out: Layout, places: list[int], needs: Marks) -> None:
        self.tape, self.inputs, self.out, self.places, self.needs = tape, inputs, out, places, needs

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        seeds = list(zip(self.places, self.out.entries(y_bar), strict=True))
        adjoints = self.tape.sweep(seeds, self.inputs.count)
        answers = iter(self.inputs.tangent(adjoints) if adjoints else ())
        return tuple(next(answers, NO_TANGENT) if n else ZERO for n in self.needs)


@frule(Pullback.__call__)
def pullback_frule(tangents: Any, back: Pullback, y_bar: object) -> Any:
    """linear in ȳ; for another engine, which sees the sweep as one function"""
    y, dy = engine.jvp(partial(Pullback.__call__, back), (y_bar,), tangents[1:])
    return y, dy if is_zero(tangents[0]) else NotImplementedTangent(_KEPT)


@rrule(Pullback.__call__)
def pullback_rrule(back: Pullback, y_bar: object) -> Any:
    """linear in ȳ; for another engine, which sees the sweep as one function"""
    y, again = engine.value_and_pullback(partial(Pullback.__call__, back), y_bar)

    def pullback_pullback(t: Any) -> Any:
        return NotImplementedTangent(_KEPT), again(t)[0]

    return y, pullback_pullback


_KEPT = "what a tape keeps varies in the run of another engine; give both derivatives the same engine"


def _is_written_out(f: Any) -> bool:
    """Whether f is the body of a rule of this package that calls back: these are for following source."""
    return str(getattr(f, "__module__", "")).startswith(_RULES)


_RULES = f"{__name__.partition('.')[0]}.rules."


def _run(
    run: Run, f: Any, x: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]
) -> Any:
    """f's value at arguments with recorded values in them; what f changes there it changes in x."""

    def plain(v: Any) -> Any:
        layout, values = Layout.of(v, run.is_own, into_functions=True)
        return layout.filled([value.value for value in values]) if values else v

    returned = Returned(plain)
    structured = [(own, made) for own, made in zip(x, args, strict=True) if not isinstance(made, Value)]
    for own, made in structured:
        returned.note(own, made)
    try:
        with run.running(leaves):
            return f(*args, **kwargs)
    finally:
        returned.bring()
        as_given = (own for own, made in structured if own is made)
        settle(lambda v: v.value if run.is_own(v) else v, *_about(f), *as_given, *kwargs.values())


def _about(f: Any) -> list[Any]:
    """What a function may change that it is not given: what it captured, its object, global containers."""
    if type(f) is MethodType:
        return [f.__self__, *_about(f.__func__)]
    if type(f) is partial:
        return [*f.args, *f.keywords.values(), *_about(f.func)]
    if type(f) is not FunctionType:
        return [f]
    named = (f.__globals__.get(name) for name in f.__code__.co_names)
    return [*captured_by(f), *(v for v in named if isinstance(v, list | dict | deque))]


def _taken_apart(y: Any, run: Run) -> tuple[Layout, list[Any]]:
    """The layout of a function's value, and the values of its run in it."""
    out, ys = Layout.of(y, run.is_own, into_functions=True)
    refuse_hidden(*out.constants)
    return out, ys


def chosen(x: tuple[Any, ...], marks: tuple[bool, ...]) -> tuple[Any, ...]:
    """Those of x that are marked."""
    return tuple(a for a, marked in zip(x, marks, strict=True) if marked)


def entered(
    x: tuple[Any, ...], varies: tuple[bool, ...], record: Callable[[Any], Value]
) -> tuple[Layout, list[Any], tuple[Any, ...]]:
    """The layout and the leaves of the arguments that vary, and all arguments with these leaves recorded."""
    layout, leaves = Layout.of(chosen(x, varies), is_argument, into_functions=True)
    recorded = iter(layout.filled([record(leaf) for leaf in leaves]))
    return layout, leaves, tuple(next(recorded) if v else a for a, v in zip(x, varies, strict=True))


engine = TapeEngine()
name_engine("tape", engine)
