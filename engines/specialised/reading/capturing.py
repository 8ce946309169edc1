"""Capturing: what a function captured, and what the functions that it captured did in turn.

Numbers and arrays of floats are held, and what has no derivative for certain; functions that were made once,
modules and classes are known. Objects and tuples are taken apart, and held where nobody asks for their
derivative (`anew`). Other containers, and a function with defaults, are not taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ....tangents import ZERO, Composite, is_zero
from ...source.analysis.effects_of import changes_captured
from ...source.reading.locate import names_in
from ...source.syntax.codes import ByCode, content_of
from .objects import is_object
from .taken import NotTaken, is_floating, taken
from .templates import Template

_STILL = (int, bool, str, type(None), np.bool_)
KNOWN = (ModuleType, BuiltinFunctionType, np.ufunc, type)
_CONTAINERS = (tuple, list, dict)
_DEEP = 6


class NotLifted(Exception):
    """A function that is left as it is."""


def is_lasting(f: Any) -> bool:
    """Whether this is a function that was not made inside another, and will not be made again."""
    return type(f) is FunctionType and not f.__closure__ and "<locals>" not in f.__qualname__


def end_of(f: FunctionType, anew: bool) -> str:
    """How the names of a text end: there may be others in it, of the other sort or of a text around it."""
    return "_anew_" if anew else "_" * (1 + _level(f, 0))


def _level(f: FunctionType, depth: int) -> int:
    """How many texts a function was written in, or one that it captured, told by the names in it."""
    own = _levels.get(f.__code__)
    if own is None:
        found = [re.fullmatch(r"(given|held|made|known|whole)\d+(_+)", n) for n in names_in(f.__code__)]
        own = _levels[f.__code__] = max([0, *[len(m[2]) for m in found if m]])
    inside = [content_of(cell) for cell in f.__closure__ or ()] if depth < _DEEP else []
    return max([own, *[_level(g, depth + 1) for g in inside if type(g) is FunctionType]])


_levels: ByCode[int] = ByCode()


class Node:
    """A function that is written out, and what it captured: functions, and places among what is held."""

    def __init__(self, f: FunctionType, name: str) -> None:
        self.f, self.name = f, name
        self.functions: dict[str, Node] = {}
        self.places: dict[str, int] = {}
        self.wholes: dict[str, tuple[Template, slice]] = {}  # what is taken apart, and where that is held
        self.known: dict[str, Any] = {}

    def cotangent(self, cotangents: Sequence[Any]) -> Any:
        """The cotangent of the function, from those of what is held."""
        fields = {name: node.cotangent(cotangents) for name, node in self.functions.items()}
        fields |= {name: cotangents[i] for name, i in self.places.items()}
        fields |= {name: t.tangent(iter(cotangents[part])) for name, (t, part) in self.wholes.items()}
        fields = {name: t for name, t in fields.items() if not is_zero(t)}
        return Composite[FunctionType](**fields) if fields else ZERO

    def tangents(self, df: Any, held: list[Any]) -> None:
        """Put the tangents of what is held at its places, from that of the function."""
        for name, node in self.functions.items():
            node.tangents(ZERO if is_zero(df) else getattr(df, name, ZERO), held)
        for name, i in self.places.items():
            held[i] = ZERO if is_zero(df) else getattr(df, name, ZERO)
        for name, (t, part) in self.wholes.items():
            held[part] = t.spread(ZERO if is_zero(df) else getattr(df, name, ZERO))


class Seen:
    """What a function captured, and by what it is told from others of the same code."""

    def __init__(self, f: FunctionType, anew: bool = False) -> None:
        self.held: list[Any] = []
        self.key: list[Any] = []
        self.count, self.end, self.anew = 0, end_of(f, anew), anew
        self.tree = self._node(f, 0) if anew or not is_lasting(f) else Node(f, "")

    def _node(self, f: FunctionType, depth: int) -> Node:
        if depth > _DEEP or f.__defaults__ or f.__kwdefaults__ or f.__code__.co_kwonlyargcount:
            raise NotLifted
        if rules_of(f) is not None:  # which say what its derivative is
            raise NotLifted
        node = Node(f, f"made{self.count}{self.end}")
        self.count += 1
        self.key.append(id(f.__code__))
        for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
            try:
                v = cell.cell_contents
            except ValueError:
                raise NotLifted from None
            if is_held(v) or (self.anew and (type(v) in _CONTAINERS or is_object(v))):
                node.places[name] = len(self.held)
                self.held.append(v)
                self.key.append("")
            elif is_lasting(v) or isinstance(v, KNOWN):
                node.known[name] = v
                self.key.append(id(v))
            elif type(v) is FunctionType:
                node.functions[name] = self._node(v, depth + 1)
            else:
                self._take(node, name, v)
        return node

    def _take(self, node: Node, name: str, v: Any) -> None:
        """Take apart what a function captured."""
        if name in changes_captured(node.f):  # it may be one that remembers something
            raise NotLifted
        try:
            t = taken(v)
        except NotTaken:
            raise NotLifted from None
        start = len(self.held)
        self.held += t.leaves(v)
        node.wholes[name] = t, slice(start, len(self.held))
        self.key.append(t)

    def kept(self, f: FunctionType) -> list[Any]:
        """What the key is made of, so that it is not taken for something else; without f's own code."""
        found = [v for node in nodes_of(self.tree) for v in (node.f.__code__, *node.known.values())]
        return [v for v in found if v is not f.__code__]


def nodes_of(node: Node) -> Iterator[Node]:
    """A function and all that are in it."""
    yield node
    for inner in node.functions.values():
        yield from nodes_of(inner)


def is_held(v: Any) -> bool:
    """Whether a value is a number or an array of floats, or has no derivative for certain."""
    if is_floating(v) or isinstance(v, np.integer) or type(v) in _STILL:
        return True
    return type(v) is np.ndarray and v.dtype.kind in "bi" and v.ndim > 0
