"""Reaching: the objects in a value that a store can change, with or without the way to each."""

from __future__ import annotations

import gc
import types
from _collections_abc import dict_items, dict_values
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ....core.sequences import View
from ....tangents import Wrapper
from ....tangents.functions import FUNCTIONS, held
from ....tangents.slots import Kind, kind_of
from ....tangents.structure import fields
from ..reading.renamed import bound_to
from .writing import IMMUTABLE

Path = tuple[tuple[Kind, Any], ...]  # from the outside in: what has a slot, and the key

_DEFAULT = Kind("default", types.FunctionType), None
"""What holds objects that tangents do not tell of."""
_NAMESPACE = Kind("namespace", dict), None
"""What holds the dictionary of an object's fields, as `vars(x)` gives it."""

NUMBERS = frozenset({float, int, bool, complex, str, type(None), np.float64, np.int64})
"""The types of most plain items, which are told at once."""


def hold_objects(*arrays: np.ndarray[Any, Any]) -> bool:
    """Whether any of these arrays holds objects."""
    return any(x.dtype.hasobject for x in arrays)


def plain(x: Any) -> bool:
    """Whether x is a number, text or the like, which no store changes; or a module, nobody's own."""
    return type(x) in NUMBERS or (isinstance(x, (types.ModuleType, *IMMUTABLE)) and not isinstance(x, tuple))


def of_numbers(x: Any) -> bool:
    """Whether a sequence holds numbers and text alone, told as fast as its items are counted."""
    return NUMBERS.issuperset(map(type, x))


def changeable(x: Any) -> bool:
    """Whether there is anything in x that a store can change."""
    return next(walked(x, (), set()), None) is not None


def walked(x: Any, path: Path, seen: set[int]) -> Iterator[tuple[Path, Any]]:
    """The objects in x that a store can change, the outermost first, each with the way to it."""
    if plain(x) or isinstance(x, type) or id(x) in seen:
        return
    if type(x) in _VIEWS:
        of, gives = of_view(x)
        yield from walked(of, (*path, (Kind(gives, type(of)), tuple(of))), seen)
        return
    if isinstance(x, tuple):
        if not of_numbers(x):
            kind = kind_of(x)
            for i, item in enumerate(x):
                yield from walked(item, (*path, (kind, i)), seen)
        return
    if isinstance(x, Wrapper) and hasattr(x, "back"):  # a pullback, whose tangents are those of what it wraps
        yield from walked(x.back, path, seen)
        return
    yield path, x
    if isinstance(x, np.ndarray):
        for item in x.flat if hold_objects(x) else ():
            yield from walked(item, (*path, (kind_of(x), None)), seen)
        return
    if type(x) is list and of_numbers(x):
        return
    seen = seen | {id(x)}
    inside = (
        enumerate(x)
        if isinstance(x, list | deque)
        else x.items()
        if isinstance(x, dict)
        else (fields(x) or bound_to(x)).items()
    )
    cells: Mapping[Any, Any] = {}
    if type(x) is types.FunctionType:
        cells = variables(x)
        for value in (*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()):
            yield from walked(value, (*path, _DEFAULT), seen)
    elif (space := namespace(x)) is not None:
        yield (*path, _NAMESPACE), space
    kind = kind_of(x)
    for key, value in inside:
        if key in cells:  # which another function may have too, and bind anew
            yield (*path, (kind, key)), cells[key]
        if type(value) not in NUMBERS:
            yield from walked(value, (*path, (kind, key)), seen)


_ORDERED = OrderedDict[Any, Any]()
_VIEWS: dict[type, str] = {
    View: "",
    **dict.fromkeys((dict_values, type(_ORDERED.values())), "values"),
    **dict.fromkeys((dict_items, type(_ORDERED.items())), "items"),
}
"""What shows the values of a dict, with what it gives."""


def of_view(x: Any) -> tuple[dict[Any, Any], str]:
    """The dict that a view shows, and which of its values or items."""
    if type(x) is View:
        return x.of, x.gives
    (of,) = gc.get_referents(x)
    return of, _VIEWS[type(x)]


class _End(NamedTuple):
    """Where all is done that a function holds."""

    of: int


def objects_in(x: Any) -> list[Any]:
    """The objects that `walked` comes by, each once, in any order: without the ways to them, and faster.

    A function that what it holds leads back to holds nothing, as in `walked`.
    """
    found = _objects(x, held)
    return _objects(x, fields) or [] if found is None else found


def _objects(x: Any, of_functions: Any) -> list[Any] | None:
    """The objects in x, by what `of_functions` says that functions hold; None where `held` leads back."""
    found: list[Any] = []
    pending, seen, within = [x], dict[int, Any](), set[int]()
    while pending:
        x = pending.pop()
        if type(x) is _End:
            within.discard(x.of)
            continue
        if id(x) in seen:
            if id(x) in within and of_functions is held:
                return None
            continue
        if plain(x) or isinstance(x, type):
            continue
        seen[id(x)] = x  # kept, so that no other object gets its id
        if type(x) in _VIEWS:
            pending.append(of_view(x)[0])
            continue
        if isinstance(x, tuple):
            pending += () if of_numbers(x) else x
            continue
        if isinstance(x, Wrapper) and hasattr(x, "back"):
            pending.append(x.back)
            continue
        found.append(x)
        if isinstance(x, np.ndarray):
            pending += x.flat if hold_objects(x) else ()
        elif isinstance(x, list | deque):
            pending += () if of_numbers(x) else x
        elif isinstance(x, dict):
            pending += x.values()
        else:
            if type(x) is types.FunctionType:
                pending += (*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values())
                found += x.__closure__ or ()
            if isinstance(x, FUNCTIONS):
                within.add(id(x))
                pending += (_End(id(x)), *of_functions(x).values())
            else:
                pending += (fields(x) or bound_to(x)).values()
                found += () if (space := namespace(x)) is None else (space,)
    return found


def namespace(x: Any) -> Any:
    """The dictionary of the fields of an object of a class; None of what has none."""
    return None if isinstance(x, list | deque | dict) else getattr(x, "__dict__", None)


def variables(f: types.FunctionType) -> dict[str, types.CellType]:
    """The variables that a function captured, by name."""
    return dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
