"""Normalise: active statements become simple ones, everything else stays as written.

Each active operation gets a name of its own and operators become calls; the order of evaluation is
kept. What the engine cannot differentiate is refused here, before anything runs, at its place.
"""

from __future__ import annotations

import ast
from typing import Any

from ..analysis.activity import Activity, acts, puts, varies
from ..analysis.closures import Closures
from ..analysis.implicit_changes import refuse_unseen
from ..analysis.mutation import Mutation
from ..reading.resolver import Resolver
from ..reading.running import reads_everything
from ..rewriting.managers import Unwritten, generators_of, may_suppress, place_of
from ..rewriting.names import Names
from ..rewriting.stores import Stores
from ..syntax.ir import Atom, Copy, If, Jump, Loop, Plain, Statement, Try, Unpack, With
from ..syntax.kinds import OUTER, PARTS, SEQUENCES
from ..syntax.scopes import base, binds, children, own, own_statements, reads, returns_inside, stored
from ..syntax.trees import at, like, name_at
from .guarding import Guarding

_ASSIGNMENTS = (ast.Assign, ast.AnnAssign)
_BINDING = (ast.For, ast.With)
_NONE: frozenset[str] = frozenset()
_ON = {kind: f"_on_{kind.__name__.lower()}" for kind in ast.stmt.__subclasses__()}


