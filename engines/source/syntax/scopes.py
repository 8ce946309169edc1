"""Small questions about a syntax tree: which names it reads, binds, captures.

Analyses ask the same nodes again and again, so a node remembers its answers. A tree that was asked is
not changed any more: what rewrites one works on a `copied` tree, which remembers nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from .kinds import COMPREHENSIONS, DEFINITIONS, IMPORTS, OUTER, SEQUENCES

Names = frozenset[str]
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_FUNCTIONS = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
_PARTS = (ast.Attribute, ast.Subscript, ast.Starred)
_NONE: frozenset[str] = frozenset()
Answer = TypeVar("Answer")
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
# fmt: off
_NO_NODES = frozenset((
    "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "name",
    "op", "ops", "rest", "simple", "type_comment",
))
# fmt: on
"""The fields that hold text, a number, an operator or a context."""
_fields: dict[type, tuple[str, ...]] = {ast.Constant: ()}
_FLAT = frozenset((str, int, float, type(None), ast.Load, ast.Store))
_SIMPLE = frozenset(
    (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete, ast.Raise, ast.Assert)
)
_PLAIN = _SIMPLE | {ast.If, ast.For, ast.While, ast.With}
"""Statements that bind what the names in their own expressions say, and what the statements inside bind."""


def remembered(question: Callable[[Any], Answer]) -> Callable[[Any], Answer]:
    """A question that each node answers once."""
    slot = f"_{question.__name__}"

    def answer(node: Any) -> Answer:
        try:
            return node.__dict__[slot]  # type: ignore[no-any-return]  # what the question answered
        except KeyError:
            found = node.__dict__[slot] = question(node)
            return found

    return answer


def copied(node: Any) -> Any:
    """A tree like this one, or a list of trees, that may be changed."""
    kind = type(node)
    if kind is list:
        return [copied(n) for n in node]
    known = getattr(node, "__dict__", None)
    if not known:  # a context, an operator, and what is no node
        return node
    new = ast.AST.__new__(kind)
    made = new.__dict__
    for name in kind._fields:
        if name in known:
            value = known[name]
            made[name] = value if type(value) in _FLAT else copied(value)
    for name in kind._attributes:
        if name in known:
            made[name] = known[name]
    return new


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below this one, operators and contexts left out."""
    listed = _CHILDREN.get(type(node))
    return _listed(node) if listed is None else listed(node)


def _listed(node: ast.AST) -> list[ast.AST]:
    kind = type(node)
    if kind not in _fields:
        _fields[kind] = tuple(n for n in kind._fields if n not in _NO_NODES)
    found: list[ast.AST] = []
    known = node.__dict__
    for name in _fields[kind]:
        value = known.get(name)
        if type(value) is list:
            found += [v for v in value if isinstance(v, ast.AST)]
        elif value is not None and isinstance(value, ast.AST):
            found.append(value)
    return found


_CHILDREN: dict[type, Callable[[Any], list[ast.AST]]] = {
    ast.Name: lambda n: [],
    ast.Constant: lambda n: [],
    ast.BinOp: lambda n: [n.left, n.right],
    ast.UnaryOp: lambda n: [n.operand],
    ast.Call: lambda n: [n.func, *n.args, *n.keywords],
    ast.Attribute: lambda n: [n.value],
    ast.Subscript: lambda n: [n.value, n.slice],
    ast.Compare: lambda n: [n.left, *n.comparators],
    ast.Assign: lambda n: [*n.targets, n.value],
    ast.Tuple: lambda n: [*n.elts],
    ast.List: lambda n: [*n.elts],
    ast.keyword: lambda n: [n.value],
}
"""The same for the kinds of which programs mostly consist."""


def walk(node: ast.AST) -> list[ast.AST]:
    """This node and every one below it, breadth first."""
    found = [node]
    for n in found:
        found += children(n)
    return found


@remembered
def reads(node: Any) -> frozenset[str]:
    """Every name that evaluating this may read, captures of nested functions included."""
    kind = type(node)
    if kind is ast.Name:
        return frozenset((node.id,)) if type(node.ctx) is ast.Load else _NONE
    if kind in _PLAIN and not (mine := own(node)).comprehensions:
        found = mine.reads
        return found if kind in _SIMPLE else found.union(*[reads(s) for part in blocks(node) for s in part])
    if kind in _FUNCTIONS:
        given = [*getattr(node, "decorator_list", []), *_defaults(node)]
        return captured(node).union(*map(reads, given))
    if kind in COMPREHENSIONS:
        return _read_by_comprehension(node)
    names, inner = _seen(node)
    return frozenset(names).union(*map(reads, inner))


