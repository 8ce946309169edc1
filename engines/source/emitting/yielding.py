"""Normalise, what runs step by step: loops over active values, and the `yield` of a generator.

A loop goes through the places of what it runs over: a tuple of items, or a stream that advances meanwhile.
"""

from __future__ import annotations

import ast
import functools
import pathlib
from types import FunctionType
from typing import Any

from ..analysis.activity import varies
from ..analysis.changers import span_of
from ..analysis.forms import Form
from ..memory.earlier_views import path_of
from ..reading.locate import Source
from ..rewriting.kept_lazies import running_later
from ..rewriting.loops import LAZY, read_by, viewed
from ..syntax.ir import Call, Loop, Plain, Return, Statement, Yield
from ..syntax.kinds import YIELDS
from ..syntax.scopes import GENERATOR, Scope, binds, captured, own, own_statements, walk, yields
from ..syntax.trees import STORE, at, like, load, name_at, place, tuple_of
from ..syntax.trees import own as own_name
from ..syntax.where import refusal
from .storing import Storing

_FUNCTIONS = (ast.Lambda, ast.FunctionDef)
_LOOKS_ITSELF = ("rewriting/kept_lazies", "rewriting/rows")
_ASKING, _HANDED_ON = (
    frozenset(str(pathlib.Path(__file__).parents[1] / f"{name}.py") for name in names)
    for names in (_LOOKS_ITSELF, (*_LOOKS_ITSELF, "nesting/streams", "rewriting/recipes"))
)
"""Where what is gone over asks by itself whether it changed; where what returns a stream does so for a call
that was looked at."""


