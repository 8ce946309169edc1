"""Protocols: the Python functions behind operators, attributes and calls of user classes.

Where no rule matches, `a + b` is what Python makes of it: `type(a).__add__`, or the reflected
method of b where a declines or b's class is the more special one. These methods are ordinary
Python functions and are transformed in turn. An attribute is a stored field, a property's
function, or a method bound to its object.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.caches import new_cache
from ....core.callables import Attribute
from ....tangents import NO_TANGENT
from .answers import Placed
from .cached import once
from .structures import field_tangent, is_field, read_field

_BINARY = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.truediv: "truediv",
    operator.floordiv: "floordiv",
    operator.mod: "mod",
    operator.pow: "pow",
    operator.matmul: "matmul",
    operator.lshift: "lshift",
    operator.rshift: "rshift",
    operator.and_: "and",
    operator.or_: "or",
    operator.xor: "xor",
}
_UNARY = {operator.neg: "__neg__", operator.pos: "__pos__", operator.invert: "__invert__", abs: "__abs__"}
_OTHER = {operator.getitem: "__getitem__", len: "__len__", float: "__float__"}
_DECLINES = (int, float, complex, np.generic, tuple, list)  # their own operators decline foreign classes

IMMUTABLE_TYPE = 1 << 8  # a class written in C, whose objects are not taken apart

Resolve = Callable[..., Callable[..., Any]]


def operator_in_reverse(f: Any, args: tuple[Any, ...], needs: tuple[bool, ...], resolve: Resolve) -> Any:
    """The Python method behind an operator, as a call in reverse; None where there is none."""
    try:
        name = _UNARY.get(f) or _OTHER.get(f)
        symbol = _BINARY.get(f)
    except TypeError:  # an unhashable callable is no operator
        return None
    if name is not None:
        method = python_method(args[0], name)
        return None if method is None else resolve(method, args, {}, needs)
    if symbol is None or len(args) != 2:
        return None
    candidates = _candidates(symbol, *args)
    return None if candidates is None else _first_that_answers(symbol, candidates, needs, resolve)


def _candidates(symbol: str, a: Any, b: Any) -> list[tuple[Any, bool]] | None:
    """The methods that Python would try, each with whether it is the reflected one."""
    own, reflected = python_method(a, f"__{symbol}__"), python_method(b, f"__r{symbol}__")
    if own is None and not isinstance(a, _DECLINES) and hasattr(type(a), f"__{symbol}__"):
        return None  # written in C, and it may accept b
    found = [(own, False)] if own is not None else []
    if reflected is not None and type(a) is not type(b):
        found.append((reflected, True))
        if issubclass(type(b), type(a)) and reflected is not python_method(a, f"__r{symbol}__"):
            found.reverse()
    return found or None


def _first_that_answers(
    symbol: str, candidates: list[tuple[Any, bool]], needs: tuple[bool, ...], resolve: Resolve
) -> Callable[..., Any]:
    def call(a: Any, b: Any) -> tuple[Any, Any]:
        for method, reflected in candidates:
            args, mask = ((b, a), needs[::-1]) if reflected else ((a, b), needs)
            y, back = resolve(method, args, {}, mask)(*args)
            if y is not NotImplemented:
                return y, Placed(back, ((1, None), (0, None))) if reflected else back
        raise TypeError(
            f"unsupported operand types for {symbol}: {type(a).__name__!r} and {type(b).__name__!r}"
        )

    return call


def python_method(x: Any, name: str) -> types.FunctionType | None:
    """The method of x's class by this name, where it is written in Python."""
    method = getattr(type(x), name, None)
    return method if isinstance(method, types.FunctionType) else None


_ABSENT = object()


def kind_of_member(cls: type, name: str) -> str:
    """What reading `name` from an object of this class gives: a method, a property, a field …"""
    kind = _kinds.get((cls, name))
    if kind is None:
        kind = _kinds[cls, name] = _kind_of_member(cls, name)
    return kind


_kinds: dict[tuple[type, str], str] = new_cache()


def _kind_of_member(cls: type, name: str) -> str:
    if isinstance(getattr(cls, "__getattribute__", None), types.FunctionType):
        return "computed"
    raw = inspect.getattr_static(cls, name, _ABSENT)
    if isinstance(raw, staticmethod):
        return "static"
    if isinstance(raw, classmethod | types.ClassMethodDescriptorType):
        return "class"
    if isinstance(raw, types.FunctionType | types.MethodDescriptorType | types.WrapperDescriptorType):
        return "method"
    if isinstance(raw, property | functools.cached_property):
        return "computed"
    if raw is _ABSENT and isinstance(getattr(cls, "__getattr__", None), types.FunctionType):
        return "absent"
    if isinstance(getattr(type(raw), "__get__", None), types.FunctionType):
        return "computed" if hasattr(type(raw), "__set__") else "absent"
    if (
        hasattr(type(raw), "__get__")
        and not isinstance(raw, types.MemberDescriptorType)
        and name != "__class__"
    ):
        return "descriptor"
    return "field"


def is_computed(x: Any, name: str) -> bool:
    """Whether reading `x.name` may run code, which is done once."""
    return kind_of_member(type(x), name) in ("computed", "absent") and not is_field(x, name)


