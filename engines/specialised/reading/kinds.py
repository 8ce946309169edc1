"""Kinds: what a specialised text takes for known of a value.

A kind is a short text: `f` and `d` for float and numpy.float64, `s` for any real number, `a2` for a
matrix of float64; `c` for any number that may be complex, `z2` for a matrix of complex128; `i`, `b`, `H`
(a tuple of whole numbers), `j1` (a vector of whole numbers), `m1` (a mask) and the like for what carries no
derivative; `L` for a list. A tuple has the kind of its items: `("T", "f", "a1")`, a dictionary that of a
tuple with its keys beside it. A function has itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import re
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType, UnionType
from typing import Any

import numpy as np
from numpy import ndarray

from ....tangents.sparse import is_sparse
from . import drawing
from .composed import Given, Keyed, Kind, Listed, Made, Named
from .declined import Changing, Declined, Unkeyed
from .drawing import Source
from .held import MADE, Held, is_moving, is_standing, kind_of_made
from .objects import fields_of, is_choice, is_named, is_object, is_result, sets_fields
from .tables import STAND_FOR, Places

CAPTURED = "__chainrules_captured__"
"""The mark of a function that a recorded run defined, with the values that it captured by their names."""
DEFINED = "__chainrules_defined__"
"""Where such a function has its definition."""
LONG = 32
"""How many items a list or tuple has at most, if what is done to each is written out."""
MIXED = "?"
"""What was seen of a value that had several kinds."""
_PLAIN: dict[type, str] = {
    float: "f",
    np.float64: "d",
    int: "i",
    bool: "b",
    np.bool_: "b",
    type(None): "N",
    complex: "c",
    np.complex128: "c",
    slice: "S",
    range: "R",
    type(reversed(range(1))): "R",
    type(Ellipsis): "E",
    str: "Z",
    Places: "P",
    Source: "P",
}
_CALLABLES = frozenset({FunctionType, BuiltinFunctionType, ModuleType, np.ufunc, type, UnionType})
_MARKER = type(dataclasses._HAS_DEFAULT_FACTORY)  # type: ignore[attr-defined]
"""Of what stands for a field that a dataclass makes anew: it has no public name."""
_LIBRARIES = ("numpy", "scipy", "uarray")
"""Of the packages whose functions may be objects; those of `scipy.fft` are objects of uarray."""
_ARRAYS = {"f8": "a", "c16": "z", "i8": "j", "i4": "j", "b1": "m"}
FLOAT64 = np.dtype(np.float64)
COMPLEX128 = np.dtype(np.complex128)
REAL = frozenset({"f", "d", "s"})
NUMBERS = frozenset({"f", "d", "s", "c", "i", "b", "q"})


def kind_of(v: Any) -> Kind:
    """The kind of a value; Declined for what is neither a number, an array nor a container of them."""
    t = type(v)
    known = _PLAIN.get(t)
    if known is not None:
        return known
    if t is ndarray:
        if v.dtype is FLOAT64 and v.ndim:
            return f"a{v.ndim}"
        letter = _ARRAYS.get(v.dtype.str[1:]) if v.dtype.isnative else None
        if letter is None or not v.ndim:
            raise Declined(f"an array of {v.dtype} with {v.ndim} axes")
        return f"{letter}{v.ndim}"
    if t is tuple:
        if all(type(e) is int for e in v):
            return "H"
        return ("T", *map(kind_of, v))
    if t is list:
        return "L"
    if t is Given:
        return Listed(("T", *map(kind_of, v)))
    if t is Held:
        return Made.of(type(v.made), (MADE, *v.names), (kind_of_made(v.made), *map(kind_of, v.values)))
    if t is dict and is_keyed(v):
        return Keyed(tuple(v), map(kind_of, v.values()))
    if t is FunctionType and CAPTURED in v.__dict__:
        captured = v.__dict__[CAPTURED]
        return Made.of(v.__code__, tuple(captured), map(kind_of, captured.values()))
    if t is functools.partial:
        keys = ("func", *map(str, range(len(v.args))), *v.keywords)
        return Made.of(t, keys, map(kind_of, (v.func, *v.args, *v.keywords.values())))
    if (
        t in _CALLABLES
        or isinstance(v, type)
        or t is _MARKER
        or is_choice(v)
        or (callable(v) and t.__module__.partition(".")[0] in _LIBRARIES and not is_object(v))
    ):
        return ("F", v)
    if isinstance(v, np.integer):
        return "q"
    if isinstance(v, np.dtype):
        return "D"
    if isinstance(v, tuple) and is_named(t):
        return Named.of(t, t._fields, map(kind_of, v))
    return kind_of_object(v)


def kind_of_given(v: Any) -> Kind:
    """The kind of what is given or stands outside; a short list of several sorts of objects is a tuple."""
    t = type(v)
    if t is list and 0 < len(v) <= LONG and not any(type(e) in _PLAIN or type(e) is ndarray for e in v):
        inside = [*map(kind_of_given, v)]
        several = any(k != inside[0] for k in inside) or any(sets_fields(type(e)) for e in v)
        return Listed(("T", *inside)) if several and any(map(has_parts, inside)) else "L"
    if t is tuple and not all(type(e) is int for e in v):
        return ("T", *map(kind_of_given, v))
    if t is dict and v and is_keyed(v):
        return Keyed(tuple(v), map(kind_of_given, v.values()))
    return kind_of_object(v, kind_of_given) if is_object(v) and t is not _MARKER else kind_of(v)


def is_keyed(v: dict[Any, Any]) -> bool:
    """Whether the keys of a dictionary tell its entries: texts, or a few of them and whole numbers."""
    return has_texts(v) or (len(v) <= LONG and all(type(key) in (str, int) for key in v))


def has_texts(v: dict[Any, Any]) -> bool:
    """Whether the keys of a dictionary are texts."""
    return all(type(key) is str for key in v)


def has_listed(k: Kind) -> bool:
    """Whether this is a list that counts as a tuple, or has one in it."""
    return type(k) is Listed or (is_tuple(k) and any(map(has_listed, k[1:])))


def kind_of_object(v: Any, of: Callable[[Any], Kind] = kind_of) -> Kind:
    """The kind of an object: what its fields are `of`."""
    if type(v) is dict:
        raise Unkeyed("a dictionary whose keys are no texts or numbers")
    if is_result(v):
        return _kind_of_result(v)
    if is_moving(v):
        return "M", type(v)
    if is_standing(v):
        return "F", v
    if is_sparse(v):
        return kind_of_made(v)
    if not is_object(v):
        raise Declined(f"a {type(v).__name__}")
    fields = fields_of(v)
    try:
        return Made.of(type(v), tuple(fields), map(of, fields.values()))
    except RecursionError:
        raise Declined("an object that holds itself") from None


def _kind_of_result(v: Any) -> Kind:
    """The kind of a solver's result: an object of those of its entries that are arrays, numbers and texts."""
    found = {}
    for name, entry in v.items():
        with contextlib.suppress(Declined):
            k = kind_of(entry)
            if is_array(k) or k in NUMBERS or k == "Z":
                found[name] = k
    return Made.of(type(v), tuple(found), found.values())


