"""Expressions: the steps that compute a value, in the order in which Python computes it."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ...source.syntax import kinds
from .calls import module_of
from .closures import hold_still
from .declined import Declined
from .formatting import Formatting
from .groups import Definition, Groups
from .indexing import Indexing
from .inner import is_operator
from .merging import Merging
from .quoted import expression
from .steps import OPERATORS, Step, is_name, plain
from .texts import UNKNOWN

_TEXTS = {f: text for text, f in OPERATORS.items()}
BINARY = {op: _TEXTS[f] for op, f in kinds.OPERATORS.items() if f in _TEXTS}
_UNARY: dict[type, str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not ", ast.Invert: "~"}
_COMPARE: dict[type, str] = {
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
    **{ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"},
}
YIELDED = "yielded_of_"
"""What the list of what a generator yields is called, where no variable of the program has the name."""
OWN_LIST = "list."
"""What a comprehension's list is called: no name of a program."""
_EXHAUSTING = (sum, min, max, any, all, sorted, list, tuple)
"""What goes through a generator at once."""


class Expressions(Merging, Formatting, Indexing):
    """Reads the expressions of one function."""

    def value(self, e: ast.expr, out: list[Step]) -> str:
        """The argument that stands for an expression, whose steps go into `out`."""
        if isinstance(e, ast.Constant):
            if isinstance(e.value, bytes):
                raise Declined("bytes")
            return "=" + repr(e.value)
        if isinstance(e, ast.Name) and e.id in self.locals:
            if e.id not in self.now:
                self.now[e.id] = e.id
            return self.now[e.id]
        found = self.constant(e)
        if found is not UNKNOWN:
            text = self.spelled(e)
            self.constants[text] = found
            return "=" + text
        maker = getattr(self, f"_{type(e).__name__.lower()}", None)
        if maker is None:
            raise Declined(f"an expression {type(e).__name__}")
        return str(maker(e, out))

    def _binop(self, e: ast.BinOp, out: list[Step]) -> str:
        op = BINARY.get(type(e.op))
        if op is None:
            raise Declined(f"the operator {type(e.op).__name__}")
        if op == "*" and isinstance(e.left, ast.List):
            return self._repeated(e, out)
        a = self.value(e.left, out)
        b = self.value(e.right, out)
        facts = {"of one": True} if hasattr(e, "of_one") else {}
        return self._step(out, "binary", self.fresh(), (a, b), e.lineno, op, facts=facts)

    def _unaryop(self, e: ast.UnaryOp, out: list[Step]) -> str:
        op = _UNARY.get(type(e.op))
        if op is None:
            raise Declined(f"the operator {type(e.op).__name__}")
        a = self.value(e.operand, out)
        if op == "-" and isinstance(e.operand, ast.Constant) and not is_name(a) and a[1] != "-":
            return "=-" + a[1:]
        return self._step(out, "unary", self.fresh(), (a,), e.lineno, op)

    def _compare(self, e: ast.Compare, out: list[Step]) -> str:
        a, b = self.value(e.left, out), self.value(_members(e), out)
        target = self._step(out, "compare", self.fresh(), (a, b), e.lineno, _COMPARE[type(e.ops[0])])
        if len(e.ops) == 1:
            return target
        both = self._step(out, "copy", self.fresh(), (target,), e.lineno)
        into = out
        before = self.known
        self.depth += 1
        for op, right in zip(e.ops[1:], e.comparators[1:], strict=True):
            step = Step("if", args=(both,), line=e.lineno)
            self.known = {}
            a, b = b, self.value(right, step.body)
            made = self._step(step.body, "compare", self.fresh(), (a, b), e.lineno, _COMPARE[type(op)])
            step.body.append(Step("copy", both, (made,), e.lineno))
            into.append(step)
            into = step.body
        self.depth -= 1
        self.known = before
        return both

    def _boolop(self, e: ast.BoolOp, out: list[Step]) -> str:
        target, into, before = self.fresh(), out, self.known
        for v in e.values:
            a = self.value(v, into)
            here = Step("copy", target, (a,), e.lineno)
            if v is e.values[-1]:
                into.append(here)
                continue
            more = isinstance(e.op, ast.And)
            step = Step("if", args=(a,), line=e.lineno)
            (step.orelse if more else step.body).append(here)
            into.append(step)
            into = step.body if more else step.orelse
            if v is e.values[0]:
                self.depth += 1
            self.known = {}
        self.depth -= 1
        self.known = before
        return target

    def _ifexp(self, e: ast.IfExp, out: list[Step]) -> str:
        target, test = self.fresh(), self.value(e.test, out)
        step = Step("if", args=(test,), line=e.lineno)
        self.depth += 1
        for value, arm in ((e.body, step.body), (e.orelse, step.orelse)):
            self.known, before = {}, self.known
            arm.append(Step("copy", target, (self.value(value, arm),), e.lineno))
            self.known = before
        self.depth -= 1
        out.append(step)
        return target

    def _subscript(self, e: ast.Subscript, out: list[Step]) -> str:
        found = self.constant(e.value)
        if (made := self.of_index(e, found, out)) is not None:
            return made
        base = self.value(e.value, out)
        key, names = self.key(e.slice, out)
        if (base, key) in self.known:
            return self.known[base, key]  # equal reads in one statement are one read
        target = self._step(out, "get", self.fresh(), (base,), e.lineno, key, names=names)
        self.known[base, key] = target
        return target

    def key(self, e: ast.expr, out: list[Step]) -> tuple[str, tuple[str, ...]]:
        """The text of an index or of a dictionary's key, and the variables in it."""
        text = isinstance(e, ast.Constant) and type(e.value) is str
        return (repr(e.value), ()) if text else self.index(e, out)  # type: ignore[attr-defined]  # a constant

    def index(self, e: ast.expr, out: list[Step]) -> tuple[str, tuple[str, ...]]:
        """The text of an index, and the variables in it."""
        names: list[str] = []

        def part(p: ast.expr | None) -> str:
            if p is None:
                return ""
            if isinstance(p, ast.Slice):
                end = f":{part(p.step)}" if p.step is not None else ""
                return f"{part(p.lower)}:{part(p.upper)}{end}"
            atom = self._places(p, out) if isinstance(p, ast.List) else self.value(p, out)
            if atom[1:] in self.constants:
                atom = self._step(out, "copy", self.fresh(), (atom,), p.lineno)
            if is_name(atom):
                names.append(atom)
            elif "'" in atom or '"' in atom:
                raise Declined("an index that is text")
            return plain(atom)

        if isinstance(e, ast.Tuple):
            text = ", ".join(part(p) for p in e.elts) + ("," if len(e.elts) == 1 else "")
            if not e.elts:
                text = "()"
        else:
            text = part(e)
        return text, tuple(dict.fromkeys(names))

    def _places(self, e: ast.List, out: list[Step]) -> str:
        """A list of places, which is the same to an array as the array that NumPy makes of it."""
        return self._helped(np.array, (self._rows(e, out),), e, out)

    def _attribute(self, e: ast.Attribute, out: list[Step]) -> str:
        if e.attr == "__class__":
            return self.value(self.written("type(x)", e, x=e.value), out)
        return self._step(out, "attr", self.fresh(), (self.value(e.value, out),), e.lineno, e.attr)

    def _tuple(self, e: ast.Tuple | ast.List, out: list[Step], op: str = "tuple") -> str:
        if any(isinstance(x, ast.Starred) for x in e.elts):
            return self._starred_items(e, out, op)
        parts = tuple(self.value(x, out) for x in e.elts)
        return self._step(out, op, self.fresh(), parts, e.lineno)

    def _rows(self, e: ast.List, out: list[Step]) -> str:
        """A list of rows as a tuple of tuples, which is the same for NumPy."""
        if any(isinstance(x, ast.Starred) for x in e.elts):
            return self._list(e, out)
        parts = tuple(self._rows(x, out) if isinstance(x, ast.List) else self.value(x, out) for x in e.elts)
        return self._step(out, "tuple", self.fresh(), parts, e.lineno)

    def _list(self, e: Any, out: list[Step]) -> str:
        return self._tuple(e, out, "list")

    def _lambda(self, e: ast.Lambda, out: list[Step]) -> str:
        return self.closure(e, self.fresh(), out)

    def closure(self, e: ast.Lambda | ast.FunctionDef, target: str, out: list[Step]) -> str:
        """A function that is defined here."""
        if self.groups is None:
            self.groups = Groups(self.f.__code__, self.body, self.boxes)
        known = self.groups.of(e)
        own = tuple(n for n in known.names if n in self.locals)
        hold_still(self.body, [*self.parameters, *self.given], e, own, known.group, self._may_keep)
        self.defined(target, known, e, out)
        return target

    def _may_keep(self, call: ast.Call, at_once: bool = False) -> bool:
        """Whether a call may keep a function or generator that it is given: a library's function does not.

        Nor does a gradient of it, where that is called `at_once`.
        """
        f = self.constant(call.func)
        if at_once and is_operator(f):
            return False
        if any(f is known for known in _EXHAUSTING):
            return False
        known = callable(f) and not isinstance(f, type) and rules_of(f) is not None
        return not known or f is np.frompyfunc or not module_of(f).startswith(("numpy", "scipy."))

    def defined(self, target: str, known: Definition, at: ast.stmt | ast.expr, out: list[Step]) -> None:
        """The step that defines a function."""
        args = [self.value(expression(n, at), out) for n in known.names]
        for e in known.computed.values():
            if any(getattr(n, "id", None) in self.boxes for n in ast.walk(e)):
                raise Declined("a default of a variable that a function inside may set")
            args.append(self.value(e, out))
        out.append(Step("closure", target, tuple(args), at.lineno, facts={"definition": known}))


def _members(e: ast.Compare) -> ast.expr:
    """What something is compared with; of a set of constants, the tuple of the same members."""
    first = e.comparators[0]
    if not isinstance(first, ast.Set) or not isinstance(e.ops[0], ast.In | ast.NotIn):
        return first
    constant = all(isinstance(v, ast.Constant) for v in first.elts)
    return expression("(members,)", first, members=first.elts) if constant else first
