"""What people register for a primal type: its natural tangent, its converters, its own ways.

    natural_tangent(P, T, ...)       T is the natural tangent type of P
    convert_fields(P, "Q", "R")      cotangents of properties of P as cotangents of its fields
    construct.register(P)            how a P is made of its fields
    to_tangent.register(P)           what an optimiser moves along, where that is not the cotangent itself

A registration holds for subclasses too, unless they have one of their own; the converters only for P,
since composites are invariant. Registering again replaces. The types of the standard library and of
NumPy are natural already and cannot be registered. What is registered is used by the other modules here.
The types of a library that may be absent register when a program that has imported it looks one up.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from .errors import ChainRulesError

_Way = TypeVar("_Way")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class ByType(Generic[_Way]):
    """One entry for each registered type, found along the method resolution order.

    Example: >>> ways = ByType()
             >>> ways.set(int, "a way")
             >>> ways.of(bool), ways.of(str)
             ('a way', None)
    """

    def __init__(self) -> None:
        self._ways: dict[type, _Way] = {}

    def set(self, P: type, way: _Way) -> None:
        """Register the way of P and of its subclasses."""
        if not isinstance(P, type):
            raise TypeError(f"a class is registered, not {P!r}")
        self._ways[P] = way

    def of(self, P: type) -> _Way | None:
        """The way of the nearest class that has one."""
        for library in tuple(_awaited):
            if library in sys.modules:
                register_awaited()
                break
        if not self._ways:
            return None
        return next((self._ways[cls] for cls in P.__mro__ if cls in self._ways), None)

    def register(self, P: type) -> Callable[[_Function], _Function]:
        """A decorator that registers a function as the way of P, and returns it unchanged."""

        def register_function(fn: _Function) -> _Function:
            self.set(P, fn)  # type: ignore[arg-type]  # the ways of such a table are functions
            return fn

        return register_function


_awaited: dict[str, Callable[[], bool]] = {}
_lock = threading.RLock()


def when_imported(library: str, register: Callable[[], bool]) -> None:
    """Call `register` once the program has imported the library; it says whether the library was ready."""
    _awaited[library] = register


def register_awaited() -> bool:
    """Register the types of libraries that have been imported since; whether there were any."""
    ready = [name for name in tuple(_awaited) if name in sys.modules]
    with _lock if ready else _NOTHING:
        done = [name for name in ready if name not in _awaited or _awaited[name]()]
        for name in done:
            _awaited.pop(name, None)
    return bool(done)


_NOTHING = nullcontext()


@dataclass(frozen=True)
class Natural:
    """How the natural tangents of a primal type are made and used."""

    T: type
    zero: Callable[[Any], Any]
    move: Callable[[Any, Any], Any]
    difference: Callable[[Any, Any], Any]
    from_structural: Callable[[Any], Any] | None
    project: Callable[[Any, Any], Any] | None


@dataclass(frozen=True)
class Vector:
    """How a registered type of tangents is a vector: its multiples, inner products and numbers."""

    scale: Callable[[Any, Any], Any] | None
    inner: Callable[[Any, Any], Any] | None
    numbers: Callable[[Any], tuple[Any, Callable[[Any], Any]]] | None


naturals: ByType[Natural] = ByType()
vectors: ByType[Vector] = ByType()
constructors: ByType[Callable[..., Any]] = ByType()
metrics: ByType[Callable[..., Any]] = ByType()
_converters: dict[type, dict[str, Callable[..., Any]]] = {}


def natural_tangent(
    P: type,
    T: type,
    *,
    zero: Callable[[Any], Any] | None = None,
    move: Callable[[Any, Any], Any] | None = None,
    difference: Callable[[Any, Any], Any] | None = None,
    from_structural: Callable[[Any], Any] | None = None,
    project: Callable[[Any, Any], Any] | None = None,
    scale: Callable[[Any, Any], Any] | None = None,
    inner: Callable[[Any, Any], Any] | None = None,
    numbers: Callable[[Any], tuple[Any, Callable[[Any], Any]]] | None = None,
) -> None:
    """Register T as the natural tangent type of the primal type P.

    Shapes:  `zero(x)` is a T, by default `T()`; `move(x, t)` a P, by default `x + t`; `difference(a, b)` a T,
             by default `a - b`. `from_structural(t)` makes a T of a `Composite[P]`; then the two add.
             `project(x, t)` makes a T of any other tangent, or raises; by default it takes a T only.
             As vectors, T have `scale(s, t)`, by default `s * t`; `inner(a, b)`, a real number; for `ravel`,
             `numbers(t)` gives (parts, rebuild) with `rebuild(parts) == t` and parts that ravel. Those
             of the standard library, NumPy and `Composite` are vectors already. Sums: `@add.dispatch`.
    Raises:  ChainRulesError for a P that has a natural tangent type from the beginning.
    Example: >>> from datetime import timedelta
             >>> class Clock:
             ...     def __init__(self, now): self.now = now
             >>> natural_tangent(Clock, timedelta, move=lambda x, t: Clock(x.now + t),
             ...                 difference=lambda a, b: a.now - b.now)
             >>> zero_tangent(Clock(0.0))
             datetime.timedelta(0)
    """
    if P.__module__ in ("builtins", "numpy", "datetime", "fractions", "decimal"):
        raise ChainRulesError(
            f"{P.__qualname__} has its tangents from the beginning, and every rule counts on them",
            next=f"register a class of your own that holds a {P.__qualname__}",
        )
    naturals.set(
        P,
        Natural(
            T,
            zero or (lambda x: T()),
            move or (lambda x, t: x + t),
            difference or (lambda a, b: a - b),
            from_structural,
            project,
        ),
    )
    if scale is not None or inner is not None or numbers is not None:
        vectors.set(T, Vector(scale, inner, numbers))


def convert_fields(P: type, *properties: str) -> Callable[[_Function], _Function]:
    """Register how cotangents of properties of P become cotangents of the fields that it stores.

    Shapes:  the function is called as `fn(x, *cotangents)`, one for each property in this order, like
             the property's value (as it is, where P has no such attribute and the name stands for something
             that its fields tell); it returns a dict of the cotangents of stored fields. It is the pullback
             of the properties, hence linear in the cotangents.
    Raises:  TypeError when no property is named.
    Example: >>> class Square:
             ...     def __init__(self, side): self.side = side
             ...     area = property(lambda self: self.side ** 2)
             >>> @convert_fields(Square, "area")
             ... def square_fields(x, area_bar): return {"side": 2 * x.side * area_bar}
             >>> canonicalize(Composite[Square](area=1.0, side=1.0), like=Square(3.0)).side
             7.0
    """
    if not properties:
        raise TypeError("convert_fields needs the names of the properties that are converted")

    def register_converter(fn: _Function) -> _Function:
        known = _converters.setdefault(P, {})
        for group in [known[name] for name in properties if name in known]:
            for name in [name for name, other in known.items() if other is group]:
                del known[name]
        known.update(dict.fromkeys(properties, Converter(properties, fn)))
        return fn

    return register_converter


@dataclass(frozen=True, eq=False)
class Converter:
    """A function that converts the cotangents of these properties."""

    properties: tuple[str, ...]
    convert: Callable[..., Any]

    def __call__(self, x: Any, cotangents: list[Any]) -> Any:
        """The cotangents of stored fields, by name."""
        return self.convert(x, *cotangents)


def properties_among(P: type, names: Iterable[Any]) -> list[Any]:
    """Which of the names stand for properties of P, whose tangents only the primal brings to the fields.

    Example: >>> from fractions import Fraction
             >>> properties_among(slice, ["start"]), properties_among(Fraction, ["numerator", "_numerator"])
             ([], ['numerator'])
    """
    known = converters_of(P)
    return [name for name in names if name in known or isinstance(getattr(P, name, None), _PROPERTIES)]


_PROPERTIES = (property, cached_property)


def converters_of(P: type) -> dict[str, Any]:
    """The registered converter of each property of P."""
    return _converters.get(P, {})
