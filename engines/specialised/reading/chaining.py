"""Chaining: what is gone through at once, as a list.

map(f, a, b)            [f(x, y) for x, y in zip(a, b)]
filter(f, a)            [x for x in a if f(x)]
zip(a, b)               [(x, y) for x, y in zip(a, b)]
zip(*rows)              [tuple([r[j] for r in rows]) for j in range(min([len(r) for r in rows]))]
chain(a, b)             [*a, *b]
chain.from_iterable(a)  [x for row in a for x in row]
islice(a, i, j)         [a[k] for k in range(i, min(j, len(a)))]
zip_longest(a, b)       [(a[i] if i < len(a) else None, …) for i in range(max(len(a), len(b)))]
starmap(f, a)           [f(*x) for x in a]
repeat(v, n), [v] * n   [v for _ in range(n)]
reversed(a)             a[::-1]
"""

from __future__ import annotations

import ast
import builtins
import itertools
from typing import Any

from .declined import Declined
from .merging import note
from .quoted import expression
from .reader import Reader
from .steps import Step, is_name

_CHAINING: tuple[Any, ...] = (
    *(itertools.chain, itertools.chain.from_iterable, itertools.islice, itertools.zip_longest),
    *(itertools.starmap, itertools.repeat, reversed),
)
_ROWS = "[item_ for row_ in rows for item_ in row_]"
_COLUMNS = "[tuple([row_[i_] for row_ in rows]) for i_ in range(min([len(row_) for row_ in rows]))]"
_CONSTANT = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.unaryop, ast.expr_context)
"""Parts of what is a constant."""


