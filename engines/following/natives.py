"""Natives: functions in C that only move about what they are given, and what is done in place of others."""

from __future__ import annotations

import builtins
import collections
import contextvars
import functools
import heapq
import itertools
import operator
import queue
import types
from collections.abc import Callable
from typing import Any

import numpy as np

VIEWS: Any = (type({}.keys()), type({}.values()), type({}.items()))
_STEPS: Any = (type(iter([])), type(iter(())), type(iter({})))
_OF_ITERTOOLS = tuple(v for v in vars(itertools).values() if isinstance(v, type))
_OF_COLLECTIONS = (collections.deque, collections.OrderedDict, collections.defaultdict)
CONTAINERS = frozenset((list, tuple, dict, str, bytes, set, frozenset, *_OF_COLLECTIONS))
"""Types whose operators move what is in them, and compute nothing."""
BESIDE = CONTAINERS | {int, bool, type(None), *VIEWS}
"""Types of what may stand beside one of these."""
_TYPES = (
    *(*CONTAINERS, *VIEWS, *_STEPS, *_OF_ITERTOOLS, bytearray, range, slice, object, type, BaseException),
    *(super, property, zip, map, filter, enumerate, reversed, functools.partial),
    *(operator.itemgetter, operator.attrgetter, operator.methodcaller, type(functools.lru_cache(len))),
    *(types.GeneratorType, types.CoroutineType, types.MappingProxyType, types.SimpleNamespace),
    *(types.CellType, types.MethodType, types.FunctionType, contextvars.ContextVar, contextvars.Token),
    queue.SimpleQueue,
)
_LAZY = (zip, map, filter, enumerate, reversed, types.GeneratorType, set, frozenset, np.flatiter)
ITERATORS = frozenset((*_LAZY, *VIEWS, *_STEPS, *_OF_ITERTOOLS))
"""Types of what a function in C asks for items, which no site sees."""
BINARY = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split()  # noqa: SIM905  shorter
UNARY = ("neg", "pos", "invert")
MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Operators by their names in `operator`; comparisons with what the other operand is asked for."""
GETTERS: dict[type, Any] = {}
"""How a call of an object of a class of `operator` is followed; equivalents.py fills it."""
INSTEAD: dict[types.CodeType, types.FunctionType] = {}
"""Functions of the library written in Python, by their code, and what is followed in their place."""
NATIVE: set[Any] = set()
"""Functions of this engine, which see to it themselves that the runs of now see what they do."""
RECIPES: dict[Any, Any] = {}
"""What is done in place of functions of the library, by the function; `recipe` fills it."""
MOVES: set[Any] = {
    *(isinstance, issubclass, id, type, callable, hasattr, range, slice),
    *(bytes, object, open, input, chr, ord, bin, hex, oct, vars, dir, super, property),
    *(staticmethod, classmethod, builtins.breakpoint),
    *(heapq.heappush, heapq.heappop, heapq.heapify, heapq.heappushpop, heapq.heapreplace),
}
_methods = {id(v): v for t in _TYPES for v in vars(t).values() if callable(v)}


def recipe(*functions: Any) -> Callable[[Any], Any]:
    """Let a function stand for calls of these."""

    def put(g: Any) -> Any:
        RECIPES.update(dict.fromkeys(functions, g))
        return g

    return put


def is_moving(f: Any) -> bool:
    """Whether a function in C only moves what it is given, or is a class that only holds it."""
    return f in _TYPES if isinstance(f, type) else id(f) in _methods
