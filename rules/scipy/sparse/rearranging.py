"""What moves stored entries and leaves their values: conversions, transposes, slices, triangles, diagonals.

Each entry of the result is one that was stored. Which one SciPy says itself, when it is given an array whose
entries are numbered; so there is one rule for all formats. Conversions to blocks of diagonals or of rows may
store more than they were given; that is zero for good. What SciPy gives back itself, or as a view, stays so.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from scipy import sparse

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ...written import own, written_out
from .entries import CLASSES, Sparse, entries, filled, gives_back, methods, places, sources

REARRANGING = methods(
    *("tocsr", "tocsc", "tocoo", "tolil", "todok", "todia", "tobsr", "asformat", "copy"),
    *("transpose", "diagonal", "toarray"),
)


def check_options(f: Any, options: Any) -> None:
    """Refuse an array to write into."""
    if options.get("out") is not None:
        raise UnsupportedArgument(f, "out", options["out"], next="take the value that is returned")


non_differentiable(check_options, why="checks an argument")


def rearranged(f: Any, x: Any, options: Any) -> Any:
    """f(x), which moves what x stores."""
    at, which = sources(f, x, **options)
    values = entries(x, places(x))
    y = own(f, x, **options)
    if at:
        return filled(y, values[which], at)
    return values[which] if which >= 0 else y


def _register(f: Any) -> None:
    @written_out(f)
    def rearranging(self: Sparse, **options):
        """Each entry of y is a stored entry of x, or zero for good"""
        check_options(f, options)
        return self if gives_back(f, self, **options) else rearranged(f, self, options)


def _register_reshape(f: Any) -> None:
    @written_out(f)
    def reshape(self: Sparse, *shape, order="C", copy=False):
        """y has the entries of x, read row by row"""
        given = shaped(f, shape, order, copy)
        return self if not copy and gives_back(given, self) else rearranged(given, self, {})


def _register_getitem(f: Any) -> None:
    @written_out(f)
    def getitem(self: Sparse, *, key):
        """Each entry of y is the entry of x that the key names"""
        return rearranged(keyed(f, key), self, {})


def keyed(f: Any, key: Any) -> Any:
    """The function that takes this part of an array."""
    return partial(_keyed, f=f, key=key)


def _keyed(x: Any, *, f: Any, key: Any) -> Any:
    return f(x, key)


def shaped(f: Any, shape: Any, order: Any, copy: Any) -> Any:
    """The function that gives an array this shape."""
    return partial(_shaped, f=f, shape=shape, order=order, copy=copy)


def _shaped(x: Any, *, f: Any, shape: Any, order: Any, copy: Any) -> Any:
    return f(x, *shape, order=order, copy=copy)


non_differentiable(keyed, shaped, why="has to do with the pattern alone")


def _register_triangle(f: Any) -> None:
    @written_out(f)
    def triangle(A: Sparse, **options):
        """Each entry of y is a stored entry of A, or zero for good"""
        return rearranged(f, A, options)


for _f in REARRANGING:
    _register(_f)
for _f in methods("__getitem__"):
    _register_getitem(_f)
for _f in methods("reshape"):
    _register_reshape(_f)
for _f in (sparse.tril, sparse.triu, sparse.swapaxes):
    _register_triangle(_f)


def _register_transpose(P: Any) -> None:
    @frule(getattr, P, "T")
    def transpose_frule(tangents, x):
        """y = xᵀ        ẏ = ẋᵀ"""
        return x.transpose(), tangents[0].transpose()

    @rrule(getattr, P, "T")
    def transpose_rrule(x):
        """y = xᵀ        x̄ = ȳᵀ"""

        def transpose_pullback(y_bar):
            return y_bar.transpose()

        return x.transpose(), transpose_pullback


for _P in CLASSES:
    _register_transpose(_P)
