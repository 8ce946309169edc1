"""Templates: of what a value is made, so that it can be made again of numbers, arrays and the like.

    lambda x: x**3 + a * x - b        a function of this code, of `a` and `b`

Functions with what they captured, tuples, dictionaries and objects are taken apart; so is their tangent. A
template has the text that makes its value and the text that takes it apart: both run in each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from ....tangents import ZERO, NotImplementedTangent, fields_of, from_fields, is_zero, unthunk
from . import objects
from .closures import is_closure
from .composed import Given, Kind, Made
from .declined import Declined
from .held import MADE, Held, held_out
from .kinds import CAPTURED, DEFINED, entries_of, is_tuple, kind_of
from .objects import object_anew

Bind = Callable[[Any], str]
"""Gives a name for a value in a text."""


class Leaf:
    """A place for a number, an array, or anything else that is handed on as it is."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Leaf

    def __hash__(self) -> int:
        return hash(Leaf)

    def leaves(self, v: Any) -> Iterator[Any]:
        """What of a value goes to its places."""
        yield v

    def text(self, given: Iterator[str], bind: Bind) -> str:
        """The text that makes the value, of those of what is at its places."""
        return next(given)

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        """The texts of what is at its places in the value by this name; `lines` get what these texts need."""
        return [name]

    def tangent(self, given: Iterator[Any]) -> Any:
        """The tangent of the value, of those of what is at its places."""
        return next(given)

    def spread(self, t: Any) -> Iterator[Any]:
        """The cotangents of what is at its places, from that of the value."""
        yield t

    def needed(self, needs: Iterator[bool]) -> bool:
        """Whether anything at its places needs a cotangent."""
        return next(needs)

    def kinds(self, k: Kind) -> list[Kind]:
        """The kinds of what is at its places, of that of the value."""
        return [k]


@dataclass(frozen=True)
class Fixed:
    """What is the same in each call: a function that captured nothing, a class or a module."""

    value: Any

    def leaves(self, v: Any) -> Iterator[Any]:
        return iter(())

    def text(self, given: Iterator[str], bind: Bind) -> str:
        return bind(self.value)

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        return []

    def tangent(self, given: Iterator[Any]) -> Any:
        return ZERO

    def spread(self, t: Any) -> Iterator[Any]:
        return iter(())

    def needed(self, needs: Iterator[bool]) -> bool:
        return False

    def kinds(self, k: Kind) -> list[Kind]:
        return []


@dataclass(frozen=True)
class Parts:
    """What is made of others: a tuple, a list, a dictionary or an object of a class."""

    of: type
    keys: tuple[Any, ...]
    items: tuple[Template, ...]

    def leaves(self, v: Any) -> Iterator[Any]:
        for item, x in zip(self.items, self.inside(v), strict=True):
            yield from item.leaves(x)

    def inside(self, v: Any) -> Iterable[Any]:
        """What a value is made of."""
        if self.of is dict:
            return list(v.values())
        return v if self.of in (tuple, list) else [getattr(v, name) for name in self.keys]

    def text(self, given: Iterator[str], bind: Bind) -> str:
        values = [item.text(given, bind) for item in self.items]
        if self.of is tuple:
            return f"({''.join(f'{v}, ' for v in values)})"
        if self.of is list:
            return f"[{', '.join(values)}]"
        if self.of is dict:
            return f"{{{', '.join(f'{bind(k)}: {v}' for k, v in zip(self.keys, values, strict=True))}}}"
        if issubclass(self.of, tuple):
            return f"{bind(self.of)}({', '.join(values)})"
        return f"{bind(object_anew)}({', '.join([bind(self.of), repr(self.keys), *values])})"

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        names = [f"{name}_{i}" for i in range(len(self.items))]
        if self.of is tuple:
            lines.append(f"{', '.join(names)}, = {name}" if names else f"() = {name}")
        elif issubclass(self.of, dict):
            if self.of is dict:
                lines.append(f"if {bind(len)}({name}) != {len(names)}: raise {bind(ValueError)}")
            lines += [f"{n} = {name}[{bind(k)}]" for n, k in zip(names, self.keys, strict=True)]
        else:
            lines += [f"{n} = {bind(getattr)}({name}, {k!r})" for n, k in zip(names, self.keys, strict=True)]
        return [x for item, n in zip(self.items, names, strict=True) for x in item.opened(n, lines, bind)]

    def tangent(self, given: Iterator[Any]) -> Any:
        values = [item.tangent(given) for item in self.items]
        if all(map(is_zero, values)):
            return ZERO
        if self.of in (tuple, list):
            return from_fields(self.of, values)
        named = zip(self.keys, values, strict=True)
        return from_fields(self.of, {key: t for key, t in named if not is_zero(t)})

    def spread(self, t: Any) -> Iterator[Any]:
        t = unthunk(t)
        none = is_zero(t) or isinstance(t, NotImplementedTangent)
        fields = [t] * len(self.items) if none else fields_of(t)
        if isinstance(fields, dict):
            fields = [fields.get(key, ZERO) for key in self.keys]
        for item, x in zip(self.items, fields, strict=True):
            yield from item.spread(x)

    def needed(self, needs: Iterator[bool]) -> bool:
        every = [item.needed(needs) for item in self.items]
        return any(every)

    def kinds(self, k: Kind) -> list[Kind]:
        pairs = zip(self.items, self.kinds_inside(k), strict=True)
        return [found for item, inside in pairs for found in item.kinds(inside)]

    def kinds_inside(self, k: Kind) -> list[Kind]:
        """The kinds of what it is made of."""
        return entries_of(k, self.keys) if self.keys else list(k[1:])

    def with_keys(self, keys: tuple[Any, ...]) -> Parts:
        """The same of these of its entries."""
        return Parts(self.of, keys, tuple([self.items[self.keys.index(key)] for key in keys]))


