"""Calls: what a call means, in both modes and at all orders, once its callable and arguments are known.

In this order: what moves leaves about and computes nothing runs as it is written, a function without
derivative too; then a recipe, a rule, the source of a function of Python. What remains is opaque, and no
derivative passes through it.
"""

from __future__ import annotations

import functools
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from types import (
    BuiltinMethodType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...core.caches import emptied
from ...core.callables import Attribute, call_operator, normalise
from ...core.errors import UnsupportedSyntaxError
from ...core.installed import is_followed
from ...core.loading import load_for
from ...core.registry import rules_of
from ...core.table import table
from ...core.tracebacks import CALLERS
from ...tangents.refilled import base_of
from ...tangents.sparse import is_sparse
from ..cutting import stop_gradient
from ..source.reading.generated import generated_initialiser, is_generated, is_of_python
from ..source.syntax.codes import ByCode
from . import here as state
from .defaults import with_captured
from .elsewhere import refuse_hidden
from .gradients import of_items, takes_items
from .here import here
from .kept import before_calls
from .leaves import PLAIN, SIMPLE, Integer, is_leaf, is_simple
from .looking import any_changes, has_rule, may_write
from .memory import in_memory
from .natives import CONTAINERS, GETTERS, INSTEAD, ITERATORS, MOVES, NATIVE, RECIPES, is_moving
from .overlapping import is_writeable
from .owning import CONSTANT
from .putting import may_call, reading
from .quick import is_by_rule, quickly
from .refusing import no_rule, unfit_output
from .runs import ALONE, may_carry

Values = tuple[Any, ...]
SITES: dict[str, Any] = {}
"""What stands in the place of an operation of a followed function, by the name that it has there."""
twin_of: Any = None
"""twins.py: the function that runs in place of a function of Python."""
_BOUND = (BuiltinMethodType, MethodWrapperType)
_as_written: ByCode[bool] = emptied(ByCode())
"""Functions without rules that are followed."""
_makers: WeakKeyDictionary[type, FunctionType] = emptied(WeakKeyDictionary())
"""Classes without rules that only their own `__init__` makes objects of."""
_CACHED = type(functools.lru_cache(lambda: None))


def site(f: Any) -> Any:
    """Let a function stand in the place of an operation, under its own name."""
    SITES[f.__name__.rstrip("_")] = f
    return f


@site
def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`"""
    if not here.runs:
        return f(*args, **kwargs)
    kind = type(f)
    if kind is FunctionType:
        if is_followed_as_written(f):
            y = NotImplemented if kwargs else state.part(f, args)
            return twin_of(f)(*args, **kwargs) if y is NotImplemented else y
        return _of_python(f, args, kwargs)
    if kind is MethodType:
        return call(f.__func__, f.__self__, *args, **kwargs)
    init = _makers.get(f) if kind is type else None
    if init is not None:
        x = object.__new__(f)
        call(init, x, *args, **kwargs)
        return x
    try:
        if is_by_rule(f):
            y = NotImplemented if kwargs else quickly(f, args)
            return perform(f, args, kwargs) if y is NotImplemented else y
        recipe = RECIPES.get(f)
        moves = f in MOVES
    except TypeError:  # not hashable
        recipe, moves = None, False
    if recipe is not None:
        return recipe(*args, **kwargs)
    return f(*args, **kwargs) if moves else call_of_other(f, args, kwargs)


state.followed = call
CALLERS[call.__code__] = "forward"


def is_followed_as_written(f: Any) -> bool:
    """Whether f is a function of Python that is known to have no rules."""
    return type(f) is FunctionType and f.__code__ in _as_written and id(f) not in table


def perform(f: Any, args: Values, kwargs: dict[str, Any], otherwise: Any = None) -> Any:
    """A call by the rule of what is called, for the innermost run in which an operand varies.

    `otherwise`: what is called where there is no rule.
    """
    for x in args:
        kind = type(x)
        if kind in SIMPLE:
            continue
        if kind in ITERATORS:
            args = tuple([_unrolled(v) if type(v) in ITERATORS else v for v in args])
            break
        if (kind is list or kind is tuple) and not is_simple(x):
            y = SITES["by_protocol"](f, args, kwargs)  # no rule of arrays knows of objects in lists
            if y is not NotImplemented:
                return y
        if isinstance(x, list | tuple) and isinstance(kind.__iter__, FunctionType) and _is_of_numbers(f):
            return perform(f, tuple([SITES["listed"](v) for v in args]), kwargs, otherwise)
    values = (*args, *kwargs.values()) if kwargs else args
    out = kwargs.get("out") if kwargs else None
    if type(out) is np.ndarray and not any_changes(f) and any(run.marks(values) for run in here.runs):
        return _written(f, args, kwargs)
    for run in reversed(here.runs):
        marks = run.marks(values)
        if marks is None:
            continue
        y = run.step(f, args, kwargs, marks)
        if y is not NotImplemented:
            return y
        if otherwise is not None:
            return otherwise(*args, **kwargs)
        y = SITES["by_protocol"](f, args, kwargs)
        if y is not NotImplemented:
            return y
        if not may_carry(marks, values):
            return run.promised(f, args, kwargs, marks)
        if takes_items(f, args):
            return call(of_items, *args, f, **kwargs)
        return run.opaque(f, args, kwargs, no_rule(f, args, kwargs, run))
    if not SIMPLE.issuperset(map(type, values)):
        calling = [x for x in values if type(x) not in PLAIN and may_call(x)]
        refuse_hidden(here.runs, calling)
    if not may_write(f, args, kwargs):
        return f(*args, **kwargs)
    held = _before_changes(values)
    with reading(held) if held else nullcontext():
        return f(*args, **kwargs)


def _is_of_numbers(f: Any) -> bool:
    """Whether a function is one of NumPy or `math`."""
    return (getattr(f, "__module__", None) or "").startswith(("numpy", "math"))


def _written(f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call with `out=` of a function whose rules do not know that: its value is stored there."""
    out = kwargs["out"]
    y = call(f, *args, **{k: v for k, v in kwargs.items() if k != "out"})
    if np.shape(y) != out.shape or not np.can_cast(getattr(y, "dtype", type(y)), out.dtype, "same_kind"):
        f(*args, **{**kwargs, "out": out.copy()})  # an error of the library's
        raise unfit_output(f, out, y)
    SITES["setitem"](y, out, Ellipsis)
    return out


def _before_changes(values: Values) -> list[Any]:
    """See to it that no pullback sees a change of the arrays that are given; those that may not change."""
    arrays = [a for a in in_memory(values) if is_sparse(a) or is_writeable(a)]
    return before_calls(arrays) if arrays else []


def _unrolled(it: Any) -> Any:
    """What an iterator gives, as a value."""
    return call(np.ravel, it.base) if type(it) is np.flatiter else list(it)


def reported(y: Any, *values: Any) -> Any:
    """A text, or several, for the runs in which one of the values varies that it was made of."""
    for run in here.runs:
        if run.marks(values) is not None:
            if isinstance(y, str | bytes):
                y = run.reported(y)
            elif isinstance(y, list | tuple):
                y = type(y)([run.reported(v) if isinstance(v, str) else v for v in y])
    return y


def constant(f: Any, y: Any) -> Any:
    """What a function without derivative gave, where that is a leaf that varies: a copy.

    An object counts as constant, whatever it holds. Containers are as they are, with the leaves in them; but
    `stop_gradient` cuts all of these.
    """
    if type(y) in PLAIN:
        return y
    if not (is_leaf(y) or f is stop_gradient):
        if type(y) not in CONTAINERS:
            for run in here.runs:
                run.cut[id(y)] = y
        return y
    for run in here.runs:
        mark = run.mark(y)
        if mark is ALONE:
            if isinstance(y, np.ndarray | np.generic):
                return y.copy()
            return int(y) if type(y) is Integer else y * 1.0
        if mark is not None:
            layout, leaves = mark
            y = layout.filled([constant(f, v) for v in leaves])
    return y


def _of_python(f: FunctionType, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call of a function of Python."""
    if f in NATIVE:
        return f(*args, **kwargs)
    if f not in RECIPES:
        done, y = _by_rules(f, args, kwargs)
        if done:
            return y
        f = INSTEAD.get(f.__code__, f)
    recipe = RECIPES.get(f)
    if recipe is not None:
        return recipe(*args, **kwargs)
    if args and is_of_python(f, args[0]):
        y = f(*args, **kwargs)
        return reported(y, *args) if type(y) is str else y
    if not is_followed(f):
        return perform(f, args, kwargs)
    try:
        twin = twin_of(f)
    except UnsupportedSyntaxError:
        if any(run.marks((f, *args, *kwargs.values())) for run in here.runs):
            raise
        return f(*args, **kwargs)  # of nothing that varies
    if rules_of(f) is None:
        _as_written[f.__code__] = True
        return twin(*args, **kwargs)
    before, here.alone = here.alone, (*here.alone, f)  # its rules are of the other mode, or for other types
    try:
        return twin(*args, **kwargs)
    finally:
        here.alone = before


def _by_rules(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[bool, Any]:
    """Whether the rules of a callable say what a call does, and what that gives."""
    rules = rules_of(f)
    if rules is None:
        load_for((f, *map(type, args)))
        rules = rules_of(f)
    if rules is None:
        return False, None
    if rules.non_differentiable is not None:
        if kwargs.get("out") is not None or isinstance(args[0] if args else None, CONSTANT):
            _before_changes((*args, *kwargs.values()))
        return True, constant(f, f(*args, **kwargs))
    mode = "forward" if here.runs[-1].forward else "reverse"
    if isinstance(f, FunctionType | type) and not has_rule(f, args, kwargs, mode):
        return False, None
    if not SIMPLE.issuperset(map(type, (*args, *kwargs.values()))):
        args, kwargs = tuple(map(with_captured, args)), {k: with_captured(v) for k, v in kwargs.items()}
    return True, perform(f, args, kwargs)


def call_of_other(f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call of what is no function of Python, has no recipe and may compute."""
    if isinstance(f, _BOUND) and isinstance(getattr(type(f.__self__), f.__name__, None), FunctionType):
        return call(_in_c(type(f.__self__), f.__name__), f.__self__, *args, **kwargs)
    if isinstance(f, _CACHED) and rules_of(f) is None:
        return _remembered(f, args, kwargs)
    g, values, words = normalise(f, args, kwargs)
    if g is not f:
        return (
            RECIPES[getattr](values[0], g.__name__) if isinstance(g, Attribute) else call(g, *values, **words)
        )
    if is_moving(f):
        y = f(*args, **kwargs)
        return reported(y, *args) if args and isinstance(args[0], str | bytes) else y
    if isinstance(f, type):
        return _made(f, args, kwargs)
    done, y = _by_rules(f, args, kwargs)
    if done:
        return y
    getter = GETTERS.get(type(f))
    if getter is not None:
        return getter(f, *args, **kwargs)
    own = call_operator(f)
    if own is not None:
        return call(own, f, *args, **kwargs)
    for run in here.runs:
        if id(f) in run.live:  # C code made it, of what varies
            return run.opaque(f, args, kwargs, run.why.get(id(f)) or no_rule(f, args, kwargs, run))
    return perform(f, args, kwargs)


def _in_c(cls: type, name: str) -> Any:
    """The method in C that a class overrides, and calls by `super()`."""
    kinds = (MethodDescriptorType, WrapperDescriptorType, BuiltinMethodType)
    return next(c.__dict__[name] for c in cls.__mro__ if isinstance(c.__dict__.get(name), kinds))


def _remembered(f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call of a function that remembers its results: once in a run for the same arguments."""
    run = here.runs[-1]
    key = (id(f), *map(run.key, args), *((k, run.key(v)) for k, v in kwargs.items()))
    try:
        known = run.memo.get(key)
    except TypeError:  # as Python says where an argument cannot be a key
        return f(*args, **kwargs)
    if known is None:
        known = run.memo[key] = (call(f.__wrapped__, *args, **kwargs), f, args, kwargs)
    return known[0]


def _made(cls: Any, args: Values, kwargs: dict[str, Any]) -> Any:
    """A call of a class."""
    done, y = _by_rules(cls, args, kwargs)
    if done:
        return y
    if issubclass(cls, Fraction | Decimal):  # which take numbers apart into whole ones
        return perform(cls, args, kwargs)
    maker = type(cls).__call__
    if isinstance(maker, FunctionType):
        return call(maker, cls, *args, **kwargs)
    init, new = cls.__init__, cls.__new__
    generated = is_generated(init) and generated_initialiser(cls) is None
    if issubclass(cls, BaseException) or generated or is_generated(new):
        return cls(*args, **kwargs)
    made_by = new if isinstance(new, FunctionType) else init
    if isinstance(made_by, FunctionType) and not is_followed(made_by) and rules_of(made_by) is None:
        return perform(cls, args, kwargs)
    if new is object.__new__ and type(cls) is type and isinstance(init, FunctionType):
        _makers[cls] = init
    if isinstance(new, FunctionType):
        x = call(new, cls, *args, **kwargs)
    elif isinstance(init, FunctionType):
        x = object.__new__(cls) if new is object.__new__ else new(cls, *args, **kwargs)
    elif base_of(cls) in CONTAINERS:
        return cls(*map(SITES["given_to" if issubclass(cls, dict) else "items"], args), **kwargs)
    else:
        return perform(cls, args, kwargs)
    if isinstance(x, cls) and isinstance(type(x).__init__, FunctionType):
        call(type(x).__init__, x, *args, **kwargs)
    return x


CALLERS[_of_python.__code__] = "forward"
