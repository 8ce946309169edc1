"""Resolution in forward mode: what a call with tangents means to the engine.

The order is that of the reverse mode: the callable's own rule, its Python source, the protocols
of Python, an error with the chain of calls. Each function returns `(value, tangent)`.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ....core.callables import Attribute, attribute, call_operator, normalise, unbind
from ....core.forward import forward_rule
from ....core.installed import is_followed
from ....core.loading import load_for
from ....core.registry import rules_of
from ....core.tracebacks import CALLERS
from ....tangents import ZERO, Composite, is_zero
from ..analysis.forms import Form, Lent, Stale, form_of, parameter_count, slots_of
from ..emitting.programs import forget, program
from ..memory.aliased_arguments import form_for
from ..memory.augmented import Augmented
from ..memory.keeping import as_kept, called_apart
from ..reading.opaque import (
    as_written_forward,
    may_carry,
    mutates,
    named_alone,
    no_rule,
    refuse_mutation,
    the_other,
)
from ..syntax.scopes import GENERATOR
from ..values import protocols, structures
from ..values.partials import partial_forward
from ..values.streams import Stream
from ..values.writing import IMMUTABLE
from .resolution import INSTEAD, engine

Values = tuple[Any, ...]


def _no_writes(f: Any, *values: Any) -> Any:
    """Until outside.py and setters.py say otherwise, nothing writes."""


outside: Any = _no_writes
"""How a function that changes its arguments is called from outside; outside.py says."""
streamed_forward: Any = _no_writes
"""How a call is done that takes or makes iterators; streaming.py says."""
equivalent_forward: Any = _no_writes
"""How a function of the library is called that stands for a line of Python; equivalents.py says."""
stored_forward: Any = _no_writes
"""How a store is done that a class defines in Python; setters.py says."""
construct_forward: Any = _no_writes
"""How a class makes its objects; construction.py says."""
construct_lent: Any = _no_writes
"""The same, where the class may change what it is given."""


def called(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """A call from outside, with a tangent for each value."""
    load_for((f,))
    answer = outside(f, args, kwargs, tangents)
    if answer is not None:
        return answer
    return plain_forward(f, "", ZERO, args, kwargs, tangents)


def plain_forward(f: Any, name: str, own: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """A call of something that does not vary."""
    kinds, pullback_forward = nested_pullback
    if isinstance(f, kinds):
        return pullback_forward(f, ZERO, args, tangents)
    g, every, keywords = normalise(f, args, kwargs)
    if g is f:
        return forward(f, args, kwargs, tangents)
    before = len(every) - len(args)
    if before < 0:  # getattr(x, "name")
        return forward(g, every, keywords, tangents[:1])
    mine = dict(zip(kwargs, tangents[len(args) :], strict=True))
    words = tuple(mine.get(k, ZERO) for k in keywords)
    return forward(g, every, keywords, (ZERO,) * before + tangents[: len(args)] + words)


def closure_forward(
    f: Any, name: str, own: Any, args: Values, kwargs: dict[str, Any], tangents: Values
) -> Any:
    """A call of something that varies, with its own tangent."""
    if type(f) is FunctionType and rules_of(f) is None:
        return python_forward(f, args, kwargs, tangents, own)
    bound = unbind(f)
    if bound is not None:
        owner = ZERO if is_zero(own) else own.__self__
        return forward(bound[0], (bound[1], *args), kwargs, (owner, *tangents))
    if isinstance(f, functools.partial) and rules_of(f) is None:
        return partial_forward(closure_forward, f, own, args, kwargs, tangents)
    kinds, pullback_forward = nested_pullback
    if isinstance(f, kinds):
        return pullback_forward(f, own, args, tangents)
    call = call_operator(f)
    if call is not None and rules_of(f) is None:
        return forward(call, (f, *args), kwargs, (own, *tangents))
    return plain_forward(f, "", ZERO, args, kwargs, tangents)


def _no_nesting(f: Any, args: Values, tangents: Values) -> None:
    """Until nested.py says otherwise, no call is one that a program makes."""


nested: Any = _no_nesting
"""How calls that programs make are differentiated themselves; nested.py says."""
nested_pullback: tuple[Any, Any] = ((), None)
"""The types of pullbacks that are objects, and how a call of one is differentiated."""


def method_forward(
    owner: Any, name: str, own: Any, args: Values, kwargs: dict[str, Any], tangents: Values
) -> Any:
    """`owner.name(...)` with the tangent of the owner."""
    if isinstance(owner, types.ModuleType | type):
        return plain_forward(getattr(owner, name), "", ZERO, args, kwargs, tangents)
    if isinstance(owner, super):
        return closure_forward(getattr(owner, name), "", own, args, kwargs, tangents)
    kind = protocols.kind_of_member(type(owner), name)
    if kind == "method" and name not in getattr(owner, "__dict__", ()):
        return forward(getattr(type(owner), name), (owner, *args), kwargs, (own, *tangents))
    if kind in ("static", "class"):
        return plain_forward(getattr(owner, name), "", ZERO, args, kwargs, tangents)
    member, member_dot = forward(attribute(name), (owner,), {}, (own,))
    return closure_forward(member, "", member_dot, args, kwargs, tangents)


def forward(f: Any, args: Values, kwargs: Mapping[str, Any], tangents: Values) -> Any:
    """A call of a normalised callable; raises where there is no way."""
    if all(is_zero(t) for t in tangents):
        return f(*args, **kwargs), ZERO
    if type(f) is Augmented and isinstance(args[0], IMMUTABLE):
        f = f.op
    streamed = streamed_forward(f, args, kwargs, tangents)
    if streamed is not None:
        return streamed
    same = equivalent_forward(f, args, kwargs, tangents)
    if same is not None:
        return same
    written = stored_forward(f, args, tangents)
    if written is not None:
        return written
    rule = forward_rule(f, args, kwargs, engine())
    if rule is not None:
        if mutates(rule) and not may_carry((*args, *kwargs.values())):
            return f(*args, **kwargs), ZERO
        refuse_mutation(f, rule)
        kind = called_apart(f, rule, args, kwargs)
        if kind is not None:
            args, kwargs = as_kept(kind, args, dict(kwargs))
        return rule(tangents, *args, **kwargs)
    if type(f) is FunctionType:
        if the_other("forward", f):
            return named_alone("forward", f, _pushed, tangents, *args, **kwargs)
        return python_forward(f, args, kwargs, tangents, None)
    if isinstance(f, Attribute):
        found = _attribute(f.__name__, args[0], tangents[0])
        if found is not None:
            return found
    elif isinstance(f, type):
        found = construct_forward(f, args, dict(kwargs), tangents)
        if found is not None:
            return found
    else:
        found = protocols.operator_forward(f, args, tangents, forward)
        if found is not None:
            return found
        call = call_operator(f)
        if call is not None:
            return forward(call, (f, *args), kwargs, (ZERO, *tangents))
    if not may_carry((*args, *kwargs.values())):
        return as_written_forward(f, args, kwargs)
    raise no_rule("forward", f, args, kwargs)


def _pushed(f: FunctionType, args: Values, kwargs: Mapping[str, Any], tangents: Values) -> Any:
    return python_forward(f, args, kwargs, tangents, None)


def _attribute(name: str, x: Any, dx: Any) -> tuple[Any, Any] | None:
    kind = protocols.kind_of_member(type(x), name)
    if kind != "computed" and structures.is_field(x, name):
        return getattr(x, name), structures.field_tangent(dx, name)
    if kind in ("computed", "absent"):
        f, named = protocols.getter(type(x), name)
        args, tangents = ((x, name), (dx, ZERO)) if named else ((x,), (dx,))
        return forward(f, args, {}, tangents)  # type: ignore[no-any-return]  # a pair
    if protocols.is_opaque(x, name) or kind == "descriptor":
        return None
    return getattr(x, name), Composite[types.MethodType](__self__=dx) if kind == "method" else ZERO


def python_forward(
    f: FunctionType,
    args: Values,
    kwargs: Mapping[str, Any],
    tangents: Values,
    own: Any,
    lent: tuple[Lent, ...] = (),
) -> Any:
    """A Python function, transformed; `own` is its own tangent, None where it does not vary.

    With `lent`, parameters whose objects it may change, their tangents after the call come third.
    """
    f = INSTEAD.get(f.__code__, f)
    answer = nested(f, args, tangents)
    if answer is not None:
        return answer
    if not is_followed(f):
        if own is None and not may_carry((*args, *kwargs.values())):
            return as_written_forward(f, args, kwargs)
        raise no_rule("forward", f, args, kwargs)
    slots = slots_of(f, len(args), tuple(kwargs))
    if len(slots) != len(tangents):
        return f(*args, **kwargs)  # it does not fit: Python says so
    by_parameter: dict[int, Any] = {}
    for (slot, key), t in zip(slots, tangents, strict=True):
        if key is None:
            by_parameter[slot] = t
        elif not is_zero(t):
            by_parameter.setdefault(slot, _Gathered())[key] = t
    mask = tuple(i in by_parameter and not _is_nothing(by_parameter[i]) for i in range(parameter_count(f)))
    form = form_for(form_of(f, "forward", mask, own is not None, lent), f, args, kwargs)
    dots = tuple(_gathered(f, i, by_parameter[i], len(args)) for i, varies in enumerate(mask) if varies)
    given = dots if form.captured is None else (own, *dots)
    try:
        answer = program(f, form).bind(f)(given, *args, **kwargs)
    except Stale:
        return _anew(f, form)(given, *args, **kwargs)
    if not f.__code__.co_flags & GENERATOR:
        return answer
    stream = Stream(answer, lambda: _anew(f, form)(given, *args, **kwargs), args)
    return stream, stream


def _anew(f: FunctionType, form: Form) -> Any:
    """The program made again, since what it took for known is no longer so."""
    forget(f, form)
    return program(f, form).bind(f)


class _Gathered(dict[Any, Any]):
    """The tangents of what `*args` and `**kwargs` hold; a tangent itself may be another dictionary."""


def _is_nothing(t: Any) -> bool:
    return not t if isinstance(t, _Gathered) else is_zero(t)


def _gathered(f: FunctionType, slot: int, t: Any, count: int) -> Any:
    """The tangent of a parameter; of *args and **kwargs from those of the values they hold."""
    if not isinstance(t, _Gathered):
        return t
    if all(isinstance(k, int) for k in t):
        return Composite[tuple](*(t.get(i, ZERO) for i in range(count - f.__code__.co_argcount)))
    return Composite[dict](t)


CALLERS[python_forward.__code__] = "forward"
