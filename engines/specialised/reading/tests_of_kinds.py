"""Tests of kinds: the text that asks whether a value is of another kind than a text takes it for."""

from __future__ import annotations

from types import MethodType, UnionType
from typing import Any

import numpy as np
from numpy import ndarray

from .composed import Keyed, Kind, Named
from .declined import Declined
from .kinds import COMPLEX128, FLOAT64, has_listed, is_tuple, join, kind_of, kind_of_given


def guard_text(name: str, k: Kind, bind: Any) -> str:
    """The test that a value is not of this kind."""
    if isinstance(k, tuple):
        if k[0] == "F":
            anew = type(k[1]) in (UnionType, MethodType)  # `int | float` makes one, and `x.f`
            other = "!=" if anew else "is not"
            return f"{name} {other} {bind(k[1])}"
        if k[0] in "UM":
            return f"{bind(type)}({name}) is not {bind(k[1])}"
        if type(k) in (tuple, Keyed, Named) and len(k) <= _FEW:
            return " or ".join(_of_items(name, k, bind))
        if has_several(k):
            return f"{bind(differs)}({name}, {bind(k)})"
        return f"{bind(kind_of_given if has_listed(k) else kind_of)}({name}) != {bind(k)}"
    types = {"f": float, "d": np.float64, "i": int, "N": type(None), "L": list, "Z": str}
    if k in types:
        return f"{bind(type)}({name}) is not {bind(types[k])}" if k != "N" else f"{name} is not None"
    if k == "s":
        return f"{bind(type)}({name}) not in {bind(_REALS)}"
    if k == "b":
        return f"{bind(type)}({name}) not in {bind(_TRUE_OR_FALSE)}"
    if k == "c":
        return f"{bind(type)}({name}) not in {bind(_COMPLEX)}"
    if k[0] in "az":
        dtype = bind(FLOAT64 if k[0] == "a" else COMPLEX128)
        other = f"{name}.dtype is not {dtype}"
        return f"{bind(type)}({name}) is not {bind(ndarray)} or {other} or {name}.ndim != {k[1:]}"
    if k[0] in "jm" and k[1:].isdigit():
        other = f"{name}.dtype not in {bind(_INTEGERS if k[0] == 'j' else _TRUTHS)}"
        return f"{bind(type)}({name}) is not {bind(ndarray)} or {other} or {name}.ndim != {k[1:]}"
    return f"{bind(kind_of)}({name}) != {k!r}"


def _of_items(name: str, k: Any, bind: Any) -> list[str]:
    """The tests that a value is no tuple, named tuple or dictionary of so many items of these kinds."""
    if type(k) is Keyed:
        tests = [f"{bind(type)}({name}) is not {bind(dict)}", f"(*{name},) != {bind(k.keys)}"]
        places = [repr(key) for key in k.keys]
    else:
        made = k.made if type(k) is Named else tuple
        tests = [f"{bind(type)}({name}) is not {bind(made)}", f"{bind(len)}({name}) != {len(k) - 1}"]
        places = [str(i) for i in range(len(k) - 1)]
    return [*tests, *(guard_text(f"{name}[{p}]", i, bind) for p, i in zip(places, k[1:], strict=True))]


def has_several(k: Kind) -> bool:
    """Whether numbers in a tuple may be of several kinds."""
    return any(map(has_several, k[1:])) if is_tuple(k) else k in ("s", "q", "c")


def differs(v: Any, k: Kind) -> bool:
    """Whether a value is of no kind that this one, which is of several, stands for."""
    try:
        return bool(join(kind_of_given(v) if has_listed(k) else kind_of(v), k) != k)
    except Declined:
        return True


_FEW = 13  # a tuple of more than twelve items is asked as a whole; what solvers return has up to ten
_REALS = frozenset({float, np.float64, int})
_INTEGERS = frozenset({np.dtype("i8"), np.dtype("i4")})
_TRUE_OR_FALSE = frozenset({bool, np.bool_})
_TRUTHS = frozenset({np.dtype(bool)})
_COMPLEX = frozenset({complex, np.complex128, *_REALS})
