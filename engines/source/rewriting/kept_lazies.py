"""Lazy results that are kept: a `zip`, `map` or `chain` that goes into a list, an object or a function.

What `zip(a, b)` gives is a tuple in a derivative, which is right where it is gone through at once. Kept, it
can be read when a has changed, or a second time, when Python has nothing left. So `[zip(a, b)]` is written
as `[zip(fresh(a), fresh(b))]`: iterators that give each item once, and refuse where it is not what it was.
"""

from __future__ import annotations

import ast
import itertools
from collections import deque
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ....core import AliasedMutationError, non_differentiable
from ....core.registry import rules_of
from ....core.sequences import View, is_stale, items
from ..analysis.mutation import Mutation
from ..reading.callers import caller_of
from ..reading.resolver import Resolver
from ..syntax.kinds import BINDINGS, PARTS
from ..syntax.scopes import copied, own, reads, yields
from ..syntax.trees import call, load, place
from ..syntax.where import call_chain, show_chain
from .names import Names

_SECOND = (filter, itertools.starmap, itertools.filterfalse, itertools.takewhile, itertools.dropwhile)
_RUNNING = (map, *_SECOND)
_FIRST = (
    *(enumerate, itertools.accumulate, itertools.islice, itertools.pairwise, itertools.cycle),
    itertools.groupby,
)
_EVERY = (zip, itertools.chain, itertools.zip_longest, itertools.compress)
_KEPT = frozenset(map(id, (map, reversed, *_SECOND, *_FIRST, *_EVERY)))
_TAKING = frozenset(("extend", "extendleft", "update", "join", "fromkeys", "writelines", "union", "issubset"))
"""Methods that take all items of what they are given at once."""


def kept_lazies(
    body: list[ast.stmt], mutation: Mutation, names: Names
) -> tuple[list[ast.stmt], dict[str, str]]:
    """The body with what such calls go over written so; itself where there are none."""
    if str(mutation.resolver.namespace.get("__name__", "")).startswith("chainrules."):
        return body, {}
    finder = _Finder(mutation)
    for s in mutation.statements:
        finder.find(s)
    if not finder.found:
        return body, {}
    new = copied(body)
    both = zip(ast.walk(ast.Module(body, [])), ast.walk(ast.Module(new, [])), strict=True)
    marked: Any = [n for old, n in both if old in finder.found]
    for e in marked:
        _write(e, mutation.resolver.value(e.func)[1], names)
    return new, {}


class _Finder:
    """Finds the lazy calls of a body whose results are kept."""

    def __init__(self, mutation: Mutation) -> None:
        self.mutation = mutation
        self.resolver = mutation.resolver
        self.defined = {s.name: s for s in mutation.statements if isinstance(s, ast.FunctionDef)}
        self.found: set[ast.AST] = set()

    def find(self, s: ast.stmt) -> None:
        """Those of one statement itself."""
        for e in own(s).expressions:
            for kept in self._kept_in(e):
                self.keep(kept)
        if isinstance(s, ast.Return) and s.value is not None:
            self.keep(s.value)
        for a in self._gone_over(s):
            self.keep(a)
        in_parts = isinstance(s, ast.Assign) and any(isinstance(t, PARTS) for t in s.targets)
        if isinstance(s, BINDINGS) and s.value is not None and (in_parts or self._changes_after(s)):
            self.keep(s.value)

    def _gone_over(self, s: ast.stmt) -> list[ast.expr]:
        """What a call asks for items while the function that it calls may change what gives them."""
        calls = [e for e in own(s).calls if caller_of(self.resolver.value(e.func)[1]) is not None]
        given = [a for e in calls for a in e.args if isinstance(a, ast.Call)]
        return [a for a in given if self.mutation.affected(s) & reads(a)] if given else []

    def _changes_after(self, s: ast.stmt) -> bool:
        """Whether something that a lazy call of a statement reads may change after it."""
        if not any(id(self.resolver.value(e.func)[1]) in _KEPT for e in own(s).calls):
            return False
        read, mutation = own(s).reads, self.mutation
        return any(mutation.affected(t) & read and mutation.follows(s, t) for t in mutation.statements)

    def _kept_in(self, e: ast.expr) -> list[ast.expr]:
        """The parts of an expression that what it gives may hold."""
        if isinstance(e, ast.Call):
            return [a for a in (*e.args, *(k.value for k in e.keywords)) if self._keeps(e)]
        if isinstance(e, ast.List | ast.Tuple):
            return e.elts
        if isinstance(e, ast.Dict):
            return e.values
        return [e.body, e.orelse] if isinstance(e, ast.IfExp) else []

    def _keeps(self, e: ast.Call) -> bool:
        """Whether a call may keep what it is given."""
        known, f = self.resolver.value(e.func)
        if known and isinstance(f, FunctionType):
            return rules_of(f) is None and not (f.__module__ or "").startswith(("numpy", "chainrules."))
        if known and isinstance(f, type):
            return isinstance(getattr(f, "__init__", None), FunctionType) or f.__module__ == "types"
        if known or self.resolver.is_helper(e) or self._is_comprehension(e):
            return False
        return not (isinstance(e.func, ast.Attribute) and e.func.attr in _TAKING)

    def _is_comprehension(self, e: ast.Call) -> bool:
        """Whether a call is of what a comprehension is written out as, which goes through it at once.

        One that changes more than the items that it is given may change what gives them.
        """
        made = self.defined.get(getattr(e.func, "id", ""))
        if made is None or (made.lineno, made.col_offset) != (e.lineno, e.col_offset):
            return False
        lazy = {i for i, a in enumerate(e.args) if isinstance(a, ast.Call)}
        return not yields(made.body) and lazy.issuperset(self.resolver.defined.get(made.name, ()))

    def is_function(self, e: ast.Call) -> bool:
        """Whether a call is of a function, and of no method or class."""
        known, f = self.resolver.value(e.func)
        return isinstance(f, FunctionType) if known else isinstance(e.func, ast.Name)

    def keep(self, e: ast.expr) -> None:
        """Mark a lazy call, and those that it goes over in turn."""
        if not isinstance(e, ast.Call):
            return
        f = self.resolver.value(e.func)[1]
        starred = any(isinstance(a, ast.Starred) for a in e.args)
        if id(f) not in _KEPT or (starred and f is not map and not any(f is each for each in _EVERY)):
            return
        self.found.add(e)
        for a in e.args:
            self.keep(a)


