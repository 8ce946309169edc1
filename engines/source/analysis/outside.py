"""Outside: which variables of modules and classes an expression's value may be, or be a part of.

    d = REGISTRY        d = Settings.cache        d = buffer_for(n)     # which returns BUFFERS[n]

What varies and is put into d is seen by the other name too, where everything counts as constant. Which names
those are is told from the syntax, also from that of the functions that are called. Whether they hold the
object shows as the program runs.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import sys
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ....core.caches import new_cache
from ....core.registry import rules_of
from ..reading.imports import imported
from ..reading.locate import NoSource, locate
from ..reading.resolver import CHANGING, VIEWS
from ..syntax.codes import content_of
from ..syntax.scopes import binds, own_statements, parameter_names, stored

_OWN = ("chainrules", "numpy", "scipy")
"""The packages whose functions give back nothing that they keep."""
_CACHED = type(functools.lru_cache(len))
_PLAIN = (int, float, complex, str, bytes, np.generic, np.dtype, range, frozenset, FunctionType)
"""The types of what nothing can be put into; what is None may be set later."""
_PARTLESS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr)


class Place(NamedTuple):
    """A variable of a module, of a class or of what a function captured, by the name that shows it."""

    shown: str
    read: Callable[[], Any]


Places = dict[str, Place]
_known: dict[CodeType, Places] = new_cache()


class Scope:
    """What the names of a function stand for outside it; `mine` has the values of its own variables."""

    def __init__(
        self, namespace: Any, is_local: Callable[[str], bool], mine: Callable[[str], list[ast.expr]]
    ) -> None:
        self.namespace, self.is_local, self.mine = namespace, is_local, mine
        self.cells: dict[str, Any] = {}
        self.first: dict[str, Any] = {}  # the class that a classmethod is given
        self.asking: tuple[CodeType, ...] = ()  # the functions of which it is asked what they return

    def value(self, e: ast.expr) -> Any:
        """What an expression of names stands for outside, as far as that is known; else None."""
        if isinstance(e, ast.Name):
            if e.id in self.first:
                return self.first[e.id]
            if e.id in self.cells:
                return content_of(self.cells[e.id])
            if self.is_local(e.id):
                return None
            return self.namespace.get(e.id, getattr(builtins, e.id, None))
        if isinstance(e, ast.Attribute):
            owner = self.value(e.value)
            return getattr(owner, e.attr, None) if isinstance(owner, ModuleType | type) else None
        return None

    def places(self, expressions: Iterable[ast.expr]) -> Places:
        """The variables outside that the values of expressions may be, or be a part of."""
        found: Places = {}
        seen: set[str] = set()
        for e in expressions:
            for place in self._places(e, seen):
                found.setdefault(place.shown, place)
        return found

    def _places(self, e: Any, seen: set[str]) -> Iterator[Place]:
        if isinstance(e, _PARTLESS):
            return
        if isinstance(e, ast.Name):
            if self.is_local(e.id) and e.id not in self.cells:
                if e.id not in seen:
                    seen.add(e.id)
                    for value in self.mine(e.id):
                        yield from self._places(value, seen)
            elif not isinstance(self.value(e), _PLAIN):
                yield self._place(e.id)
            return
        if isinstance(e, ast.Attribute) and isinstance(owner := self.value(e.value), ModuleType | type):
            if not isinstance(getattr(owner, e.attr, None), _PLAIN):
                yield Place(f"{owner.__name__}.{e.attr}", functools.partial(getattr, owner, e.attr, None))
            return
        if isinstance(e, ast.Call):
            f = self.value(e.func)
            if _makes(f, e):
                return
            if f is globals:
                yield Place("globals()", functools.partial(sys.modules.get, self.namespace.get("__name__")))
            yield from given_back(f, self.asking).values()
            if f is not None:
                e = ast.Tuple([*e.args, *(k.value for k in e.keywords)])
        for part in ast.iter_child_nodes(e):
            if isinstance(part, ast.expr | ast.comprehension | ast.keyword):
                yield from self._places(part, seen)

    def _place(self, name: str) -> Place:
        if name in self.cells:
            return Place(name, functools.partial(content_of, self.cells[name]))
        return Place(name, functools.partial(self.namespace.get, name))


def given_back(f: Any, asking: tuple[CodeType, ...]) -> Places:
    """The variables outside a function that what it returns may be, or be a part of; of others none."""
    if isinstance(f, _CACHED):
        return {f.__name__: Place(f"{f.__name__}(…)", functools.partial(_kept, f))}
    cls = f.__self__ if isinstance(f, MethodType) and isinstance(f.__self__, type) else None
    f = f.__func__ if cls is not None else f
    if type(f) is not FunctionType or rules_of(f) is not None or _is_own(f):
        return {}
    if f.__code__ in asking:
        return {}
    if f.__closure__ or cls is not None or asking:
        return _returned(f, cls, asking)
    if f.__code__ not in _known:
        _known[f.__code__] = _returned(f, None, ())
    return _known[f.__code__]


def _returned(f: FunctionType, cls: type | None, asking: tuple[CodeType, ...]) -> Places:
    code = f.__code__
    try:
        node = locate(code).node
    except NoSource:
        return {}
    body = [] if isinstance(node, ast.Lambda) else [*own_statements(node.body)]
    values: dict[str, list[ast.expr]] = {}
    for s in body:
        for name, value in bound(s):
            values.setdefault(name, []).append(value)
    known = imported(body, parameter_names(node.args), f.__globals__)
    local = {*code.co_varnames, *code.co_cellvars}.difference(known)
    scope = Scope(ChainMap(known, f.__globals__), local.__contains__, lambda name: values.get(name, []))
    scope.cells = dict(zip(code.co_freevars, f.__closure__ or (), strict=True))
    scope.first = {code.co_varnames[0]: cls} if cls is not None else {}
    scope.asking = (*asking, code)
    if isinstance(node, ast.Lambda):
        return scope.places([node.body])
    return scope.places(s.value for s in body if isinstance(s, ast.Return) and s.value is not None)


def bound(s: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names of what a statement binds or puts into something, each with what it may be a part of then."""
    for one in taken_apart(s):
        yield from _bound(one)


