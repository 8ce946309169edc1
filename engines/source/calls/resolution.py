"""Resolution: what a call means to the engine, once its callable and arguments are known.

In this order: the callable's own rule; Python source, transformed in turn; the Python protocols
behind operators, attributes and classes; a call of values that can carry no derivative, run as
written. What remains is an error that shows the chain of calls. Each answer is a callable that
takes the arguments and returns `(value, pullback)`, with one cotangent for each value.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from types import FunctionType
from typing import Any

from ....core.caches import emptied, generation, keep, new_cache
from ....core.callables import Attribute, attribute, call_operator, normalise, unbind
from ....core.installed import is_followed
from ....core.loading import load_for
from ....core.registry import rules_of
from ....core.reverse import reverse_rule
from ....core.tracebacks import CALLERS
from ....tangents import NO_TANGENT, ZERO
from ..emitting.programs import ReverseProgram, lent_program, program_for
from ..locking.frozen import keeping_still
from ..memory.augmented import Augmented
from ..memory.copying import settled
from ..memory.keeping import given_copies, kept_by, of_users
from ..memory.owning import CONSTANT
from ..reading.opaque import as_written, may_carry, mutates, named_alone, no_rule, refuse_mutation, the_other
from ..syntax.codes import ByCode
from ..values import protocols
from ..values.answers import BoundAnswers, Placed, Through, after, without_first
from ..values.partials import partial_in_reverse
from ..values.writing import IMMUTABLE

Values = tuple[Any, ...]
_LASTING = (type, Attribute, Augmented, types.MethodDescriptorType, types.WrapperDescriptorType)
_OWN = __name__.partition(".")[0] + "."
_programs: ByCode[dict[Any, ReverseProgram]] = emptied(ByCode())
_resolved = new_cache()
_engine: Any = None
CALLERS[ReverseProgram.start.__code__] = "forward"


def _no_nesting(f: Any, args: Values, needs: Any, unsettled: bool) -> None:
    """Until nested.py says otherwise, no call is one that a program makes."""


nested: Callable[..., Any] = _no_nesting
"""How calls that programs make are differentiated themselves; nested.py says."""
nested_pullback: tuple[Any, Any] = ((), None)
"""The types of pullbacks that are objects, and how a call of one is differentiated."""


def _no_streams(f: Any, *values: Any) -> Any:
    """Until streaming.py says otherwise, nothing is a stream."""


equivalent_in_reverse: Callable[..., Any] = _no_streams
"""How a function of the library is called that stands for a line of Python; equivalents.py says."""
streamed_in_reverse: Callable[..., Any] = _no_streams
"""How a call is done that takes or makes iterators; streaming.py says."""


def _no_writes(f: Any, *values: Any) -> Any:
    """Until outside.py and setters.py say otherwise, nothing writes."""


outside: Callable[..., Any] = _no_writes
"""How a function that changes its arguments is called from outside; outside.py says."""
stored_in_reverse: Callable[..., Any] = _no_writes
"""How a store is done that a class defines in Python; setters.py says."""
construct_in_reverse: Callable[..., Any] = _no_writes
"""How a class makes its objects; construction.py says."""
construct_lent: Callable[..., Any] = _no_writes
"""The same, where the class may change what it is given."""


INSTEAD: dict[types.CodeType, FunctionType] = {}
"""Functions of the library written in Python, by their code, and what is differentiated in their place."""


def instead(f: Any) -> Any:
    """What is differentiated in the place of f: itself, but for these functions."""
    return INSTEAD.get(f.__code__, f) if type(f) is FunctionType else f


def engine() -> Any:
    """The engine that rules are given as their caller."""
    return _engine


def set_engine(made: Any) -> None:
    """Say which object the engine is; its own module does."""
    global _engine
    _engine = made


def call_in_reverse(f: Any, args: Values, mask: tuple[bool, ...], cache: dict[Any, Any]) -> tuple[Any, Any]:
    """A call of positional arguments that the site's cache does not hold."""
    if type(f) is FunctionType and rules_of(f) is None:
        return python_in_reverse(f, args, {}, mask)
    if f is getattr or not lasting(f):
        return plain_in_reverse(f, "", args, {}, mask)  # type: ignore[no-any-return]  # a pair
    since = generation()
    rule: Callable[..., tuple[Any, Any]] = resolve(f, args, {}, mask)
    keep(cache, (f, *map(type, args)), rule, since)
    return rule(*args)