def _read_by_comprehension(node: Any) -> frozenset[str]:
    first, *others = node.generators
    inside = [n for n in children(node) if n not in node.generators] + [*first.ifs, *others]
    own = frozenset[str]().union(*(binds(g.target) for g in node.generators))
    return reads(first.iter) | (_NONE.union(*map(reads, inside)) - own)


def _seen(node: ast.AST) -> tuple[list[str], list[ast.AST]]:
    """The names that are read outside of nested functions and comprehensions, and those."""
    names: list[str] = []
    inner: list[ast.AST] = []
    pending = [node]
    while pending:
        n = pending.pop()
        kind = type(n)
        if kind is ast.Name:
            if type(n.ctx) is ast.Load:  # type: ignore[attr-defined]  # a name
                names.append(n.id)  # type: ignore[attr-defined]  # the same
        elif kind in _FUNCTIONS or kind in COMPREHENSIONS:
            inner.append(n)
        else:
            pending += children(n)
    return names, inner


@remembered
def binds(node: ast.AST) -> frozenset[str]:
    """The names that executing this binds in its own scope."""
    if type(node) is ast.Name:
        return _NONE if type(node.ctx) is ast.Load else frozenset((node.id,))
    if type(node) in _PLAIN and not (mine := own(node)).comprehensions:
        if type(node) in _SIMPLE:
            return mine.binds
        return mine.binds.union(*(binds(s) for part in blocks(node) for s in part))
    return frozenset(_bound(node))


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, DEFINITIONS):
        yield node.name
        return
    elif isinstance(node, IMPORTS):
        yield from (a.asname or a.name.partition(".")[0] for a in node.names)
    elif (isinstance(node, ast.ExceptHandler) and node.name) or (
        isinstance(node, ast.MatchAs | ast.MatchStar) and node.name
    ):
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    for child in children(node):
        if isinstance(node, COMPREHENSIONS) and isinstance(child, ast.comprehension):
            yield from (w.target.id for w in walk(child) if isinstance(w, ast.NamedExpr))
        elif not isinstance(child, ast.Lambda):
            yield from _bound(child)


