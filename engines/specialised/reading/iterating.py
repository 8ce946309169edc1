"""Iterating: loops, and the lists that comprehensions make.

A loop over the items of sequences counts, and takes each item by its index. A comprehension is a list that a
loop appends to; so is a generator expression, where whoever is given it goes through all of it at once.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ...source.syntax.scopes import reads
from .calling import Calling
from .crossing import CROSSES, Crossing
from .declined import Declined
from .expressions import OWN_LIST, YIELDED
from .folding import Folding
from .looping import Looping, is_view
from .quoted import expression, statements
from .steps import Step

Taking = Callable[[Step], str]
"""What takes the value of a target in a turn of a loop, by its counter."""
_ITERABLE = "iterable."
"""What a comprehension goes through is called: no name of a program."""


class Iterating(Folding, Crossing, Looping, Calling):
    """Reads the loops of one function."""

    peelable = False
    """Whether the function has a loop whose first turn can be read by itself."""

    def loop(self, s: ast.For | ast.While, out: list[Step]) -> None:
        """A loop; one over the items of a sequence counts, and takes each by its index."""
        instead = self._instead(s, out)
        for x in instead:
            self.statement(x, out)
        if instead:
            return
        step = Step("loop", line=s.lineno)
        self.loops += 1
        self.depth += 1
        if isinstance(s, ast.While):
            step.text = "while"
            test = self.value(s.test, step.body)
            inner = Step("if", args=(test,), line=s.lineno, orelse=[Step("break", line=s.lineno)])
            self.known = {}
            self.block(s.body, inner.body)
            step.body.append(inner)
        else:
            self.depth -= 1
            pairs = self.items(s, out)
            over, counter = (self.value(s.iter, out), "") if pairs is None else (pairs[1], pairs[0])
            counted = pairs is not None or self._callee(s.iter) is range
            peelable = counted and self.depth == 0 and _turns_are_whole(s)
            self.peelable = self.peelable or peelable
            if self.manner.peels and peelable:
                over = self._peeled(s, over, pairs, out)
            self.depth += 1
            step.args, step.target = (over,), counter
            if isinstance(s.target, ast.Name) and pairs is None:
                step.target = self.named(s.target.id)
            self._turn(s, step, pairs)
        self.known = {}  # what a turn has read is not there where there was none
        self.loops -= 1
        self.depth -= 1
        step.stops = any(x.op == "break" for x in _own(step.body))
        out.append(step)

    def _turn(self, s: ast.For, step: Step, pairs: Any) -> None:
        """The steps of one turn of a loop, whose counter is the target of a step."""
        if pairs is not None:
            step.facts["items"] = True
            for target, taken in pairs[2]:
                self.bind(target, taken(step), step.body)
        elif not isinstance(s.target, ast.Name):
            step.target = step.target or self.fresh()
            self.bind(s.target, step.target, step.body)
        elif step.target != self.now.get(s.target.id):
            self.bind(s.target, step.target, step.body)
        self.known = {}
        self.block(s.body, step.body)

    def _peeled(self, s: ast.For, over: str, pairs: Any, out: list[Step]) -> str:
        """The first turn of a loop by itself, where there is one; and what the others go through."""
        line, counted = s.lineno, pairs is not None
        count = pairs[3] if counted else self.call_step(len, "len", (over,), line, out)
        some = Step("compare", self.fresh(), (count, "=0"), line, "!=")
        held = Step("if", args=(some.target,), line=line, orelse=[Step("deopt", line=line)])
        at = self.fresh()
        first = Step("copy", at, ("=0",), line) if counted else Step("get", at, (over,), line, "0")
        out += [some, held, first]
        self._turn(s, Step("loop", at, line=line, body=out), pairs)
        if counted:
            return self.call_step(range, "range", ("=1", count), line, out)
        out.append(Step("get", self.fresh(), (over,), line, "1:"))
        return out[-1].target

    def _instead(self, s: ast.For | ast.While, out: list[Step]) -> list[ast.stmt]:
        """The statements that stand in the place of a loop; none where it is read as it is."""
        if isinstance(s, ast.While):
            return []
        if self.manner.tables and is_view(s.iter):
            return self.over_keys(s)
        f = self._callee(s.iter)
        if any(f is c for c in CROSSES):
            return [self.crossed(s, f, out)]
        return self.without_end(s) if f is itertools.count else []

    def items(self, s: ast.For, out: list[Step]) -> Any:
        """How a loop over items counts: (counter, range, [(target, what takes its value)], count)."""
        line, e, target, f = s.lineno, cast("Any", s.iter), s.target, self._callee(s.iter)
        if f is range or (f is reversed and self._callee(e.args[0]) is range):
            return None
        counter, pairs, strict = self.fresh("i"), list[tuple[ast.expr, Taking]](), False
        if f is enumerate and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            if not e.args:
                raise Declined("a count of nothing")
            start = e.args[1] if len(e.args) == 2 else e.keywords[0].value if e.keywords else ast.Constant(0)
            pairs.append((target.elts[0], self._count(self.value(start, out), line)))
            target, e = target.elts[1], e.args[0]
            f = self._callee(e)
        sources, targets = [e], [target]
        if f is zip and e.args and isinstance(target, ast.Tuple) and len(target.elts) == len(e.args):
            sources, targets = e.args, target.elts
            strict = any(isinstance(k.value, ast.Constant) and k.value.value is True for k in e.keywords)
        sizes: list[str] = []
        for source, t in zip(sources, targets, strict=True):
            back = self._callee(source) is reversed
            base = self._step(
                out, "iter", self.fresh(), (self.consumed(source.args[0] if back else source, out),), line
            )
            out[-1].facts["consumed"] = True
            sizes.append(self.call_step(len, "len", (base,), line, out))
            last = self._step(out, "binary", self.fresh(), (sizes[-1], "=1"), line, "-") if back else ""
            pairs.append((t, self._item(base, last, s)))
        for size in sizes[1:] if strict else ():  # no run in which these numbers differ
            same = self._step(out, "compare", self.fresh(), (sizes[0], size), line, "==")
            out.append(Step("if", args=(same,), line=line, orelse=[Step("deopt", line=line)]))
        count = sizes[0] if len(sizes) == 1 else self.call_step(min, "min", tuple(sizes), line, out)
        return counter, self.call_step(range, "range", (count,), line, out), pairs, count

    def _count(self, start: str, line: int) -> Taking:
        """Takes the count of a turn, from somewhere on."""

        def taken(loop: Step) -> str:
            if start == "=0":
                return loop.target
            return self._step(loop.body, "binary", self.fresh(), (loop.target, start), line, "+")

        return taken

    def _item(self, base: str, last: str, s: ast.For) -> Taking:
        """Takes the item of a turn; from the end, where the place of the last is given."""
        facts = {"item": True, "grows": any(map(_appends, s.body))}

        def taken(loop: Step) -> str:
            at = loop.target
            if last:
                at = self._step(loop.body, "binary", self.fresh(), (last, at), s.lineno, "-")
            target, names = self.fresh(), (at,)
            return self._step(loop.body, "get", target, (base,), s.lineno, at, names=names, facts=dict(facts))

        return taken

    def _callee(self, e: ast.expr) -> Any:
        """What a call calls, where that is known and it has no stars, and only keywords that a loop knows."""
        if not isinstance(e, ast.Call):
            return None
        f = self.constant(e.func)
        if any(isinstance(a, ast.Starred) for a in e.args) and not (f is np.ndindex and len(e.args) == 1):
            return None
        allowed = {enumerate: {"start"}, zip: {"strict"}}.get(f, set()) if f in (enumerate, zip) else set()
        constants = all(f is enumerate or isinstance(k.value, ast.Constant) for k in e.keywords)
        return f if {k.arg for k in e.keywords} <= allowed and constants else None

    def call_step(self, f: Any, name: str, args: tuple[str, ...], line: int, out: list[Step]) -> str:
        """A call of a builtin of Python's that the program does not write out."""
        if name in self.taken and self.constants.get(name, f) is not f:
            raise Declined(f"another {name}")
        if name in self.locals or name in self.captured or self.f.__globals__.get(name, f) is not f:
            raise Declined(f"another {name}")
        self.constants[name] = f
        step = Step("call", self.fresh(), (f"={name}", *args), line)
        out.append(step)
        return step.target

    # comprehensions

    def _listcomp(self, e: Any, out: list[Step]) -> str:
        """`[v for x in it for y in x if c]` as loops that append; its variables are its own."""
        if any(g.is_async for g in e.generators):
            raise Declined("a comprehension that waits")
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(e)):
            raise Declined("an assignment in a comprehension")
        target = self._step(out, "list", self.fresh(), (), e.lineno)
        own = {n.id for g in e.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        before, locals_before = dict(self.now), set(self.locals)
        inner = {n: self.fresh(f"{n}_") for n in own}
        made = statements("own.append(v)", e, own=OWN_LIST, v=e.elt)
        first = e.generators[0]
        g_iter: ast.expr = first.iter
        of_table = self.manner.tables and is_view(g_iter)
        known = (range, zip, enumerate, reversed, *CROSSES)
        if not of_table and not any(self._callee(g_iter) is f for f in known):
            self.now[_ITERABLE] = self.consumed(g_iter, out)
            g_iter = expression("own", e, own=_ITERABLE)
        elif own & reads(g_iter):
            raise Declined("a comprehension that goes through what has the name of its variable")
        for g in reversed(e.generators):
            for test in reversed(g.ifs):
                made = statements("if test: made", e, test=test, made=made)
            over = g_iter if g is first else g.iter
            made = statements("for x in over: made", e, x=g.target, over=over, made=made)
        self.locals |= own | {OWN_LIST, _ITERABLE}
        self.now.update({**inner, OWN_LIST: target})
        self.depth += 1
        self.loop(made[0], out)
        self.depth -= 1
        self.now, self.locals = before, locals_before
        return target


def _own(steps: list[Step]) -> list[Step]:
    """The steps of a loop's body that no inner loop holds."""
    found = []
    for s in steps:
        found.append(s)
        if s.op != "loop":
            found += _own(s.body) + _own(s.orelse)
    return found


def _turns_are_whole(loop: ast.For) -> bool:
    """Whether nothing leaves a turn of a loop before its end."""
    return not any(isinstance(n, ast.Break | ast.Continue | ast.Return) for n in ast.walk(loop))


def _appends(n: ast.AST) -> bool:
    return any(
        isinstance(c, ast.Attribute)
        and c.attr in ("append", "pop", "insert", "extend", "popleft", "appendleft")
        and not (isinstance(c.value, ast.Name) and c.value.id in (OWN_LIST, YIELDED))
        for c in ast.walk(n)
    )
