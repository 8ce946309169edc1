"""Joining: an expression of several operations as one call, which takes its steps in Python's order.

    s + x[i] * x[i]        joined0(s, x, i)

Variables and constants stand in it, and what is computed before any of its operations. It is joined.py that
takes the steps, and writes a text for an expression that runs often.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from .deciding import helper
from .joined import Expression, called_with, words_of
from .quick import is_by_rule

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
IN_PLACE = {f"i{name.strip('_')}": name for name in BINARY.values()}
_OPERATIONS = frozenset((*BINARY.values(), *UNARY.values(), *IN_PLACE, "getitem", "call"))
_FEW = 2  # operations are left as they are


class Tree(NamedTuple):
    """An operation, and what it is done with: trees, and nodes that are instrumented already."""

    site: str
    parts: tuple[Any, ...]
    node: Any
    size: int  # how many operations there are in it
    computes: bool  # whether something in it is computed elsewhere, which is before all its operations


class Joiner:
    """Joins the expressions of one function."""

    def __init__(self, f: FunctionType | None, others: Any) -> None:
        """`others`: the instrumenter, which sees to what is no operation. Without f nothing is joined."""
        self.f, self.others = f, others
        self.made: dict[str, Expression] = {}

    def joined(self, node: ast.expr) -> ast.expr:
        """An operation, instrumented."""
        return self.spelled(self.tree(node))

    def changed(self, node: ast.AugAssign) -> ast.expr:
        """What `x op= y` binds a variable to."""
        assert isinstance(node.target, ast.Name)
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        op = "i" + BINARY[type(node.op)].strip("_")
        return self.spelled(self.of(op, node, target, self.tree(node.value)))

    def tree(self, node: Any) -> Any:
        """The tree of an operation; what is none, instrumented."""
        kind = type(node)
        if kind is ast.BinOp:
            return self.of(BINARY[type(node.op)], node, self.tree(node.left), self.tree(node.right))
        if kind is ast.UnaryOp and type(node.op) in UNARY and not isinstance(node.operand, ast.Constant):
            return self.of(UNARY[type(node.op)], node, self.tree(node.operand))
        if kind is ast.Subscript and isinstance(node.ctx, ast.Load):
            return self.of("getitem", node, self.tree(node.value), self.index(node.slice))
        if kind is ast.Attribute and isinstance(node.ctx, ast.Load):
            return self.of("attr", node, self.tree(node.value), self.others.name(node.attr))
        if kind is ast.Call and self.is_by_rule(node):
            site = called_with([k.arg for k in node.keywords])
            values = [k.value for k in node.keywords]
            return self.of(site, node, *map(self.tree, (node.func, *node.args, *values)))
        return self.others.visit(node)

    def index(self, node: Any) -> Any:
        """The same of an index."""
        if isinstance(node, ast.Slice):
            ends = (node.lower, node.upper, node.step)
            return self.of("slice", node, *[ast.Constant(None) if e is None else self.tree(e) for e in ends])
        if isinstance(node, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in node.elts):
            return self.of("tuple", node, *map(self.index, node.elts))
        return self.others.index(node) if isinstance(node, ast.Tuple) else self.tree(node)

    def is_by_rule(self, node: ast.Call) -> bool:
        """Whether a call is of a function in C that has rules."""
        if self.f is None or not node.args or any(k.arg is None for k in node.keywords):
            return False
        if any(isinstance(a, ast.Starred) for a in node.args):
            return False
        called = _known(node.func, self.f)
        try:
            return called is not None and is_by_rule(called)
        except TypeError:  # not hashable
            return False

    def of(self, site: str, node: ast.AST, *parts: Any) -> Tree:
        """The tree of an operation with these parts; what something computed comes after, as calls."""
        size, computes, kept = int(site.partition(":")[0] in _OPERATIONS), False, []
        for p in reversed(parts):
            part = self.spelled(p) if computes and _constant(p) is None else p
            kept.append(part)
            if isinstance(part, Tree):
                size += part.size
            computes = computes or (part.computes if isinstance(part, Tree) else not _is_plain(part))
        return Tree(site, tuple(kept[::-1]), node, size, computes)

    def spelled(self, tree: Any) -> ast.expr:
        """The call of an expression; where there is not enough to be joined, calls of sites."""
        if not isinstance(tree, Tree):
            made: ast.expr = tree
            return made
        if self.f is not None and tree.size >= _FEW and _is_last(tree.site):
            return self._call(tree)
        parts = [self.spelled(p) for p in tree.parts]
        if tree.site == "tuple":
            return ast.copy_location(ast.Tuple(parts, ast.Load()), tree.node)
        words = words_of(tree.site)
        first = len(parts) - len(words)
        named = [ast.keyword(w, p) for w, p in zip(words, parts[first:], strict=True)]
        return helper(tree.site.partition(":")[0], *parts[:first], at=tree.node, keywords=named)

    def _call(self, tree: Tree) -> ast.expr:
        flat = _Flat(dedupes=not tree.computes)
        flat.step(tree)
        name = f"joined{len(self.made)}"
        self.made[name] = Expression(len(flat.leaves), flat.constants, flat.numbered())
        made = helper(name, *flat.leaves, at=tree.node)
        made.col_offset = made.end_col_offset = -1  # no marks: which operation raised is not known
        return made


def _is_last(site: str) -> bool:
    """Whether an expression may end with an operation: not with a view, of which the run wants to know."""
    return site.partition(":")[0] in _OPERATIONS and site != "getitem"


def _is_plain(node: ast.expr) -> bool:
    """Whether a node reads a variable, or is a constant."""
    return isinstance(node, ast.Name) or _constant(node) is not None


def _constant(node: Any) -> tuple[Any] | None:
    """The value of a constant, in a tuple; of an index that is made of such, too."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, Tree) and node.site in _MAKERS:
        parts = [_constant(p) for p in node.parts]
        values = [p[0] for p in parts if p is not None]
        return (_MAKERS[node.site](*values),) if len(values) == len(parts) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return (_SIGNS[type(node.op)](node.operand.value),) if type(node.op) in _SIGNS else None
    return None


