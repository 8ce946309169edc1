"""The rules of NumPy for arrays of other libraries that follow its protocols, in one line for each library.

`array_rules(T, namespace)` lets the rules that need only array operations take arrays of type T: the
elementwise ones, reductions, shapes and products. Their bodies call NumPy's functions, which such a
library answers itself, and look at no number, so that what is lazy stays so. Methods, operators and
attributes of T have the rules of `numpy.ndarray`, and functions of the library's namespace those of the
function of that name in NumPy, without the arguments that they do not take. What rules compute in memory
(sorting, factorizations, indexing by arrays) is not for other arrays: such a call is one without a rule.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core import Array
from ..core.callables import attribute
from ..core.registry import Method, registered, rules_of, share
from ..tangents.arrays import natural_array
from . import numpy as numpy
from . import python as python
from .parts import between_zeros, part

REDUCTIONS = ("sum", "mean", "prod", "max", "min", "var", "std")
SHAPES = ("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "expand_dims", "squeeze", "broadcast_to")
PRODUCTS = ("dot", "tensordot", "vdot")
OTHERS = ("where", "clip", "real", "imag", "cumsum")
FUNCTIONS = (*REDUCTIONS, *SHAPES, *PRODUCTS, *OTHERS)
METHODS = (*REDUCTIONS, "reshape", "ravel", "transpose", "swapaxes", "squeeze", "dot", "cumsum")
PYTHON = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.matmul),
    *(operator.neg, operator.pos, operator.abs, abs, pow),
)
ATTRIBUTES = ("T", "real", "imag", "shape", "ndim", "size", "dtype", "itemsize", "nbytes")


def array_rules(T: Any, namespace: Any = None) -> None:
    """Let arrays of type T have NumPy's rules, also for the functions of that name in a namespace.

    Example: >>> import dask.array as da                     # doctest: +SKIP
             >>> array_rules(da.Array, da)                   # doctest: +SKIP
    """
    natural_array(T)
    for f, methods in list(_elementwise()):
        _share(methods, f, T, T | Array)
        if isinstance(f, np.ufunc):
            _share(methods, getattr(namespace, f.__name__, None), T, T | Array)
    for name in FUNCTIONS:
        methods = _plain(getattr(np, name))
        _share(methods, getattr(np, name), T, T | Array)
        _share(methods, getattr(namespace, name, None), T, T | Array)
    for name in METHODS:
        _share(_plain(getattr(np.ndarray, name)), getattr(T, name, None), T, T)
    for f in (part, operator.getitem):
        _share(_plain(part), f, T, T)
    _share(_plain(between_zeros), between_zeros, T, T)
    for name in ATTRIBUTES:
        _share(
            [m for m in _plain(attribute(name)) if m.signature.types == (np.ndarray,)], attribute(name), T, T
        )


def _elementwise() -> Iterator[tuple[Any, list[Method]]]:
    """NumPy's ufuncs, and Python's operators, with their rules for numbers and arrays alike."""
    for rules in registered():
        methods = [m for m in _plain(rules.f) if set(m.signature.types) == {Array}]
        if methods and (_is_numpys(rules.f) or rules.f in PYTHON):
            yield rules.f, methods


def _is_numpys(f: Any) -> bool:
    """Whether f is a ufunc of NumPy itself; SciPy has some of the same names, whose rules read numbers."""
    return isinstance(f, np.ufunc) and getattr(np, f.__name__, None) is f


def _plain(f: Any) -> list[Method]:
    """The rules of f that write into no argument."""
    rules = rules_of(f)
    every = [] if rules is None else [m for methods in rules.methods.values() for m in methods]
    return [m for m in every if m.rule is not None and not m.mutates]


def _share(methods: list[Method], f: Callable[..., Any] | None, T: Any, other: Any) -> None:
    """Register rules of arrays for T, of f, wherever an array may stand."""
    if f is None:
        return
    for method in methods:
        types = tuple(_with(t, T, other) for t in method.signature.types)
        if types != method.signature.types:
            share(method, f, types)


def _with(t: Any, T: Any, other: Any) -> Any:
    if t == Array:
        return other
    return T if t is np.ndarray else t
