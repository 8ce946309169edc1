"""Crossing: loops over all pairs of items, as loops inside loops.

`for a, b in product(xs, ys)` is `for a in xs: for b in ys`; `combinations(xs, 2)` and `pairwise(xs)` count,
and so do `np.ndindex(A.shape)` and `np.ndenumerate(A)`, through all places in one loop.
Python has gone through all items before the first turn: what a loop may write into is copied into a list. A
loop inside a loop that is left early is declined.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from .chaining import Chaining
from .declined import Declined
from .places import count_of, place_of
from .quoted import expression, statements
from .steps import Step

CROSSES = (itertools.product, itertools.combinations, itertools.pairwise, np.ndindex, np.ndenumerate)
"""What makes tuples of items."""
_PLACES = "for k_ in range(count(shape)):\n    target = at(k_, shape)\n    body"
_ENTRIES = "for k_ in range(count(a.shape)):\n    place = at(k_, a.shape)\n    target = a[place]\n    body"
_PAIRS = "for i_ in range(len(a) - 1):\n    x = a[i_]\n    y = a[i_ + 1]\n    body"


class Crossing(Chaining):
    """Writes these loops; Iterating reads them."""

    def crossed(self, s: Any, f: Any, out: list[Step]) -> ast.stmt:
        """The loop in the place of one that goes through what f makes."""
        if f is np.ndindex or f is np.ndenumerate:
            return self._through_places(s, f, out)
        if any(isinstance(n, ast.Break) for b in s.body for n in _outside_loops(b)):
            raise Declined("a loop over pairs that is left early")
        given = s.iter.args
        if f is itertools.product:
            names, body = self._targets(s, len(given))
            return _nested(s, names, [self._range(e, out) or self._sequence(s, e, out) for e in given], body)
        if f is itertools.combinations:
            return self._combinations(s, out, *given)
        (x, y), body = self._targets(s, 2)
        return self._loop(_PAIRS, s, a=self._sequence(s, given[0], out), x=x, y=y, body=body)

    def _loop(self, text: str, s: ast.For, **parts: Any) -> ast.stmt:
        loop: ast.stmt = self.quoted(text, s, **parts)[0]
        return loop

    def _combinations(self, s: ast.For, out: list[Step], items: ast.expr, count: ast.expr) -> ast.stmt:
        n = count.value if isinstance(count, ast.Constant) else None
        if type(n) is not int or not 1 < n < 4:
            raise Declined("combinations of so many")
        names, body = self._targets(s, n)
        over = self._range(items, out)
        if over is None:
            a = self._sequence(s, items, out)
            over = self.written("range(len(a))", s, a=a)
            counts = [ast.Name(self.own("i"), ast.Store()) for _ in names]
            taken = [statements("x = a[i]", s, x=x, a=a, i=i.id) for x, i in zip(names, counts, strict=True)]
            names, body = [*counts], [*itertools.chain.from_iterable(taken), *body]
        elif len(over.args) == 3 or not all(isinstance(x, ast.Name) for x in names):
            raise Declined("combinations of counts with a step")
        end: Any = over.args[-1]
        inner = [self.written("range(i + 1, end)", s, i=i.id, end=end) for i in names[:-1]]  # type: ignore[attr-defined]
        return _nested(s, names, [over, *inner], body)

    def _through_places(self, s: Any, f: Any, out: list[Step]) -> ast.stmt:
        """One loop through all places of a shape, each of which is a tuple."""
        given, parts = s.iter.args, {"count": self.standing(count_of), "at": self.standing(place_of)}
        if f is np.ndenumerate:
            if not isinstance(s.target, ast.Tuple) or len(s.target.elts) != 2:
                raise Declined("places that are not taken apart")
            at, entry = s.target.elts
            a, place = self.kept(given[0], out), self.own("place")
            body = [*statements("at = place", s, at=at, place=place), *s.body]
            return self._loop(_ENTRIES, s, **parts, a=a, place=place, target=entry, body=body)
        shape = given[0] if len(given) == 1 else expression("(given,)", s, given=given)
        shape = shape.value if isinstance(shape, ast.Starred) else shape
        return self._loop(_PLACES, s, **parts, shape=self.kept(shape, out), target=s.target, body=s.body)

    def _targets(self, s: ast.For, count: int) -> tuple[list[ast.expr], list[ast.stmt]]:
        """What the items of a tuple are assigned to, and what is done with them."""
        parts = s.target.elts if isinstance(s.target, ast.Tuple | ast.List) else []
        if len(parts) == count and not any(isinstance(e, ast.Starred) for e in parts):
            return list(parts), s.body
        if not isinstance(s.target, ast.Name):
            raise Declined("pairs that are not taken apart")
        names = [self.own("item") for _ in range(count)]
        whole = expression(f"({', '.join(names)},)", s)
        bound: list[ast.expr] = [ast.Name(n, ast.Store()) for n in names]
        return bound, [*statements("t = whole", s, t=s.target, whole=whole), *s.body]

    def _range(self, e: ast.expr, out: list[Step]) -> Any:
        """`range` of what it counted to before the loop; None for anything else."""
        if not isinstance(e, ast.Call) or not isinstance(e.func, ast.Name) or e.func.id != "range":
            return None
        if e.keywords or any(isinstance(a, ast.Starred) for a in e.args):
            raise Declined("a range with other arguments")
        ends = [ast.Name(self.kept(a, out), ast.Load()) for a in e.args]
        return self.written("range(ends)", e, ends=ends)

    def _sequence(self, s: ast.For, e: ast.expr, out: list[Step]) -> ast.expr:
        """What items are taken from: a list of them, where the loop may change what it goes through."""
        for n in (n for b in s.body for n in ast.walk(b)):
            written = isinstance(n, ast.Subscript | ast.Attribute) and not isinstance(n.ctx, ast.Load)
            grown = isinstance(n, ast.AugAssign) and ast.unparse(n.target) == ast.unparse(e)
            match n:
                case ast.Call(ast.Attribute(owner, name)) if name in _CHANGES:
                    grown = grown or ast.unparse(owner) == ast.unparse(e)
            if written or grown:
                made = self.call_step(list, "list", (self.consumed(e, out),), e.lineno, out)
                e = self.tree(made, e)
                break
        return ast.copy_location(ast.Name(self.kept(e, out), ast.Load()), e)


_CHANGES = ("append", "extend", "insert", "pop", "popleft", "appendleft", "clear", "reverse", "sort", "fill")


def _nested(s: ast.For, names: list[ast.expr], over: list[ast.expr], body: list[ast.stmt]) -> ast.stmt:
    for name, it in reversed([*zip(names, over, strict=True)]):
        body = statements("for x in it:\n    body", s, x=name, it=it, body=body)
    return body[0]


def _outside_loops(n: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it that stand in no loop or function of its own."""
    yield n
    if not isinstance(n, ast.For | ast.While | ast.FunctionDef | ast.Lambda):
        for inner in ast.iter_child_nodes(n):
            yield from _outside_loops(inner)
