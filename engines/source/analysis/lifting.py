"""Lifting: nested functions that change variables of the function around them.

What `nonlocal` rebinds is kept in a list of one item, so that rebinding is a store. A nested function that
stores into a captured variable gets it as a parameter before its own, and its calls pass it: so it is a
function that changes what it is given, which the caller foresees. That is done where the function is only
called by its name; where it is handed on, the store is refused when it happens.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ....core.errors import ChainRulesError
from ..reading.resolver import Resolver
from ..syntax.desugar import desugar
from ..syntax.scopes import (
    binds,
    captured,
    copied,
    own,
    own_statements,
    own_variables,
    parameter_names,
    rebinds_outer,
    scoped,
    walk,
    yields,
)
from ..syntax.trees import assign, load, place
from .closures import Closures
from .stored import counts, names_apart, stored_by


def lifted(
    body: list[ast.stmt],
    parameters: list[str],
    reserve: Callable[[str], str],
    resolving: Callable[[], Resolver],
) -> list[ast.stmt]:
    """The body with such functions written out; itself where there is none."""
    statements = own_statements(body)
    defs = [s for s in statements if isinstance(s, ast.FunctionDef)]
    if not defs and not any(own(s).lambdas for s in statements):
        return body
    resolver = resolving()
    local = {*parameters}.union(*(binds(s) for s in body))
    boxed = frozenset[str]().union(*(rebinds_outer(d) for d in defs)) & local
    boxed |= _unsettled(body, parameters, local, resolver)
    if boxed:
        declared = (s.names for s in own_statements(body) if isinstance(s, ast.Nonlocal | ast.Global))
        boxed = (boxed - _bound_otherwise(body)).difference(*declared)
    if not boxed and not any(stored_by(d, resolver, augmented=True) & local for d in defs):
        return body
    body = copied(body)
    if boxed:
        body = copied(_boxed(body, boxed, parameters, reserve))
        local = {*parameters}.union(*(binds(s) for s in body))
    body = _split(body, local, resolver, reserve)
    local = {*parameters}.union(*(binds(s) for s in body))
    _lift(body, local, resolver)
    return copied(body)  # type: ignore[no-any-return]  # statements


def in_full(
    body: list[ast.stmt], parameters: list[str], asked: Callable[[list[ast.stmt]], Resolver]
) -> list[ast.stmt]:
    """A body with comprehensions and nested functions written out, to find what it changes; not to be run."""
    fresh = names_apart()
    try:
        written = desugar(body, fresh)
        return lifted(written, parameters, fresh, lambda: asked(written))
    except ChainRulesError:  # which is said where it is differentiated
        return body


# What is rebound.


def _boxed(
    body: list[ast.stmt], boxed: frozenset[str], parameters: list[str], reserve: Callable[[str], str]
) -> list[ast.stmt]:
    """The variables of these names kept in lists of one item."""
    boxes = {name: reserve(f"{name}_box") for name in sorted(boxed)}
    body = [new for s in body for new in _listed(_Boxing(boxes).visit(s))]
    made: list[ast.stmt] = []
    for name, box in boxes.items():
        first = load(name) if name in parameters else ast.Constant(None)
        made.append(assign(box, ast.List([first], ast.Load()), body[0]))
    return [*made, *body]


def _unsettled(body: list[ast.stmt], parameters: list[str], local: set[str], resolver: Resolver) -> set[str]:
    """What functions that are handed on and change what they captured see, and that is bound anew."""
    statements = own_statements(body)
    defs = {s.name for s in statements if isinstance(s, ast.FunctionDef)}
    handed_on = _handed_on(body, defs)
    functions: list[ast.FunctionDef | ast.Lambda] = [
        *(s for s in statements if isinstance(s, ast.FunctionDef) and s.name in handed_on),
        *(e for s in statements for e in own(s).lambdas),
    ]
    closures = Closures(parameters, body)
    return {
        n
        for f in functions
        if stored_by(f, resolver, counts) & local
        for n in (captured(f) & local) - defs
        if not closures.settled_before(n, f)
    }


def _bound_otherwise(body: list[ast.stmt]) -> set[str]:
    """The names that anything but an assignment binds, or deletes."""
    found: set[str] = set()
    for n in (n for s in body for n in walk(s)):
        if isinstance(n, ast.NamedExpr):
            found.add(n.target.id)
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del):
            found.add(n.id)
        elif isinstance(n, ast.ExceptHandler | ast.MatchAs | ast.MatchStar | ast.FunctionDef | ast.ClassDef):
            found |= {n.name} if n.name else set()
        elif isinstance(n, ast.alias):
            found.add(n.asname or n.name.partition(".")[0])
    return found


def _listed(s: Any) -> list[ast.stmt]:
    return s if isinstance(s, list) else [] if s is None else [s]


class _Boxing(ast.NodeTransformer):
    def __init__(self, boxes: dict[str, str]) -> None:
        self.boxes = boxes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.boxes:
            return node
        box = ast.copy_location(ast.Name(self.boxes[node.id], ast.Load()), node)
        zero = ast.copy_location(ast.Constant(0), node)
        return ast.copy_location(ast.Subscript(box, zero, node.ctx), node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.stmt:
        rest = [n for n in node.names if n not in self.boxes]
        new: ast.stmt = ast.Nonlocal(rest) if rest else ast.Pass()
        return ast.copy_location(new, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        own = own_variables(node)
        inner = _Boxing({n: b for n, b in self.boxes.items() if n not in own})
        node.body = [new for s in node.body for new in _listed(inner.visit(s))]
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        inner = _Boxing({n: b for n, b in self.boxes.items() if n not in parameter_names(node.args)})
        node.body = inner.visit(node.body)
        node.args = self.visit(node.args)
        return node


def _lift(body: list[ast.stmt], local: set[str], resolver: Resolver) -> None:
    """Give each function that stores into captured variables those as parameters, where it is only called."""
    defs: dict[str, list[ast.FunctionDef]] = {}
    for s in own_statements(body):
        if isinstance(s, ast.FunctionDef):
            defs.setdefault(s.name, []).append(s)
    single = {name for name, found in defs.items() if len(found) == 1}
    handed_on = _handed_on(body, single)
    called = {n for n in single - handed_on if _is_plain(defs[n][0])}
    stored = {n: (stored_by(defs[n][0], resolver, augmented=True) & local) - called for n in single}
    while True:
        grown = {
            name: stored[name].union(*(stored[n] for n in _called(defs[name][0]) if n in stored))
            - own_variables(defs[name][0])
            for name in stored
        }
        if grown == stored:
            break
        stored = grown
    seen = [found for s in body for found in scoped(s)]
    named = [(n, h) for n, h in seen if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    calls = [(n.func.id, n, h) for n, h in named if n.func.id in called and n.func.id not in h]  # type: ignore[attr-defined]  # a name
    called -= {name for name, _, hidden in calls if not hidden.isdisjoint(stored[name])}
    given = {n: sorted(w) for n, w in stored.items() if w and n in called}
    for name, variables in given.items():
        defs[name][0].args.args[:0] = [ast.arg(v) for v in variables]
    for name, n, _ in calls:
        n.args[:0] = [ast.copy_location(load(v), n) for v in given.get(name, ())]


def _split(
    body: list[ast.stmt], local: set[str], resolver: Resolver, reserve: Callable[[str], str]
) -> list[ast.stmt]:
    """Functions that call themselves and are handed on, as two: one calls itself, the other is handed on."""
    defs = [s for s in own_statements(body) if isinstance(s, ast.FunctionDef)]
    recursive = {d.name for d in defs if d.name in _called(d) and _is_plain(d) and _has_plain_defaults(d)}
    if not recursive:
        return body
    single = {n for n in recursive if sum(d.name == n for d in defs) == 1}
    outside = _handed_on(body, single)
    chosen = {d for d in defs if d.name in outside and not _handed_on(d.body, {d.name})}
    chosen = {d for d in chosen if (stored_by(d, resolver) & local) - {d.name}}
    return [new for s in body for new in _listed(_Splitting(chosen, reserve).visit(s))] if chosen else body


def _has_plain_defaults(d: ast.FunctionDef) -> bool:
    """Whether the defaults of a function may be evaluated twice."""
    defaults = [e for e in (*d.args.defaults, *d.args.kw_defaults) if e is not None]
    return all(isinstance(e, ast.Constant | ast.Name) for e in defaults)


class _Splitting(ast.NodeTransformer):
    def __init__(self, chosen: set[ast.FunctionDef], reserve: Callable[[str], str]) -> None:
        self.chosen, self.reserve = chosen, reserve

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | list[ast.stmt]:
        if node not in self.chosen:
            return node
        handed, a = copied(node), node.args
        name = self.reserve(f"{node.name}_itself")
        for n in walk(node):
            if isinstance(n, ast.Name) and n.id == node.name:
                n.id = name
        node.name = name
        given: list[ast.expr] = [load(p.arg) for p in a.args]
        words = [ast.keyword(p.arg, load(p.arg)) for p in a.kwonlyargs]
        if a.vararg is not None:
            given.append(ast.Starred(load(a.vararg.arg), ast.Load()))
        if a.kwarg is not None:
            words.append(ast.keyword(None, load(a.kwarg.arg)))
        handed.body = [place(ast.Return(ast.Call(load(name), given, words)), node)]
        handed.lineno, handed.col_offset = (
            node.end_lineno,
            node.end_col_offset,
        )  # it is defined after the other
        return [node, handed]


def _is_plain(node: ast.FunctionDef) -> bool:
    return not (node.args.posonlyargs or node.decorator_list or yields(node.body))


def _called(node: ast.FunctionDef) -> set[str]:
    return {n.func.id for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def _handed_on(body: list[ast.stmt], names: set[str]) -> set[str]:
    """The functions that are used otherwise than by calling them."""
    callees = {id(n.func) for s in body for n in walk(s) if isinstance(n, ast.Call)}
    uses = (n for s in body for n in walk(s) if isinstance(n, ast.Name) and n.id in names)
    return {n.id for n in uses if id(n) not in callees}
