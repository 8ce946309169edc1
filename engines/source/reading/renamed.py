"""Renamed: a function that is called by a variable's name, called by its own again.

`append = rows.append` before a loop saves a look-up in each round, and hides from the syntax what a call of
`append` changes. So it is read as `append = rows` with calls of `append.append`, and `push = heapq.heappush`
as if `heapq.heappush` were called. That is done where every use of the variable is a call, for methods of
containers and arrays, which are no fields that could be set meanwhile, and for what is global. Where such a
method is kept otherwise, its object is what it holds (`bound_to`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from ..syntax.scopes import copied, own_statements, scoped
from .resolver import CHANGING, HARMLESS

_ASSIGNED = (ast.Attribute, ast.Tuple, ast.List)
_METHODS = CHANGING | HARMLESS | {"get", "items", "values"}
_Bound = tuple[ast.Attribute, ast.Assign | ast.Tuple | ast.List, int]  # a value, what it stands in, and where


def renamed(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> ast.FunctionDef | ast.Lambda:
    """The tree of a function with its calls of such variables written out."""
    if isinstance(node, ast.Lambda):
        return node
    bound: dict[str, list[_Bound]] = {}
    for s in own_statements(node.body):
        if type(s) is ast.Assign and type(s.value) in _ASSIGNED and len(s.targets) == 1:
            for name, found in _pairs(s.targets[0], s.value, s):
                bound.setdefault(name, []).append(found)
    local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    parameters = code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & f) for f in (4, 8))
    for name in bound.keys() & {*code.co_varnames[parameters:], *code.co_cellvars}:
        if _rename(node, name, bound[name], local):
            node = copied(node)  # without what the nodes remember
            return renamed(node, code)
    return node


def _pairs(target: ast.expr, value: ast.expr, where: ast.Assign) -> Iterator[tuple[str, _Bound]]:
    if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
        yield target.id, (value, where, 0)
    elif (
        isinstance(target, ast.Tuple | ast.List)
        and isinstance(value, ast.Tuple | ast.List)
        and len(target.elts) == len(value.elts)
    ):
        for i, (t, v) in enumerate(zip(target.elts, value.elts, strict=True)):
            if isinstance(t, ast.Name) and isinstance(v, ast.Attribute):
                yield t.id, (v, value, i)


def _rename(node: ast.FunctionDef, name: str, bound: list[_Bound], local: set[str]) -> bool:
    """Write out the calls of one variable; whether there was anything to do."""
    first = bound[0][0]
    root = _root(first)
    of_object = root is None or root in local
    if of_object:
        same = first.attr in _METHODS and all(v.attr == first.attr for v, _, _ in bound)
    else:
        same = all(ast.dump(v) == ast.dump(first) for v, _, _ in bound)
    calls = _only_called(node, name, len(bound)) if same else None
    if not calls:
        return False
    for c in calls:
        new = ast.Attribute(copied(c.func), first.attr, ast.Load()) if of_object else copied(first)
        for n in ast.walk(new):
            ast.copy_location(n, c.func)
        c.func = new
    for value, where, i in bound if of_object else ():
        if isinstance(where, ast.Assign):
            where.value = value.value
        else:
            where.elts[i] = value.value
    return True


def _only_called(node: ast.FunctionDef, name: str, bound: int) -> list[ast.Call] | None:
    """The calls of a variable, if it is used for nothing else and bound so many times."""
    seen = [n for s in node.body for n, hidden in scoped(s) if name not in hidden]
    fields = ("id", "arg", "name", "asname", "rest")
    uses = sum(any(getattr(n, field, "") == name for field in fields) for n in seen)
    calls = [n for n in seen if isinstance(n, ast.Call) and getattr(n.func, "id", "") == name]
    return calls if uses == bound + len(calls) else None


def _root(e: ast.expr) -> str | None:
    """The variable from which a dotted name starts; None for another expression."""
    while isinstance(e, ast.Attribute):
        e = e.value
    return e.id if isinstance(e, ast.Name) else None
