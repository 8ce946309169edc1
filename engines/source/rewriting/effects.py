"""Effects: a call that changes what it is given, within a larger expression, becomes a statement before it.

`b[0] * pop_first(a)` is `t1 = b[0]; t2 = pop_first(a); t1 * t2`, and `if stack.pop() > 0:` is `t1 =
stack.pop()` and `if t1 > 0:`. So a change stands between statements, where everything asks for it:
whatever may hold the object is told, a test that changes something is differentiated though its value
has no derivative, and what was computed before stays what it was. Python's order of evaluation is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..analysis.mutation import Mutation
from ..syntax.kinds import BINDINGS, DEFINITIONS, PARTS, SEQUENCES
from ..syntax.scopes import blocks, copied, own, stored
from ..syntax.trees import assign, at, load, place, tuple_of
from .names import Names

Slot = tuple[Any, Any]  # a node and a field, or a list and an index
_OPAQUE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Constant, ast.Name)
_HEADS = {ast.If: "test", ast.Assert: "test", ast.For: "iter", ast.Raise: "exc"}


def changes_apart(
    body: list[ast.stmt], mutation: Mutation, names: Names
) -> tuple[list[ast.stmt], dict[str, str]]:
    """The body with such calls written as statements of their own; itself where there are none."""
    marked = {c for s in mutation.statements for c in _changing(s, mutation)}
    if not marked:
        return body, {}
    new = copied(body)
    both = zip(ast.walk(ast.Module(body, [])), ast.walk(ast.Module(new, [])), strict=True)
    calls = {n for old, n in both if old in marked}
    return _Writer(calls, mutation, names).block(new), {}


def _changing(s: ast.stmt, mutation: Mutation) -> list[ast.AST]:
    """The calls of a statement that change something, unless one of them is all there is."""
    if not mutation.written(s):
        return []
    found: list[ast.AST] = [
        c for c in own(s).calls if any(map(mutation.shared, mutation.resolver.changed(c)))
    ]
    return [] if found == [_root(s)] else found


def _root(s: ast.stmt) -> ast.expr | None:
    """The value of a statement that does nothing else but compute it and bind it to names."""
    if isinstance(s, BINDINGS):
        targets = s.targets if isinstance(s, ast.Assign) else [s.target]
        return None if any(map(stored, targets)) else s.value
    return s.value if isinstance(s, ast.Expr | ast.Return) else None


class _Writer:
    """Writes out the statements of a body; `before` are those to run before the present one."""

    def __init__(self, calls: set[ast.AST], mutation: Mutation, names: Names) -> None:
        self.calls = calls
        self.known = mutation.resolver.value
        self.fresh = names.fresh
        self.before: list[ast.stmt] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        outer, made = self.before, []
        for s in body:
            self.before = []
            new = self._statement(s)
            made += [*self.before, *new]
        self.before = outer
        return made

    def _statement(self, s: Any) -> list[ast.stmt]:
        if isinstance(s, DEFINITIONS):
            return [s]
        for inner in blocks(s):
            inner[:] = self.block(inner)
        if isinstance(s, ast.While) and self._acts(s.test):
            return self._while(s)
        if isinstance(s, ast.AugAssign) and not isinstance(s.target, ast.Name) and self._acts(s):
            return self._augmented(s)
        if isinstance(s, ast.Assign) and any(map(self._acts, s.targets)):
            value = self._frozen(self._without(s.value))
            for target in s.targets:
                self._store(target, copied(value), s)
            return []
        if isinstance(s, ast.Delete):
            for target in s.targets:
                if isinstance(target, PARTS) and self._acts(target):
                    self._place(target)
        if isinstance(s, ast.With):
            s.items[0].context_expr = self._without(s.items[0].context_expr)
        elif type(s) in _HEADS:
            if (e := getattr(s, _HEADS[type(s)])) is not None:
                setattr(s, _HEADS[type(s)], self._without(e))
        elif isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Expr) and s.value:
            root = _root(s)
            s.value = self._operands(s.value) if root in self.calls else self._without(s.value)
        return [s]

    def _while(self, s: ast.While) -> list[ast.stmt]:
        """`while test: …` as a loop that computes its test by statements."""
        outer, self.before = self.before, []
        test = self._without(s.test)
        done = self.fresh("done") if s.orelse else ""
        leave: list[ast.stmt] = [assign(done, ast.Constant(True), s)] if done else []
        leave.append(place(ast.Break(), s))
        ends = place(ast.If(ast.UnaryOp(ast.Not(), test), leave, []), s)
        loop = at(ast.While(ast.Constant(True), [*self.before, ends, *s.body], []), s)
        self.before = outer
        if not done:
            return [place(loop, s)]
        return [
            assign(done, ast.Constant(False), s),
            place(loop, s),
            place(ast.If(load(done), s.orelse, []), s),
        ]

    def _augmented(self, s: ast.AugAssign) -> list[ast.stmt]:
        """`owner[key] += value`, where computing the value changes something."""
        target: Any = s.target
        self._place(target)
        read = copied(target)
        read.ctx = ast.Load()
        item = self._temporary(read, s)
        value = self._without(s.value)
        added = at(ast.AugAssign(place(ast.Name(item, ast.Store()), s), s.op, value), s)
        return [added, assign(target, load(item), s)]

    def _place(self, target: Any) -> None:
        """Find out now what a store writes into, and where."""
        target.value = self._frozen(self._without(target.value))
        if isinstance(target, ast.Subscript):
            target.slice = self._frozen(self._without(target.slice))

    def _store(self, target: Any, value: ast.expr, s: ast.stmt) -> None:
        """`target = value` before the present statement, with what finding the target changes before it."""
        if not isinstance(target, SEQUENCES):
            if isinstance(target, PARTS):
                self._place(target)
            self.before.append(assign(target, value, s))
            return
        later: list[tuple[ast.expr, str]] = []
        for i, e in enumerate(target.elts):
            part = e.value if isinstance(e, ast.Starred) else e
            if not isinstance(part, ast.Name):
                later.append((part, self.fresh("t")))
                name = at(ast.Name(later[-1][1], ast.Store()), part)
                target.elts[i] = at(ast.Starred(name, ast.Store()), e) if isinstance(e, ast.Starred) else name
        self.before.append(assign(target, value, s))
        for part, held in later:
            self._store(part, at(load(held), part), s)

    def _acts(self, node: ast.AST) -> bool:
        """Whether evaluating this runs one of the calls."""
        return any(n in self.calls for n in _evaluated(node))

    def _temporary(self, e: ast.expr, origin: ast.AST) -> str:
        name = self.fresh("t")
        self.before.append(assign(name, e, origin))
        return name

    def _without(self, e: ast.expr) -> ast.expr:
        """The expression with its calls made before it."""
        if not self._acts(e):
            return e
        if isinstance(e, ast.BoolOp | ast.IfExp):
            return self._branching(e)
        if isinstance(e, ast.NamedExpr):
            self.before.append(assign(e.target.id, self._without(e.value), e))
            return at(load(e.target.id), e)
        e = self._operands(e)
        return at(load(self._temporary(e, e)), e) if e in self.calls else e

    def _operands(self, e: Any) -> Any:
        """The expression with the calls in its operands made before it, and what precedes them."""
        if isinstance(e, ast.Compare) and any(map(self._acts, e.comparators[1:])):
            return self._without(self._in_steps(e))
        slots = _slots(e)
        last = max((i for i, slot in enumerate(slots) if self._acts(_get(slot))), default=-1)
        for i, slot in enumerate(slots[: last + 1]):
            new = self._without(_get(slot))
            if i < last and _is_spread(e, slot):
                new = at(load(self._temporary(place(ast.Dict([None], [new]), new), new)), new)
            _set(slot, self._frozen(new) if i < last else new)
        return e

    def _in_steps(self, e: ast.Compare) -> ast.expr:
        """`a < b < c` as `a < b and b < c`, with a and b computed now."""
        left, middle = (self._frozen(self._without(part)) for part in (e.left, e.comparators[0]))
        one = ast.Compare(left, e.ops[:1], [middle])
        other = ast.Compare(middle, e.ops[1:], e.comparators[1:])
        return place(ast.BoolOp(ast.And(), [one, other]), e)

    def _frozen(self, e: Any) -> Any:
        """An operand computed now."""
        if isinstance(e, ast.Constant | ast.Name | ast.Lambda) or self.known(e)[0] or _is_super(e):
            return e
        if isinstance(e, ast.Starred):
            e.value = at(load(self._temporary(place(tuple_of([copied(e)]), e), e)), e)
            return e
        if isinstance(e, ast.Slice | ast.FormattedValue):
            for slot in _slots(e):
                _set(slot, self._frozen(_get(slot)))
            return e
        return at(load(self._temporary(e, e)), e)

    def _branching(self, e: ast.BoolOp | ast.IfExp) -> ast.expr:
        """`a and b` or `b if a else c` as an `if` that binds a name."""
        name = self.fresh("t")
        if isinstance(e, ast.IfExp):
            test = self._without(e.test)
            branches = [self._assigned(name, e.body), self._assigned(name, e.orelse)]
        else:
            first, *rest = e.values
            self.before.append(assign(name, self._without(first), e))
            others = rest[0] if len(rest) == 1 else at(ast.BoolOp(e.op, rest), e)
            test = load(name) if isinstance(e.op, ast.And) else ast.UnaryOp(ast.Not(), load(name))
            branches = [self._assigned(name, others), []]
        self.before.append(place(ast.If(test, *branches), e))
        return at(load(name), e)

    def _assigned(self, name: str, e: ast.expr) -> list[ast.stmt]:
        outer, self.before = self.before, []
        value = self._without(e)
        made = [*self.before, assign(name, value, e)]
        self.before = outer
        return made


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that evaluating this evaluates: not the bodies of lambdas and comprehensions."""
    yield node
    if not isinstance(node, _OPAQUE):
        for child in ast.iter_child_nodes(node):
            yield from _evaluated(child)


