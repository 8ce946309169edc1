"""Buffers: variables that hold one new array of numbers from their first mention on.

Such an array copies what is stored into it and holds nothing, so that a change of the one is no change of
the other. A list is different, and so is an array of objects.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ..reading.resolver import Resolver
from ..syntax.scopes import binds, reads, rebinds_outer

_REBINDING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Nonlocal, ast.Global)
_PLACE_OF_DTYPE = {np.empty: 1, np.zeros: 1, np.ones: 1, np.full: 2, np.eye: 3, np.identity: 1}


def arrays_of_numbers(body: list[ast.stmt], statements: list[ast.stmt], resolver: Resolver) -> frozenset[str]:
    """The names that the body binds to new arrays of numbers before anything else, and to nothing else."""
    made = [s for s in statements if makes_numbers(s, resolver)]
    if not made:
        return frozenset()
    first: set[str] = set()
    mentioned: set[str] = set()
    for s in body:
        if s in made:
            first |= binds(s) - mentioned - reads(s)
        mentioned |= reads(s) | binds(s)
    for s in statements:
        if isinstance(s, _REBINDING):
            first -= rebinds_outer(s)
        if s not in made:
            first -= binds(s)
    return frozenset(first)


def makes_numbers(s: ast.stmt, resolver: Resolver) -> bool:
    """Whether a statement binds names to a new array of numbers."""
    if not (isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)):
        return False
    if not all(isinstance(t, ast.Name) for t in s.targets):
        return False
    call, (known, maker) = s.value, resolver.value(s.value.func)
    if not known or not any(maker is m for m in _PLACE_OF_DTYPE):
        return False
    place = _PLACE_OF_DTYPE[maker]
    if any(isinstance(a, ast.Starred) for a in call.args):
        return False
    dtypes = [k.value for k in call.keywords if k.arg in ("dtype", None)] + call.args[place:]
    if maker is np.full and not dtypes and not isinstance(call.args[-1], ast.Constant):
        return False
    return all(_of_numbers(*resolver.value(e)) for e in dtypes)


def _of_numbers(known: bool, dtype: Any) -> bool:
    return known and isinstance(dtype, type) and issubclass(dtype, float | complex | int | np.number)
