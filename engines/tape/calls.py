"""One call with recorded values among its arguments, by the rule of what is called.

A function without derivative runs on plain values. Any other is a step of the run that the call
belongs to: it asks `in_reverse` or `in_forward` for the derivative. Where the arguments hold no value of
a lower run that is the registries' answer, or, for what has no rule, the default engine's. Where they
do, the call and its derivative are calls of those: of `pulled` or `moved`, Python functions that the
default engine differentiates, rules' bodies and all.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np

from ...core import caches
from ...core.apply import forward, reverse
from ...core.callables import call_operator, normalise
from ...core.calls import forward_of, reverse_of
from ...core.engine import default_engine
from ...core.errors import NoRuleError
from ...core.loading import load_for
from ...core.lookup import find
from ...core.recording import is_recording
from ...core.registry import rules_of
from ..source.reading import opaque
from .levels import Run, is_recorded, owner_of, plain, recorded_in
from .refusals import by_keyword, called_by_package, no_rule, written

Values = tuple[Any, ...]


def call(f: Any, args: Values, kwargs: dict[str, Any] | None = None) -> Any:
    """`f(*args, **kwargs)`, recorded.

    Raises:  NoRuleError where f has no rule; AliasedMutationError where it writes into an argument;
             NotDifferentiableError for a value that is used outside its run.
    """
    kwargs = kwargs or {}
    if (refused := called_by_package()) is not None:
        raise refused
    kind = _kind(f, args)
    if kind == "constant":
        return _lent(f(*plain(args), **plain(kwargs)), args)
    if kind == "may write" and _writes(f, args, kwargs):
        raise written(plain(args[0]), f"{getattr(f, '__name__', f)}(…)")
    if kwargs and recorded_in(kwargs):
        f, args, kwargs = spread, (f, args, kwargs), {}
    return owner_of(recorded_in(args)).step(f, args, kwargs)


def spread(f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call whose keywords vary, as a function of positional arguments."""
    return f(*args, **kwargs)


def _lent(y: Any, args: Values) -> Any:
    """A constant, which may be the memory of recorded values: nothing is to be written into that."""
    if type(y) is not bool and not (type(y) is np.ndarray and y.dtype.kind == "b"):
        for v in recorded_in(args):
            v.run.lend(plain(v))
    return y


def _kind(f: Any, args: Values) -> str:
    """Whether f has no derivative, or may write into an argument, as far as that is declared."""
    if is_recorded(f):
        return ""
    f = normalise(f, args, {})[0]
    kind: str | None = _kinds.get(id(f))
    if kind is None:
        since = caches.generation()
        load_for((f, *map(type, plain(args))))
        rules = rules_of(f)
        if rules is None:  # not kept by the registry, so another may come to have its id
            return ""
        mutates = any(m.mutates for methods in rules.methods.values() for m in methods)
        kind = "constant" if rules.non_differentiable is not None else "may write" if mutates else ""
        caches.keep(_kinds, id(f), kind, since)
    return kind


_kinds = caches.new_cache()


def _writes(f: Any, args: Values, kwargs: dict[str, Any]) -> bool:
    """Whether the rule for these arguments says that f writes into one."""
    if isinstance(f, np.ufunc):
        return len(args) > f.nin
    found = find("reverse", *normalise(f, plain(args), plain(kwargs)))
    return found is not None and found.method is not None and bool(found.method.mutates)


def in_reverse(run: Run, f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    """Value and pullback of a call, with values of lower runs in them where the arguments hold such."""
    if run.level and recorded_in((f, args, kwargs)):
        y = call(apply, (f, *args), kwargs) if is_recorded(f) else call(f, args, kwargs)
        return y, Pulled(f, args, kwargs, needs)
    return reverse(f, args, kwargs, needs=needs, engine=run.engine) or _asked(
        reverse_of, f, args, kwargs, needs
    )


def in_forward(run: Run, f: Any, args: Values, tangents: Values, kwargs: dict[str, Any]) -> Any:
    """Value and tangent of a call; otherwise as `in_reverse`."""
    if run.level and recorded_in((f, args, tangents, kwargs)):
        if f is spread:
            raise by_keyword(args[0], args[2])
        return call(moved, (f, args, tangents, kwargs))
    return forward(f, args, tangents, kwargs, engine=run.engine) or _asked(
        forward_of, f, args, tangents, kwargs
    )


def _asked(how: Callable[..., Any], *given: Any) -> Any:
    """What the default engine knows of a function without a rule: it may follow the function's source."""
    f = given[0]
    if not isinstance(f, FunctionType | MethodType | type) and call_operator(f) is None:
        kwargs = given[-2] if how is reverse_of else given[-1]
        raise no_rule(opaque.no_rule("reverse" if how is reverse_of else "forward", f, given[1], kwargs))
    try:
        return how(*given, default_engine())
    except NoRuleError as error:
        raise no_rule(error) from None


class Pulled(NamedTuple):
    """The pullback of a call with values of lower runs, which record it."""

    f: Any
    args: Values
    kwargs: dict[str, Any]
    needs: tuple[bool, ...]

    def __call__(self, y_bar: Any) -> Any:
        return call(pulled, (*self, y_bar))


def pulled(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], y_bar: Any) -> Any:
    """The cotangents of a call's arguments, for an engine that differentiates them."""
    return reverse_of(f, args, kwargs, needs, default_engine())[1](y_bar)


def moved(f: Any, args: Values, tangents: Values, kwargs: dict[str, Any]) -> Any:
    """Value and tangent, for an engine that differentiates them."""
    return forward_of(f, args, tangents, kwargs, default_engine())


def lifted(f: Any, *args: Any) -> Any:
    """`f(*args)`, recorded where values of a run that lasts are among the arguments."""
    if type(f) is not Pulled and is_recording() and (is_recorded(f) or recorded_in(args)):
        return call(apply, (f, *args)) if is_recorded(f) else call(f, args)
    return f(*args)


def apply(f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of a recorded value: of a function that a rule returned."""
    return f(*args, **kwargs)