_MAKERS: dict[str, Callable[..., Any]] = {"slice": slice, "tuple": lambda *items: items}
_SIGNS: dict[Any, Callable[[Any], Any]] = {ast.USub: lambda v: -v, ast.UAdd: lambda v: +v}


def _known(node: ast.expr, f: FunctionType) -> Any:
    """The global function that a node stands for, or one of a global module; None for any other."""
    if isinstance(node, ast.Attribute):
        module = _known(node.value, f) if isinstance(node.value, ast.Name) else None
        return module.__dict__.get(node.attr) if isinstance(module, ModuleType) else None
    code = f.__code__
    if not isinstance(node, ast.Name) or node.id in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        return None
    return f.__globals__.get(node.id)


class _Flat:
    """A tree as steps in Python's order, of leaves, constants and results of steps before."""

    def __init__(self, *, dedupes: bool) -> None:
        self.dedupes = dedupes
        self.leaves: list[ast.expr] = []
        self.constants: list[Any] = []
        self.steps: list[tuple[str, list[tuple[str, int]]]] = []
        self.names: dict[str, int] = {}

    def step(self, part: Any) -> tuple[str, int]:
        """Where a part's value is, its steps taken."""
        constant = _constant(part)
        if isinstance(part, Tree) and constant is None:
            places = [self.step(p) for p in part.parts]
            self.steps.append((part.site, places))
            return "step", len(self.steps) - 1
        if constant is not None:
            self.constants.append(constant[0])
            return "constant", len(self.constants) - 1
        name = part.id if isinstance(part, ast.Name) and self.dedupes else ""
        if name in self.names:
            return "leaf", self.names[name]
        self.leaves.append(part)
        if name:
            self.names[name] = len(self.leaves) - 1
        return "leaf", len(self.leaves) - 1

    def numbered(self) -> list[tuple[str, tuple[int, ...]]]:
        """The steps, with one count of all values."""
        first = {"leaf": 0, "constant": len(self.leaves), "step": len(self.leaves) + len(self.constants)}
        return [(site, tuple([first[of] + i for of, i in places])) for site, places in self.steps]
