"""Overriding: classes that say themselves what an operator or a function does with their objects.

A rule for `tuple` holds for a subclass too, but not for an operator that the subclass defines anew: `a + b`
of vectors that are named tuples is not what `+` of tuples is. Such a rule does not apply, and the
method is differentiated instead. Where the class of an array says what NumPy's functions do with it,
the rules of arrays do not hold, and the call is refused.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any, get_args

import numpy as np

from .callables import Attribute
from .errors import NotDifferentiableError
from .installed import is_followed
from .registry import Method
from .sequences import View, items

_OPERATORS = {
    getattr(operator, name): name
    for name in dir(operator)
    if name.startswith("__") and isinstance(getattr(operator, name), BuiltinFunctionType)
}
_FUNCTIONS = {
    getattr(module, name): f"__{name}__"
    for module, names in {
        builtins: ("abs", "round", "divmod", "pow", "float", "int", "complex", "reversed"),
        math: ("floor", "ceil", "trunc"),
    }.items()
    for name in names
}
_ITERATING = (
    *(items, iter, sum, max, min, sorted, tuple, list, enumerate, zip, map, filter),
    *(math.fsum, math.prod),
)
_METHODS: dict[Any, str] = {**_OPERATORS, **_FUNCTIONS, **dict.fromkeys(_ITERATING, "__iter__")}
_BUILT_IN = ("builtins", "numpy")
_OWN = f"{__name__.partition('.')[0]}."


def overridden(f: Callable[..., Any], types: tuple[type, ...], method: Method) -> bool:
    """Whether the class of an argument defines anew what the rule says of its base.

    Raises:  NotDifferentiableError for arrays whose class says what NumPy's functions do with them.
    """
    try:
        name = _METHODS.get(f)
    except TypeError:  # an object that has no hash is no operator
        name = None
    for i, (t, declared) in enumerate(zip(types, method.signature.types, strict=False)):
        names = (f.__name__,) if isinstance(f, Attribute) else () if name is None else _names(name, i)
        members = get_args(declared) or (declared,)
        if any(redefined(t, member, each) for member in members for each in names):
            return True
        base = _base(t, declared)
        if base is None:
            continue
        if issubclass(base, np.ndarray):
            by_ufunc = isinstance(f, np.ufunc) or name in _OPERATORS.values()
            _refuse_arrays(t, base, method, "__array_ufunc__" if by_ufunc else "__array_function__")
        if any(_anew(t, base, each) for each in names):
            return True
    return False


def redefined(t: type, base: Any, name: str) -> bool:
    """Whether a class has a function of its own, a method or property, in the place of one with a rule."""
    if t is base or not isinstance(base, type) or base not in t.__mro__:
        return False
    P = next((P for P in t.__mro__ if name in vars(P)), object)
    member = vars(P).get(name)
    f = getattr(member, "fget", getattr(member, "func", member))  # of a property, of one that is kept
    own = isinstance(f, FunctionType) and is_followed(f) and not f.__module__.startswith(_OWN)
    return own and not issubclass(base, P)


def _base(t: type, declared: Any) -> type | None:
    """The built-in class for which a rule is declared, where t is another class that inherits from it."""
    members = get_args(declared) or (declared,)
    if t in members or t.__module__ in _BUILT_IN or t is View:
        return None
    of = [m for m in members if isinstance(m, type) and m.__module__ in _BUILT_IN and issubclass(t, m)]
    return next((m for m in of if m is not object), None)


def _names(name: str, place: int) -> tuple[str, ...]:
    """The methods that an argument at this place may answer with."""
    if name not in _OPERATORS.values():
        return (name,)
    if place:
        return (f"__r{name[2:]}",)
    plain = f"__{name[3:]}"  # of `__iadd__`
    return (name, plain) if plain in _OPERATORS.values() else (name,)


def _anew(t: type, base: type, name: str) -> bool:
    found = getattr(t, name, None)
    return isinstance(found, FunctionType) and found is not getattr(base, name, None)


def _refuse_arrays(t: type, base: type, method: Method, protocol: str) -> None:
    if getattr(t, protocol) is not getattr(base, protocol):
        raise NotDifferentiableError(
            f"a {t.__name__} has no derivatives here: its class says what NumPy's functions do with it",
            closest=str(method),
            next=f"register rules for {t.__name__}, or pass numpy.asarray(x)",
        )
