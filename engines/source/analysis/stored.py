"""What nested functions store into: which parameters, which variables of the function around them.

They may do so under other names, as in `row = rows[0]; row[1] = v`. What a function of the user's gives is
not followed: whether that is something it was given shows as the program runs, where a store is refused.
"""

from __future__ import annotations

import ast
import itertools
from types import FunctionType

from ....core.errors import ChainRulesError
from ..reading.resolver import CHANGING, OF_CONTAINERS, Resolver
from ..syntax.desugar import desugar
from ..syntax.kinds import BINDINGS, PARTS
from ..syntax.scopes import (
    Names,
    Scope,
    base,
    binds,
    blocks,
    captured,
    default_reads,
    own,
    own_statements,
    own_variables,
    parameter_names,
    reads,
    rebinds_outer,
    remembered,
    walk,
)
from ..syntax.trees import at
from .sharing import pairs, shared

_ADDING = (ast.Add, ast.Sub)
_NONE: Names = frozenset()


def stored_by(node: ast.FunctionDef | ast.Lambda, resolver: Resolver) -> Names:
    """The outer variables into which a function stores, or one in it, by whatever name.

    Also by `b += …`, where b is another name of theirs.
    """
    body = written_out(node)
    found = _stored_within(body, resolver) | (_augmented(body) & own_variables(node))
    outer = captured(node) | default_reads(node) | rebinds_outer(node)  # not parameters of lambdas in it
    return (_with_sources(found, body, resolver) - own_variables(node)) & outer


def counts(s: ast.stmt) -> bool:
    """Whether a statement puts nothing but constants and what a variable holds already into that variable.

    What it does with them is to add and to subtract: what is multiplied has a derivative.
    """
    if not isinstance(s, ast.Assign | ast.AugAssign | ast.AnnAssign) or s.value is None:
        return False
    targets = s.targets if isinstance(s, ast.Assign) else [s.target]
    own_names = frozenset[str]().union(*(base(t) | binds(t) for t in targets))
    computed = [s, *own(s).expressions]
    adds = all(isinstance(e.op, _ADDING) for e in computed if isinstance(e, ast.AugAssign | ast.BinOp))
    turned = any(isinstance(e, ast.UnaryOp) and not isinstance(e.operand, ast.Constant) for e in computed)
    return adds and not turned and not (own(s).calls or own(s).lambdas) and reads(s.value) <= own_names


def _stored_within(body: list[ast.stmt], resolver: Resolver) -> Names:
    """The names of all variables into which a body, or a function nested in it, stores."""
    found = _NONE
    for s in own_statements(body):
        if isinstance(s, ast.FunctionDef):
            found |= stored_by(s, resolver)
        elif not isinstance(s, Scope):
            found |= _written(s, resolver)
    return found | _handed(body, positions_written(body, resolver), resolver)


def _handed(body: list[ast.stmt], places: dict[str, tuple[int, ...]], resolver: Resolver) -> Names:
    """What calls hand to functions that store into their arguments at these places."""
    calls = [n for s in body for n in walk(s) if isinstance(n, ast.Call)] if places else []
    named = [(c, places.get(getattr(c.func, "id", ""), ())) for c in calls]
    return _NONE.union(*(_owner(c.args[i], resolver) for c, found in named for i in found if i < len(c.args)))


def _owner(e: ast.expr, resolver: Resolver) -> Names:
    """The variables whose objects change where the value of an expression does."""
    return base(e) or shared(e, resolver)


def _augmented(body: list[ast.stmt]) -> Names:
    """The names to which a body assigns in an augmented way."""
    statements = (s for s in own_statements(body) if isinstance(s, ast.AugAssign))
    return frozenset(s.target.id for s in statements if isinstance(s.target, ast.Name))


def _written(s: ast.stmt, resolver: Resolver) -> Names:
    """The names of variables into which a statement itself stores, or which its calls change."""
    found = _NONE
    parts = [n for n in ast.iter_child_nodes(s) if not isinstance(n, ast.stmt)]
    for n in (n for part in parts for n in walk(part)):
        stores = isinstance(n, PARTS) and not isinstance(n.ctx, ast.Load)
        if stores or (isinstance(n, ast.Attribute) and resolver.changes_itself(n)):
            found |= base(n)  # type: ignore[arg-type]  # an expression
        elif isinstance(n, ast.Call):
            method = isinstance(n.func, ast.Attribute) and n.func.attr in CHANGING
            owner = base(n.func.value) if method else frozenset[str]()  # type: ignore[attr-defined]  # just asked
            found = found.union(owner, *(_owner(e, resolver) for e in resolver.changed(n)))
    return found


