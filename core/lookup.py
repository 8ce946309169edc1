"""Look-up: from a call to the rule that answers it.

The callable is looked up as it is, then, for an object with a `__call__` in Python or Cython, as
that function with the object first. Data are dispatched on their types; where nothing matches and
a list or tuple stands where an array would match, the array is taken and the rule of `np.asarray`
composed with it by whoever calls the rule, unless the callable is one of Python's own and would
not take the list itself.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, get_args

import numpy as np

from . import caches
from .callables import name_of
from .errors import NotDifferentiableError, UnsupportedArgument
from .loading import load_for, root_of
from .overriding import overridden
from .registry import Method, Mode, Rules, rules_of
from .signatures import Binding, bind


@dataclass(frozen=True)
class Found:
    """The rule for one form of call: the method, how the call binds to it, what to make arrays of."""

    rules: Rules
    method: Method | None  # None for a non-differentiable callable
    binding: Binding | None
    to_array: tuple[int, ...] = ()  # data slots that hold a list or tuple

    def check(self, values: tuple[Any, ...]) -> None:
        """Refuse an argument that the callable takes and the rule does not, before any work."""
        if self.binding is None or self.method is None:
            return
        signature = self.method.signature
        refused = self.binding.unsupported(values)
        if not signature.any_metadata:
            given = self.binding.metadata_of(values).items()
            refused += [(name, value) for name, value in given if name not in signature.metadata]
        elif signature.from_caller:
            given = self.binding.metadata_of(values).items()
            refused += [(name, value) for name, value in given if name in signature.from_caller]
        for name, value in refused:
            raise UnsupportedArgument(
                name_of(self.rules.f),
                name,
                value,
                next=f"leave {name} out, or register a rule that takes it with @{self.method.mode[0]}rule",
            )


def find(mode: Mode, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Found | None:
    """The rule for a call of a normalised callable; None where there is none or it is opted out."""
    key = (mode, id(f), *map(type, args), *kwargs, *map(type, kwargs.values()))
    found: Found | None = _found.get(key)
    if found is None:
        since = caches.generation()
        load_for((f, *map(type, args), *map(type, kwargs.values())))
        rules = rules_of(f)
        found = None if rules is None else _find(rules, mode, f, args, kwargs)
        if found is not None:
            caches.keep(_found, key, found, since)  # the registry keeps f, so its id is not given to another
    return found


_found = caches.new_cache()


def _find(
    rules: Rules, mode: Mode, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Found | None:
    if rules.non_differentiable is not None:
        return Found(rules, None, None)
    split = rules.split_for(args)
    if split is None:
        return None
    binding = bind(split, len(args), tuple(kwargs))
    data = binding.data_of((*args, *kwargs.values()))
    types = tuple(_dispatch_type(x) for x in data)
    method = rules.resolve(mode, types)
    if method is not None:
        _refuse_masked(types, method)
        return None if overridden(f, types, method) else Found(rules, method, binding)
    if types and types[-1] is NoneType:  # an array to write into that is not given: `out=None`
        method = rules.resolve(mode, types[:-1])
        return None if method is None else Found(rules, method, replace(binding, data=binding.data[:-1]))
    sequences = tuple(i for i, t in enumerate(types) if t in (list, tuple, deque))
    if not sequences or opted_out(rules, mode, types) or not _makes_arrays(f, types):
        return None
    for made in (sequences, tuple(i for i in sequences if not _taken_as_it_is(rules, mode, i, types[i]))):
        method = rules.resolve(mode, tuple(np.ndarray if i in made else t for i, t in enumerate(types)))
        if method is not None:
            written = set(method.mutates).intersection(made)  # a list cannot be written into as an array
            return None if written else Found(rules, method, binding, made)
    return None


def _taken_as_it_is(rules: Rules, mode: Mode, slot: int, t: type) -> bool:
    """Whether a rule names the class of a list or tuple for a data slot."""
    named = [m.signature.types[slot] for m in rules.methods[mode] if slot < len(m.signature.types)]
    return any(isinstance(c, type) and issubclass(t, c) for each in named for c in get_args(each) or (each,))


def opted_out(rules: Rules, mode: Mode, types: tuple[Any, ...]) -> bool:
    """Whether an opt-out names exactly these types."""
    return any(m.rule is None and m.signature.types == types for m in rules.methods[mode])


def _makes_arrays(f: Callable[..., Any], types: tuple[Any, ...]) -> bool:
    """Whether f makes arrays of lists: Python's own operators do so only beside a NumPy operand."""
    return root_of(f) not in ("_operator", "builtins") or any(
        issubclass(t, np.ndarray | np.generic) for t in types
    )


def _refuse_masked(types: tuple[type, ...], method: Method) -> None:
    """Refuse masked arrays where the rule is one of arrays: it would differentiate by what is masked."""
    library = sys.modules.get("numpy.ma")  # NumPy imports it when it is first used, maybe just now
    masked: Any = getattr(library, "MaskedArray", None)
    for t, declared in zip(types, method.signature.types, strict=False) if masked is not None else ():
        if issubclass(t, masked) and np.ndarray in (declared, *get_args(declared)):
            raise NotDifferentiableError(
                "a masked array has no derivatives here: the rules of arrays would count what is masked",
                closest=f"an array without a mask, which {method} takes",
                next="pass numpy.where(mask, 0, x), or the part x[~mask] that counts",
            )


def _dispatch_type(x: Any) -> type:
    """A NumPy truth value stands in a numeric slot as an integer does, like Python's own.

    A matrix would find the rules of arrays, and its operators are not theirs.
    """
    if isinstance(x, np.matrix):
        raise NotDifferentiableError(
            "a numpy.matrix has no derivatives here: its * is the matrix product, every slice a matrix",
            closest="an array, with @ for the matrix product",
            next="pass numpy.asarray(x)",
        )
    return np.int64 if type(x) is np.bool_ else type(x)