class Yielding(Storing):
    """Lowers loops and yields."""

    activity: Any

    def block(self, body: list[ast.stmt]) -> list[Statement]:
        """Lower statements into a list of their own."""
        raise NotImplementedError

    def target(self, target: ast.expr, value: ast.expr, origin: ast.stmt) -> None:
        """Assign a value to a name, store it, or unpack it."""
        raise NotImplementedError

    def _on_for(self, s: ast.For) -> None:
        if not varies(s.iter, self.varied, self.resolver):
            over = self.as_written(s.iter)
            header = s if over is s.iter else like(s, iter=over)
            self.out.append(Loop(header, tuple(binds(s.target)), self.block(s.body), self.block(s.orelse), s))
            return
        changed = frozenset[str]().union(*map(self.mutation.affected, own_statements(s.body)))
        self.later |= changed  # after what it goes over was computed
        given = self.atom(s.iter)
        if not binds(s.target).isdisjoint(self.later):
            given = self.in_variable(self.freed(given, s.iter), s.iter)
        source = self.call_helper("steps", [given.node], s.iter)
        assert isinstance(source, ast.Name)
        owned = sorted(binds(s.target) & changed)
        index = self.names.fresh("i")
        header = ast.For(
            own_name(index, STORE), self.plain_call("places", [source], s.iter), s.body, s.orelse, None
        )
        outer, self.out = self.out, []
        self.varied = {*self.activity.varied[s.body[0]], source.id}
        self.useful |= binds(s.target)
        read = at(ast.Subscript(source, name_at(index, s.target), ast.Load()), s.target)
        self.target(s.target, read, s)
        if owned:
            self.check("own_items", [tuple_of([source]), *map(load, owned)], s.iter)
        head, self.out = self.out, outer
        loop = Loop(at(header, s), (index,), head + self.block(s.body), self.block(s.orelse), s)
        self.out.append(loop)

    def iterator(self, name: str, value: ast.expr) -> ast.expr:
        """What a name is bound to: of `zip(…)` and its kin an iterator, where it is read more than once.

        Such a value is a tuple otherwise, which can be gone through again where Python's cannot.
        """
        if type(value) is not ast.Call or id(self.resolver.value(value.func)[1]) not in LAZY:
            return value
        reads = [n for s in self.mutation.body for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
        if sum(isinstance(n.ctx, ast.Load) for n in reads) < 2:
            return value
        return self.plain_call("iter_", [value], value)

    def calling_later(self, s: ast.stmt) -> None:
        """Refuse what `map` and its kin call where that captured a variable that is bound anew meanwhile."""
        for made, e, kept in running_later(s, self.mutation):
            node = self.closures.defined.get(e.id) if isinstance(e, ast.Name) else e
            names = captured(node) if isinstance(node, _FUNCTIONS) else frozenset[str]()
            at_once = id(self.resolver.value(made.func)[1]) in LAZY and self._gives_varied(s)
            if not at_once:
                names &= self.activity.ever_varied
            for other in self._meanwhile(s, kept) if names else ():
                if rebound := names & own(other).binds:
                    self.refuse(
                        s,
                        f"a function that runs step by step, while variables that it captures"
                        f" ({', '.join(sorted(rebound))}) are rebound,",
                        "bind them once before it, or make a list of what it gives",
                    )

    def _gives_varied(self, s: ast.stmt) -> bool:
        """Whether what a statement goes over, or binds to a name, varies."""
        if isinstance(s, ast.For):
            return varies(s.iter, self.varied, self.resolver)
        return not binds(s).isdisjoint(self.activity.ever_varied)

    def _meanwhile(self, s: ast.stmt, kept: bool) -> list[ast.stmt]:
        """The statements that may run while what a statement goes over, or makes, is still read."""
        if isinstance(s, ast.For):
            return [s, *own_statements(s.body)]
        later = [t for t in self.mutation.statements if self.mutation.follows(s, t)]
        if kept or not isinstance(s, ast.Assign) or not isinstance(s.targets[0], ast.Name):
            return later
        return [t for t in later if self._reads_after(binds(s), t)]

    def _reads_after(self, names: frozenset[str], s: ast.stmt) -> bool:
        """Whether names, or others for the same, are read after a statement or by a loop around it."""
        for t in self.mutation.statements:
            if isinstance(t, ast.Assign) and isinstance(t.value, ast.Name) and t.value.id in names:
                names |= binds(t)
        if names & self.mutation.alive.get(s, frozenset()):
            return True
        loops = (t for t in self.mutation.statements if isinstance(t, ast.For) and names & own(t).reads)
        return any(s is t or s in own_statements(t.body) for t in loops)

    def reading_later(self, s: ast.stmt) -> None:
        """Refuse what `iter`, `zip` and their kin go over where it changes before all of it was read."""
        if not isinstance(s, ast.Assign) or not (given := read_by(s.value, self.mutation)):
            return
        given &= self.activity.ever_varied
        for later in self.mutation.statements if given and binds(s) else ():
            changed = given & self.mutation.affected(later) if later is not s else frozenset[str]()
            if changed and self._reads_after(binds(s), later):
                for name in sorted(changed):
                    what = ast.Constant(f"`{name}`, which is read step by step,")
                    way = path_of(viewed(s.value))
                    attributes = [ast.Constant(each) for each in way[1]] if way else []
                    self.check("steady_apart" if way else "steady", [load(name), what, *attributes], s)
                given -= changed

    def _on_return(self, s: ast.Return) -> None:
        value = self.escaping(self.atom(s.value or at(ast.Constant(None), s)))
        asked = value.varied and self.mutation.always and self.filename not in _HANDED_ON
        if asked and any(map(self._may_generate, self._calls)):
            self.check("ended", [value.node], s)
        self.out.append(Return(value, s))

    @functools.cached_property
    def _calls(self) -> list[ast.Call]:
        return [c for s in self.mutation.statements for c in own(s).calls]

    def lasts(self, call: Call, expressions: list[ast.expr]) -> bool:
        if not self._may_generate(call.origin):
            return False
        taken = self.resolver.taken
        if taken and isinstance(call.origin, ast.Call) and span_of(call.origin) in taken:
            return True
        if not self.mutation.always:
            return False
        meanwhile = self.mutation.meanwhile.get(self.current, frozenset())
        return all(meanwhile.isdisjoint(self.mutation.shared(e)) for e in expressions)

    def _may_generate(self, call: ast.AST) -> bool:
        """Whether a call may make a generator, as far as is known of what is called."""
        if not isinstance(call, ast.Call):
            return False
        known, value = self.resolver.value(call.func)
        if known:
            return isinstance(value, FunctionType) and bool(value.__code__.co_flags & GENERATOR)
        node = self.closures.defined.get(getattr(call.func, "id", ""))
        return node is None or (isinstance(node, ast.FunctionDef) and yields(node.body))

    def yielded(self, s: ast.Expr) -> None:
        """`yield value` as a statement."""
        assert isinstance(s.value, ast.Yield)
        e = s.value.value or at(ast.Constant(None), s)
        value = self.escaping(self.atom(e))
        again = self.resolver.helpers & self.outer or self.filename in _ASKING  # which ask by themselves
        if value.varied and self.mutation.shared(e) & self.later and not again:
            helper = "steady_items" if self._only_computed(e) else "steady"
            self.check(helper, [value.node, ast.Constant("an object that a generator yields")], s)
        self.out.append(Yield(value, s))

    def _only_computed(self, e: ast.expr) -> bool:
        """Whether this is a sum, product or the like that only the caller may change: then only lists can."""
        name = getattr(e, "id", "")
        made = self.mutation.values.get(name, ()) if name not in self.closures.parameters else ()
        meanwhile = self.mutation.meanwhile.get(self.current, frozenset())
        return bool(made) and name not in meanwhile and all(type(v) is ast.BinOp for v in made)

    def check(self, helper: str, arguments: list[Any], origin: ast.AST) -> None:
        """A call of a helper that raises where something is not supported."""
        asked = self.plain_call(helper, arguments, origin)
        self.out.append(Plain(at(ast.Expr(asked), origin), ()))


def generating(source: Source, form: Form, body: list[ast.stmt]) -> list[Statement]:
    """What a generator's program begins with; refuses what a generator cannot be differentiated in."""
    node = source.node
    if form.lent:
        raise refusal(
            node,
            source.filename,
            f"the generator {source.code.co_name}, which changes what it is given, is not differentiated",
            "give it a copy, or write a function that returns a list",
        )
    statements = [s for s in own_statements(body) if not isinstance(s, Scope)]
    as_statements = {id(s.value) for s in statements if isinstance(s, ast.Expr)}
    for e in (e for s in statements for e in own(s).expressions):
        if isinstance(e, YIELDS) and id(e) not in as_statements:
            raise refusal(
                e,
                source.filename,
                "a `yield` whose value is used is not differentiated",
                "yield in a statement of its own, and pass values as arguments",
            )
    never = ast.If(
        ast.Constant(False), [ast.Expr(ast.Yield())], []
    )  # a generator even if no yield is reached
    return [Plain(place(never, node), ())]
