"""Lazy results that one loop goes over: `m = zip(a, b)` and later `for p, q in m: …`, which changes a.

What `zip(a, b)` gives is a tuple in a derivative. A loop that changes what its own header goes over is
written out item by item (`loops.py`), so such a loop gets the call in place of the name:
`for p, q in zip(a, b): …`. That is the same where the name is read there alone and nothing between the two
changes what the call reads.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..analysis.mutation import Mutation
from ..syntax.kinds import BINDINGS
from ..syntax.scopes import binds, blocks, captured, copied, own, own_statements, reads, walk
from .kept_lazies import function_run, steps_of
from .loops import changes_what_it_goes_over, functions_in
from .names import Names

_AS_IT_STANDS = (
    *(ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.List, ast.Tuple, ast.Lambda),
    *(ast.UnaryOp, ast.BinOp, ast.Starred, ast.keyword, ast.expr_context, ast.operator, ast.unaryop),
)
"""What gives the same a few statements later, if nothing of it was changed or bound anew."""


class _Pair(NamedTuple):
    made: ast.stmt
    value: ast.expr
    loop: ast.For


def direct_lazies(
    body: list[ast.stmt], mutation: Mutation, names: Names
) -> tuple[list[ast.stmt], dict[str, str]]:
    """The body with such calls in the headers of their loops; itself where there are none."""
    pairs = [p for block in _all_blocks(body) for p in _pairs(block, mutation)]
    if not pairs:
        return body, {}
    new = copied(body)
    twins = dict(zip(own_statements(body), own_statements(new), strict=True))
    for made, _, loop in pairs:
        value, header = getattr(twins[made], "value"), twins[loop]  # noqa: B009
        assert isinstance(header, ast.For)
        header.iter = _Put(binds(made), value).visit(header.iter)
    gone = {id(twins[made]) for made, *_ in pairs}
    return _without(new, gone), {}


def _all_blocks(body: list[ast.stmt]) -> list[list[ast.stmt]]:
    return [body, *(inner for s in own_statements(body) for inner in blocks(s))]


def _pairs(block: list[ast.stmt], mutation: Mutation) -> list[_Pair]:
    """The assignments of one block whose call one loop of it goes over, and changes."""
    found = []
    for i, made in enumerate(block):
        value = made.value if isinstance(made, BINDINGS) else None
        if value is None:
            continue
        loop = next((s for s in block[i + 1 :] if binds(made) & own(s).reads), None)
        if not isinstance(loop, ast.For) or not binds(made) <= reads(loop.iter):
            continue
        if not steps_of(value, mutation.resolver) or _uses(binds(made), mutation.body) != 2:
            continue
        between = own_statements(block[i + 1 : block.index(loop)])
        if _stays(value, between, mutation) and changes_what_it_goes_over(loop, value, mutation):
            found.append(_Pair(made, value, loop))
    return found


def _uses(names: frozenset[str], body: list[ast.stmt]) -> int:
    return sum(isinstance(n, ast.Name) and n.id in names for s in body for n in ast.walk(s))


def _stays(e: ast.expr, between: list[ast.stmt], mutation: Mutation) -> bool:
    """Whether an expression gives the same after some statements as before them."""
    if not between:
        return True
    steps = steps_of(e, mutation.resolver)
    if not all(isinstance(n, _AS_IT_STANDS) or n in steps for n in walk(e)):
        return False
    run = [f for step in steps if (f := function_run(step, mutation.resolver))]
    read = reads(e).union(*(captured(f) for each in run for f in functions_in(each, mutation)))
    return not any(read & (own(s).binds | mutation.affected(s)) for s in between)


class _Put(ast.NodeTransformer):
    """Puts an expression in the place of a name."""

    def __init__(self, names: frozenset[str], value: ast.expr) -> None:
        self.names = names
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id in self.names else node


def _without(body: list[ast.stmt], gone: set[int]) -> list[ast.stmt]:
    """The body without some statements."""
    for block in _all_blocks(body):
        block[:] = [s for s in block if id(s) not in gone]
    return body