def called(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> tuple[Any, Any]:
    """A call from outside: f does not vary, the arguments that `needs` names do."""
    load_for((f,))
    answer: tuple[Any, Any] | None = outside(f, args, kwargs, needs)
    if answer is not None:
        return answer
    if type(f) is FunctionType and rules_of(f) is None:
        return python_in_reverse(f, args, kwargs, needs)
    return plain_in_reverse(f, "", args, kwargs, needs)  # type: ignore[no-any-return]  # a pair


def lasting(f: Any) -> bool:
    """Whether a callable lives as long as the program, so that a cache may hold it."""
    if isinstance(f, types.BuiltinFunctionType):
        return f.__self__ is None or isinstance(f.__self__, types.ModuleType)
    if type(f) is FunctionType:  # by its own name, of this library or one that has rules here
        module = f.__module__ or ""
        if not (module.startswith(_OWN) or (module.startswith("scipy.") and rules_of(f) is not None)):
            return False
        return getattr(sys.modules.get(module), f.__name__, None) is f
    return isinstance(f, _LASTING) or type(f).__module__ == "numpy"


def plain_in_reverse(f: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    """A call of something that does not vary."""
    kinds, pullback_in_reverse = nested_pullback
    if isinstance(f, kinds):
        y, back = pullback_in_reverse(f, args, varies=False)
        return y, without_first(back, 1)
    g, all_args, keywords = normalise(f, args, kwargs)
    if g is f:
        return resolve(f, args, kwargs, needs)(*args, **kwargs)
    before = len(all_args) - len(args)
    after = len(keywords) - len(kwargs)
    mask = (False,) * before + needs[: len(args)] + (False,) * after + needs[len(args) :]
    if before < 0:  # getattr(x, "name")
        y, back = resolve(g, all_args, keywords, needs[:1])(*all_args)
        return y, Placed(back, ((0, None), NO_TANGENT))
    y, back = resolve(g, all_args, keywords, mask)(*all_args, **keywords)
    slots = (*range(before, len(all_args)), *_keyword_slots(keywords, kwargs, len(all_args)))
    return y, Placed(back, tuple((s, None) for s in slots))


def _keyword_slots(every: Mapping[str, Any], own: Mapping[str, Any], start: int) -> list[int]:
    names = list(every)
    return [start + names.index(k) for k in own]


def closure_in_reverse(
    f: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> Any:
    """A call of something that varies; its own cotangent is the first answer."""
    if type(f) is FunctionType and rules_of(f) is None:
        return python_in_reverse(f, args, kwargs, needs, closure=True)
    f = settled(f, args, kwargs)
    bound = unbind(f)
    if bound is not None:
        return method_of(f, bound[1], bound[0], args, kwargs, needs)
    if isinstance(f, functools.partial) and rules_of(f) is None:
        return partial_in_reverse(closure_in_reverse, f, args, kwargs, needs)
    kinds, pullback_in_reverse = nested_pullback
    if isinstance(f, kinds):
        return pullback_in_reverse(f, args)
    call = call_operator(f)
    if call is not None and rules_of(f) is None:
        return resolve(call, (f, *args), kwargs, (True, *needs))(f, *args, **kwargs)
    y, back = plain_in_reverse(f, "", args, kwargs, needs)
    return y, after(back, len(needs))


def method_of(
    m: Any, owner: Any, f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> Any:
    """A bound method that varies with its object."""
    y, back = resolve(f, (owner, *args), kwargs, (True, *needs))(owner, *args, **kwargs)
    return y, BoundAnswers(back)


def method_in_reverse(
    owner: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> Any:
    """`owner.name(...)` of a varying owner, whose cotangent is the first answer."""
    if isinstance(owner, (types.ModuleType, type, *CONSTANT)):
        y, back = plain_in_reverse(getattr(owner, name), "", args, kwargs, needs)
        return y, after(back, len(needs))
    if isinstance(owner, super):
        return closure_in_reverse(getattr(owner, name), "", args, kwargs, needs)
    f = getattr(type(owner), name, None)
    kind = protocols.kind_of_member(type(owner), name)
    if kind == "method" and name not in getattr(owner, "__dict__", ()):
        return resolve(f, (owner, *args), kwargs, (True, *needs))(owner, *args, **kwargs)
    if kind in ("static", "class"):
        y, back = plain_in_reverse(getattr(owner, name), "", args, kwargs, needs)
        return y, after(back, len(needs))
    member, member_back = resolve(attribute(name), (owner,), {}, (True,))(owner)
    y, back = closure_in_reverse(member, "", args, kwargs, needs)
    return y, Through(member_back, back)


def resolve(f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...]) -> Callable[..., Any]:
    """How to call a normalised callable in reverse with values of these types; raises where nothing fits."""
    if not lasting(f):
        return _resolve(f, args, kwargs, needs)
    key = (f, needs, tuple(kwargs), *map(type, args), *map(type, kwargs.values()))
    found: Callable[..., Any] | None = _resolved.get(key)
    if found is None:
        since = generation()
        found = _resolve(f, args, kwargs, needs)
        keep(_resolved, key, found, since)
    return found


def _resolve(
    f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...], unsettled: bool = False
) -> Callable[..., Any]:
    if type(f) is Augmented and isinstance(args[0], IMMUTABLE):
        return resolve(f.op, args, kwargs, needs)
    if f is next and isinstance(args[0], CONSTANT):
        return lambda *a: (next(*a), lambda y_bar: (ZERO,) * len(a))
    streamed: Callable[..., Any] | None = streamed_in_reverse(f, args, kwargs, needs)
    if streamed is not None:
        return streamed
    same: Callable[..., Any] | None = equivalent_in_reverse(f, args, kwargs, needs)
    if same is not None:
        return same
    written: Callable[..., Any] | None = stored_in_reverse(f, args, needs)
    if written is not None:
        return written
    rule = reverse_rule(f, args, kwargs, needs, engine())
    if rule is not None:
        if mutates(rule) and not may_carry((*args, *kwargs.values())):
            return as_written(f)
        refuse_mutation(f, rule)
        guarded = keeping_still(f, rule, args, kwargs, needs)
        kind = kept_by(f, rule, args, kwargs, unsettled)
        return given_copies(guarded, kind, of_users(rule))  # type: ignore[no-any-return]  # a rule
    if type(f) is FunctionType and is_followed(f):
        if the_other("reverse", f):
            return functools.partial(named_alone, "reverse", f, python_in_reverse, needs)
        return lambda *a, **k: python_in_reverse(f, a, k, needs)
    if isinstance(f, Attribute):
        found: Callable[..., Any] | None = protocols.attribute_in_reverse(
            f.__name__, args[0], _resolve_unsettled
        )
        if found is not None:
            return found
    elif isinstance(f, type):
        found = construct_in_reverse(f, args, dict(kwargs), needs)
        if found is not None:
            return found
    else:
        found = protocols.operator_in_reverse(f, args, needs, _resolve_unsettled)
        if found is not None:
            return found
        call = call_operator(f)
        if call is not None:
            mask = (False, *needs)
            return lambda *a, **k: _without_callee(resolve(call, (f, *a), k, mask)(f, *a, **k), len(needs))
    if not may_carry((*args, *kwargs.values())):
        return as_written(f)
    raise no_rule("reverse", f, args, kwargs)


def _resolve_unsettled(
    f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...]
) -> Callable[..., Any]:
    """The same for what an operator or attribute calls, whose site does not say what changes later."""
    if type(f) is not FunctionType:
        return resolve(f, args, kwargs, needs)
    if rules_of(f) is None:
        return lambda *a, **k: python_in_reverse(f, a, k, needs, unsettled=True)
    return _resolve(f, args, kwargs, needs, unsettled=True)


_changes_later: ContextVar[bool] = ContextVar("changes_later", default=False)
may_change_later = _changes_later.get
"""Whether the operands of the calls of now may change later."""


def before_changes(call: Callable[..., Any], *given: Any) -> Any:
    """A call with operands that may change later, so that the functions that a rule calls copy them."""
    token = _changes_later.set(True)
    try:
        return call(*given)
    finally:
        _changes_later.reset(token)


def _without_callee(answer: tuple[Any, Any], count: int) -> tuple[Any, Any]:
    y, back = answer
    return y, without_first(back, count)


def program_of(f: FunctionType, needs: tuple[bool, ...]) -> ReverseProgram | None:
    """The program that did the call before of a function without rules, given by position."""
    return (_programs.get(f.__code__) or {}).get(needs)


def python_in_reverse(
    f: FunctionType,
    args: Values,
    kwargs: Mapping[str, Any],
    needs: tuple[bool, ...],
    *,
    closure: bool = False,
    unsettled: bool = False,
) -> tuple[Any, Any]:
    """A Python function, transformed; with `closure` its own cotangent is the first answer.

    `unsettled`: its arguments and what it captured may change later.
    """
    f = INSTEAD.get(f.__code__, f)
    later = unsettled or _changes_later.get()
    answer = nested(f, args, needs, later)
    if answer is not None:
        return answer if not closure else (answer[0], after(answer[1], len(needs)))
    known = _programs.get(f.__code__)
    key = (needs, tuple(kwargs)) if kwargs else needs
    program = None if known is None else known.get(key)
    if program is None and not is_followed(f):
        y, back = as_written(f)(*args, **kwargs)
        return y, after(back, len(needs)) if closure else back
    if later:
        every = frozenset(range(-1, len(args) + len(kwargs)))
        token = _changes_later.set(False)
        try:
            return lent_program(f, len(args), tuple(kwargs), needs, (), closure, every).run(f, args, kwargs)
        finally:
            _changes_later.reset(token)
    if closure:
        return program_for(f, len(args), tuple(kwargs), needs, True).run(f, args, kwargs)
    if program is None:
        program = program_for(f, len(args), tuple(kwargs), needs, False)
        if known is None:
            known = _programs[f.__code__] = {}
        known[key] = program
    return program.run(f, args, kwargs)
