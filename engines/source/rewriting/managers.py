"""Context managers that hold differentiated values: `with` written out as the calls that it makes.

`with m as v: …` becomes `v = m.__enter__()`, a `try`, and `m.__exit__(…)` on every way out of the body. What
a manager of a class in Python changes of itself is followed like any change by a method. A manager
that carries no derivative stays in its `with`. What was entered is left also when something is refused
inside, or in leaving: then as it is written.
"""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType
from typing import Any

from ..reading.locate import locate
from ..reading.resolver import Resolver
from ..syntax.kinds import JUMPS, LOOPS
from ..syntax.scopes import Scope, blocks, copied, own_statements
from ..syntax.trees import Leaving, assign, call, load, place

Place = tuple[int, int]


class Unwritten(Exception):
    """A statement at this place has to be written out before it can be differentiated."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


def place_of(s: ast.stmt | ast.Lambda) -> Place:
    """Where a statement stands."""
    return s.lineno, s.col_offset


def may_suppress(e: ast.expr, resolver: Resolver) -> bool:
    """Whether a manager, as far as its class is known, may keep an exception of the body to itself."""
    made = resolver.value(e.func)[1] if isinstance(e, ast.Call) else None
    wrapped: Any = getattr(made, "__wrapped__", None)
    if inspect.isgeneratorfunction(wrapped):
        handlers = ast.walk(locate(wrapped.__code__).node)
        return any(isinstance(n, ast.ExceptHandler) for n in handlers)
    leave = getattr(made, "__exit__", None) if isinstance(made, type) else None
    if not isinstance(leave, FunctionType):
        return False
    returned = (n.value for n in ast.walk(locate(leave.__code__).node) if isinstance(n, ast.Return))
    return any(v is not None and not (isinstance(v, ast.Constant) and not v.value) for v in returned)


def generators_of(e: ast.expr, resolver: Resolver) -> list[FunctionType]:
    """The generators that a manager may be made of, by `contextlib.contextmanager`."""
    called = [*resolver.python(e)] if isinstance(e, ast.Call) else []
    wrapped = (getattr(f, "__wrapped__", None) for f in called)
    return [f for f in wrapped if isinstance(f, FunctionType) and inspect.isgeneratorfunction(f)]


def exception_now() -> tuple[Any, Any, Any]:
    """What `__exit__` is told of the exception that is being handled."""
    return sys.exc_info()


def managed(body: list[ast.stmt], places: frozenset[Place], names: Any) -> list[ast.stmt]:
    """The body with the `with` statements at these places written out."""
    if not any(isinstance(s, ast.With) and place_of(s) in places for s in own_statements(body)):
        return body
    return _Writer(places, names).block(copied(body))


class _Writer:
    def __init__(self, places: frozenset[Place], names: Any) -> None:
        self.places = places
        self.names = names

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for s in body for new in self._statement(s)]

    def _statement(self, s: Any) -> list[ast.stmt]:
        if not isinstance(s, Scope):
            for inner in blocks(s):
                inner[:] = self.block(inner)
        if isinstance(s, ast.With) and place_of(s) in self.places:
            return self._written(s.items, s.body, s)
        return [s]

    def _written(self, items: list[ast.withitem], body: list[ast.stmt], s: ast.With) -> list[ast.stmt]:
        if not items:
            return body
        first, *others = items
        manager, handled = self.names.fresh("manager"), self.names.fresh("handled")
        kinds = [self.names.fresh("error") for _ in range(3)]
        entered = self._call(manager, "__enter__", [])
        enter = (
            assign(first.optional_vars, entered, s) if first.optional_vars else place(ast.Expr(entered), s)
        )
        leave = place(ast.Expr(self._call(manager, "__exit__", [ast.Constant(None)] * 3)), s)
        inside = self._leaving(self._written(others, body, s), leave, loop=False)
        now = call(load(self.names.bind("exception_now", exception_now)), [])
        told = self._call(manager, "__exit__", [load(k) for k in kinds])
        failed: list[ast.stmt] = [
            assign(ast.Tuple([ast.Name(k, ast.Store()) for k in kinds], ast.Store()), now, s),
            self._left(manager, assign(handled, told, s), s),
            place(ast.If(ast.UnaryOp(ast.Not(), load(handled)), [ast.Raise()], []), s),
        ]
        handler = Leaving(load("BaseException"), None, failed, manager)
        guarded = place(ast.Try(inside, [handler], [self._left(manager, copied(leave), s)], []), s)
        return [assign(manager, first.context_expr, s), enter, guarded]

    def _left(self, manager: str, leave: ast.stmt, s: ast.With) -> ast.stmt:
        """What leaves a manager; where that is refused, it is left as it is written."""
        refused = Leaving(ast.Tuple([], ast.Load()), None, [ast.Raise()], manager)
        return place(ast.Try([leave], [refused], [], []), s)

    def _call(self, manager: str, method: str, arguments: list[ast.expr]) -> ast.Call:
        return ast.Call(ast.Attribute(load(manager), method, ast.Load()), arguments, [])

    def _leaving(self, body: list[ast.stmt], leave: ast.stmt, *, loop: bool) -> list[ast.stmt]:
        """A body that leaves the manager before it jumps out of it."""
        found: list[ast.stmt] = []
        for s in body:
            if isinstance(s, ast.Return):
                value = self.names.fresh("value")
                found.append(assign(value, s.value or ast.Constant(None), s))
                s.value = ast.copy_location(load(value), s)
                found.append(copied(leave))
            elif isinstance(s, JUMPS) and not loop:
                found.append(copied(leave))
            elif not isinstance(s, Scope):
                for inner in blocks(s):
                    looped = isinstance(s, LOOPS) and inner is s.body
                    inner[:] = self._leaving(inner, leave, loop=loop or looped)
            found.append(s)
        return found