@functools.cache
def called_by(name: str) -> Callable[..., Any]:
    """The call of an attribute of this name, as a function of the owner and of what is given."""

    def called(owner: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(owner, name)(*args, **kwargs)

    return called


def getter(cls: type, name: str) -> tuple[Any, bool]:
    """The function that reading `name` from an object of this class runs, and whether it takes the name."""
    for dynamic in ("__getattribute__", "__getattr__"):
        raw = inspect.getattr_static(cls, name, _ABSENT)
        f = getattr(cls, dynamic, None)
        if isinstance(f, types.FunctionType) and (dynamic == "__getattribute__" or raw is _ABSENT):
            return f, True
    if isinstance(raw, property):
        return raw.fget, False
    return (read_once if isinstance(raw, functools.cached_property) else read_by_descriptor), True


def descriptor(cls: type, name: str) -> Any:
    """What a class has by a name, as it stands in the class."""
    return inspect.getattr_static(cls, name, None)


non_differentiable(descriptor, why="looks into a class")


def read_by_descriptor(x: Any, name: str) -> Any:
    """`x.name`, where the class has a descriptor written in Python"""
    found = descriptor(type(x), name)
    return type(found).__get__(found, x, type(x))


def read_once(x: Any, name: str) -> Any:
    """`x.name`, a cached property"""
    return once(x, name, descriptor(type(x), name).func(x))


def attribute_in_reverse(name: str, x: Any, resolve: Resolve) -> Callable[..., Any] | None:
    """How to read `name` in reverse from objects of x's type; None where they are not taken apart.

    Whether an object stores the attribute itself is asked of each object, not of its type.
    """
    cls = type(x)
    kind = kind_of_member(cls, name)
    if kind == "computed":
        return _compute(cls, name, resolve)
    if is_opaque(x, name) or (kind == "descriptor" and not is_field(x, name)):
        return None

    def read(owner: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        if is_field(owner, name):
            return read_field(owner, name)
        if kind == "absent":
            return _compute(cls, name, resolve)(owner)  # type: ignore[no-any-return]  # a pair
        value = getattr(owner, name)
        return value, bound_method_pullback if kind == "method" else _nothing

    return read


def _compute(cls: type, name: str, resolve: Resolve) -> Callable[..., Any]:
    """Reading an attribute that a Python function computes; a cached one is computed anew."""
    f, named = getter(cls, name)
    needs, more = ((True, False), (name,)) if named else ((True,), ())

    def read(owner: Any) -> Any:
        return resolve(f, (owner, *more), {}, needs)(owner, *more)

    return read


def method_behind(
    f: Any, args: tuple[Any, ...]
) -> tuple[types.FunctionType, tuple[int, ...], tuple[Any, ...]] | None:
    """The Python function that an operator or a computed attribute calls, where it is one.

    With it, which operands it is given in which order, and what it is given after them. Of two methods of
    an operator it is the one that Python tries first.
    """
    if isinstance(f, Attribute):
        kind = kind_of_member(type(args[0]), f.__name__)
        if kind != "computed" and (kind != "absent" or is_field(args[0], f.__name__)):
            return None
        method, named = getter(type(args[0]), f.__name__)
        return method, (0,), (f.__name__,) * named
    try:
        name, symbol = _UNARY.get(f) or _OTHER.get(f), _BINARY.get(f)
    except TypeError:  # an unhashable callable is no operator
        return None
    if name is not None:
        own = python_method(args[0], name)
        return None if own is None else (own, tuple(range(len(args))), ())
    candidates = None if symbol is None or len(args) != 2 else _candidates(symbol, *args)
    if not candidates:
        return None
    method, reflected = candidates[0]
    return method, (1, 0) if reflected else (0, 1), ()


def is_opaque(x: Any, name: str) -> bool:
    """Whether x is an object of a C class, whose attributes may compute anything."""
    return (
        bool(type(x).__flags__ & IMMUTABLE_TYPE)
        and not isinstance(x, types.MethodType)
        and not is_field(x, name)
    )


def operator_forward(f: Any, args: tuple[Any, ...], tangents: tuple[Any, ...], forward: Any) -> Any:
    """An operator by its Python method, in forward mode; None where there is none."""
    try:
        name, symbol = _UNARY.get(f) or _OTHER.get(f), _BINARY.get(f)
    except TypeError:
        return None
    if name is not None:
        method = python_method(args[0], name)
        return None if method is None else forward(method, args, {}, tangents)
    if symbol is None or len(args) != 2:
        return None
    for method, reflected in _candidates(symbol, *args) or ():
        order = slice(None, None, -1) if reflected else slice(None)
        y, dy = forward(method, args[order], {}, tangents[order])
        if y is not NotImplemented:
            return y, dy
    return None


def _nothing(y_bar: Any) -> tuple[Any, ...]:
    return (NO_TANGENT,)


def bound_method_pullback(y_bar: Any) -> tuple[Any, ...]:
    """The cotangent of a bound method, as that of its object."""
    return (field_tangent(y_bar, "__self__"),)


def sets_inside(x: Any, *names: str) -> bool:
    """Whether the class of x has a method of one of these names, or sets a property, in Python."""
    return any(
        isinstance(getattr(type(x), name, None), property) or python_method(x, name) is not None
        for name in names
    )


non_differentiable(sets_inside, why="asks for methods")
