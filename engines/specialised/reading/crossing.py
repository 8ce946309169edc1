"""Crossing: loops over all pairs of items, as loops inside loops.

`for a, b in product(xs, ys)` is `for a in xs: for b in ys`; `combinations(xs, 2)` and `pairwise(xs)` count,
and so do `np.ndindex(A.shape)` and `np.ndenumerate(A)`.
Python has gone through all items before the first turn: what a loop may write into is copied into a list. A
loop that is left early is declined.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .declined import Declined
from .places import count_of, place_of

CROSSES = (itertools.product, itertools.combinations, itertools.pairwise, np.ndindex, np.ndenumerate)
"""What makes tuples of items."""


class Crossed:
    """The loops in the place of one."""

    def __init__(
        self,
        s: ast.For,
        f: Any,
        fresh: Callable[[str], str],
        held: Callable[[ast.expr], str],
        copied: Callable[[ast.expr], str],
        standing: Callable[[Any], str],
    ) -> None:
        """`f`: what the loop goes through; `held` gives an expression's value a name, before the loop.

        `copied` gives one to a list of all that it has, `standing` gives one to a function of this package.
        """
        assert isinstance(s.iter, ast.Call)
        self.s, self.fresh, self.held, self.copied, self.standing = s, fresh, held, copied, standing
        self.flat = False  # whether one loop goes through all places
        made = self._made(f, s.iter.args)
        if not self.flat and any(isinstance(n, ast.Break) for b in s.body for n in _outside_loops(b)):
            raise Declined("a loop over pairs that is left early")
        for n in ast.walk(made):
            if not hasattr(n, "lineno"):
                ast.copy_location(n, s)
        self.loop = ast.fix_missing_locations(made)

    def _made(self, f: Any, given: list[ast.expr]) -> ast.For:
        if f is itertools.product:
            return self._product(given)
        if f is itertools.pairwise:
            return self._pairwise(given[0])
        if f is np.ndindex:
            return self._places(given)
        return self._entries(given[0]) if f is np.ndenumerate else self._combinations(given)

    def _product(self, given: list[ast.expr]) -> ast.For:
        names, body = self._targets(len(given))
        over = [self._range(e) or self._sequence(e) for e in given]
        return _nested(names, over, body)

    def _combinations(self, given: list[ast.expr]) -> ast.For:
        count = given[1].value if isinstance(given[1], ast.Constant) else None
        if type(count) is not int or not 1 < count < 4:
            raise Declined("combinations of so many")
        names, body = self._targets(count)
        over = self._range(given[0])
        if over is None:
            items = self._sequence(given[0])
            end: ast.expr = _call("len", items)
            over = _call("range", end)
            counts = [ast.Name(self.fresh("i"), ast.Store()) for _ in names]
            taken = [ast.Subscript(items, _load(i), ast.Load()) for i in counts]
            body = [*(ast.Assign([n], v) for n, v in zip(names, taken, strict=True)), *body]
            names = [*counts]
        elif len(over.args) == 3 or not all(isinstance(n, ast.Name) for n in names):
            raise Declined("combinations of counts with a step")
        end = over.args[-1]
        inner = [
            _call("range", ast.BinOp(_load(n), ast.Add(), ast.Constant(1)), end)  # type: ignore[arg-type]
            for n in names[:-1]
        ]
        return _nested(names, [over, *inner], body)

    def _pairwise(self, given: ast.expr) -> ast.For:
        names, body = self._targets(2)
        items, i = self._sequence(given), ast.Name(self.fresh("i"), ast.Store())
        later = ast.BinOp(_load(i), ast.Add(), ast.Constant(1))
        taken = [ast.Subscript(items, e, ast.Load()) for e in (_load(i), later)]
        over = _call("range", ast.BinOp(_call("len", items), ast.Sub(), ast.Constant(1)))
        return _nested([i], [over], [*(ast.Assign([n], v) for n, v in zip(names, taken, strict=True)), *body])

    def _places(self, given: list[ast.expr]) -> ast.For:
        """`np.ndindex`: of an array's shape, which has as many numbers in each run, or of the numbers."""
        shape = given[0] if len(given) == 1 else ast.Tuple(given, ast.Load())
        shape = shape.value if isinstance(shape, ast.Starred) else shape
        if isinstance(shape, ast.Tuple):
            names, body = self._targets(len(shape.elts))
            return _nested(
                names, [_call("range", ast.Name(self.held(e), ast.Load())) for e in shape.elts], body
            )
        target = self.s.target
        if not isinstance(shape, ast.Attribute) or shape.attr != "shape" or not isinstance(target, ast.Tuple):
            return self._counted(shape, target, [])
        names, body = self._targets(len(target.elts))
        return _nested(names, self._axes(shape, len(names)), body)

    def _counted(self, shape: ast.expr, target: ast.expr, more: list[ast.stmt]) -> ast.For:
        """One loop through all places of a shape, each of which is a tuple; `more` is done with it first."""
        self.flat = True
        held = ast.Name(self.held(ast.copy_location(shape, self.s)), ast.Load())
        k = ast.Name(self.fresh("k"), ast.Store())
        place = _call(self.standing(place_of), _load(k), held)
        over = _call("range", _call(self.standing(count_of), held))
        return ast.For(k, over, [ast.Assign([target], place), *more, *self.s.body], [])

    def _entries(self, array: ast.expr) -> ast.For:
        """`np.ndenumerate`: the places and the entries there."""
        parts = self.s.target.elts if isinstance(self.s.target, ast.Tuple) else []
        if len(parts) != 2:
            raise Declined("places that are not taken apart")
        items = ast.Name(self.held(array), ast.Load())  # which are read as the loop comes to them
        if isinstance(parts[0], ast.Name):
            entry = ast.Subscript(items, ast.Name(parts[0].id, ast.Load()), ast.Load())
            shape = ast.fix_missing_locations(
                ast.copy_location(ast.Attribute(items, "shape", ast.Load()), self.s)
            )
            return self._counted(shape, parts[0], [ast.Assign([parts[1]], entry)])
        if not isinstance(parts[0], ast.Tuple):
            raise Declined("places that are not taken apart")
        counts = [ast.Name(self.fresh("i"), ast.Store()) for _ in parts[0].elts]
        bound = [*(ast.Assign([n], _load(i)) for n, i in zip(parts[0].elts, counts, strict=True))]
        place = ast.Tuple([*map(_load, counts)], ast.Load()) if len(counts) > 1 else _load(counts[0])
        bound.append(ast.Assign([parts[1]], ast.Subscript(items, place, ast.Load())))
        shape = ast.copy_location(ast.Attribute(items, "shape", ast.Load()), self.s)
        return _nested([*counts], self._axes(shape, len(counts)), [*bound, *self.s.body])

    def _axes(self, shape: ast.expr, count: int) -> list[ast.Call]:
        """A range for each axis; no other number of them."""
        held = ast.Name(self.held(ast.fix_missing_locations(shape)), ast.Load())
        return [_call("range", ast.Subscript(held, ast.Constant(i), ast.Load())) for i in range(count)]

    def _targets(self, count: int) -> tuple[list[ast.expr], list[ast.stmt]]:
        """What the items of a tuple are assigned to, and what is done with them."""
        target = self.s.target
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        if len(parts) == count and not any(isinstance(e, ast.Starred) for e in parts):
            return list(parts), self.s.body
        if not isinstance(target, ast.Name):
            raise Declined("pairs that are not taken apart")
        names = [ast.Name(self.fresh("item"), ast.Store()) for _ in range(count)]
        whole = ast.Tuple([*map(_load, names)], ast.Load())
        return [*names], [ast.Assign([target], whole), *_indexed_by(self.s.body, target.id, whole)]

    def _range(self, e: ast.expr) -> ast.Call | None:
        """`range` of what it counted to before the loop; None for anything else."""
        if not isinstance(e, ast.Call) or not isinstance(e.func, ast.Name) or e.func.id != "range":
            return None
        if e.keywords or any(isinstance(a, ast.Starred) for a in e.args):
            raise Declined("a range with other arguments")
        return _call("range", *(ast.Name(self.held(a), ast.Load()) for a in e.args))

    def _sequence(self, e: ast.expr) -> ast.Name:
        """What items are taken from: a list of them, where the loop may change what it goes through."""
        for n in (n for b in self.s.body for n in ast.walk(b)):
            written = isinstance(n, ast.Subscript | ast.Attribute) and not isinstance(n.ctx, ast.Load)
            called = isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _CHANGES
            grown = isinstance(n, ast.AugAssign) and ast.unparse(n.target) == ast.unparse(e)
            if written or grown or (called and ast.unparse(n.func.value) == ast.unparse(e)):  # type: ignore[attr-defined]
                return ast.Name(self.copied(e), ast.Load())
        return ast.Name(self.held(e), ast.Load())