def is_array(k: Kind) -> bool:
    """Whether this is an array of floats or complex numbers."""
    return type(k) is str and k[0] in "az"


def is_complex(k: Kind) -> bool:
    """Whether this is a complex number or an array of them, or a tuple with one in it."""
    return k[0] in "cz" if type(k) is str else is_tuple(k) and any(map(is_complex, k[1:]))


def is_real(k: Kind) -> bool:
    """Whether this is a real number that may vary."""
    return type(k) is str and k in REAL


def is_number(k: Kind) -> bool:
    """Whether this is a real or complex number that may vary."""
    return is_real(k) or k == "c"


def is_library_object(k: Kind) -> bool:
    """Whether this is an object of a library whose tangent is an array."""
    return isinstance(k, tuple) and k[0] == "M"


def has_whole(k: Kind) -> bool:
    """Whether the cotangent of a value of this kind is never stretched to it."""
    return is_number(k) or is_library_object(k)


def is_tuple(k: Kind) -> bool:
    """Whether this is a tuple or dictionary whose items have kinds of their own."""
    return isinstance(k, tuple) and k[0] == "T"


def is_sequence(k: Kind) -> bool:
    """Whether this is a tuple that Python goes through item by item: no dictionary, and no object."""
    return is_tuple(k) and type(k) is not Keyed and type(k) is not Made


def keys_of(k: Kind) -> tuple[str, ...] | None:
    """The keys of a dictionary."""
    return k.keys if isinstance(k, Keyed) else None


def is_of(P: Any, wanted: Kind) -> bool:
    """What `isinstance` says of an object of P, for the kind of a class or of a tuple of them."""
    classes = wanted[1:] if is_tuple(wanted) else (wanted,)
    if not all(type(c) is tuple and c[0] == "F" and isinstance(c[1], type | UnionType) for c in classes):
        raise Declined("isinstance of what is no class")
    P = P if isinstance(P, type) else FunctionType
    own = getattr(np.random, drawing.STAND_FOR[P]) if P in drawing.STAND_FOR else STAND_FOR.get(P, P)
    return any(issubclass(own, c[1]) for c in classes)


def made_of(k: Kind) -> Any:
    """The class of an object or named tuple."""
    return k.made if isinstance(k, Made) else None