def _slots(e: Any) -> list[Slot]:
    """Where the operands of an expression stand, in the order in which they are evaluated."""
    if isinstance(e, _OPAQUE):
        return []
    if isinstance(e, ast.Dict):
        pairs = ((part, i) for i in range(len(e.values)) for part in (e.keys, e.values))
        return [(part, i) for part, i in pairs if part[i] is not None]
    if isinstance(e, ast.Call):
        owner: list[Slot] = [(e.func, "value")] if isinstance(e.func, ast.Attribute) else [(e, "func")]
        return [*owner, *((e.args, i) for i in range(len(e.args))), *((k, "value") for k in e.keywords)]
    found: list[Slot] = []
    for field, value in ast.iter_fields(e):
        if isinstance(value, list):
            found += [(value, i) for i, v in enumerate(value) if isinstance(v, ast.expr)]
        elif isinstance(value, ast.expr):
            found.append((e, field))
    return found


def _is_spread(e: Any, slot: Slot) -> bool:
    """Whether an operand is the `d` of `**d`, whose entries are read now."""
    part, key = slot
    if isinstance(e, ast.Dict):
        return part is e.values and e.keys[key] is None
    return isinstance(part, ast.keyword) and part.arg is None


def _get(slot: Slot) -> Any:
    place, key = slot
    return place[key] if isinstance(place, list) else getattr(place, key)


def _set(slot: Slot, e: ast.expr) -> None:
    place, key = slot
    if isinstance(place, list):
        place[key] = e
    else:
        setattr(place, key, e)


def _is_super(e: ast.AST) -> bool:
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "super"
