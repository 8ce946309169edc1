"""Whether a function's value can depend on an argument, as far as its own source shows.

Every name that a statement binds or writes into is taken to depend on what the statement reads;
calls of what is declared non-differentiable and truth tests end dependence, as they end activity.
The order of statements is not looked at, so the answer "no" is certain and "yes" is not. A call of
`stop_gradient` says that a constant is meant: where there is one, there is nothing to report.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from ....core.callables import call_operator, normalise
from ....core.registry import rules_of
from ...cutting import stop_gradient
from ..syntax.kinds import COMPOUND
from ..syntax.scopes import base, binds, own, own_statements, parameter_names, stored
from .locate import NoSource, locate

_NOTHING = object()


def can_depend(f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any], i: int) -> bool:
    """Whether the value of `f(*x, **kwargs)` can depend differentiably on argument i."""
    g, args, _ = normalise(f, x, kwargs)
    own = rules_of(g)
    if own is not None:
        return own.non_differentiable is None or g is stop_gradient
    i += len(args) - len(x)
    if type(g) is not FunctionType:
        call = call_operator(g)
        g, i = (call, i + 1) if call is not None else (g, i)
    if type(g) is not FunctionType or i < 0:
        return True
    try:
        node = locate(g.__code__).node
    except NoSource:
        return True
    names = parameter_names(node.args)
    if node.args.vararg is not None and i >= g.__code__.co_argcount:
        return _reaches_result(g, node, node.args.vararg.arg)
    return i >= len(names) or _reaches_result(g, node, names[i])


def _reaches_result(f: FunctionType, node: ast.FunctionDef | ast.Lambda, parameter: str) -> bool:
    body: list[ast.stmt] = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
    reader = _Reader(f)
    if reader.mentions_stop_gradient(node):
        return True
    dependent = {parameter}
    while True:
        before = len(dependent)
        for s in own_statements(body):
            if isinstance(s, ast.Return):
                if s.value is not None and reader.reads(s.value) & dependent:
                    return True
            elif reader.read_by(s) & dependent:
                dependent |= _written(s)
        if len(dependent) == before:
            return False


class _Reader:
    """What the expressions of a function read that derivatives follow."""

    def __init__(self, f: FunctionType) -> None:
        self.namespace = f.__globals__
        self.captured = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))

    def read_by(self, s: ast.stmt) -> set[str]:
        if isinstance(s, ast.FunctionDef | ast.ClassDef):
            return self.reads(s) | {s.name}  # what it is given when it is called it may hand on
        if isinstance(s, ast.If | ast.While | ast.Assert):
            return {n.id for n in ast.walk(s.test) if isinstance(n, ast.Name)}  # it may hold a `:=`
        inner = [n for n in ast.iter_child_nodes(s) if not isinstance(n, ast.stmt)]
        return set().union(*map(self.reads, inner))

    def reads(self, node: ast.AST) -> set[str]:
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return set()
        if isinstance(node, ast.Call) and self._ends(self._value(node.func)):
            return set()
        if isinstance(node, ast.IfExp):
            return self.reads(node.body) | self.reads(node.orelse)
        return set().union(*map(self.reads, ast.iter_child_nodes(node)))

    def mentions_stop_gradient(self, node: ast.AST) -> bool:
        calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
        return any(self._value(n.func) is stop_gradient for n in calls)

    def _ends(self, value: Any) -> bool:
        try:
            rules = rules_of(value)
        except TypeError:
            return False
        return value is int or (rules is not None and rules.non_differentiable is not None)

    def _value(self, e: ast.expr) -> Any:
        """What a global or captured name, or an attribute of one, stands for."""
        if isinstance(e, ast.Name):
            if e.id in self.captured:
                try:
                    return self.captured[e.id].cell_contents
                except ValueError:
                    return _NOTHING
            return self.namespace.get(e.id, getattr(builtins, e.id, _NOTHING))
        if isinstance(e, ast.Attribute):
            owner = self._value(e.value)
            if isinstance(owner, ModuleType | type):
                return getattr(owner, e.attr, _NOTHING)
        return _NOTHING


def _written(s: ast.stmt) -> set[str]:
    """The names that a statement binds, those whose objects it writes into, or gives to what it calls."""
    names = {s.name, *_named_in(s)} if isinstance(s, ast.FunctionDef | ast.ClassDef) else set()
    if not names and not isinstance(s, (*COMPOUND, ast.Match)):
        names = set(binds(s))
    targets = s.targets if isinstance(s, ast.Assign | ast.Delete) else [getattr(s, "target", None)]
    for t in targets:
        if t is not None:
            names = names.union(binds(t), *map(base, stored(t)))
    if isinstance(s, ast.With):
        names = names.union(*(binds(i.optional_vars) for i in s.items if i.optional_vars is not None))
    if isinstance(s, ast.Match):
        names = names.union(*(binds(c.pattern) for c in s.cases))
    for e in own(s).expressions:
        if isinstance(e, ast.NamedExpr):
            names.add(e.target.id)
        elif isinstance(e, ast.Lambda):
            names |= _named_in(e)
        elif isinstance(e, ast.Call):
            given = [e.func, *e.args, *(k.value for k in e.keywords)]
            names = names.union(*map(base, given))
    return names


def _named_in(s: ast.AST) -> set[str]:
    """The variables of a function or class inside, which it may set or write into when it is called."""
    set_outside = {n for x in ast.walk(s) if isinstance(x, ast.Nonlocal) for n in x.names}
    return set_outside | {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}