def positions_written(body: list[ast.stmt], resolver: Resolver) -> dict[str, tuple[int, ...]]:
    """For each function defined in a body, by its name, the parameters it stores into, by whatever name.

    Where several are defined under one name, those that any of them stores into.
    """
    found: dict[str, tuple[int, ...]] = {}
    functions = [d for d in own_statements(body) if isinstance(d, ast.FunctionDef)]
    for d in functions:
        given = parameter_names(d.args)[: len(d.args.posonlyargs) + len(d.args.args)]
        inside = written_out(d)
        stored = _stored_within(inside, resolver) | _augmented(inside)
        _add(found, d.name, given, _with_sources(stored, inside, resolver))
    while True:  # what is handed on to another of them, or to itself
        before = dict(found)
        for d in functions:
            if d.name in found:
                inside = written_out(d)
                handed = _with_sources(_handed(inside, found, resolver), inside, resolver)
                _add(found, d.name, parameter_names(d.args), handed)
        if found == before:
            return {name: places for name, places in found.items() if places}


def _add(found: dict[str, tuple[int, ...]], name: str, parameters: list[str], stored: Names) -> None:
    places = {i for i, n in enumerate(parameters) if n in stored}
    found[name] = tuple(sorted(places.union(found.get(name, ()))))


def bound_by(node: ast.AST) -> Names:
    """What a function, or one nested in it, binds otherwise than by counting."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        body = node.body if isinstance(node.body, list) else []
        return _NONE.union(*(bound_by(s) for s in own_statements(body)))
    if not isinstance(node, ast.stmt) or counts(node):
        return _NONE
    return binds(node) if not blocks(node) else own(node).binds


@remembered
def written_out(node: ast.FunctionDef | ast.Lambda) -> list[ast.stmt]:
    """The body of a nested function, with its comprehensions and the like written out."""
    value = node.body
    return in_full(value if isinstance(value, list) else [at(ast.Expr(value), value)])


def in_full(body: list[ast.stmt]) -> list[ast.stmt]:
    """A body with comprehensions and the like written out, to find what it changes; not to be run."""
    numbers = itertools.count()
    try:
        return desugar(body, lambda name: f"{name} {next(numbers)}")  # which no program can have
    except ChainRulesError:  # which is said where it is differentiated
        return body


# Other names of what is stored into.


def _with_sources(names: Names, body: list[ast.stmt], resolver: Resolver) -> Names:
    """These names, and those that what they stand for was read from."""
    statements = own_statements(body) if names else []
    local = frozenset(s.name for s in statements if isinstance(s, ast.FunctionDef))
    while more := _NONE.union(*(_sources(s, names, resolver, local) for s in statements)) - names:
        names |= more
    return names


def _sources(s: ast.stmt, names: Names, resolver: Resolver, local: Names) -> Names:
    """What may share memory with that to which a statement, with local functions, binds these names."""
    if isinstance(s, BINDINGS):
        read = [] if s.value is None else [v for t, v in pairs(s) if not binds(t).isdisjoint(names)]
    elif isinstance(s, ast.For):
        read = [] if binds(s.target).isdisjoint(names) else [s.iter]
    elif isinstance(s, ast.With):
        named = [i for i in s.items if i.optional_vars is not None]
        read = [i.context_expr for i in named if not binds(i.optional_vars).isdisjoint(names)]
    else:
        return _NONE
    return _NONE.union(*(shared(e, resolver) for e in read if not _is_computed(e, resolver, local)))


def _is_computed(e: ast.expr, resolver: Resolver, local: Names) -> bool:
    """Whether this calls a function of a user's: whether it gives what it was given shows as it runs."""
    if not isinstance(e, ast.Call) or getattr(e.func, "id", "") in local:
        return False
    known, value = resolver.value(e.func)
    if isinstance(value, type):
        return value.__module__ not in ("builtins", "collections", "itertools")
    if known:
        return isinstance(value, FunctionType) and value.__module__.partition(".")[0] != "numpy"
    return not isinstance(e.func, ast.Attribute) or e.func.attr not in OF_CONTAINERS
