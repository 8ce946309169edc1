"""Normalise, the expressions: each active operation becomes one call with operands that are atoms.

An atom is a varying variable or an expression that carries no derivative. Where an active operand
has to be computed first, earlier operands that are more than a name are computed before it, so
that everything still happens in the order in which it is written.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from ..analysis.activity import varies
from ..analysis.closures import Closures, keys_among
from ..reading.callees import may_pass_on
from ..reading.resolver import Resolver
from ..rewriting.names import Names
from ..syntax.displays import as_display, merged
from ..syntax.ir import Atom, Call, If, Plain, Statement, Unpack, made_atom
from ..syntax.kinds import ATOMS, NAMED
from ..syntax.scopes import reads
from ..syntax.trees import assign, at, name_at, place
from ..syntax.where import refusal
from ..values.grids import as_spanned, makes_spans


class Expressions:
    """Lowers expressions into `self.out`; `self.varied` and `self.useful` are those of the statement."""

    def __init__(self, filename: str, resolver: Resolver, names: Names, closures: Closures) -> None:
        self.filename = filename
        self.resolver = resolver
        self.names = names
        self.closures = closures
        self.out: list[Statement] = []
        self.varied: set[str] = set()
        self.useful: frozenset[str] = frozenset()
        self.later: frozenset[str] = frozenset()  # the names whose objects may change after the statement
        self.busy = ""
        self.owners: dict[ast.expr, ast.expr] = {}  # what attributes and items were read from, and methods
        self._operators: dict[type[ast.AST], Atom] = {}

    # What the statements provide.
    def as_written(self, e: ast.expr, *, tested: bool = False) -> ast.expr:
        """An expression that carries no derivative, with what guards it."""
        raise NotImplementedError

    def copy(self, target: str, source: Atom, origin: ast.AST) -> None:
        raise NotImplementedError

    def define(self, target: str, node: ast.FunctionDef | ast.Lambda, origin: ast.AST) -> None:
        raise NotImplementedError

    def freed(self, value: Atom, e: ast.expr, owner: Atom | None = None) -> Atom:
        """A value that may be changed through what it is put into: not what its pullback kept."""
        raise NotImplementedError

    def changes(self, e: ast.expr) -> bool:
        """Whether the value of this expression may be changed in place later."""
        raise NotImplementedError

    def lasts(self, call: Call, expressions: list[ast.expr]) -> bool:
        """Whether a generator that a call may make ends before this function changes what it reads."""
        raise NotImplementedError

    def changed_operands(self, e: ast.Call) -> dict[int, tuple[ast.expr, str, Any]]:
        """For each operand that a call may change, by the id of its expression: how it is held."""
        raise NotImplementedError

    def put_by(self, e: ast.Call, changed: dict[int, Any], values: list[ast.expr], given: list[Atom]) -> None:
        raise NotImplementedError

    def letting_go(self, e: ast.Call, changed: dict[int, Any]) -> list[str]:
        raise NotImplementedError

    def called(self, e: ast.Call, changed: dict[int, Any], noted: list[str]) -> None:
        """Let everything that may hold what a call changed have it as it is now."""
        raise NotImplementedError

    def refuse(self, node: ast.AST, what: str, next: str) -> NoReturn:
        raise refusal(node, self.filename, f"{what} is not differentiated", next)

    def atom(self, e: ast.expr) -> Atom:
        """An operand for this expression; active ones get a temporary."""
        if type(e) is ast.Name:
            return made_atom((e, e.id if e.id in self.varied else None))
        if not varies(e, self.varied, self.resolver):
            return made_atom((self.as_written(e), None))
        return self._temporary(e)

    def atoms(self, expressions: list[ast.expr]) -> list[Atom]:
        """Operands for several expressions, evaluated in order."""
        varied, resolver = self.varied, self.resolver
        active = [type(e) is not ast.Name and varies(e, varied, resolver) for e in expressions]
        found = []
        for i, e in enumerate(expressions, start=1):
            if type(e) is ast.Name:
                found.append(made_atom((e, e.id if e.id in varied else None)))
            elif active[i - 1]:
                found.append(self._temporary(e))
            elif type(e) is ast.Constant or True not in active[i:]:
                found.append(made_atom((self.as_written(e), None)))
            else:
                found.append(made_atom((self.early(e), None)))
        return found

    def _temporary(self, e: ast.expr) -> Atom:
        """An active expression, computed into a variable."""
        name = self.names.fresh("t")
        self.into(name, e)
        self.varied.add(name)
        return made_atom((name_at(name, e), name))

    def early(self, e: ast.expr) -> ast.expr:
        """An inactive expression that something active follows, computed now unless it is only a name."""
        if varies(e, self.varied, self.resolver) or _is_simple(e):
            return e
        name = self.names.fresh("t")
        self.plain_assign(name, e)
        return name_at(name, e)

    def plain_assign(self, name: str, e: ast.expr) -> None:
        self.out.append(Plain(assign(name, self.as_written(e), e), (name,)))

    def into(self, target: str, e: ast.expr) -> None:
        """Compute an active expression into a variable."""
        method = getattr(self, _INTO.get(type(e), ""), None)
        if method is None:
            kind = NAMED.get(type(e), f"`{type(e).__name__}`")
            self.refuse(
                e, kind, "write it with a loop or a call, or take it out of the differentiated function"
            )
        method(target, e)

    def _into_name(self, target: str, e: ast.Name) -> None:
        self.copy(target, Atom(e, e.id), e)

    def _into_binop(self, target: str, e: ast.BinOp) -> None:
        self.emit(target, self._operator(e.op), self.kept([e.left, e.right]), e)

    def _into_unaryop(self, target: str, e: ast.UnaryOp) -> None:
        self.emit(target, self._operator(e.op), self.kept([e.operand]), e)

    def _operator(self, op: ast.AST) -> Atom:
        kind = type(op)
        if kind not in self._operators:
            self._operators[kind] = Atom(self.names.operator(op))
        return self._operators[kind]

    def kept(self, expressions: list[ast.expr]) -> list[Atom]:
        """Operands that a pullback may keep: copies of what may change later."""
        found = self.atoms(expressions)
        if not self.later:
            return found
        for i, e in enumerate(expressions):
            if type(e) is not ast.Constant and self.changes(e):
                found[i] = self.kept_atom(found[i], e, "operand")
        return found

    def kept_atom(self, a: Atom, e: ast.expr, copied: str = "snapshot") -> Atom:
        """An operand with the value of e, a copy where that may change later."""
        return Atom(self.plain_call(copied, [a.node], a.node), a.variable) if self.changes(e) else a

    def _into_boolop(self, target: str, e: ast.BoolOp) -> None:
        first, *rest = e.values
        if target in self.resolver.local:  # which what comes later may read, or leave by raising
            value = self.names.fresh("t")
            self._into_boolop(value, e)
            self.copy(target, Atom(name_at(value, e), value), e)
            return
        self._branch_into(target, first)
        read: ast.expr = name_at(target, e)
        test = read if isinstance(e.op, ast.And) else at(ast.UnaryOp(ast.Not(), read), e)
        others = rest[0] if len(rest) == 1 else at(ast.BoolOp(e.op, rest), e)
        self.out.append(If(test, self._nested(target, others), [], e))

    def _into_ifexp(self, target: str, e: ast.IfExp) -> None:
        test = self.as_written(self.early(e.test), tested=True)
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
        if _is_super(e):
            self._call(target, self._super_call(at(ast.Call(e, [], []), e), "super_getter"), kept=False)
            return
        operands = [self.atom(e.value), Atom(at(ast.Constant(e.attr), e))]
        self.owners[e] = operands[0].node
        self.emit(target, Atom(self.names.helper("getattr_")), operands, e)

    def _into_subscript(self, target: str, e: ast.Subscript) -> None:
        if makes_spans(e, self.resolver):
            self._into_call(target, as_spanned(e, self.names.helper("spanned")))
            return
        owner, index = self.atoms([e.value, self._slices(e.slice)])
        self.owners[e] = owner.node
        self.emit(target, Atom(self.names.helper("getitem")), [owner, index], e)

    def _slices(self, e: ast.expr) -> ast.expr:
        """An index with slices as an expression of its own."""
        if isinstance(e, ast.Tuple):
            return at(ast.Tuple([self._slices(i) for i in e.elts], ast.Load()), e)
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
            self.into(target, merged(e))
            return
        keys = at(ast.Tuple([k for k in e.keys if k is not None], ast.Load()), e)
        self._display(target, "make_dict", [keys, *e.values], e)

    def _display(self, target: str, helper: str, elements: list[ast.expr], e: ast.expr) -> None:
        call = at(ast.Call(self.names.helper(helper), elements, []), e)
        self._call(target, call, kept=True)

    def _into_joinedstr(self, target: str, e: ast.JoinedStr) -> None:
        text = self.names.fresh("t")
        self.plain_assign(text, e)
        where = at(ast.Constant(f"{self.filename}:{e.lineno}"), e)
        parts = [Atom(name_at(n, e), n) for n in sorted(reads(e) & self.varied)]
        read = Atom(name_at(text, e))
        self.emit(target, Atom(self.names.helper("reported")), [read, Atom(where), *parts], e)

    def _into_lambda(self, target: str, e: ast.Lambda) -> None:
        self.define(target, e, e)

    def _into_call(self, target: str, e: ast.Call) -> None:
        if e.keywords and len(e.args) <= 1 and self.resolver.value(e.func)[1] is dict:
            self.into(target, as_display(self._of_distinct(e)))
        else:
            self._call(target, e, kept=False)

    def _of_distinct(self, e: ast.Call) -> ast.Call:
        """A call of `dict` whose keywords were asked to be of different names, which `**` leaves open."""
        if len(e.keywords) == 1 or all(k.arg for k in e.keywords):
            return e
        args = [self.atom(self.early(a)).node for a in e.args]
        words = [ast.keyword(k.arg, self.atom(self.early(k.value)).node) for k in e.keywords]
        named = ast.Tuple([ast.Constant(k.arg) for k in e.keywords if k.arg], ast.Load())
        check = self.plain_call("distinct", [named, *(k.value for k in words if k.arg is None)], e)
        self.out.append(Plain(at(ast.Expr(check), e), ()))
        return at(ast.Call(e.func, args, words), e)

    def _call(self, target: str, e: ast.Call, *, kept: bool) -> None:
        """A call; `kept` where its value holds on to its arguments."""
        if _is_super(e.func):
            e = self._super_call(e)
        f, callee, name = e.func, "plain", ""
        values = [*e.args, *(k.value for k in e.keywords)]
        changed = {} if kept else self.changed_operands(e)

        def operand(v: ast.expr) -> ast.expr:
            held = changed.get(id(v))
            return self._listed(v) if held is None else name_at(held[1], v)

        member = f if isinstance(f, ast.Attribute) and id(f) not in changed else None
        if member and (id(member.value) in changed or varies(member.value, self.varied, self.resolver)):
            expressions = [member.value, *values]
            callee, name = "method", member.attr
        else:
            expressions = [f, *values]
        if not changed.keys() <= {id(v) for v in expressions}:
            self.refuse(e, "a call that changes what is no operand of it", "make what changes an argument")
        function, *arguments = self.atoms([operand(v) for v in expressions])
        for i in keys_among(e, self.resolver):  # which have no derivative
            if id(expressions[1 + i]) not in changed:
                arguments[i] = Atom(arguments[i].node)
        if changed:
            self.put_by(e, changed, expressions[1:], arguments)
            arguments = [self.freed(a, v) for a, v in zip(arguments, expressions[1:], strict=True)]
        if callee == "method":
            self.owners[e] = function.node
        else:
            callee = "closure" if function.varied or id(f) in changed else "plain"
        value = self.names.fresh("t") if changed else target
        call = Call(value, callee, function, arguments, e, name)
        if e.keywords:
            call.keywords = [k.arg for k in e.keywords]
        starred = [type(a) is ast.Starred for a in e.args]
        if True in starred:
            call.starred = starred
        if not kept and (changed or self.later):
            self._keeping(call, expressions, changed)
        if self.closures.captures:
            self.closures.given(call, getattr(e.func, "id", ""), self.resolver.sites)
            if kept:
                for i in call.captures:
                    self.escaping(call.operands[i])
        if call.writes and self.busy:
            self.plain_assign(self.busy, at(ast.Constant(True), e))
        noted = self.letting_go(e, changed) if changed else []
        self.out.append(call)
        if call.writes and self.busy:
            self.plain_assign(self.busy, at(ast.Constant(False), e))
        if not changed:
            self.varied.add(target)
            return
        own = {n for _, n, trail in changed.values() for n in (n, *(step.holder for step in trail))}
        result = self.names.fresh("t") if target in own else target  # `x = f(x)`, with an f that changes x
        self.varied.update((value, result, target), call.writes.values())
        self.out.append(Unpack([result, *call.writes.values()], value, e))
        self.called(e, changed, noted)
        if result != target:
            self.copy(target, Atom(name_at(result, e), result), e)

    def _keeping(self, call: Call, expressions: list[ast.expr], changed: dict[int, Any]) -> None:
        """Say which operands the call may change, and which change later, so that a rule gets copies."""
        mine = expressions[1:] if call.callee == "plain" else expressions
        if changed:
            call.writes = {i: changed[id(e)][1] for i, e in enumerate(mine) if id(e) in changed}
        shared = tuple([self.changes(e) for e in mine])
        if any(shared) and not may_pass_on(call.origin):
            call.shared = shared
        call.unsettled = call.callee != "method" and self.changes(expressions[0])
        call.steady = bool(call.shared or call.unsettled) and self.lasts(call, expressions)

    def _super_call(self, e: ast.Call, finder: str = "super_function") -> ast.Call:
        """`super(C, self).m(…)` as a call of the function that it finds, with self as first argument."""
        assert isinstance(e.func, ast.Attribute) and isinstance(e.func.value, ast.Call)
        cls, owner = e.func.value.args
        name = self.names.fresh("f")
        found = self.plain_call(finder, [cls, owner, ast.Constant(e.func.attr)], e)
        self.plain_assign(name, found)
        function = name_at(name, e.func)
        new = at(ast.Call(function, [owner, *e.args], e.keywords), e)
        self.resolver.supers[id(new)] = e
        return new

    def _listed(self, e: ast.expr) -> ast.expr:
        """A starred argument as the tuple of what it passes."""
        return self.plain_call("items", [e.value], e) if isinstance(e, ast.Starred) else e

    def emit(self, target: str, function: Atom, arguments: list[Atom], origin: ast.AST) -> None:
        if self.closures.captures:
            for a in arguments:
                self.escaping(a)
        self.out.append(Call(target, "plain", function, arguments, origin))
        self.varied.add(target)

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
        return name_at(name, origin)

    def plain_call(self, helper: str, arguments: list[Any], origin: ast.AST) -> ast.expr:
        return place(ast.Call(self.names.helper(helper), arguments, []), origin)


_INTO = {kind: f"_into_{kind.__name__.lower()}" for kind in ast.expr.__subclasses__()}


def _is_super(f: ast.expr) -> bool:
    """Whether this is a method found by `super(C, self)`."""
    return (
        isinstance(f, ast.Attribute)
        and isinstance(f.value, ast.Call)
        and isinstance(f.value.func, ast.Name)
        and f.value.func.id == "super"
        and len(f.value.args) == 2
    )


def _is_simple(e: ast.expr) -> bool:
    """A constant, a name, or a dotted name: what may be evaluated later without a difference."""
    while isinstance(e, ast.Attribute):
        e = e.value
    return isinstance(e, ATOMS)