class Lowering(Guarding):
    """Lowers the statements of one function; stores and expressions by its bases."""

    def __init__(
        self,
        filename: str,
        activity: Activity,
        stores: Stores,
        resolver: Resolver,
        names: Names,
        closures: Closures,
        mutation: Mutation,
        outer: frozenset[str],
        guarded: dict[str, str],
        flags: dict[str, str],
    ) -> None:
        super().__init__(filename, resolver, names, closures)
        self.activity = activity
        self.stores = stores
        self.mutation = mutation
        self.outer = outer
        self.guarded = guarded
        self.flags = flags
        self.plainly = set()
        self.busy = ""  # inside a `try`, the variable that is true while a call may change its arguments

    def changes(self, e: ast.expr) -> bool:
        if type(e) is ast.Name:
            return e.id in self.later and bool(self.resolver.as_value(e.id))
        return bool(self.later) and not self.mutation.shared(e).isdisjoint(self.later)

    def block(self, body: list[ast.stmt]) -> list[Statement]:
        """Lower statements into a list of their own."""
        outer, self.out = self.out, []
        for s in body:
            if s in self.activity.varied:
                self.varied = set(self.activity.varied[s])
                self.useful = self.activity.useful[s]
                self.later = self.mutation.written_later(s)
                self.current, self.unbound = s, _bound_by(s)
                self._check(s)
                self.guarded_statement(s)
        block, self.out = self.out, outer
        return block

    def _check(self, s: ast.stmt) -> None:
        """Refuse what would carry a value past the analysis, wherever in the statement it stands."""
        self.reading_later(s)
        self.calling_later(s)
        mine = own(s)
        for e in mine.named:
            if not self.activity.ever_varied.isdisjoint({e.target.id, *mine.reads}):
                self.refuse(
                    e, "an assignment inside an expression (`:=`)", "assign in a statement of its own"
                )
        for call in mine.calls:
            _, P = self.resolver.value(call.func)
            if isinstance(P, type) and not reads(call).isdisjoint(self.varied):
                refuse_unseen(P)
            if name := reads_everything(call, self.resolver):
                self.refuse(
                    call, f"`{name}`, which sees every variable,", "name the variables that it should see"
                )
        if isinstance(s, _BINDING):
            targets = [s.target] if isinstance(s, ast.For) else [i.optional_vars for i in s.items]
            active = isinstance(s, ast.For) and varies(s.iter, self.varied, self.resolver)
            for t in (t for target in targets if target is not None for t in stored(target)):
                if active or varies(t, self.varied, self.resolver):
                    self.refuse(
                        t,
                        f"the store of what a `for` or `with` binds into `{ast.unparse(t)}`",
                        "bind a name, and assign it in the body",
                    )

    def statement(self, s: ast.stmt) -> None:
        method = getattr(self, _ON.get(type(s), ""), self._as_written)
        method(s)

    def _as_written(self, s: ast.stmt) -> None:
        """A statement without active computation is kept; with it, refused."""
        active = self._is_active(s)
        if active or returns_inside(s):
            kind = type(s).__name__.lower()
            self.refuse(
                s,
                f"a `{kind}` statement {'around a differentiated computation' if active else 'that returns'}",
                "move it out of the function that is differentiated",
            )
        self.plain(s, tuple(binds(s)))

    def _is_active(self, s: ast.stmt) -> bool:
        own = isinstance(s, ast.Nonlocal) and self.outer.isdisjoint(s.names)  # they were handed over
        if own or isinstance(s, ast.Raise | ast.Assert | ast.Pass | ast.Import | ast.ImportFrom):
            return False
        varied = self.varied | self.activity.ever_varied if isinstance(s, ast.ClassDef) else self.varied
        if isinstance(s, OUTER):
            return bool(set(s.names) & self.activity.ever_varied)
        return any(varies(child, varied, self.resolver) for child in children(s))

    def _on_assign(self, s: ast.Assign) -> None:
        first, value = s.targets[0], s.value
        if type(first) is ast.Name and len(s.targets) == 1:  # what most are
            if varies(value, self.varied, self.resolver) and (
                first.id in self.useful or acts(s, self.varied, self.resolver)
            ):
                self.bind(first.id, value)
                self.unbound -= {first.id}
            else:
                self.plain(s, (first.id,))
            return
        if not self._wanted(s, value, *s.targets):
            for target in s.targets:
                self.keyed(target, "__setitem__")
            self.plain(s, tuple(n for t in s.targets for n in binds(t)))
            return
        for target in s.targets:  # several of a name or a constant only: see desugar
            self._assign(target, value, s)

    def _on_annassign(self, s: ast.AnnAssign) -> None:
        if s.value is None or not self._wanted(s, s.value, s.target):
            if s.value is not None:
                self.keyed(s.target, "__setitem__")
            self.plain(s, tuple(binds(s.target)) if s.value is not None else ())
        else:
            self.target(s.target, s.value, s)

    def _on_augassign(self, s: ast.AugAssign) -> None:
        if not isinstance(s.target, ast.Name):
            active = varies(s.value, self.varied, self.resolver)
            active = active or puts(s.target, self.varied, self.resolver)
            if active and not self.counted_outside(s):
                self.store_augmented(s)
            else:
                self.keyed(s.target, "__setitem__")
                self.plain(s, ())
            return
        read = name_at(s.target.id, s.target)
        active = varies(ast.BinOp(read, s.op, s.value), self.varied, self.resolver)
        deep = self.mutation.stores_deep(s, s.target)
        if active:
            self.guard(s.target.id, s.target.id, False, s.target)
        if not active or not (s.target.id in self.useful or self.mutation.mates(s.target.id, s, deep)):
            self.plain(s, (s.target.id,))
            return
        left, right = self.atoms([read, s.value])
        operands = [left, self.kept_atom(right, s.value, "operand")]
        noted = self.noting(s.target.id, [], s.target) if deep else []
        self.emit(s.target.id, Atom(self.names.augmented(s.op)), operands, s)
        self.let_go(noted, [s.target.id], s.target)
        self.told(s.target.id, [], s.target)
        self.told_inside(s.target.id, s.target.id, s.target)

    def _on_delete(self, s: ast.Delete) -> None:
        for t in s.targets:
            if isinstance(t, ast.Subscript) and puts(t, self.varied, self.resolver, "__delitem__"):
                self.delete_item(t)
            else:
                self.keyed(t, "__delitem__")
                self.plain(at(ast.Delete([t]), s), tuple(binds(t)))

    def _wanted(self, s: ast.stmt, value: ast.expr, *targets: ast.expr) -> bool:
        """Whether a derivative must flow from this value into a target, or be taken out of one."""
        active = varies(value, self.varied, self.resolver)
        if own(s).stores and any(
            active or puts(t, self.varied, self.resolver) for target in targets for t in stored(target)
        ):
            return True
        return active and (
            any(not binds(t).isdisjoint(self.useful) for t in targets) or acts(s, self.varied, self.resolver)
        )

    def target(self, target: ast.expr, value: ast.expr, origin: ast.stmt) -> None:
        """Assign a value to a name, store it, or unpack it."""
        if isinstance(target, ast.Name):
            if varies(value, self.varied, self.resolver):
                self.bind(target.id, value)
            else:
                self.plain_assign(target.id, value)
            self.unbound -= {target.id}
            return
        if isinstance(target, PARTS):
            self.store(target, value)
            return
        assert isinstance(target, SEQUENCES)
        starred = [i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)]
        values = value.elts if isinstance(value, ast.Tuple) else []
        if len(values) == len(target.elts) and not any(
            isinstance(e, ast.Starred) for e in (*target.elts, *values)
        ):
            self._pairwise(target.elts, values, origin)
            return
        self._unpack(target.elts, starred, value, origin)

    def _pairwise(self, targets: list[ast.expr], values: list[ast.expr], origin: ast.stmt) -> None:
        """`a, b = b, a + b`: every value before any target."""
        temporaries = []
        for target, value in zip(targets, values, strict=True):
            name = self.names.fresh("t")
            if varies(value, self.varied, self.resolver):
                self.into(name, value)
                self.varied.add(name)
                made = self.own_value([target], Atom(name_at(name, value), name), value)
                temporaries.append(made.node)
            else:
                self.plain_assign(name, value)
                temporaries.append(name_at(name, value))
        for target, read in zip(targets, temporaries, strict=True):
            self._assign(target, read, origin)

    def _assign(self, target: ast.expr, value: ast.expr, origin: ast.stmt) -> None:
        """As `target`, but as written where nothing varies."""
        if varies(value, self.varied, self.resolver) or any(
            puts(t, self.varied, self.resolver) for t in stored(target)
        ):
            self.target(target, value, origin)
        else:
            self.keyed(target, "__setitem__")
            assign = at(ast.Assign([target], value), origin)
            self.plain(assign, tuple(binds(target)))
            self.unbound -= binds(target)

    def _unpack(self, targets: list[ast.expr], starred: list[int], made: ast.expr, origin: ast.stmt) -> None:
        owner = self.atom(made)
        value = self.atom(self.call_helper("items", [owner.node], origin))
        source = self.own_value(targets, value, made, owner).node
        if starred:
            before, after = starred[0], len(targets) - starred[0] - 1
            counts = [ast.Constant(before), ast.Constant(after)]
            source = self.call_helper("regroup", [source, *counts], origin)
        names, nested = [], []
        for t in targets:
            plain = t.value if isinstance(t, ast.Starred) else t
            if isinstance(plain, ast.Name):
                names.append(plain.id)
            else:
                names.append(self.names.fresh("t"))
                nested.append((plain, names[-1]))
        assert isinstance(source, ast.Name)
        self.out.append(Unpack(names, source.id, origin))
        self.unbound -= set(names)
        for inner, name in nested:
            self.varied.add(name)
            self.target(inner, name_at(name, inner), origin)

    def _on_expr(self, s: ast.Expr) -> None:
        """A call for its effect: looked up, since it may change what it is given."""
        value = s.value
        if isinstance(value, ast.Yield):
            self.yielded(s)
            return
        changed = frozenset[str]().union(*(base(c.owner) for c in self.mutation.written(s)))
        if isinstance(value, ast.Constant) or not (
            varies(value, self.varied, self.resolver) or changed & self.varied
        ):
            self.plain(s, ())
        else:
            self.into(self.names.fresh("t"), value)

    def _on_if(self, s: ast.If) -> None:
        self.out.append(If(s.test, self.block(s.body), self.block(s.orelse), s))

    def _on_while(self, s: ast.While) -> None:
        self.out.append(Loop(s, (), self.block(s.body), self.block(s.orelse), s))

    def _on_with(self, s: ast.With) -> None:
        changed = (self.mutation.affected(inner) | binds(inner) for inner in own_statements(s.body))
        at_end = self.varied | (self.activity.ever_varied & _NONE.union(*changed))
        for e in (item.context_expr for item in s.items):
            if not varies(e, at_end, self.resolver):
                continue
            made_of = [] if varies(e, self.varied, self.resolver) else generators_of(e, self.resolver)
            if not made_of:
                raise Unwritten(place_of(s))
            if any(map(self.resolver.writes, made_of)):
                self.refuse(
                    e,
                    "a manager made by `contextmanager` that changes what varies when it ends",
                    "write it as a class with `__enter__` and `__exit__`",
                )
        bound = tuple(n for i in s.items if i.optional_vars is not None for n in binds(i.optional_vars))
        items = [like(i, context_expr=self.as_written(i.context_expr)) for i in s.items]
        header, guarded = like(s, items=items), any(self.may_change(b, self.varied) for b in s.body)
        body = self.block(s.body)
        if not guarded and all(
            isinstance(b, Plain) and not set(b.binds) & self.activity.ever_varied for b in body
        ):
            self.out.append(With(header, bound, body, s))
            return
        if any(may_suppress(item.context_expr, self.resolver) for item in s.items):
            raise Unwritten(place_of(s))
        ended = self.names.fresh("ended")
        self.plain_assign(ended, at(ast.Constant(False), s))
        outer, self.out = self.out, body
        self.plain_assign(ended, at(ast.Constant(True), s))
        self.out = outer
        self.out.append(With(header, bound, body, s))
        check = self.plain_call("completed", [ast.Name(ended, ast.Load())], s)
        self.out.append(Plain(at(ast.Expr(check), s), ()))

    def _on_try(self, s: ast.Try | ast.TryStar) -> None:
        """A `try`: an error of the engine's own passes every handler of the user's."""
        whole = self.activity.varied[s] | self.activity.ever_varied
        parts = (*s.body, *s.handlers, *s.orelse, *s.finalbody)
        active = any(varies(n, whole, self.resolver) for n in parts) or self.may_change(s, whole)
        if not active and not returns_inside(s):
            self.plain(s, tuple(binds(s)))
            return
        outermost, flag = not self.busy, self.busy or self.names.fresh("busy")
        if outermost:
            self.plain_assign(flag, at(ast.Constant(False), s))
        self.busy = flag
        body = self.block(s.body)
        self.busy = "" if outermost else flag
        handlers = []
        for h in s.handlers:
            self._check_carried(h)
            check = self.plain_call("undisturbed", [ast.Name(flag, ast.Load())], h)
            start = Plain(at(ast.Expr(check), h), (h.name,) if h.name else ())
            handlers.append((h, [start, *self.block(h.body)]))
        orelse, final = self.block(s.orelse), self.block(s.finalbody)
        returns = any(isinstance(n, ast.Return) for n in own_statements([s]))
        if returns and any(not isinstance(f, Plain) for f in final):
            self.refuse(
                s,
                "a `try` that returns, with a `finally` that computes with differentiated values,",
                "return after the `try`",
            )
        self.out.append(Try(body, handlers, orelse, final, s))

    _on_trystar = _on_try

    def _check_carried(self, h: ast.ExceptHandler) -> None:
        """Refuse to read what an exception carries: a derivative does not travel with it."""
        for n in (n for s in h.body for n in ast.walk(s)):
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == h.name:
                self.refuse(n, "a value that an exception carries", "keep it in a variable before raising")

    def _on_break(self, s: ast.Break) -> None:
        self.out.append(Jump(s))

    def _on_continue(self, s: ast.Continue) -> None:
        self.out.append(Jump(s))

    def copy(self, target: str, source: Any, origin: ast.AST) -> None:
        self.out.append(Copy(target, self.escaping(source), origin))


def _bound_by(s: ast.stmt) -> frozenset[str]:
    """The names that a statement itself binds, after it has evaluated what it is given."""
    if isinstance(s, _ASSIGNMENTS):
        return binds(s)
    return binds(s.target) if isinstance(s, ast.For) else _NONE
