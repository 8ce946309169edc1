"""Folding: `reduce`, `accumulate` and `prod` as loops.

reduce(f, xs, start)        total = start; for x in xs: total = f(total, x)
sum(xs, start)              the same with +, where objects are added
math.prod(xs)               the same with *
accumulate(xs, f)           the same, from the first item on, with each total in a list
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .expressions import OWN_LIST
from .steps import Step

_ADD = ast.Add()


class Folding:
    """Reads these calls; Iterating reads loops."""

    depth: int
    locals: set[str]
    now: dict[str, str]
    fresh: Callable[..., str]
    value: Callable[..., str]
    consumed: Callable[..., str]
    constant: Callable[[ast.expr], Any]
    loop: Callable[..., None]
    call_step: Callable[..., str]
    _step: Callable[..., str]

    def reduced(self, e: ast.Call, out: list[Step]) -> str:
        """The value of `reduce`."""
        return self._folded(e.args[0], e.args[1], e.args[2] if len(e.args) == 3 else None, e, out)

    def summed(self, e: ast.Call, out: list[Step], op: ast.operator) -> str:
        """The value of `sum` or `prod`, one after the other."""
        if len(e.args) == 0 or any(isinstance(a, ast.Starred) for a in e.args):
            raise Declined("a sum or product of nothing, or with stars")
        starts = [*e.args[1:], *(k.value for k in e.keywords)]
        if isinstance(op, ast.Mult) and not starts:
            return self._product(e, op, out)
        return self._folded(None, e.args[0], starts[0] if starts else None, e, out, op=op, first=not starts)

    def _product(self, e: ast.Call, op: ast.operator, out: list[Step]) -> str:
        """The product of what there is; one where there is nothing."""
        target, items = self.fresh(), self.fresh("items")
        self.locals.add(items)
        self.now[items] = self.consumed(e.args[0], out)
        count = self.call_step(len, "len", (self.now[items],), e.lineno, out)
        some = self._step(out, "compare", self.fresh(), (count, "=0"), e.lineno, "!=")
        step = Step("if", args=(some,), line=e.lineno)
        self.depth += 1
        whole = ast.copy_location(ast.Name(items, ast.Load()), e)
        made = self._folded(None, whole, None, e, step.body, op=op, first=True)
        self.depth -= 1
        step.body.append(Step("copy", target, (made,), e.lineno))
        step.orelse.append(Step("copy", target, ("=1",), e.lineno))
        out.append(step)
        return target

    def is_accumulate(self, e: ast.expr) -> bool:
        """Whether this is a call of `accumulate` that has no stars."""
        if not isinstance(e, ast.Call) or self.constant(e.func) is not itertools.accumulate:
            return False
        return not any(isinstance(a, ast.Starred) for a in e.args) and all(k.arg for k in e.keywords)

    def accumulated(self, e: ast.Call, out: list[Step]) -> str:
        """What `accumulate` gives, as a list."""
        given = dict(zip(("iterable", "func"), e.args, strict=False))
        given |= {str(k.arg): k.value for k in e.keywords}
        start = given.get("initial")
        if isinstance(start, ast.Constant) and start.value is None:
            start = None
        if "iterable" not in given:
            raise Declined("accumulate without what it goes through")
        made = self._step(out, "list", self.fresh(), (), e.lineno)
        self._folded(given.get("func"), given["iterable"], start, e, out, made)
        return made

    def _folded(
        self,
        f: ast.expr | None,
        over: ast.expr,
        start: ast.expr | None,
        e: ast.Call,
        out: list[Step],
        into: str = "",
        op: ast.operator = _ADD,
        first: bool = False,
    ) -> str:
        """The last total; each of them is put into a list.

        `op` is what makes it without a function; `first`: whether it is done to 0 or 1 and the first.
        """
        total, items, item = (self.fresh(n) for n in ("total", "items", "item"))
        before, locals_before = dict(self.now), set(self.locals)
        self.now[items] = self.consumed(over, out)
        load, store = ast.Load(), ast.Store()
        rest: ast.expr = ast.Name(items, load)
        if start is None:
            start = ast.Subscript(ast.Name(items, load), ast.Constant(0), load)
            none = ast.Constant(int(isinstance(op, ast.Mult)))
            start = ast.BinOp(none, op, start) if first else start
            rest = ast.Subscript(rest, ast.Slice(ast.Constant(1)), load)
        held = total
        call: ast.expr = ast.BinOp(ast.Name(total, load), op, ast.Name(item, load))
        if isinstance(f, ast.Lambda) and is_plain(f, 2):
            (total, item), call = (a.arg for a in f.args.args), f.body
        elif f is not None and not (isinstance(f, ast.Constant) and f.value is None):
            call = ast.Call(f, [ast.Name(total, load), ast.Name(item, load)], [])
        body: list[ast.stmt] = [ast.Assign([ast.Name(total, store)], call, lineno=e.lineno)]
        if into:
            append = ast.Attribute(ast.Name(OWN_LIST, load), "append", load)
            body.append(ast.Expr(ast.Call(append, [ast.Name(total, load)], [])))
        loop = ast.For(ast.Name(item, store), rest, body, [])
        for n in (*ast.walk(loop), *ast.walk(start)):
            if not hasattr(n, "lineno"):
                ast.copy_location(n, e)
        self.locals.add(items)
        value = self.value(start, out)
        self.locals |= {total, item, OWN_LIST}
        self.depth += 1
        self.now[total], self.now[item] = held, self.fresh("item")
        out.append(Step("copy", held, (value,), e.lineno))
        if into:
            self.now[OWN_LIST] = into
            out.append(Step("append", "", (into, held), e.lineno))
        self.loop(ast.fix_missing_locations(ast.copy_location(loop, e)), out)
        self.depth -= 1
        self.now, self.locals = before, locals_before
        return held


def is_plain(f: ast.Lambda, count: int) -> bool:
    """Whether a lambda takes so many arguments by position, and no others."""
    a = f.args
    others = a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults
    return not others and len({x.arg for x in a.args}) == count
