"""What an engine author calls: a rule applied to a call, in reverse and forward.

`reverse` and `forward` are the full forms; `apply_rrule` and `apply_frule` the short ones. Each
answers `None` where no rule matches or it is opted out, and raw tangents otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..tangents import NO_TANGENT, Composite, map_fields, materialize, project_to
from ..tangents.spans import in_seconds, is_span
from . import caches
from .callables import call_operator, normalise
from .engine import Engine, default_engine
from .errors import ShapeMismatch
from .forward import forward_rule
from .reverse import Pullback, ReverseCall, reverse_rule
from .seeds import absorbs

_PLAIN = frozenset((int, float, complex, bool, np.ndarray, np.float64, str, type(None)))


class Reading(NamedTuple):
    """One way to read a call: the callable that may have a rule, and the arguments it then has."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    hidden: int  # how many arguments stand before the primals of the call
    dropped: tuple[Any, ...]  # primals of the call that went into the key


def apply_rrule(f: Callable[..., Any], *primals: Any, **kwargs: Any) -> tuple[Any, Pullback] | None:
    """Value and pullback of `f(*primals, **kwargs)` by f's own rule, or `None` where there is none.

    Shapes:  the pullback takes any tangent of the value and returns a tuple with one cotangent for
             each positional primal, like it; `NoTangent()` for those that are metadata.
    Raises:  UnsupportedArgument where the rule does not take an argument of this call;
             RuleContractError where the rule returned what no rule may return;
             AmbiguousRuleError where two rules fit equally well.
    Example: >>> y, pullback = apply_rrule(np.multiply, 3.0, 4.0)
             >>> float(y), [float(x_bar) for x_bar in pullback(1.0)]
             (12.0, [4.0, 3.0])
    """
    return reverse(f, primals, kwargs)


def apply_frule(
    f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], **kwargs: Any
) -> tuple[Any, ...] | None:
    """Value and tangent of `f(*primals, **kwargs)` by f's own rule, or `None` where there is none.

    Shapes:  each tangent is like its primal, the tangent returned like the value. For a callable
             whose rule mutates arguments a third entry holds the tangents of their states.
    Raises:  as `apply_rrule`; ShapeMismatch where the numbers of primals and tangents differ.
    Example: >>> y, dy = apply_frule(np.multiply, (3.0, 4.0), (1.0, 0.0))
             >>> float(y), float(dy)
             (12.0, 4.0)
    """
    return forward(f, primals, tangents, kwargs)


def reverse(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    needs: tuple[bool, ...] | None = None,
    engine: Engine | None = None,
) -> tuple[Any, Pullback] | None:
    """The full form of `apply_rrule`: which primals want a cotangent, and who is calling.

    `needs` has one entry for each positional primal; a cotangent that is not wanted may be any.
    """
    _note_asked(primals)
    for reading in _readings(f, primals, dict(kwargs or {})):
        args, keywords = reading.args, reading.kwargs
        mask = (
            None
            if needs is None
            else ((False,) * reading.hidden + needs)[: len(args)] + (False,) * len(keywords)
        )
        rule = _kept_rule(reading.f, args, keywords, mask, engine)
        if rule is not None:
            y, back = rule(*args, **keywords)
            return y, _answering(back, y, reading)
    return None


def _kept_rule(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    mask: tuple[bool, ...] | None,
    engine: Engine | None,
) -> ReverseCall | None:
    """The rule for a call, kept for other calls with values of these types."""
    key = (id(f), mask, id(engine), *map(type, args), *kwargs, *map(type, kwargs.values()))
    kept: tuple[Engine | None, ReverseCall] | None = _rules.get(key)
    if kept is not None:
        return kept[1]
    since = caches.generation()
    rule = reverse_rule(f, args, kwargs, mask, engine)
    if rule is not None:  # the registry keeps f then, and the cache the engine: nobody else gets their ids
        caches.keep(_rules, key, (engine, rule), since)
    return rule


_rules = caches.new_cache()


def _answering(back: Pullback, y: Any, reading: Reading) -> Pullback:
    """The pullback with seeds in the space of y, answering for the primals of the call alone."""
    project = project_to(y)
    like = y if type(y).__module__ == "numpy" or isinstance(y, float | complex) else None
    first, last = reading.hidden, len(reading.args)
    rest = (NO_TANGENT,) * len(reading.dropped)

    def pullback(y_bar: Any, *states: Any) -> tuple[Any, ...]:
        return back(_seed(y_bar, project, like), *states)[first:last] + rest

    return pullback


def _seed(y_bar: Any, project: Any, like: Any) -> Any:
    """A seed from outside: plain containers as composites, sparse made dense where y is."""
    if absorbs(y_bar):
        return y_bar
    if like is not None and type(y_bar).__module__.startswith("scipy.sparse"):
        y_bar = materialize(y_bar, like=like)
    if like is not None and isinstance(y_bar, int | float) and np.ndim(like):
        raise ShapeMismatch(
            f"a scalar seed for a value of shape {np.shape(like)}", next="give a seed of that shape"
        )
    return project(as_tangent(y_bar))


def as_tangent(t: Any) -> Any:
    """A tangent from outside: a plain tuple, list or dict as a composite, NumPy's spans of time in seconds.

    Rules for arrays multiply tangents by floats, and NumPy rounds such products of spans to whole units.
    """
    if type(t) is tuple:
        return Composite[tuple](*map(as_tangent, t))
    if type(t) is list:
        return Composite[list](*map(as_tangent, t))
    if type(t) is dict:
        return Composite[dict]({key: as_tangent(value) for key, value in t.items()})
    if isinstance(t, Composite):
        return map_fields(as_tangent, t)
    return in_seconds(t) if is_span(t) else t


def forward(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    engine: Engine | None = None,
) -> tuple[Any, ...] | None:
    """The full form of `apply_frule`: who is calling."""
    if len(primals) != len(tangents):
        raise ShapeMismatch(
            f"{len(primals)} primals and {len(tangents)} tangents", next="give one tangent for each primal"
        )
    projected = tuple(
        t if absorbs(t) else project_to(x)(as_tangent(t)) for x, t in zip(primals, tangents, strict=True)
    )
    _note_asked(primals)
    for reading in _readings(f, primals, dict(kwargs or {})):
        rule = forward_rule(reading.f, reading.args, reading.kwargs, engine)
        if rule is not None:
            before = (NO_TANGENT,) * reading.hidden
            given = (*before, *projected)[: len(reading.args)] + (NO_TANGENT,) * len(reading.kwargs)
            return rule(given, *reading.args, **reading.kwargs)
    return None


def _note_asked(primals: tuple[Any, ...]) -> None:
    """Let the engine know that all that functions and objects hold is asked for, as nobody else knows it."""
    if not _PLAIN.issuperset(map(type, primals)):
        asked = getattr(default_engine(), "asked_by", None)
        if asked is not None:
            asked(primals)


def _readings(f: Callable[..., Any], primals: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Reading]:
    """The ways to read a call, the callable as it is first."""
    g, args, keywords = normalise(f, primals, kwargs)
    hidden = len(args) - len(primals)
    if hidden < 0:  # getattr(x, "name"): the name went into the key
        yield Reading(g, args, keywords, 0, primals[len(args) :])
    else:
        yield Reading(g, args, keywords, hidden, ())
        call = call_operator(g)
        if call is not None:
            yield Reading(call, (g, *args), keywords, hidden + 1, ())
