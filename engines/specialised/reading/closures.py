"""Closures: functions that are defined inside a function.

Such a function counts as an object whose fields are what it captured, taken where it is defined. That is
the same as Python's capture by name only where the variables do not change afterwards, which is read off
the text: a parameter that nothing is assigned to, or one assignment, in no loop, above the definition.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from .declined import Declined
from .kinds import CAPTURED, DEFINED
from .steps import Step


def is_closure(f: Any) -> bool:
    """Whether a recorded run made this function."""
    return type(f) is FunctionType and CAPTURED in f.__dict__


def made(outer: FunctionType, s: Step, captured: tuple[Any, ...]) -> FunctionType:
    """The function that a step defines, with these values for what it captures.

    Whoever reads it is told of the functions and boxes that stand for its other cells, which are empty.
    """
    d = s.facts["definition"]
    values = dict(zip(d.fields, captured, strict=True))
    cells = tuple(CellType(values[n]) if n in values else CellType() for n in d.code.co_freevars)
    f = FunctionType(d.code, outer.__globals__, d.code.co_name, d.defaults, cells)
    f.__kwdefaults__ = dict(d.words) or None
    _computed(f, {name: values[default_of(name)] for name in d.computed})
    f.__dict__[CAPTURED], f.__dict__[DEFINED] = values, d
    return f


def unmarked(f: Any) -> Any:
    """The function that a recorded run made, as the program itself would have made it."""
    if not is_closure(f):
        return f
    plain = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    plain.__kwdefaults__, plain.__qualname__ = f.__kwdefaults__, f.__qualname__
    return plain


def code_of(outer: CodeType, node: ast.FunctionDef | ast.Lambda) -> CodeType:
    """The code of a function inside another, found by its name and line."""
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    found = [c for c in _inside(outer) if c.co_name == name and c.co_firstlineno == node.lineno]
    if len(found) > 1:
        found = [c for c in found if _lies_in(c, node)]
        found = found[:1] if all(c == found[0] for c in found) else found
    if len(found) != 1:
        raise Declined("a function inside that is not found")
    return found[0]


def _inside(outer: CodeType) -> Iterator[CodeType]:
    """The codes of functions inside another, also of those in its comprehensions."""
    for c in outer.co_consts:
        if isinstance(c, CodeType):
            yield from _inside(c) if c.co_name in _COMPREHENSIONS else (c,)


_COMPREHENSIONS = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})


def _lies_in(c: CodeType, node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether the instructions of a code stand where the body of a function does."""
    body = node.body if isinstance(node, ast.Lambda) else node.body[0]
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in c.co_positions()
        if None not in (line, end_line, column, end_column) and end_column
    ]
    inside = [start <= a and b <= end for a, b in places if a != (c.co_firstlineno, 0)]
    return bool(inside) and all(inside)


def default_of(name: str) -> str:
    """What a default that is computed is called among what a function captured."""
    return f"default_of_{name}_"


def _computed(f: FunctionType, values: dict[str, Any]) -> None:
    """Give a function the defaults that were computed where it was defined."""
    places = f.__code__.co_varnames[: f.__code__.co_argcount]
    defaults = f.__defaults__ or ()
    named = zip(places[len(places) - len(defaults) :], defaults, strict=True)
    f.__defaults__ = tuple([values.get(n, v) for n, v in named]) or None
    words = f.__kwdefaults__ or {}
    f.__kwdefaults__ = {n: values.get(n, v) for n, v in words.items()} or None


def defaults_of(
    node: ast.FunctionDef | ast.Lambda,
) -> tuple[tuple[Any, ...], tuple[tuple[str, Any], ...], dict[str, ast.expr]]:
    """The defaults of a function inside: by position, those by name alone, and those that are computed."""
    a = node.args
    positional = [*a.posonlyargs, *a.args]
    by_place = [*zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True)]
    by_name = [(x, d) for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]
    computed = {x.arg: d for x, d in (*by_place, *by_name) if not isinstance(d, ast.Constant)}
    words = tuple([(x.arg, getattr(d, "value", None)) for x, d in by_name])
    return tuple([getattr(d, "value", None) for _, d in by_place]), words, computed


def hold_still(
    body: list[ast.stmt], parameters: list[str], node: ast.AST, names: tuple[str, ...], group: Any, keeps: Any
) -> None:
    """Declined unless these variables have their last values where a function inside is defined.

    Those of its group it defines for itself, which has to be the same wherever it is called. Of a function
    that is called before they change, and then no more, they need not; `keeps` tells of a call whether it may
    keep what it is given.
    """
    if any(isinstance(n, ast.Global) for s in body for n in ast.walk(s)):
        raise Declined("a global that a function inside may set")
    names = tuple([n for n in names if n not in _of_this_turn(body, node, keeps)])
    if not group and _is_called_at_once(body, node, {*names}, keeps):
        return
    for name in (*names, *group):
        stores = [(n, looped) for n, looped in _stores(body, False) if n.id == name]
        defined = [n for s in body for n in ast.walk(s) if getattr(n, "name", None) == name]
        if len(stores) + len(defined) + (name in parameters) != 1:
            raise Declined(f"{name}, which is captured and changes")
        if name in group:
            continue
        if defined and _place(defined[0]) > _place(node):
            raise Declined(f"{name}, which is captured before it is defined")
        if stores and (stores[0][1] or not _stands_before(stores[0][0], node, body)):
            raise Declined(f"{name}, which is captured and changes")