def reading(k: Made, field: str) -> str:
    """The text that reads a field of an object, to stand behind the object's name."""
    if field == MADE:
        return ".made"
    if k.made is not functools.partial or field == "func":
        return f".{field}"
    return f".args[{field}]" if field.isdigit() else f".keywords[{field!r}]"


def has_object(k: Kind) -> bool:
    """Whether this is an object, or a tuple with one in it."""
    return is_tuple(k) and (type(k) is Made or any(map(has_object, k[1:])))


def has_parts(k: Kind) -> bool:
    """Whether this is an object or a dictionary, or a tuple with one in it."""
    return is_tuple(k) and (isinstance(k, Keyed) or any(map(has_parts, k[1:])))


def has_named(k: Kind) -> bool:
    """Whether this is a named tuple, or a tuple with one in it."""
    return is_tuple(k) and (type(k) is Named or any(map(has_named, k[1:])))


def has_list(k: Kind) -> bool:
    """Whether this is a list, or a tuple or object with one in it."""
    return any(map(has_list, k[1:])) if is_tuple(k) else k == "L"


def alike(k: Kind, items: Iterable[Kind]) -> Kind:
    """The kind of a tuple or dictionary like that of kind k, of other items."""
    if isinstance(k, Made):
        return type(k).of(k.made, k.keys, items)
    if type(k) is Listed:
        return Listed(("T", *items))
    return Keyed(k.keys, items) if type(k) is Keyed else ("T", *items)


def place(k: Kind, text: str) -> int:
    """Which item of a tuple or dictionary an index takes; Declined where that is not told by its text."""
    if type(k) is Keyed:
        for i, key in enumerate(k.keys):
            if repr(key) == text:
                return i
    if type(k) is not Keyed and re.fullmatch(r"-?\d+", text) and -len(k) < int(text) < len(k) - 1:
        return int(text) % (len(k) - 1)
    if type(k) is Keyed:
        raise Unkeyed("an entry of a dictionary that is not known")
    raise Declined("an item of a tuple that is not known")


def places(k: Kind, text: str) -> list[int]:
    """Which items of a tuple a slice takes; Declined where that is not told by its text."""
    if isinstance(k, Keyed) or not re.fullmatch(r"(-?\d+)?(:(-?\d+)?){1,2}", text):
        raise Declined("a part of a tuple that is not known")
    return [*range(len(k) - 1)][slice(*(int(end) if end else None for end in text.split(":")))]


def tupled(items: Iterable[Kind]) -> Kind:
    """The kind of a tuple of items of these kinds."""
    found = tuple(items)
    return "H" if all(k == "i" for k in found) else ("T", *found)


def varies(k: Kind) -> bool:
    """Whether values of this kind can carry a derivative."""
    if is_tuple(k):
        return any(map(varies, k[1:]))
    return is_array(k) or is_number(k) or k == "L" or is_library_object(k)


def axes(k: Kind) -> int:
    """How many axes values of this kind have."""
    return int(k[1:]) if type(k) is str and k[0] in "ajmz" and len(k) > 1 else 0


def is_of_solver(k: Kind) -> bool:
    """Whether this is the result of a solver, of which methods give some entries and others."""
    return type(k) is Made and isinstance(k.made, type) and issubclass(k.made, dict)


def entries_of(k: Made, keys: Iterable[str]) -> list[Kind]:
    """The kinds of these entries."""
    return [k[1 + k.keys.index(key)] for key in keys]


def join(a: Kind, b: Kind) -> Kind:
    """The kind of what is one or the other; Declined where they have none in common."""
    if a == b:
        return a
    if type(a) is str and type(b) is str and a in NUMBERS and b in NUMBERS:
        return "c" if "c" in (a, b) else "s" if a in REAL or b in REAL else "q"
    alike_ = is_tuple(a) and type(a) is type(b) and len(a) == len(b) and keys_of(a) == keys_of(b)
    if alike_ and made_of(a) is made_of(b):
        return alike(a, map(join, a[1:], b[1:]))
    if is_of_solver(a) and is_of_solver(b) and made_of(a) is made_of(b):
        common = tuple([key for key in a.keys if key in b.keys])
        return Made.of(a.made, common, map(join, entries_of(a, common), entries_of(b, common)))
    raise Changing(f"a value of the kinds {shown(a)} and {shown(b)}")


def widened(k: Kind) -> Kind:
    """The kind with any real number in the place of a float: what functions are given and return."""
    if is_tuple(k):
        return alike(k, map(widened, k[1:]))
    return "s" if is_real(k) else k


def shown(k: Kind) -> str:
    """A kind as a person reads it."""
    return k if type(k) is str else str(k)