@dataclass(frozen=True)
class OfLibrary(Parts):
    """An object of a library: what that made, and what it holds.

    What is handed the first can ask for the rest.
    """

    def inside(self, v: Any) -> Iterable[Any]:
        return [v.made, *v.values]

    def text(self, given: Iterator[str], bind: Bind) -> str:
        made, *values = [item.text(given, bind) for item in self.items]
        return f"{bind(held_out)}({', '.join([made, repr(self.keys[1:]), *values])})" if values else made

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        raise Declined("an object of a library that a library gives back")


@dataclass(frozen=True)
class Inside(Parts):
    """A function that was defined inside another, of what it captured."""

    code: CodeType
    of_module: dict[str, Any] = field(compare=False)
    defaults: tuple[Any, ...] = field(compare=False)
    words: tuple[tuple[str, Any], ...] = field(compare=False)

    def inside(self, v: Any) -> Iterable[Any]:
        return list(v.__dict__[CAPTURED].values())

    def text(self, given: Iterator[str], bind: Bind) -> str:
        captured = {key: item.text(given, bind) for key, item in zip(self.keys, self.items, strict=True)}
        cells = "".join(f"{bind(CellType)}({captured[name]}), " for name in self.code.co_freevars)
        known = (self.code, self.of_module, self.code.co_name, self.defaults)
        made = f"{bind(FunctionType)}({', '.join(map(bind, known))}, ({cells}))"
        return f"{bind(_with_words)}({made}, {bind(self.words)})" if self.words else made

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        raise Declined("a function that a library gives back")


@dataclass(frozen=True)
class OfPartial(Parts):
    """A function of which some arguments are given, or a method, of these and of the function."""

    def inside(self, v: Any) -> Iterable[Any]:
        if type(v) is MethodType:
            return [v.__func__, v.__self__]
        return [v.func, *v.args, *v.keywords.values()]

    def text(self, given: Iterator[str], bind: Bind) -> str:
        values = [item.text(given, bind) for item in self.items]
        words = [v if k.isdigit() else f"{k}={v}" for k, v in zip(self.keys[1:], values[1:], strict=True)]
        return f"{bind(partial)}({', '.join([values[0], *words])})"

    def opened(self, name: str, lines: list[str], bind: Bind) -> list[str]:
        raise Declined("a function that a library gives back")

    def tangent(self, given: Iterator[Any]) -> Any:
        func, *values = [item.tangent(given) for item in self.items]
        if all(map(is_zero, (func, *values))):
            return ZERO
        if self.of is MethodType:
            return from_fields(MethodType, {"__self__": values[0]})
        named = dict(zip(self.keys[1:], values, strict=True))
        args = from_fields(tuple, [t for k, t in named.items() if k.isdigit()])
        words = from_fields(dict, {k: t for k, t in named.items() if not k.isdigit()})
        return from_fields(partial, {"func": func, "args": args, "keywords": words})

    def spread(self, t: Any) -> Iterator[Any]:
        parts = {} if is_zero(t) else fields_of(t)
        func, args, words = [parts.get(k, ZERO) for k in ("func", "args", "keywords")]
        args = () if is_zero(args) else tuple(args)
        named = dict(zip(self.keys[1:], args, strict=False)) | ({} if is_zero(words) else fields_of(words))
        if self.of is MethodType:
            named = {"0": parts.get("__self__", ZERO)}
        yield from self.items[0].spread(func)
        for key, item in zip(self.keys[1:], self.items[1:], strict=True):
            yield from item.spread(named.get(key, ZERO))


Template = Leaf | Fixed | Parts


def _with_words(f: FunctionType, words: tuple[tuple[str, Any], ...]) -> FunctionType:
    """A new function with defaults of what is given by name alone."""
    f.__kwdefaults__ = dict(words)
    return f


def template(v: Any) -> Template:
    """What a value is made of; Declined for what cannot be made again of its parts."""
    if is_closure(v):
        d, captured = v.__dict__[DEFINED], v.__dict__[CAPTURED]
        if d.boxes or d.group or d.computed:
            raise Declined(
                "a function that is handed on, and sets variables, calls itself or computes defaults"
            )
        items = tuple(map(template, captured.values()))
        return Inside(FunctionType, tuple(captured), items, d.code, v.__globals__, d.defaults, d.words)
    if type(v) is Held:
        return OfLibrary(type(v.made), (MADE, *v.names), (Leaf(), *map(template, v.values)))
    k = kind_of(v)
    if type(k) is tuple and k[0] == "F":
        return Fixed(v)
    if not is_tuple(k):
        return Leaf()
    if type(v) is Given:
        return Parts(list, (), tuple(map(template, v)))
    if type(v) in (tuple, dict):
        return Parts(type(v), tuple(v) if type(v) is dict else (), tuple(map(template, _items(v))))
    if type(v) is partial:
        return OfPartial(partial, k.keys, tuple(map(template, OfPartial(partial, (), ()).inside(v))))
    if isinstance(k, Made) and k.made is type(v):
        return Parts(k.made, k.keys, tuple([template(getattr(v, name)) for name in k.keys]))
    raise Declined(f"a {type(v).__name__} that is handed on to a library")


def _items(v: Any) -> Iterable[Any]:
    return v.values() if type(v) is dict else v


def result_template(v: Any, *, still: bool) -> Template:
    """What a result is made of; of one of a solver's that may move, without its texts."""
    t = template(v)
    if not still and objects.is_result(v) and isinstance(t, Parts):
        keys = tuple([name for name in t.keys if type(getattr(v, name)) is not str])
        return Parts(t.of, keys, (Leaf(),) * len(keys))
    return t
