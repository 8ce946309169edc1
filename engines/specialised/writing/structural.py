"""Structural texts: sums, extrema, products of matrices, changes of shape.

Nearly every program calls these, and their rules are quicker written out: a sum's cotangent is never
filled, and an extremum's is added where it was found. Each is taken only while the rule in force is the
library's own.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..reading.kinds import axes, is_array, is_number, is_tuple, keys_of
from ..reading.steps import Step, is_name, literal, plain
from .backward import Cotangent
from .fourier import FOURIER, Fourier
from .joining import JOINING
from .operations import Names
from .rundown import added, along, crossed, each, extremes, order_back, rolled, spread, total_of
from .written import WRITTEN

_PRODUCT_TEXTS = {
    (2, 2): ("{y_bar} @ {1}.T", "{0}.T @ {y_bar}"),
    (2, 1): ("{outer}({y_bar}, {1})", "{y_bar} @ {0}"),
    (1, 2): ("{1} @ {y_bar}", "{outer}({0}, {y_bar})"),
    (1, 1): ("{y_bar} * {1}", "{y_bar} * {0}"),
}
_STRUCTURAL: dict[Any, str] = {
    **WRITTEN,
    **JOINING,
    **FOURIER,
    **dict.fromkeys((np.sum, np.ndarray.sum), "sum"),
    **dict.fromkeys((np.mean, np.ndarray.mean), "mean"),
    **dict.fromkeys((np.max, np.min, np.amax, np.amin, np.ndarray.max, np.ndarray.min), "extremum"),
    **dict.fromkeys((np.matmul, operator.matmul, np.dot, np.ndarray.dot), "matmul"),
    **dict.fromkeys(
        (np.reshape, np.ravel, np.ndarray.reshape, np.ndarray.ravel, np.ndarray.flatten), "reshape"
    ),
    **dict.fromkeys((np.expand_dims, np.squeeze, np.ndarray.squeeze, np.atleast_1d), "reshape"),
    **dict.fromkeys((np.transpose, np.ndarray.transpose), "transpose"),
    **dict.fromkeys((np.copy, np.ndarray.copy, np.asarray, np.asanyarray, np.ascontiguousarray), "copied"),
    np.ndarray.astype: "copied",
    sum: "total",
    np.array: "items",
    np.cross: "cross",
    np.roll: "roll",
    np.outer: "outer",
}
_SUMS = (np.sum, np.ndarray.sum, np.mean, np.ndarray.mean)
_QUICK = {
    np.sum: np.add.reduce,
    np.ndarray.sum: np.add.reduce,
    np.max: np.maximum.reduce,
    np.min: np.minimum.reduce,
}
"""What a reduction calls, without what stands around it."""


class Structural(Fourier):
    """The texts of these functions: `fits_…` says whether a call has one, `of_…` writes it."""

    structural = _STRUCTURAL

    def _text(self, s: Step) -> str:
        if s.op in ("call", "method"):
            f, args = self.inferred.function(s), list(s.args[s.op == "call" :])
            if f in _QUICK and self._is_quick(s, args):
                axis, keep = self._axis(s, args)
                return f"{s.target} = {self.bind(_QUICK[f])}({args[0]}, axis={axis}, keepdims={keep})"
            if s.active and f is sum and self.planned(s) == "total" and is_array(self.kinds[s.target]):
                return f"{s.target} = {self.bind(total_of)}({args[0]})"
            if f is np.roll and self._is_rolled(s, args):
                shift, axis = self._rolled(s)
                return f"{s.target} = {self.bind(rolled)}({plain(args[0])}, {shift}, {axis})"
            if s.active and f is np.cross and self.planned(s) == "cross":
                return f"{s.target} = {self.bind(crossed)}({', '.join(map(plain, args))})"
        return super()._text(s)

    def _is_quick(self, s: Step, args: list[str]) -> bool:
        """Whether a reduction may be called without what stands around it."""
        if s.active:
            return self.planned(s) in ("sum", "extremum")
        return bool(args) and is_array(self.inferred.kind(args[0])) and self.fits_sum(s)

    def _is_rolled(self, s: Step, args: list[str]) -> bool:
        """The same of a roll."""
        if s.active:
            return bool(self.planned(s) == "roll")
        return bool(args) and is_array(self.inferred.kind(args[0])) and self.fits_roll(s)

    def fits_sum(self, s: Step) -> bool:
        args = list(s.args[1:] if s.op == "call" else s.args)
        axis, keep = self._axis(s, args)
        n = axes(self.inferred.kind(args[0]))
        if type(axis) is tuple and s.op != "binary" and self.inferred.function(s) in _SUMS:
            return type(keep) is bool and n > 1
        return n > 0 and type(keep) is bool and (axis is None or type(axis) is int)

    fits_mean = fits_extremum = fits_sum

    def _stretched(self, s: Step, args: list[str], c: Cotangent) -> str:
        """The cotangent of a reduction with the reduced axes in their places."""
        axis, keep = self._axis(s, args)
        if axis is None or keep or not is_array(self.kinds[s.target]):
            return c.text
        n = axes(self.inferred.kind(args[0]))
        whole = self._whole_of(s, c)
        reduced = [i % n for i in (axis if type(axis) is tuple else (axis,))]
        return f"{whole}[{', '.join('None' if i in reduced else ':' for i in range(n))}]"

    def of_sum(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], self._stretched(s, args, c), "stretched", fresh=False)

    def of_mean(self, s: Step, args: list[str], c: Cotangent) -> None:
        x, y = self.primal(s, args[0]), self.value(s) if is_array(self.kinds[s.target]) else ""
        count = f"({x}.size / {y}.size)" if y else f"{x}.size"
        self.give(args[0], f"{self._stretched(s, args, c)} / {count}", "stretched", fresh=False)

    def of_extremum(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis, keep = self._axis(s, args)
        x, y = self.primal(s, args[0]), self.value(s)
        if not is_array(self.kinds[s.target]):
            buffer = self.own(args[0], f"{x}.shape")
            places, part = self.fresh("i"), self.fresh("g")
            self.put(f"{places}, {part} = {self.bind(extremes)}({x}, {y}, {c.text})")
            self.put(f"{self.bind(added)}({buffer}, {places}, {'-' if self.minus else ''}{part})")
            return
        n = axes(self.inferred.kind(args[0]))
        index = (
            ""
            if keep
            else f"[{', '.join('None' if axis is None or i == axis % n else ':' for i in range(n))}]"
        )
        self.give(args[0], f"{self.bind(along)}({x}, {y}{index}, {self._stretched(s, args, c)})")

    def fits_matmul(self, s: Step) -> bool:
        k = [axes(self.inferred.kind(a)) for a in (s.args[1:] if s.op == "call" else s.args)]
        if s.keywords or len(k) != 2:
            return False
        stacks = min(k) > 1 and (s.op == "binary" or self.inferred.function(s) is np.matmul)
        return stacks or tuple(k) in _PRODUCT_TEXTS

    def of_matmul(self, s: Step, args: list[str], c: Cotangent) -> None:
        m, n = (axes(self.inferred.kind(a)) for a in args)
        g = self._whole_of(s, c) if is_array(self.kinds[s.target]) else c.text
        if max(m, n) > 2:
            self._stacks(s, args, g)
            return
        for a, text in zip(args, _PRODUCT_TEXTS[m, n], strict=True):
            if self.varied(a):
                self.give(a, Names(self, s, args, g, self.bind(np.outer), adjoint=True).fill(text))

    def _stacks(self, s: Step, args: list[str], g: str) -> None:
        """Products of matrices in stacks, one of which may be stretched to the other."""
        for a, text in zip(
            args, ("{y_bar} @ {1}.swapaxes(-1, -2)", "{0}.swapaxes(-1, -2) @ {y_bar}"), strict=True
        ):
            if self.varied(a):
                made = self.let(Names(self, s, args, g, adjoint=True).fill(text))
                self.give(a, f"{self.bind(spread)}({made}, {self.primal(s, a)}, {made})", fresh=False)

    def fits_reshape(self, s: Step) -> bool:
        """Whether entries keep their order, as they do where none is given."""
        f, given = self.inferred.function(s), len(s.args) - (s.op == "call")
        alone = (np.ravel, np.ndarray.ravel, np.ndarray.flatten, np.atleast_1d)
        most = 1 if any(f is g for g in alone) else 2 if f is np.reshape else given
        return "order" not in s.keywords and given <= most

    def of_reshape(self, s: Step, args: list[str], c: Cotangent) -> None:
        shape = f"{self.primal(s, args[0])}.shape" if axes(self._kinds(s)[0]) else "()"
        self.give(args[0], f"{self._whole_of(s, c)}.reshape({shape})", fresh=False)

    def fits_copied(self, s: Step) -> bool:
        """Whether the result is what was given, entry by entry."""
        given, made = self._kinds(s), self.kinds[s.target]
        return len(given) > len(s.keywords) and bool(axes(made)) and given[0] == made

    def of_copied(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], c.text, "stretched" if c.form == "stretched" else "full", fresh=False)

    def _order(self, s: Step) -> Any:
        """The axes of a transposition, where they are written out."""
        args = list(s.args[1:] if s.op == "call" else s.args)
        if s.keywords or len(args) > 2:
            return literal
        if len(args) == 1:
            return tuple(range(axes(self.inferred.kind(args[0]))))[::-1]
        maker = next((x for x in self.all_steps if x.target == args[1] and x.op == "tuple"), None)
        order = (
            tuple(map(literal, maker.args)) if maker is not None and self.definitions[args[1]] == 1 else ()
        )
        return order if order and all(type(i) is int for i in order) else literal

    def _order_given(self, s: Step) -> str:
        """The variable that holds the order of the axes; empty where there is none."""
        args = list(s.args[s.op == "call" :])
        given = len(args) == 2 and not s.keywords and self.inferred.kind(args[1]) == "H"
        return args[1] if given and is_name(args[1]) else ""

    def fits_transpose(self, s: Step) -> bool:
        return self._order(s) is not literal or bool(self._order_given(s))

    def of_transpose(self, s: Step, args: list[str], c: Cotangent) -> None:
        order, n = self._order(s), axes(self.inferred.kind(args[0]))
        if order is literal:
            back = f"{self.bind(order_back)}({self.primal(s, self._order_given(s))})"
            self.give(args[0], f"{self._whole_of(s, c)}.transpose({back})", fresh=False)
            return
        inverse = tuple(sorted(range(n), key=lambda i: order[i] % n))
        self.give(args[0], f"{self._whole_of(s, c)}.transpose({inverse})", fresh=False)

    def _rolled(self, s: Step) -> Any:
        """The shift and the axis of a roll; `literal` for what is not written out."""
        args = dict(zip(("x", "shift", "axis"), s.args[1 : len(s.args) - len(s.keywords)], strict=False))
        args.update(zip(s.keywords, s.args[len(s.args) - len(s.keywords) :], strict=True))
        return literal(args.get("shift", "x")), literal(args.get("axis", "=None"))

    def fits_roll(self, s: Step) -> bool:
        shift, axis = self._rolled(s)
        return "a" not in s.keywords and type(shift) is int and (axis is None or type(axis) is int)

    def of_roll(self, s: Step, args: list[str], c: Cotangent) -> None:
        shift, axis = self._rolled(s)
        self.give(args[0], f"{self.bind(rolled)}({self._whole_of(s, c)}, {-shift}, {axis})")

    def fits_cross(self, s: Step) -> bool:
        return not s.keywords and [self.inferred.kind(a) for a in s.args[1:]] == ["a1", "a1"]

    def of_cross(self, s: Step, args: list[str], c: Cotangent) -> None:
        a, b = args
        g = self.let(self._whole_of(s, c))
        if self.varied(a):
            self.give(a, f"{self.bind(crossed)}({self.primal(s, b)}, {g})")
        if self.varied(b):
            self.give(b, f"{self.bind(crossed)}({g}, {self.primal(s, a)})")

    def fits_outer(self, s: Step) -> bool:
        return not s.keywords and all(self.inferred.kind(a) in ("a1", "z1") for a in s.args[1:])

    def of_outer(self, s: Step, args: list[str], c: Cotangent) -> None:
        a, b = args
        g = self.let(self._whole_of(s, c))
        if self.varied(a):
            self.give(a, f"{g} @ {self.adjoint(s, b)}")
        if self.varied(b):
            self.give(b, f"{self.adjoint(s, a)} @ {g}")

    def fits_items(self, s: Step) -> bool:
        args = list(s.args[1:])
        k = self.inferred.kind(args[0])
        if s.op != "call" or s.keywords or len(args) != 1:
            return False
        if k == "L":
            return self.holds_numbers(args[0]) and is_array(self.kinds[s.target])
        return is_tuple(k) and all(map(_is_item, k[1:]))

    def fits_total(self, s: Step) -> bool:
        return len(s.args) == 2 and self.inferred.kind(s.args[1]) == "L" and self.holds_numbers(s.args[1])

    def of_total(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.put(f"{self.bind(each)}({s.kept['from'].use()}, {self._signed(s, c)})")

    def _signed(self, s: Step, c: Cotangent) -> str:
        """The cotangent with its sign."""
        whole = self.let(self._whole_of(s, c))
        return self.let(f"-{whole}") if self.minus else whole

    def of_items(self, s: Step, args: list[str], c: Cotangent) -> None:
        if self.inferred.kind(args[0]) == "L":
            self.put(f"{self.bind(each)}({s.kept['from'].use()}, *{self._signed(s, c)})")
            return
        g = self.let(self._whole_of(s, c))
        self._items(args[0], g, "")

    def _items(self, name: str, g: str, place: str) -> None:
        k = self.inferred.kind(name)
        if not is_tuple(k):
            self.give(name, f"{g}[{place}]", fresh=False)
            return
        for i in range(len(k) - 1):
            self._items(f"{name}__{i}", g, f"{place}, {i}" if place else str(i))


def _is_item(k: Any) -> bool:
    """Whether this is a number, an array, or a row of them."""
    if is_tuple(k):
        return keys_of(k) is None and all(map(_is_item, k[1:]))
    return is_array(k) or is_number(k) or k in ("i", "H")
