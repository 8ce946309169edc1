"""Normalise, the expressions: each active operation becomes one call with operands that are atoms.

An atom is a varying variable or an expression that carries no derivative. Where an active operand
has to be computed first, earlier operands that are more than a name are computed before it, so
that everything still happens in the order in which it is written.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from .activity import varies
from .closures import Closures
from .ir import Atom, Call, If, Plain, Statement
from .names import Names
from .resolver import Resolver
from .syntax import reads
from .where import refusal

_NO_DERIVATIVE = "its value leaves the numbers, so no derivative could pass"


class Expressions:
    """Lowers expressions into `self.out`; `self.varied` and `self.useful` are those of the statement."""

    def __init__(self, filename: str, resolver: Resolver, names: Names, closures: Closures) -> None:
        self.filename = filename
        self.resolver = resolver
        self.names = names
        self.closures = closures
        self.out: list[Statement] = []
        self.varied: frozenset[str] = frozenset()
        self.useful: frozenset[str] = frozenset()

    # What the statements provide.
    def copy(self, target: str, source: Atom, origin: ast.AST) -> None:
        raise NotImplementedError

    def define(self, target: str, node: ast.FunctionDef | ast.Lambda, origin: ast.AST) -> None:
        raise NotImplementedError

    def refuse(self, node: ast.AST, what: str, next: str) -> NoReturn:
        raise refusal(node, self.filename, f"{what} is not differentiated", next)

    def refuse_store(self, target: ast.expr) -> NoReturn:
        self.refuse(
            target,
            f"the in-place store into `{ast.unparse(target)}`",
            "build the value without writing into it, as with np.stack, np.where or a new object",
        )

    def atom(self, e: ast.expr) -> Atom:
        """An operand for this expression; active ones get a temporary."""
        if not varies(e, self.varied, self.resolver):
            return Atom(e)
        if isinstance(e, ast.Name):
            return Atom(e, e.id)
        name = self.names.fresh("t")
        self.into(name, e)
        self.varied |= {name}
        return Atom(ast.copy_location(ast.Name(name, ast.Load()), e), name)

    def atoms(self, expressions: list[ast.expr]) -> list[Atom]:
        """Operands for several expressions, evaluated in order."""
        hoisted = [not isinstance(e, ast.Name) and varies(e, self.varied, self.resolver) for e in expressions]
        last = max((i for i, h in enumerate(hoisted) if h), default=-1)
        return [self.atom(self.early(e) if i < last else e) for i, e in enumerate(expressions)]

    def early(self, e: ast.expr) -> ast.expr:
        """An inactive expression that something active follows, computed now unless it is only a name."""
        if varies(e, self.varied, self.resolver) or _is_simple(e):
            return e
        name = self.names.fresh("t")
        self.plain_assign(name, e)
        return ast.copy_location(ast.Name(name, ast.Load()), e)

    def again(self, target: ast.expr) -> ast.expr:
        """The value just assigned to the first of several targets, to read it once more."""
        if not isinstance(target, ast.Name):
            self.refuse(target, "unpacking into one of several targets", "write two assignments")
        self.varied |= {target.id}
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)

    def plain_assign(self, name: str, e: ast.expr) -> None:
        assign = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], e), e)
        self.out.append(Plain(ast.fix_missing_locations(assign), (name,)))

    def into(self, target: str, e: ast.expr) -> None:
        """Compute an active expression into a variable."""
        method = getattr(self, f"_into_{type(e).__name__.lower()}", None)
        if method is None:
            kind = _KINDS.get(type(e), f"`{type(e).__name__}`")
            self.refuse(
                e, kind, "write it with a loop or a call, or take it out of the differentiated function"
            )
        method(target, e)

    def _into_name(self, target: str, e: ast.Name) -> None:
        self.copy(target, Atom(e, e.id), e)

    def _into_binop(self, target: str, e: ast.BinOp) -> None:
        self.emit(target, Atom(self.names.operator(e.op)), self.atoms([e.left, e.right]), e)

    def _into_unaryop(self, target: str, e: ast.UnaryOp) -> None:
        self.emit(target, Atom(self.names.operator(e.op)), self.atoms([e.operand]), e)

    def augment(self, target: str, read: ast.Name, s: ast.AugAssign) -> None:
        """`target op= value` on a number; the program refuses what would be changed in place."""
        left, right = self.atoms([read, s.value])
        left = Atom(self.checked(read), left.variable)
        self.emit(target, Atom(self.names.operator(s.op)), [left, right], s)

    def checked(self, read: ast.Name) -> ast.expr:
        """A variable, which an augmented assignment must not change in place."""
        return self.plain_call("immutable", [read, ast.Constant(read.id)], read)

    def _into_boolop(self, target: str, e: ast.BoolOp) -> None:
        first, *rest = e.values
        if target in reads(e):
            value = self.names.fresh("t")
            self._into_boolop(value, e)
            self.copy(target, Atom(ast.copy_location(ast.Name(value, ast.Load()), e), value), e)
            return
        self._branch_into(target, first)
        read: ast.expr = ast.copy_location(ast.Name(target, ast.Load()), e)
        test = read if isinstance(e.op, ast.And) else ast.copy_location(ast.UnaryOp(ast.Not(), read), e)
        others = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(e.op, rest), e)
        self.out.append(If(test, self._nested(target, others), [], e))

    def _into_ifexp(self, target: str, e: ast.IfExp) -> None:
        test = self.early(e.test)
        self.out.append(If(test, self._nested(target, e.body), self._nested(target, e.orelse), e))

    def _nested(self, target: str, e: ast.expr) -> list[Statement]:
        outer, self.out = self.out, []
        self._branch_into(target, e)
        block, self.out = self.out, outer
        return block

    def _branch_into(self, target: str, e: ast.expr) -> None:
        if varies(e, self.varied, self.resolver):
            self.into(target, e)
        else:
            self.plain_assign(target, e)

    def _into_attribute(self, target: str, e: ast.Attribute) -> None:
        operands = [self.atom(e.value), Atom(ast.copy_location(ast.Constant(e.attr), e))]
        self.emit(target, Atom(self.names.helper("getattr_")), operands, e)

    def _into_subscript(self, target: str, e: ast.Subscript) -> None:
        if any(isinstance(n, ast.Slice) for n in (e.slice, *getattr(e.slice, "elts", []))):
            owner, index = self.atom(e.value), Atom(self._slices(e.slice))
        else:
            owner, index = self.atoms([e.value, e.slice])
        self.emit(target, Atom(self.names.helper("getitem")), [owner, index], e)

    def _slices(self, e: ast.expr) -> ast.expr:
        """An index with slices as an expression of its own; bounds carry no derivative."""
        if isinstance(e, ast.Tuple):
            return ast.copy_location(ast.Tuple([self._slices(i) for i in e.elts], ast.Load()), e)
        if not isinstance(e, ast.Slice):
            return e
        bounds = [b or ast.Constant(None) for b in (e.lower, e.upper, e.step)]
        return self.plain_call("slice_", bounds, e)

    def _into_tuple(self, target: str, e: ast.Tuple) -> None:
        self._display(target, "make_tuple", e.elts, e)

    def _into_list(self, target: str, e: ast.List) -> None:
        self._display(target, "make_list", e.elts, e)

    def _into_dict(self, target: str, e: ast.Dict) -> None:
        if any(k is None for k in e.keys):
            self.refuse(e, "`**` inside a dictionary", "name the keys, or update after building")
        keys = ast.copy_location(ast.Tuple([k for k in e.keys if k is not None], ast.Load()), e)
        self._display(target, "make_dict", [keys, *e.values], e)

    def _display(self, target: str, helper: str, elements: list[ast.expr], e: ast.expr) -> None:
        call = ast.copy_location(ast.Call(self.names.helper(helper), elements, []), e)
        self._call(target, call, kept=True)

    def _into_lambda(self, target: str, e: ast.Lambda) -> None:
        self.define(target, e, e)

    def _into_call(self, target: str, e: ast.Call) -> None:
        self._call(target, e, kept=False)

    def _call(self, target: str, e: ast.Call, *, kept: bool) -> None:
        """A call; `kept` where its value holds on to its arguments."""
        f, callee, name = e.func, "plain", ""
        values = [*e.args, *(k.value for k in e.keywords)]
        if isinstance(f, ast.Attribute) and varies(f.value, self.varied, self.resolver):
            function, *arguments = self.atoms([f.value, *map(self._listed, values)])
            callee, name = "method", f.attr
        else:
            function, *arguments = self.atoms([f, *map(self._listed, values)])
            callee = "closure" if function.varied else "plain"
        call = Call(target, callee, function, arguments, e, name)
        call.keywords = [k.arg for k in e.keywords]
        call.starred = [isinstance(a, ast.Starred) for a in e.args]
        for i, operand in enumerate(call.operands):
            captures = self.closures.captures.get(operand.variable or "")
            if captures is not None:
                if kept:
                    self.escaping(operand)
                call.captures[i] = captures
        self.out.append(call)
        self.varied |= {target}

    def _listed(self, e: ast.expr) -> ast.expr:
        """A starred argument as the tuple of what it passes."""
        return self.plain_call("items", [e.value], e) if isinstance(e, ast.Starred) else e

    def emit(self, target: str, function: Atom, arguments: list[Atom], origin: ast.AST) -> None:
        self.out.append(Call(target, "plain", function, [self.escaping(a) for a in arguments], origin))
        self.varied |= {target}

    def escaping(self, operand: Atom) -> Atom:
        """Refuse a function whose captured variables are rebound where it could be kept for later."""
        if operand.variable is not None and operand.variable in self.closures.captures:
            rebound = ", ".join(self.closures.captures[operand.variable])
            self.refuse(
                operand.node,
                f"keeping a function for later, while variables it captures ({rebound}) are rebound,",
                "bind them once before the function, or pass them as arguments",
            )
        return operand

    def call_helper(self, helper: str, arguments: list[ast.expr], origin: ast.AST) -> ast.expr:
        """An active call of a helper of the programs, into a temporary."""
        name = self.names.fresh("t")
        self.emit(name, Atom(self.names.helper(helper)), [self.atom(a) for a in arguments], origin)
        return ast.copy_location(ast.Name(name, ast.Load()), origin)

    def plain_call(self, helper: str, arguments: list[Any], origin: ast.AST) -> ast.expr:
        call = ast.Call(self.names.helper(helper), arguments, [])
        return ast.fix_missing_locations(ast.copy_location(call, origin))


_KINDS: dict[type[ast.expr], str] = {
    ast.JoinedStr: f"a string made of differentiated values ({_NO_DERIVATIVE})",
    ast.ListComp: "a list comprehension over differentiated values",
    ast.SetComp: "a set comprehension over differentiated values",
    ast.DictComp: "a dict comprehension over differentiated values",
    ast.GeneratorExp: "a generator expression over differentiated values",
    ast.NamedExpr: "an assignment inside an expression (`:=`)",
    ast.Set: "a set of differentiated values",
    ast.Await: "`await`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
}


def _is_simple(e: ast.expr) -> bool:
    """A constant, a name, or a dotted name: what may be evaluated later without a difference."""
    while isinstance(e, ast.Attribute):
        e = e.value
    return isinstance(e, ast.Constant | ast.Name)