def parameter_names(a: ast.arguments) -> list[str]:
    """All parameters, in the order in which a function's local variables hold them: stars last."""
    names = [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    return names + [x.arg for x in (a.vararg, a.kwarg) if x is not None]


@remembered
def captured(node: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """The names of outer scopes that a nested function's body reads."""
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    return frozenset[str]().union(*(reads(b) for b in body)) - own_variables(node)


@remembered
def default_reads(node: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that the defaults of a nested function's parameters read."""
    return frozenset[str]().union(*map(reads, _defaults(node)))


def _defaults(node: ast.FunctionDef | ast.Lambda) -> list[ast.expr]:
    return [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]


def stored(target: ast.expr) -> list[ast.expr]:
    """The subscripts and attributes among the targets of an assignment, those inside tuples too."""
    if isinstance(target, SEQUENCES):
        return [t for inner in target.elts for t in stored(inner)]
    if isinstance(target, ast.Starred):
        return stored(target.value)
    return [] if isinstance(target, ast.Name) else [target]


def base(target: ast.expr) -> frozenset[str]:
    """The variable whose object a store writes into."""
    while isinstance(target, _PARTS):
        target = target.value
    return frozenset({target.id}) if isinstance(target, ast.Name) else frozenset()


def assigned(target: ast.expr) -> frozenset[str]:
    """The variables that the target of an assignment binds, and those into whose objects it stores."""
    return binds(target) if type(target) is ast.Name else binds(target).union(*map(base, stored(target)))


def rebinds_outer(node: ast.AST) -> set[str]:
    """Names that nested functions rebind in outer scopes."""
    if isinstance(node, OUTER):
        return set(node.names)
    if type(node) in _SIMPLE or isinstance(node, ast.expr):  # where no statement is
        return set()
    found = set[str]().union(*map(rebinds_outer, children(node)))
    return found - own_variables(node) if found and isinstance(node, ast.FunctionDef) else found


def own_variables(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The parameters of a function and what its body binds."""
    found = set(parameter_names(node.args))
    if isinstance(node, ast.Lambda):
        return found.union(binds(node.body))
    outer = (s for s in own_statements(node.body) if isinstance(s, OUTER))
    return found.union(*map(binds, node.body)).difference(*(s.names for s in outer))


def scoped(node: ast.AST, hidden: frozenset[str] = _NONE) -> Iterator[tuple[Any, frozenset[str]]]:
    """Every node from this one on, with the names that inner scopes have taken for themselves there."""
    yield node, hidden
    inside, outside = hidden, []
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        inside, outside = hidden | own_variables(node), [node.args, *getattr(node, "decorator_list", [])]
    elif isinstance(node, COMPREHENSIONS):
        generators = node.generators
        inside, outside = hidden.union(*(binds(g.target) for g in generators)), [generators[0].iter]
    for child in outside:
        yield from scoped(child, hidden)
    for child in children(node):
        for part in children(child) if isinstance(child, ast.comprehension) else [child]:
            if not any(part is n for n in outside):
                yield from scoped(part, inside)


class Own(NamedTuple):
    """What executing a statement itself evaluates, sorted by what analyses ask for."""

    expressions: list[ast.expr]
    calls: tuple[ast.Call, ...]
    lambdas: tuple[ast.Lambda, ...]
    stores: tuple[ast.Attribute | ast.Subscript, ...]  # stored into, or deleted
    named: tuple[ast.NamedExpr, ...]
    comprehensions: tuple[ast.expr, ...]
    yields: tuple[ast.expr, ...]
    reads: frozenset[str]
    binds: frozenset[str]  # the variables of comprehensions too


@remembered
def own(s: ast.stmt) -> Own:
    """What `evaluated` gives, looked for once."""
    return evaluated(s)


def evaluated(s: ast.stmt) -> Own:
    """Every expression that executing this statement evaluates, those of statements inside it left out."""
    if isinstance(s, _SCOPES):
        pending: list[Any] = list(getattr(s, "decorator_list", []))
    elif type(s) in _SIMPLE:
        pending = children(s)
    else:
        pending = [n for n in children(s) if not isinstance(n, ast.stmt)]
    expressions: list[ast.expr] = []
    calls: list[ast.Call] = []
    lambdas: tuple[ast.Lambda, ...] = ()
    stores: tuple[ast.Attribute | ast.Subscript, ...] = ()
    named: tuple[ast.NamedExpr, ...] = ()
    comprehensions: tuple[ast.expr, ...] = ()
    yielded: tuple[ast.expr, ...] = ()
    loads: list[str] = []
    bound: list[str] = []
    while pending:
        e = pending.pop()
        kind = type(e)
        if kind is ast.Name:
            (loads if type(e.ctx) is ast.Load else bound).append(e.id)
        elif kind is ast.Constant:
            pass
        elif kind is ast.BinOp:
            pending += (e.left, e.right)
        elif kind is ast.Attribute:
            pending.append(e.value)
            if type(e.ctx) is not ast.Load:
                stores += (e,)
        elif kind is ast.Subscript:
            pending += (e.value, e.slice)
            if type(e.ctx) is not ast.Load:
                stores += (e,)
        elif kind is ast.Call:
            pending += (e.func, *e.args, *e.keywords)
            calls.append(e)
        elif kind is ast.Lambda:
            lambdas += (e,)
        elif kind is ast.keyword:
            pending.append(e.value)
            continue
        elif (listed := _CHILDREN.get(kind)) is not None:
            pending += listed(e)
        elif not isinstance(e, ast.expr):
            pending += [n for n in _listed(e) if not isinstance(n, ast.stmt)]
            continue
        else:
            pending += _listed(e)
            if kind is ast.NamedExpr:
                named += (e,)  # type: ignore[operator]  # the same
            elif kind in COMPREHENSIONS:
                comprehensions += (e,)
            elif kind is ast.Yield or kind is ast.YieldFrom:
                yielded += (e,)
        expressions.append(e)
    read = frozenset(loads).union(*map(reads, lambdas)) if lambdas else frozenset(loads)
    rest = lambdas, stores, named, comprehensions, yielded
    return Own(expressions, tuple(calls), *rest, read, frozenset(bound))


def blocks(s: ast.AST) -> list[list[ast.stmt]]:
    """The statements inside a statement, block by block; those of nested functions and classes left out."""
    found: list[list[ast.stmt]] = []
    if type(s) not in _SIMPLE and not isinstance(s, _SCOPES):
        known = s.__dict__
        for name in _BLOCKS:
            for inner in known.get(name, ()):
                if isinstance(inner, ast.stmt):
                    found.append(known[name])
                    break
                found.append(inner.body)  # a handler or a case
    return found


def own_statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """Every statement of a function's body, those of nested functions and classes left out."""
    found: list[ast.stmt] = []
    for s in body:
        found.append(s)
        if type(s) not in _SIMPLE:
            for part in blocks(s):
                found += own_statements(part)
    return found
