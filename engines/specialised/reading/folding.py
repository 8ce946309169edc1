"""Folding: `reduce`, `accumulate` and `prod` as loops.

reduce(f, xs, start)        total = start; for x in xs: total = f(total, x)
sum(xs, start)              the same with +, where objects are added
math.prod(xs)               the same with *
accumulate(xs, f)           the same, from the first item on, with each total in a list
"""

from __future__ import annotations

import ast
import itertools

from ...source.syntax.trees import place
from .chaining import is_plain
from .declined import Declined
from .expressions import OWN_LIST
from .quoted import expression, statements
from .reader import Reader
from .steps import Step

_ADD = ast.Add()


class Folding(Reader):
    """Reads these calls; Iterating reads loops."""

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
        target, items = self.fresh(), self.own("items", self.consumed(e.args[0], out))
        count = self.call_step(len, "len", (self.now[items],), e.lineno, out)
        some = self._step(out, "compare", self.fresh(), (count, "=0"), e.lineno, "!=")
        step = Step("if", args=(some,), line=e.lineno)
        self.depth += 1
        made = self._folded(None, expression("items", e, items=items), None, e, step.body, op=op, first=True)
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
        total, item, held = self.fresh("total"), self.fresh("item"), self.fresh("total")
        before, locals_before = dict(self.now), set(self.locals)
        items = self.own("items", self.consumed(over, out))
        rest = "items"
        if start is None:
            start, rest = expression("items[0]", e, items=items), "items[1:]"
            none = ast.Constant(int(isinstance(op, ast.Mult)))
            start = place(ast.BinOp(none, op, start), e) if first else start
        if isinstance(f, ast.Lambda) and is_plain(f, 2):
            (total, item), call = (a.arg for a in f.args.args), f.body
        elif f is None or (isinstance(f, ast.Constant) and f.value is None):
            call = ast.BinOp(ast.Name(total, ast.Load()), op, ast.Name(item, ast.Load()))
        else:
            call = expression("f(total, item)", e, f=f, total=total, item=item)
        text = f"for item in {rest}:\n    total = call" + ("\n    own.append(total)" if into else "")
        (loop,) = statements(text, e, total=total, item=item, items=items, call=call, own=OWN_LIST)
        value = self.value(start, out)
        self.locals |= {total, item, OWN_LIST}
        self.depth += 1
        self.now[total], self.now[item] = held, self.fresh("item")
        out.append(Step("copy", held, (value,), e.lineno))
        if into:
            self.now[OWN_LIST] = into
            out.append(Step("append", "", (into, held), e.lineno))
        self.loop(loop, out)
        self.depth -= 1
        self.now, self.locals = before, locals_before
        return held
