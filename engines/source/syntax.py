"""Small questions about a syntax tree: which names it reads, binds, captures."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below this one; what ast has for it takes twice the time."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [v for v in value if isinstance(v, ast.AST)]
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """This node and every one below it, breadth first."""
    found = [node]
    for n in found:
        found += children(n)
    return found


def reads(node: ast.AST) -> set[str]:
    """Every name that evaluating this may read, captures of nested functions included."""
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def binds(node: ast.AST) -> set[str]:
    """The names that executing this binds in its own scope."""
    return set(_bound(node))


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (a.asname or a.name.partition(".")[0] for a in node.names)
    elif (isinstance(node, ast.ExceptHandler) and node.name) or (
        isinstance(node, ast.MatchAs | ast.MatchStar) and node.name
    ):
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    for child in children(node):
        if isinstance(node, _COMPREHENSIONS) and isinstance(child, ast.comprehension):
            yield from (w.target.id for w in walk(child) if isinstance(w, ast.NamedExpr))
        elif not isinstance(child, ast.Lambda):
            yield from _bound(child)


def parameter_names(a: ast.arguments) -> list[str]:
    """All parameters, in the order in which a function's local variables hold them: stars last."""
    names = [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    return names + [x.arg for x in (a.vararg, a.kwarg) if x is not None]


def captured(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names of outer scopes that a nested function's body reads."""
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    own = set(parameter_names(node.args)).union(*(binds(b) for b in body))
    for b in body:
        for n in walk(b):
            if isinstance(n, ast.Nonlocal | ast.Global):
                own.difference_update(n.names)
    return set().union(*(reads(b) for b in body)) - own


def default_reads(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names that the defaults of a nested function's parameters read."""
    return set().union(*(reads(d) for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None))


def stored(target: ast.expr) -> list[ast.expr]:
    """The subscripts and attributes among the targets of an assignment, those inside tuples too."""
    if isinstance(target, ast.Tuple | ast.List):
        return [t for inner in target.elts for t in stored(inner)]
    if isinstance(target, ast.Starred):
        return stored(target.value)
    return [] if isinstance(target, ast.Name) else [target]


def base(target: ast.expr) -> frozenset[str]:
    """The variable whose object a store writes into."""
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return frozenset({target.id}) if isinstance(target, ast.Name) else frozenset()


def rebinds_outer(node: ast.AST) -> set[str]:
    """Names that nested functions rebind in outer scopes."""
    return {name for n in walk(node) if isinstance(n, ast.Nonlocal | ast.Global) for name in n.names}


def own_expressions(s: ast.stmt) -> Iterator[ast.expr]:
    """Every expression that executing this statement evaluates, those of statements inside it left out."""
    pending = [n for n in children(s) if not isinstance(n, ast.stmt)]
    if isinstance(s, Scope):
        pending = list(getattr(s, "decorator_list", []))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.Lambda):
            pending += [n for n in children(node) if not isinstance(n, ast.stmt)]


def own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement of a function's body, those of nested functions and classes left out."""
    for s in body:
        yield s
        if not isinstance(s, Scope):
            for child in children(s):
                if isinstance(child, ast.stmt):
                    yield from own_statements([child])
                elif isinstance(child, ast.ExceptHandler | ast.match_case):
                    yield from own_statements(child.body)


def returns_inside(node: ast.stmt) -> bool:
    """Whether executing this may return from the function, or leave or continue a loop around it."""
    statements = list(own_statements([node]))
    if any(isinstance(s, ast.Return) for s in statements):
        return True
    return _jumps_out(node)


def _jumps_out(node: ast.stmt) -> bool:
    if isinstance(node, ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.For | ast.While | Scope):
        inner = node.orelse if isinstance(node, ast.For | ast.While) else []
        return any(_jumps_out(s) for s in inner)
    return any(
        _jumps_out(s)
        for child in children(node)
        for s in ([child] if isinstance(child, ast.stmt) else getattr(child, "body", []))
        if isinstance(s, ast.stmt)
    )