def taken_apart(s: ast.stmt) -> Iterator[ast.stmt]:
    """`a, b = c, d` as an assignment of each; any other statement itself."""
    match s:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            if any(isinstance(part, ast.Starred) for part in (*targets, *values)):
                yield s
                return
            for target, value in zip(targets, values, strict=True):
                yield from taken_apart(ast.copy_location(ast.Assign([target], value), s))
        case _:
            yield s


def _bound(s: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The same of one that takes nothing apart."""
    match s:
        case ast.Expr(ast.Call(ast.Attribute(into, method), args, words)) if method in CHANGING:
            parts, places = [*args, *(k.value for k in words)], [into]
        case ast.Expr(ast.Call(ast.Name("setattr"), [into, _, value])):
            parts, places = [value], [into]
        case ast.AugAssign(target=into, value=value):
            parts, places = [value], [into]
        case ast.Assign(targets=targets, value=value):
            parts, places = [value], [o for t in targets for o in _owners(t)]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            parts, places = [value], _owners(target)
        case _:
            parts, places = [], []
    for name in (n for part in parts for n in _held_in(part)):
        for into in places:
            yield name, into
    match s:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.For(iter=value):
            for name in binds(s):
                yield name, value
        case ast.With(items=items):
            for item in items:
                for name in binds(s) if item.optional_vars is not None else ():
                    yield name, item.context_expr


def _owners(target: ast.expr) -> list[ast.expr]:
    """What holds a value then: an object that it is put into, or a name by which it may be put there."""
    if isinstance(target, ast.Name):
        return [target]
    parts: list[Any] = [*stored(target)]
    return [p.value for p in parts]


def _held_in(e: ast.expr) -> Iterator[str]:
    """The names of what an expression's value is, or holds."""
    if isinstance(e, ast.Name):
        yield e.id
    elif isinstance(e, ast.Subscript | ast.Attribute):
        yield from _held_in(e.value)
    elif isinstance(e, ast.Tuple | ast.List | ast.Dict | ast.Starred):
        for part in ast.iter_child_nodes(e):
            if isinstance(part, ast.expr):
                yield from _held_in(part)


def _makes(f: Any, call: ast.Call) -> bool:
    """Whether a call is one of NumPy's functions that return an array of their own."""
    if isinstance(f, np.ufunc):
        return not any(k.arg == "out" for k in call.keywords)
    numpy = (getattr(f, "__module__", None) or "").partition(".")[0] == "numpy" and not isinstance(f, type)
    given = any(k.arg in ("out", "copy") for k in call.keywords)
    return numpy and not given and getattr(f, "__name__", "") not in VIEWS


def _kept(f: Any) -> list[Any]:
    """What a function under `functools.lru_cache` keeps: only the collector tells."""
    held = [x for x in gc.get_referents(f) if not isinstance(x, FunctionType)]
    return [*held, *(v for x in held if type(x) is dict for v in x.values())]


def _is_own(f: FunctionType) -> bool:
    return (f.__module__ or "").partition(".")[0] in _OWN
