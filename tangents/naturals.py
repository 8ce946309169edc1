"""Primals whose tangents are numbers of a standard kind, and what a zero of each looks like.

    bool, str, bytes, None, class, function, module     no tangent
    int, NumPy integers                                  float
    float, complex, NumPy inexact scalars                the same type
    arrays                                               float and complex: the dtype; integer: float64
    Fraction, Decimal, timedelta                         the same type
    datetime, date; np.datetime64                        timedelta; np.timedelta64 of the same unit
    scipy.sparse                                         the same pattern
    pandas                                               see frames.py
    what `natural_tangent` registers                     the type registered

Object arrays hold one tangent an entry. Structured dtypes are refused by name. Functions have
structure, the variables that they captured: see functions.py.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import BuiltinFunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from .errors import ChainRulesError
from .registered import naturals
from .sparse import is_sparse
from .zeros import NO_TANGENT


class Wrapper:
    """An object that stands for a function that it wraps: the function's tangents are its own."""

    __slots__ = ()


WITHOUT_TANGENT = (
    *(bool, np.bool_, str, bytes, bytearray, NoneType, type),
    *(BuiltinFunctionType, ModuleType, range, slice, set, frozenset, Enum),
)
"""Types of values that cannot be perturbed."""

SAME = (Fraction, Decimal, timedelta)
"""Types that are their own tangent type, apart from Python's and NumPy's numbers."""


def exactly(kind: type, number: Any) -> Any:
    """A real number as a `Fraction` or `Decimal` (which rounds to its context), without a detour by floats.

    Example: >>> exactly(Fraction, 0.5), exactly(Decimal, Fraction(1, 4))
             (Fraction(1, 2), Decimal('0.25'))
    """
    if isinstance(number, np.generic | np.ndarray):
        number = number.item()
    if kind is Decimal and isinstance(number, Fraction):
        return Decimal(number.numerator) / number.denominator
    return kind(number)


def tangent_dtype(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """The dtype of the tangents of arrays of this dtype; None where there are none.

    Raises:  ChainRulesError for a structured dtype.
    Example: >>> tangent_dtype(np.dtype("int8")), tangent_dtype(np.dtype(bool))
             (dtype('float64'), None)
    """
    kind = dtype.kind
    if kind in "fcmO":
        return dtype
    if kind in "iu":
        return np.dtype(float)
    if kind == "M":
        return np.dtype(dtype.str.replace("M8", "m8"))
    if kind in "bSUT":
        return None
    raise ChainRulesError(
        f"arrays of dtype {dtype} have no tangent type",
        closest="arrays of float, complex and integer dtypes, dates, and objects have one",
        next="take the fields of the structured array out before differentiating",
    )


def in_floats(t: Any) -> Any:
    """NumPy's integers as floats, since those of a fixed width wrap around; anything else as it is.

    Example: >>> in_floats(np.uint8(200)) + in_floats(np.uint8(100)), in_floats(3)
             (np.float64(300.0), 3)
    """
    exact = isinstance(t, np.ndarray | np.integer) and t.dtype.kind in "iu"
    return t.astype(float) if exact else t


def is_natural(x: Any) -> bool:
    """Whether the tangents of x are of a natural type, so that x is not taken apart.

    Example: >>> is_natural(Fraction(1, 2)), is_natural((1.0,))
             (True, False)
    """
    return isinstance(x, _NATURAL) or is_sparse(x) or naturals.of(type(x)) is not None


_NATURAL = (np.ndarray, np.generic, int, float, complex, date, *SAME)


def zero_of(x: Any) -> Any:
    """The zero tangent of a natural primal; `None` when x has structure instead.

    Example: >>> zero_of(3), zero_of(np.float32(2)), zero_of("a"), zero_of([1.0])
             (0.0, np.float32(0.0), NoTangent(), None)
    """
    if isinstance(x, np.ndarray):
        dtype = tangent_dtype(x.dtype)
        return NO_TANGENT if dtype is None else np.zeros(x.shape, dtype) if dtype.kind != "O" else None
    natural = naturals.of(type(x))
    if natural is not None:
        return natural.zero(x)
    if isinstance(x, WITHOUT_TANGENT):
        return NO_TANGENT
    if isinstance(x, np.generic):
        dtype = tangent_dtype(x.dtype)
        return NO_TANGENT if dtype is None else np.zeros((), dtype)[()]
    if isinstance(x, float | int):
        return 0.0
    if isinstance(x, complex):
        return 0j
    if isinstance(x, SAME):
        return type(x)(0)
    if isinstance(x, date):
        return timedelta(0)
    return None