def _of_this_turn(body: list[ast.stmt], node: ast.AST, keeps: Any) -> set[str]:
    """The variables of comprehensions in which a turn calls a function inside, or hands it on, at once."""
    found: set[str] = set()
    for c in (n for s in body for n in ast.walk(s) if isinstance(n, ast.ListComp | ast.GeneratorExp)):
        parts = [c.elt, *(e for g in c.generators for e in g.ifs)]
        mine = [e for e in parts if node in ast.walk(e)]
        if mine and _hands_on(ast.Expr(mine[0]), lambda e: e is node, keeps):
            found |= {n.id for g in c.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    return found


def _is_called_at_once(body: list[ast.stmt], node: ast.AST, names: set[str], keeps: Any) -> bool:
    """Whether a function is handed on, or called, only before these variables are assigned again."""
    name, at = getattr(node, "name", ""), node
    if isinstance(node, ast.Lambda):
        whole = next((s for s in _simple(body) if any(n is node for n in ast.walk(s))), None)
        match whole:
            case ast.Assign([ast.Name(id=name)], value) if value is node:
                at = whole
            case _:
                return whole is not None and _hands_on(whole, lambda e: e is node, keeps)
    block: list[Any] = next((b for b in _blocks(body) if at in b), [])
    uses = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]
    read = [n for n in uses if isinstance(n.ctx, ast.Load)]
    defined = [n for s in body for n in ast.walk(s) if getattr(n, "name", None) == name]
    found = 0
    for s in block[block.index(at) + 1 :] if at in block else ():
        mine = sum(n in read for n in ast.walk(s))
        again = any(n.id in names for n, _ in _stores([s], False))
        pieces = [s] if again else _pieces(s)
        if mine and not all(
            _hands_on(p, lambda e: isinstance(e, ast.Name) and e.id == name, keeps) for p in pieces
        ):
            return False
        found += mine
        if again:
            break
    return found == len(read) and len(defined) + len(uses) - len(read) == 1


def _pieces(s: ast.stmt) -> Any:
    """The statements in one that hold no others, and the tests and iterables of the others as statements."""
    if isinstance(s, ast.If | ast.While | ast.For):
        yield ast.Expr(s.iter if isinstance(s, ast.For) else s.test)
        for x in (*s.body, *s.orelse):
            yield from _pieces(x)
    else:
        yield s


def _hands_on(s: ast.stmt, is_it: Any, keeps: Any) -> bool:
    """Whether a statement has a function only to call it, or to hand it to what keeps nothing."""
    if not isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return):
        return False
    own = {n for e in ast.walk(s) if is_it(e) for n in ast.walk(e)}
    calls = [n for n in ast.walk(s) if isinstance(n, ast.Call)]
    own |= {a for c in calls if not keeps(c) for a in c.args if isinstance(a, ast.GeneratorExp)}
    others = (ast.NamedExpr, ast.Lambda, ast.GeneratorExp)  # which may run the call later, or rebind
    if any(isinstance(n, others) and n not in own for n in ast.walk(s)):
        return False
    called = {id(c.func) for c in calls}
    asked = [c for c in calls if not keeps(c, id(c) in called)]
    given = [a for c in asked for a in (*c.args, *[k.value for k in c.keywords])]
    proper = [e for e in (*given, *[c.func for c in calls]) if is_it(e)]
    return len(proper) == sum(1 for n in ast.walk(s) if is_it(n))


def _blocks(body: list[ast.stmt]) -> Any:
    """A body and the blocks in it."""
    yield body
    for s in body:
        for part in ("body", "orelse") if not isinstance(s, ast.FunctionDef) else ():
            yield from _blocks(getattr(s, part, None) or [])


def _simple(body: list[ast.stmt]) -> Any:
    """The statements in a body that hold no others."""
    return (s for block in _blocks(body) for s in block if not hasattr(s, "body"))


def _stands_before(store: ast.AST, node: ast.AST, body: list[ast.stmt]) -> bool:
    """Whether an assignment is done before a function is defined, which may be in what is assigned."""
    assigned = [s for x in body for s in ast.walk(x) if isinstance(s, ast.Assign | ast.AnnAssign)]
    inside = any({store, node} <= {*ast.walk(s)} for s in assigned)
    return not inside and _place(store) <= _place(node)


def _place(n: Any) -> tuple[int, int]:
    return n.lineno, n.col_offset


def _stores(nodes: Any, looped: bool) -> Any:
    """The names that are assigned, and whether that is in a loop."""
    for n in nodes:
        inside = looped or isinstance(n, ast.For | ast.While | ast.comprehension)
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            yield n, looped
        yield from _stores(ast.iter_child_nodes(n), inside)