class Chaining(Reader):
    """Reads these calls; Iterating reads comprehensions."""

    def listed(self, e: ast.expr, out: list[Step]) -> str | None:
        """The list of what a call gives; None of any other expression."""
        if isinstance(e, ast.GeneratorExp):
            return self._listcomp(e, out)
        if not isinstance(e, ast.Call):
            return None
        f, starred = self.constant(e.func), any(isinstance(a, ast.Starred) for a in e.args)
        chained = self._chained(e, f, starred, out)
        if chained is not None:
            return self.value(chained, out)
        if f in (zip, enumerate) and _is_plain_zip(e, f, starred):
            return self._zipped(e, f, out)
        if (f is map or f is filter) and len(e.args) > 1 and not e.keywords and not starred:
            return self._listcomp(self.mapped(e, f is filter), out)
        return None

    def _chained(self, e: ast.Call, f: Any, starred: bool, out: list[Step]) -> ast.expr | None:
        """The list of what `reversed` or a function of `itertools` gives."""
        if isinstance(e.func, ast.Attribute) and self.constant(e.func.value) is itertools.chain:
            f = getattr(itertools.chain, e.func.attr, None)
        named = {k.arg for k in e.keywords}
        if f not in _CHAINING or not named <= ({"fillvalue"} if f is itertools.zip_longest else set()):
            return None
        made: ast.expr | None = None
        match (f, *e.args):
            case itertools.chain, ast.Starred(rows):
                made = self.written(_ROWS, e, rows=rows)
            case _ if starred:
                made = None
            case itertools.chain, *parts:
                made = expression("[parts]", e, parts=[ast.Starred(a, ast.Load()) for a in parts])
            case itertools.chain.from_iterable, rows:
                made = self.written(_ROWS, e, rows=rows)
            case itertools.islice, items, *ends if 0 < len(ends) < 4:
                made = self._sliced(e, items, ends, out)
            case itertools.zip_longest, _, *_:
                made = self._filled_up(e, out)
            case itertools.starmap, call, items:
                made = self.written("[call(*item_) for item_ in items]", e, call=call, items=items)
            case itertools.repeat, v, count:
                v = self.kept(v, out)
                made = self.written("[v for i_ in range(count)]", e, v=v, count=count)
            case builtins.reversed, items:
                made = expression("items[::-1]", e, items=items)
        return made

    def _sliced(self, e: ast.Call, items: ast.expr, ends: list[ast.expr], out: list[Step]) -> Any:
        """`islice` from a start to a stop, by a step; None where what may be left out is given as None."""
        start, stop, *step = [ast.Constant(0), *ends] if len(ends) == 1 else ends
        if any(map(_is_none, (start, *step))):
            return None
        held = self.kept(expression("[*items]", e, items=items), out)
        end = "len(held)" if _is_none(stop) else "min(stop, len(held))"
        bounds = [start, self.written(end, e, held=held, stop=stop), *step]
        return self.written("[held[i_] for i_ in range(bounds)]", e, held=held, bounds=bounds)

    def _filled_up(self, e: ast.Call, out: list[Step]) -> Any:
        """`zip_longest`."""
        fill, i = e.keywords[0].value if e.keywords else ast.Constant(None), self.own("i")
        held = [self.kept(expression("[*a]", e, a=a), out) for a in e.args]
        counts = [self.written("len(a)", e, a=a) for a in held]
        most = self.written("max(counts)", e, counts=counts) if len(counts) > 1 else counts[0]
        items = [
            expression("a[i] if i < n else fill", e, a=a, i=i, n=n, fill=fill)
            for a, n in zip(held, counts, strict=True)
        ]
        return self.written("[(items,) for i in range(most)]", e, items=items, i=i, most=most)

    def _zipped(self, e: ast.Call, f: Any, out: list[Step]) -> str:
        """`zip(…)` or `enumerate(…)` as a list of tuples, each known by its place."""
        if isinstance(e.args[0], ast.Starred):
            made = self.written(_COLUMNS, e, rows=self.kept(e.args[0].value, out))
        else:
            each = "".join(f"item{i}_, " for i in range(len(e.args) if f is zip else 2))
            made = self.written(f"[({each}) for {each} in call]", e, call=e)
        target = self._listcomp(made, out)
        note(target, "by place", out)
        return target

    def mapped(self, e: ast.Call, tested: bool) -> ast.ListComp:
        """`map(f, xs, ys)` or `filter(f, xs)` as a comprehension."""
        f, *given = e.args
        if isinstance(f, ast.Constant):
            raise Declined("a filter without a function")
        parts: dict[str, Any] = {f"item{i}": self.fresh("item") for i in range(len(given))}
        each = ", ".join(parts)
        if isinstance(f, ast.Lambda) and is_plain(f, len(given)):
            parts, call = dict(zip(parts, [a.arg for a in f.args.args], strict=True)), f.body
        else:
            call = expression(f"f({each})", e, f=f, **parts)
        over = "given" if tested or len(given) == 1 else "zip(given)"
        text = f"[{each} for {each} in {over} if call]" if tested else f"[call for {each} in {over}]"
        parts.update(call=call, given=given if over == "zip(given)" else given[0])
        made: ast.ListComp = self.written(text, e, **parts)
        return made

    def _repeated(self, e: ast.BinOp, out: list[Step]) -> str:
        """`[0.0, x] * n`, of items that are computed once."""
        assert isinstance(e.left, ast.List)
        if any(isinstance(x, ast.Starred) for x in e.left.elts):
            raise Declined("a list with stars that is repeated")
        items = [self._held_item(x, out) for x in e.left.elts]
        if len(items) == 1:
            return self._listcomp(self.written("[v for i_ in range(n)]", e, v=items[0], n=e.right), out)
        several = "[v_ for i_ in range(n) for v_ in (items,)]"
        return self._listcomp(self.written(several, e, items=items, n=e.right), out)

    def _held_item(self, e: ast.expr, out: list[Step]) -> ast.expr:
        """What is a constant, or a variable that holds it."""
        if all(isinstance(n, _CONSTANT) for n in ast.walk(e)):
            return e
        return self.tree(self._step(out, "copy", self.fresh(), (self.value(e, out),), e.lineno), e)

    def kept(self, e: ast.expr, out: list[Step]) -> str:
        """A name of no program for the value of an expression that is gone through at once."""
        atom = self.consumed(e, out)
        atom = self._step(out, "copy", self.fresh(), (atom,), e.lineno) if is_name(atom) else atom
        return self.own("over", atom)


def is_plain(f: ast.Lambda, count: int) -> bool:
    """Whether a lambda takes so many arguments by position, and no others."""
    a = f.args
    others = a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults
    return not others and len({x.arg for x in a.args}) == count


def _is_plain_zip(e: ast.Call, f: Any, starred: bool) -> bool:
    """Whether all of a `zip` or `enumerate` is told by its arguments; of `strict=True` it is not."""
    if not e.args or (starred and (f is enumerate or len(e.args) > 1)):
        return False
    return f is enumerate or not any(not _is_constant(k.value, False) for k in e.keywords)


def _is_none(e: ast.expr) -> bool:
    return _is_constant(e, None)


def _is_constant(e: ast.expr, v: Any) -> bool:
    return isinstance(e, ast.Constant) and e.value is v
