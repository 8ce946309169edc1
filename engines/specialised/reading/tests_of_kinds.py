"""Tests of kinds: the text that asks whether a value is of another kind than a text takes it for."""

from __future__ import annotations

from types import UnionType
from typing import Any

import numpy as np
from numpy import ndarray

from .kinds import COMPLEX128, FLOAT64, Kind, has_listed, kind_of, kind_of_given


def guard_text(name: str, k: Kind, bind: Any) -> str:
    """The test that a value is not of this kind."""
    if isinstance(k, tuple):
        if k[0] == "F":
            other = "!=" if type(k[1]) is UnionType else "is not"  # `int | float` makes one anew
            return f"{name} {other} {bind(k[1])}"
        return f"{bind(kind_of_given if has_listed(k) else kind_of)}({name}) != {bind(k)}"
    types = {"f": float, "d": np.float64, "i": int, "N": type(None)}
    if k in types:
        return f"type({name}) is not {bind(types[k])}" if k != "N" else f"{name} is not None"
    if k == "s":
        return f"type({name}) not in {bind(_REALS)}"
    if k == "b":
        return f"type({name}) not in {bind(_TRUE_OR_FALSE)}"
    if k == "c":
        return f"type({name}) not in {bind(_COMPLEX)}"
    if k[0] in "az":
        dtype = bind(FLOAT64 if k[0] == "a" else COMPLEX128)
        return f"type({name}) is not {bind(ndarray)} or {name}.dtype is not {dtype} or {name}.ndim != {k[1:]}"
    if k[0] in "jm" and k[1:].isdigit():
        other = f"{name}.dtype not in {bind(_INTEGERS if k[0] == 'j' else _TRUTHS)}"
        return f"type({name}) is not {bind(ndarray)} or {other} or {name}.ndim != {k[1:]}"
    return f"{bind(kind_of)}({name}) != {k!r}"


_REALS = frozenset({float, np.float64, int})
_INTEGERS = frozenset({np.dtype("i8"), np.dtype("i4")})
_TRUE_OR_FALSE = frozenset({bool, np.bool_})
_TRUTHS = frozenset({np.dtype(bool)})
_COMPLEX = frozenset({complex, np.complex128, *_REALS})
