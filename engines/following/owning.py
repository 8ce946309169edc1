"""Owning: copies of values, with everything in them that a store could change.

What is shared inside stays shared among the copies that one object of `Copies` makes. What changes as it is
used, a random generator, is nobody's copy.
"""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections import deque
from collections.abc import Callable
from copy import copy, deepcopy
from enum import Enum
from types import (
    BuiltinMethodType,
    CellType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from ...core.registry import rules_of
from ...tangents.containers import rebuilt
from ...tangents.functions import CONSTANT as WITHOUT
from ...tangents.functions import FUNCTIONS
from ...tangents.refilled import base_of, refilled
from ...tangents.registered import constructors
from ...tangents.structure import stored
from ..source.analysis.effects_of import changes_captured, counts_captured, rebinds_captured
from ..source.syntax.codes import content_of

IMMUTABLE = (int, float, complex, str, bytes, tuple, type(None), np.generic, np.dtype, range, frozenset)
"""What no store can change; a tuple's items may be."""
_HOLDERS = (list, dict, deque)
_CALLED = (*FUNCTIONS, BuiltinMethodType)
CONSTANT = (np.random.Generator, np.random.RandomState, random.Random, itertools.count)
"""What changes as it is used, and holds nothing that could vary."""


def is_object(x: Any) -> bool:
    """Whether this is an object of a class that is none of a library's, and no container."""
    if isinstance(x, (np.ndarray, list, dict, deque, *IMMUTABLE)):
        return False
    return not module_of(type(x)).startswith(("chainrules.", "scipy."))


def module_of(f: Any) -> str:
    """The name of the module that something says it is of."""
    return getattr(f, "__module__", None) or ""


class Copies:
    """Copies of what a call is given, as it is now: functions and methods with copies of what they hold.

    A function that changes what it captured, or binds it anew, stays itself, so that others see that.
    """

    def __init__(self) -> None:
        self.memo: dict[int, tuple[Any, Any]] = {}  # by ids, of what is kept meanwhile

    def of(self, x: Any) -> Any:
        """A copy of x and of all in it that a store could change."""
        if isinstance(x, IMMUTABLE) and not isinstance(x, tuple):
            return x
        if id(x) not in self.memo:
            self.memo[id(x)] = x, x
            self.memo[id(x)] = x, self.made(x)
        return self.memo[id(x)][1]

    def made(self, x: Any) -> Any:
        """The copy of what was not met before."""
        if isinstance(x, np.ndarray):
            return self.array(x)
        if isinstance(x, tuple):
            items = [self.of(v) for v in x]
            return x if all(a is b for a, b in zip(items, x, strict=True)) else rebuilt(x, items)
        if isinstance(x, _CALLED):
            return self.called(x)
        return self.holding(x)

    def array(self, x: np.ndarray[Any, Any]) -> Any:
        return x.copy()

    def called(self, f: Any) -> Any:
        """A function, method or partial, with copies of what it holds."""
        if isinstance(f, functools.partial):
            return type(f)(self.of(f.func), *map(self.of, f.args), **self.of(f.keywords))
        if isinstance(f, MethodType):
            owner = self.of(f.__self__)
            return f if owner is f.__self__ else MethodType(f.__func__, owner)
        if isinstance(f, BuiltinMethodType):
            bound = not isinstance(f.__self__, ModuleType | type | None)
            return getattr(self.of(f.__self__), f.__name__) if bound else f
        return f if rules_of(f) is not None or self.is_shared(f) else self.function(f)

    def is_shared(self, f: FunctionType) -> bool:
        """Whether others see what a function does to what it captured."""
        return bool(changes_captured(f) or rebinds_captured(f))

    def captured(self, f: FunctionType, name: str, x: Any) -> Any:
        """A copy of what a function captured, but for what it counts in, which others see."""
        return x if name in counts_captured(f) else self.of(x)

    def function(self, f: FunctionType) -> FunctionType:
        """A function with variables of its own, which hold copies."""
        cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
        bound = {name: c.cell_contents for name, c in cells if c != CellType()}
        values = {name: self.captured(f, name, x) for name, x in bound.items() if x is not f}
        defaults, named = self.of(f.__defaults__), self.of(f.__kwdefaults__)
        if not bound and defaults is f.__defaults__ and named is f.__kwdefaults__:
            return f
        made: FunctionType = constructors.of(FunctionType)(FunctionType, values, f)  # type: ignore[misc]  # there is one
        made.__defaults__, made.__kwdefaults__ = defaults, named
        return made

    def holding(self, x: Any) -> Any:
        """A container or an object; one that computes nothing, as a lock or a logger, stays itself."""
        holder: Any = next((P for P in _HOLDERS if isinstance(x, P)), None)
        if holder is None and (isinstance(x, set) or _stays(x)):
            return copy(x) if isinstance(x, set) else x
        inside = stored(x)
        if not inside and holder is None:
            return x
        made = refilled(x, x) if holder is not None else _bare(x)
        if made is x:
            return x
        self.memo[id(x)] = x, made
        if holder is not None:
            for key, value in base_of(type(x)).items(x) if holder is dict else enumerate(x):
                holder.__setitem__(made, key, self.of(value))
        for name, value in inside.items():
            object.__setattr__(made, name, self.of(value))
        return made


def _stays(x: Any) -> bool:
    """Whether an object is not copied: of a library of Python, of this one, or with a rule of its own.

    Nor is one that frees something in the end, which would be freed twice.
    """
    library = (type(x).__module__ or "").partition(".")[0]
    if isinstance(x, CONSTANT) or library == "chainrules" or (callable(x) and rules_of(x) is not None):
        return True
    if hasattr(type(x), "__del__"):
        return True
    return isinstance(x, Enum) or (library in sys.stdlib_module_names and not isinstance(x, SimpleNamespace))


def _bare(x: Any) -> Any:
    """A new object of the class, without running any of its code; x where that makes none."""
    try:
        return object.__new__(type(x))
    except TypeError:  # a class of C, which makes its objects by itself
        pass
    try:
        return copy(x)
    except (TypeError, NotImplementedError):
        return x


GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_ITERATORS = ("builtins", "itertools")


def is_used_up(x: Any) -> bool:
    """Whether an object changes as it is used: a random generator, or an iterator."""
    return isinstance(x, GENERATORS) or hasattr(type(x), "__next__")


def is_renewed(x: Any) -> bool:
    """Whether there are copies of what changes as it is used; there are none of generators of Python."""
    iterates = hasattr(type(x), "__next__") and type(x).__module__ in _ITERATORS
    return isinstance(x, GENERATORS) or (iterates and not isinstance(x, GeneratorType))


class Renewed(Copies):
    """Copies also of random generators and of iterators."""

    def made(self, x: Any) -> Any:
        if is_renewed(x):
            return deepcopy(x) if isinstance(x, GENERATORS) else copy(x)
        return x if isinstance(x, GeneratorType) else super().made(x)


class Containers(Copies):
    """Containers and objects of their own, which hold the very arrays and functions that they held."""

    def array(self, x: np.ndarray[Any, Any]) -> Any:
        return x

    def called(self, f: Any) -> Any:
        return f


class Bound(Copies):
    """Functions with variables of their own, which hold the very objects that they held."""

    def made(self, x: Any) -> Any:
        return self.called(x) if isinstance(x, FunctionType | functools.partial) else x


class Variables(Bound):
    """The same, also of functions in tuples, lists and dictionaries. They share what they bind anew.

    What they change and what holds nothing that varies, a log or a counter, is no field of theirs.
    """

    varies: Callable[[Any], bool] | None = None  # whether something in an object varies

    def made(self, x: Any) -> Any:
        if type(x) is list or type(x) is dict:
            items = {k: self.of(v) for k, v in (x.items() if type(x) is dict else enumerate(x))}
            same = all(items[k] is v for k, v in (x.items() if type(x) is dict else enumerate(x)))
            return x if same else items if type(x) is dict else [*items.values()]
        return Copies.made(self, x) if type(x) is tuple else super().made(x)

    def is_shared(self, f: FunctionType) -> bool:
        return False

    def shared(self, f: FunctionType) -> frozenset[str]:
        """The variables that others see it bind anew."""
        return rebinds_captured(f)

    def function(self, f: FunctionType) -> FunctionType:
        made, shared = super().function(f), self.shared(f)
        if made is f:
            return made
        if self.varies is not None:
            bound = {
                n: content_of(c) for n, c in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
            }
            names = (changes_captured(f) | counts_captured(f)).intersection(bound)
            made.__dict__[WITHOUT] = frozenset(n for n in names if not self.varies(bound[n]))
        if not shared:
            return made
        pairs = zip(f.__code__.co_freevars, f.__closure__ or (), made.__closure__ or (), strict=True)
        closure = tuple([a if name in shared else b for name, a, b in pairs])
        again = FunctionType(f.__code__, f.__globals__, f.__name__, made.__defaults__, closure)
        again.__kwdefaults__, again.__qualname__ = made.__kwdefaults__, f.__qualname__
        again.__dict__.update(made.__dict__)
        return again
