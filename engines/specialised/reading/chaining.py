"""Chaining: what functions of `itertools` and `reversed` give, gone through at once, as a list.

chain(a, b)             [*a, *b]
chain.from_iterable(a)  [x for row in a for x in row]
islice(a, i, j)         [a[k] for k in range(i, min(j, len(a)))]
zip_longest(a, b)       [(a[i] if i < len(a) else None, …) for i in range(max(len(a), len(b)))]
starmap(f, a)           [f(*x) for x in a]
repeat(v, n)            [v for _ in range(n)]
reversed(a)             a[::-1]
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any

_LOAD = ast.Load()


class Chained:
    """The expression in the place of a call; `held` gives the list of what is gone through a name."""

    def __init__(self, fresh: Callable[[str], str], held: Callable[[ast.expr], str]) -> None:
        self.fresh, self.held = fresh, held

    def of(self, e: ast.Call, f: Any) -> ast.expr | None:
        """The list of what a call gives; None where it is none of these."""
        make = next((m for known, m in _MAKERS if f is known or f == known), None)
        named = {k.arg for k in e.keywords}
        starred = any(isinstance(a, ast.Starred) for a in e.args)
        if make is None or not named <= ({"fillvalue"} if f is itertools.zip_longest else set()):
            return None
        if starred and f is not itertools.chain:
            return None
        made: ast.expr | None = make(self, e)
        return made if made is None else ast.fix_missing_locations(ast.copy_location(made, e))

    def _chain(self, e: ast.Call) -> ast.expr | None:
        if len(e.args) == 1 and isinstance(e.args[0], ast.Starred):
            return self._rows(e.args[0].value)
        if any(isinstance(a, ast.Starred) for a in e.args):
            return None
        return ast.List([ast.Starred(a, _LOAD) for a in e.args], _LOAD)

    def _from_iterable(self, e: ast.Call) -> ast.expr | None:
        return self._rows(e.args[0]) if len(e.args) == 1 else None

    def _rows(self, rows: ast.expr) -> ast.expr:
        row, item = self.fresh("row"), self.fresh("item")
        loops = [_loop(row, rows), _loop(item, _load(row))]
        return ast.ListComp(_load(item), loops)

    def _islice(self, e: ast.Call) -> ast.expr | None:
        if not 1 < len(e.args) < 5:
            return None
        items, *ends = e.args
        start, stop, *step = [ast.Constant(0), *ends] if len(ends) == 1 else ends
        if any(isinstance(a, ast.Constant) and a.value is None for a in (start, *step)):
            return None
        held, i = self.held(ast.List([ast.Starred(items, _LOAD)], _LOAD)), self.fresh("i")
        end: ast.expr = _call("len", _load(held))
        if not (isinstance(stop, ast.Constant) and stop.value is None):
            end = _call("min", stop, end)
        return ast.ListComp(
            ast.Subscript(_load(held), _load(i), _LOAD), [_loop(i, _call("range", start, end, *step))]
        )

    def _zip_longest(self, e: ast.Call) -> ast.expr | None:
        if not e.args:
            return None
        fill = e.keywords[0].value if e.keywords else ast.Constant(None)
        held = [self.held(ast.List([ast.Starred(a, _LOAD)], _LOAD)) for a in e.args]
        counts: list[ast.expr] = [_call("len", _load(n)) for n in held]
        i = self.fresh("i")
        items: list[ast.expr] = [
            ast.IfExp(ast.Compare(_load(i), [ast.Lt()], [n]), ast.Subscript(_load(a), _load(i), _LOAD), fill)
            for a, n in zip(held, counts, strict=True)
        ]
        most = _call("max", *counts) if len(counts) > 1 else counts[0]
        return ast.ListComp(ast.Tuple(items, _LOAD), [_loop(i, _call("range", most))])

    def _starmap(self, e: ast.Call) -> ast.expr | None:
        if len(e.args) != 2:
            return None
        item = self.fresh("item")
        call = ast.Call(e.args[0], [ast.Starred(_load(item), _LOAD)], [])
        return ast.ListComp(call, [_loop(item, e.args[1])])

    def _repeat(self, e: ast.Call) -> ast.expr | None:
        if len(e.args) != 2:
            return None
        return ast.ListComp(_load(self.held(e.args[0])), [_loop(self.fresh("i"), _call("range", e.args[1]))])

    def _reversed(self, e: ast.Call) -> ast.expr | None:
        if len(e.args) != 1:
            return None
        return ast.Subscript(e.args[0], ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1))), _LOAD)


_MAKERS: tuple[tuple[Any, Any], ...] = (
    (itertools.chain, Chained._chain),
    (itertools.chain.from_iterable, Chained._from_iterable),
    (itertools.islice, Chained._islice),
    (itertools.zip_longest, Chained._zip_longest),
    (itertools.starmap, Chained._starmap),
    (itertools.repeat, Chained._repeat),
    (reversed, Chained._reversed),
)


CHAINING = tuple(f for f, _ in _MAKERS)
"""These functions."""


def _loop(name: str, over: ast.expr) -> ast.comprehension:
    return ast.comprehension(ast.Name(name, ast.Store()), over, [], 0)


def _load(name: str) -> ast.Name:
    return ast.Name(name, _LOAD)


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, _LOAD), [*args], [])
