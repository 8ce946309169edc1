"""Deciding: the trees of comparisons and of what is asked for its truth, by calls of sites."""

from __future__ import annotations

import ast
from typing import Any

PREFIX = "_followed_"
"""Before the name of a site, in the functions that run in place of the user's."""
_COMPARED = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
_COMPARED |= {ast.Is: "is", ast.IsNot: "is_not", ast.In: "in", ast.NotIn: "not_in"}
_SAME = (ast.Is, ast.IsNot)
_EVALUATED_TWICE = (ast.Name, ast.Constant)  # without another result, or an effect


def helper(name: str, *args: ast.expr, at: ast.AST | None = None, keywords: Any = ()) -> ast.Call:
    """A call of a site."""
    made = ast.Call(ast.Name(PREFIX + name, ast.Load()), list(args), list(keywords))
    return ast.copy_location(made, at) if at is not None else made


def compared(node: ast.Compare) -> ast.expr:
    """A comparison; of more than two operands as pairs, where those between are plain."""
    operands = [node.left, *node.comparators]
    if not all(isinstance(x, _EVALUATED_TWICE) for x in operands[1:-1]):
        return node
    pairs: list[ast.expr] = []
    for op, a, b in zip(node.ops, operands, operands[1:], strict=False):
        if type(op) in _SAME and (isinstance(a, ast.Constant) or isinstance(b, ast.Constant)):
            pairs.append(ast.copy_location(ast.Compare(a, [op], [b]), node))  # as `x is None`
        else:
            pairs.append(helper(_COMPARED[type(op)], a, b, at=node))
    return pairs[0] if len(pairs) == 1 else ast.copy_location(ast.BoolOp(ast.And(), pairs), node)


def truth(test: ast.expr) -> ast.expr:
    """What tells whether a test is true."""
    if isinstance(test, ast.IfExp) and getattr(test, "operands", None):
        test = ast.copy_location(test.operands, test)  # type: ignore[attr-defined]  # put there below
    if isinstance(test, ast.BoolOp):
        test.values = [truth(v) for v in test.values]
        return test
    if isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        return test
    return helper("truth", test, at=test)


def either(node: ast.BoolOp) -> ast.expr:
    """`a and b`, `a or b` as a value, where the operands but for the last are plain."""
    if not all(isinstance(v, ast.Name) for v in node.values[:-1]):
        return node
    made = node.values[-1]
    for v in reversed(node.values[:-1]):
        pair = (made, v) if isinstance(node.op, ast.And) else (v, made)
        made = ast.copy_location(ast.IfExp(truth(v), *pair), node)
    made.operands = ast.BoolOp(node.op, list(node.values))  # type: ignore[attr-defined]  # for a test of it
    return made