_CHANGES = ("append", "extend", "insert", "pop", "popleft", "appendleft", "clear", "reverse", "sort", "fill")


class _Indexed(ast.NodeTransformer):
    """Indices by a tuple as indices by its items."""

    def __init__(self, name: str, whole: ast.Tuple) -> None:
        self.name, self.whole = name, whole

    def visit_Subscript(self, e: ast.Subscript) -> ast.expr:
        self.generic_visit(e)
        if isinstance(e.slice, ast.Name) and e.slice.id == self.name:
            e.slice = ast.copy_location(copy.deepcopy(self.whole), e.slice)
        return e


def _indexed_by(body: list[ast.stmt], name: str, whole: ast.Tuple) -> list[ast.stmt]:
    """Statements with the items in the place of a tuple, where that stays the same and no function has it."""
    inside = [n for s in body for n in ast.walk(s)]
    other = any(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in inside)
    if other or any(isinstance(n, ast.FunctionDef | ast.Lambda) for n in inside):
        return body
    return [_Indexed(name, whole).visit(copy.deepcopy(s)) for s in body]


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [*args], [])


def _load(n: ast.Name) -> ast.Name:
    return ast.Name(n.id, ast.Load())


def _nested(names: list[ast.expr], over: Any, body: list[ast.stmt]) -> ast.For:
    for name, it in reversed([*zip(names, over, strict=True)]):
        body = [ast.For(name, it, body, [])]
    assert isinstance(body[0], ast.For)
    return body[0]


def _outside_loops(n: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it that stand in no loop or function of its own."""
    yield n
    if not isinstance(n, ast.For | ast.While | ast.FunctionDef | ast.Lambda):
        for inner in ast.iter_child_nodes(n):
            yield from _outside_loops(inner)