def running_later(s: ast.stmt, mutation: Mutation) -> list[tuple[ast.Call, ast.expr, bool]]:
    """The lazy calls of a statement, the function that each runs as it is asked, and whether it is kept."""
    resolver = mutation.resolver
    calls = [e for e in own(s).calls if function_run(e, resolver) is not None]
    if not calls:
        return []
    finder = _Finder(mutation)
    finder.find(s)
    named = s.value if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) else None
    asked = steps_of(s.iter if isinstance(s, ast.For) else named, resolver)
    taken = {a for e in own(s).calls if finder.is_function(e) for a in e.args}  # at once, as most do
    return [
        (e, f, e in finder.found)
        for e in calls
        if (e in asked or (e in finder.found and e not in taken)) and (f := function_run(e, resolver))
    ]


def function_run(e: ast.expr, resolver: Resolver) -> ast.expr | None:
    """The function that a lazy call runs for each item; None where it is none, or runs none."""
    if not isinstance(e, ast.Call) or not e.args:
        return None
    f = resolver.value(e.func)[1]
    if any(f is each for each in _RUNNING):
        return e.args[0]
    if f is iter:
        return e.args[0] if e.args[1:] else None
    if f is itertools.accumulate or f is itertools.groupby:
        named = (k.value for k in e.keywords if k.arg in ("func", "key"))
        return e.args[1] if e.args[1:] else next(named, None)
    return None


def steps_of(e: ast.expr | None, resolver: Resolver) -> list[ast.expr]:
    """The lazy calls that give the items of an expression step by step, each going over the next."""
    if not isinstance(e, ast.Call):
        return []
    f = resolver.value(e.func)[1]
    if id(f) not in _KEPT and f is not iter and not resolver.is_helper(e):
        return []
    return [e, *(inner for a in e.args for inner in steps_of(a, resolver))]


def _write(e: Any, f: Any, names: Names) -> None:
    """Give a call iterators in place of what it goes over."""

    def helper(g: Any) -> ast.Name:
        return load(names.bind(g.__name__, g))

    if f is reversed:
        e.func = place(ast.Expr(helper(fresh_backwards)), e).value
        return
    at = range(1, len(e.args)) if f is map else range(1, 2) if f in _SECOND else range(1)
    for i in range(len(e.args)) if f in _EVERY else at:
        a = e.args[i] if i < len(e.args) else None
        if isinstance(a, ast.Starred):
            a.value = place(ast.Expr(call(helper(all_fresh), [a.value])), a).value
        elif a is not None:
            e.args[i] = place(ast.Expr(call(helper(fresh), [e.args[i]])), e.args[i]).value


def fresh(x: Any) -> Any:
    """An iterator over x, which refuses to go on where x is not what it was."""
    return one_by_one(items(x), x, False) if _is_container(x) else iter(x)


def all_fresh(rows: Any) -> Any:
    """The same over each of several."""
    return tuple([fresh(row) for row in rows])


def fresh_backwards(x: Any) -> Any:
    """The same from the last to the first."""
    return one_by_one(tuple(reversed(x)), x, True)


def one_by_one(taken: Any, source: Any, backwards: bool) -> Iterator[Any]:
    """What was taken from a source, each while the source has it."""
    for i in range(len(taken)):
        item = taken[i]
        _still(source, len(taken), len(taken) - 1 - i if backwards else i, item)
        yield item
    _still(source, len(taken), -1, None)


def _is_container(x: Any) -> bool:
    return isinstance(x, list | tuple | dict | deque | np.ndarray)


def _still(source: Any, count: int, i: int, item: Any) -> None:
    """Refuse to go on where a container has another length, or another item at a place."""
    same = len(source) == count
    if same and isinstance(source, View):
        same = not is_stale(source)
    elif same and i >= 0 and isinstance(source, np.ndarray):
        same = source.ndim > 1 or source[i] == item or (source[i] != source[i] and item != item)
    elif same and i >= 0 and isinstance(source, list | deque):
        same = source[i] is item
    if not same:
        raise AliasedMutationError(
            f"a {type(source).__name__} changed before an iterator over it, which was kept, was at its end",
            where=show_chain(call_chain()),
            next="keep a list of the items, or make the iterator after the change",
        )


non_differentiable(_is_container, _still, why="ask about objects")
