"""Normalise, what runs step by step: loops over active values, and the `yield` of a generator.

A loop goes through the places of what it runs over: a tuple of items, or a stream that advances meanwhile.
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from . import recipes
from .activity import varies
from .forms import Form
from .ir import Loop, Plain, Statement, Yield
from .kinds import YIELDS
from .locate import Source
from .storing import Storing
from .syntax import Scope, binds, own, own_statements, walk
from .trees import STORE, at, load, name_at, place, tuple_of
from .trees import own as own_name
from .where import refusal

_LAZY = frozenset(
    map(
        id,
        (
            zip,
            map,
            filter,
            enumerate,
            reversed,
            itertools.accumulate,
            itertools.starmap,
            itertools.filterfalse,
            *recipes.OF_CONTAINERS,
        ),
    )
)
"""Which functions give an iterator, as objects: what a program calls may have no hash."""


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
            self.out.append(Loop(s, tuple(binds(s.target)), self.block(s.body), self.block(s.orelse), s))
            return
        source = self.call_helper("steps", [self.atom(s.iter).node], s.iter)
        assert isinstance(source, ast.Name)
        changed = frozenset[str]().union(*map(self.mutation.affected, own_statements(s.body)))
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
        if type(value) is not ast.Call or id(self.resolver.value(value.func)[1]) not in _LAZY:
            return value
        reads = [n for s in self.mutation.body for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
        if sum(isinstance(n.ctx, ast.Load) for n in reads) < 2:
            return value
        return self.plain_call("iter_", [value], value)

    def yielded(self, s: ast.Expr) -> None:
        """`yield value` as a statement."""
        assert isinstance(s.value, ast.Yield)
        e = s.value.value or at(ast.Constant(None), s)
        value = self.escaping(self.atom(e))
        if value.varied and self.mutation.shared(e) & self.later:
            self.check("steady", [value.node, ast.Constant("an object that a generator yields")], s)
        self.out.append(Yield(value, s))

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
