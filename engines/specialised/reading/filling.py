"""Filling: calls that write into an array, as stores.

np.add(a, b, out=y)                 y[:] = np.add(a, b)
np.log(a, out=y, where=m)           y[:] = np.where(m, np.log(np.where(m, a, 1.0)), y)
np.copyto(y, a), y.fill(a)          y[:] = a
np.copyto(y, a, where=m)            y[:] = np.where(m, a, y)
np.put(y, i, a)                     y[i] = a
np.fill_diagonal(y, a)              y[k, k] = a, for the k of the diagonal
np.subtract.at(y, i, a)             y[:] = accumulated(y, -a, i)
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np

from ...source.syntax.trees import place
from .places import accumulated, diagonal_of
from .quoted import expression, target
from .reader import Reader
from .steps import Step
from .texts import UNKNOWN

_DEFINED_AT_ONE = frozenset(
    (
        *(np.add, np.subtract, np.multiply, np.divide, np.power, np.float_power, np.reciprocal, np.square),
        *(np.log, np.log2, np.log10, np.log1p, np.sqrt, np.cbrt, np.exp, np.expm1, np.exp2, np.negative),
        *(np.sin, np.cos, np.tan, np.tanh, np.arctan, np.arctan2, np.hypot, np.maximum, np.minimum),
    )
)
"""What is smooth where its arguments are one, which stand for those that `where=` leaves out."""


class Filling(Reader):
    """Reads these calls; Reading reads statements."""

    def fills(self, e: ast.expr, out: list[Step]) -> bool:
        """The steps of such a call that stands alone; whether it is one."""
        f = self.constant(e.func) if isinstance(e, ast.Call) else None
        match e:
            case ast.Call(ast.Attribute(sum_, "at"), [array, places, value], []) if self.constant(sum_) in (
                np.add,
                np.subtract,
            ) and isinstance(array, ast.Name):
                taken = ast.UnaryOp(ast.USub(), value) if self.constant(sum_) is np.subtract else value
                given = tuple(self.value(place(x, e), out) for x in (array, taken, places))
                self.bind(_every(array), self._helped(accumulated, given, e, out), out)
            case ast.Call(ast.Attribute(array, "fill"), [value], []) if f is UNKNOWN and _is_place(array):
                self.bind(_every(array), self.value(value, out), out)
            case ast.Call(_, [array, value], []) if f is np.copyto and _is_place(array):
                self.bind(_every(array), self.value(value, out), out)
            case ast.Call(_, [array, value], [ast.keyword("where", mask)]) if f is np.copyto and _is_place(
                array
            ):
                given = tuple(self.value(x, out) for x in (mask, value, array))
                self.bind(_every(array), self._helped(np.where, given, e, out), out)
            case ast.Call(_, [array, places, value], []) if f is np.put and _is_place(array):
                self.bind(target("a[i]", e, a=array, i=places), self.value(value, out), out)
            case ast.Call(_, [array, value], []) if f is np.fill_diagonal and _is_place(array):
                shape = self.value(expression("a.shape", e, a=array), out)
                k = self.own("held", self._helped(diagonal_of, (shape,), e, out))
                self.bind(target("a[k, k]", e, a=array, k=k), self.value(value, out), out)
            case ast.Call():
                return self._put_out(e, f, out) is not None
            case _:
                return False
        return True

    def filled(self, e: ast.Call, f: Any, out: list[Step]) -> str | None:
        """The value of a call with `out=`, after its steps; None of any other."""
        array = self._put_out(e, f, out)
        return None if array is None else self.value(array, out)

    def _put_out(self, e: ast.Call, f: Any, out: list[Step]) -> ast.expr | None:
        """The steps of a call with `out=`, and what reads the array; None of any other call."""
        words: dict[str | None, ast.expr] = {k.arg: k.value for k in e.keywords}
        if any(isinstance(a, ast.Starred) for a in e.args) or None in words:
            return None
        args = e.args
        if isinstance(f, np.ufunc) and len(args) == f.nin + 1:
            args, words["out"] = args[:-1], args[-1]
        array, mask = words.pop("out", None), words.pop("where", None)
        if array is None or not takes_out(f) or (mask is not None and (f not in _DEFINED_AT_ONE or words)):
            return None
        if not _is_place(array):
            array = self.tree(self.value(array, out), array)
        if mask is None:
            made = ast.Call(e.func, args, [ast.keyword(n, v) for n, v in words.items()])
            value = self.value(place(made, e), out)
        else:
            m = self.value(mask, out)
            ones = [self._helped(np.where, (m, self.value(a, out), "=1.0"), e, out) for a in args]
            value = self.value(place(ast.Call(e.func, [self.tree(a, e) for a in ones], []), e), out)
            value = self._helped(np.where, (m, value, self.value(array, out)), e, out)
        self.bind(_every(array), value, out)
        return array


def takes_out(f: Any) -> bool:
    """Whether this is a function of NumPy that can write its one value into an array."""
    if isinstance(f, np.ufunc):
        return f.nout == 1
    if not (getattr(f, "__module__", None) or "").startswith("numpy") or isinstance(f, type):
        return False
    try:
        return "out" in inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False


def _is_place(e: ast.expr) -> bool:
    return isinstance(e, ast.Name | ast.Attribute | ast.Subscript)


def _every(array: ast.expr) -> Any:
    """The target that fills an array."""
    if isinstance(array, ast.Subscript):
        return target("a[i]", array, a=array.value, i=array.slice)
    return target("a[:]", array, a=array)
