"""Scales: tangents that are a multiple of one variable's tangent.

In elementwise arithmetic of one variable every tangent is that variable's times a slope. The slopes are
computed, and multiplied by the tangent where something else asks for it: `sin(x) * x` costs one product
fewer, and a chain of such steps one for all of it.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ....core.registry import rules_of
from ....rules.quiet import power_text
from ..reading.calls import rule_of
from ..reading.kinds import is_array, is_real
from ..reading.steps import literal
from ..reading.texts import UNKNOWN, Text, bare, known
from .expressions import Part, PushExpressions
from .linear import FIRST, LINEAR, PRODUCTS, is_own
from .varying import Varying

_SIGNS = {ast.Add: "+", ast.Sub: "-"}
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


_NAMES = re.compile(r"[^\W\d]\w*")


class Scale(NamedTuple):
    """A value, and the slope by which it follows the variable `base`; without a slope that is 1."""

    value: str
    base: str | None = None
    slope: str | None = None
    minus: bool = False
    full: bool = True  # whether slope times tangent has the value's shape


class Scales(PushExpressions):
    """Writes such tangents; `pending` has the variables whose tangent nobody has asked for yet."""

    def __init__(self, text: Text, varying: Varying, stretched: set[str]) -> None:
        super().__init__(text, varying, stretched)
        self.pending: dict[str, Scale] = {}
        names = [n for n in ast.walk(text.node) if isinstance(n, ast.Name)]
        self.loads = Counter(n.id for n in names if isinstance(n.ctx, ast.Load))
        self.stores = Counter(n.id for n in names if isinstance(n.ctx, ast.Store))
        for s in ast.walk(text.node):
            if _is_end(s):
                self.stores[s.targets[0].id] -= 1  # type: ignore[attr-defined]
        self.seen: Counter[str] = Counter()

    # what is pending

    def read(self, s: ast.AST) -> None:
        """Note that a statement was gone through."""
        self.seen.update(n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))

    def waits(self, name: str, e: ast.expr) -> bool:
        """Write an assignment whose tangent is put off; False where it cannot be."""
        changes, once = self.varying.changes, self.stores[name] == 1 and not self.seen[name]
        if not once or name in self.text.parameters or changes(self.text, name) or not self.common(e):
            return False
        s = self.scale(e)
        slope = s.slope
        if slope is not None and any(changes(self.text, n) for n in _NAMES.findall(slope)):
            slope = self._own(f"{slope}.copy()" if is_array(self.scope.kinds.get(slope)) else slope)
        self.put(f"{name} = {bare(s.value)}")
        self.pending[name] = s._replace(value=name, slope=slope)
        return True

    def settle(self, name: str) -> None:
        """Compute the tangent of a variable, if that was put off."""
        scale = self.pending.pop(name, None)
        if scale is not None:
            self.put(f"{name}{self.end} = {bare(self.product(scale))}")
            if not scale.full and not is_real(self.scope.kinds.get(name)):
                self.found.add(name)

    def settle_all(self) -> None:
        """The same for all that are read later on."""
        for n in list(self.pending):
            if self.loads[n] > self.seen[n]:
                self.settle(n)
        self.pending.clear()

    def changed(self, name: str) -> None:
        """A variable gets another value: what waits for it is computed before."""
        self.pending.pop(name, None)
        for n, scale in list(self.pending.items()):
            if self.loads[n] <= self.seen[n]:
                del self.pending[n]
            elif name == scale.base:
                self.settle(n)
            elif scale.slope is not None and name in _NAMES.findall(scale.slope):
                self.pending[n] = scale._replace(slope=self._own(scale.slope))

    def _own(self, slope: str) -> str:
        """A variable of the text's own for a slope."""
        name = self.fresh()
        self.put(f"{name} = {bare(slope)}")
        return name

    found: set[str]

    # expressions

    def push(self, e: ast.expr) -> Part:
        if isinstance(e, ast.Name):
            self.settle(e.id)
        elif self.common(e):
            s = self.scale(e)
            return Part(s.value, self.product(s), s.full or self.is_number(e), s.slope is not None)
        return super().push(e)

    def product(self, s: Scale) -> str:
        """The text of a tangent."""
        sign = "-" if s.minus else ""
        return f"({sign}{s.base}{self.end})" if s.slope is None else f"({sign}{s.slope} * {s.base}{self.end})"

    def common(self, e: ast.expr) -> str | None:
        """The variable whose tangent is the only one in an expression that can be scaled; else None."""
        if not self.moves(e):
            return None
        found = self._bases(e)
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def _bases(self, e: ast.expr) -> set[str] | None:
        if not self.moves(e):
            return set()
        match e:
            case ast.Name():
                k = self.scope.kinds.get(e.id)
                plain = k is None or is_real(k) or is_array(k)
                if not plain or e.id in self.scope.records or self.varying.changes(self.text, e.id):
                    return None
                return {str(self.pending[e.id].base)} if e.id in self.pending else {e.id}
            case ast.UnaryOp(op=ast.USub()):
                return self._bases(e.operand)
            case ast.BinOp():
                return self._bases_of_operator(e)
            case ast.Call():
                return None if self._scalar(e) is None else self._union(e.args)
        return None

    def _bases_of_operator(self, e: ast.BinOp) -> set[str] | None:
        if isinstance(e.op, ast.Pow):
            p = literal(f"={ast.unparse(e.right).strip('()')}")
            return (
                self._bases(e.left) if type(p) in (int, float) and p >= 1 and is_own(operator.pow) else None
            )
        f = _OPERATORS.get(type(e.op))
        if f is None or not is_own(f) or (isinstance(e.op, ast.Div) and self.moves(e.right)):
            return None
        return self._union([e.left, e.right])

    def _union(self, parts: list[ast.expr]) -> set[str] | None:
        found = [self._bases(x) for x in parts]
        return None if any(b is None for b in found) else set().union(*(b for b in found if b is not None))

    def _scalar(self, e: ast.Call) -> Any:
        """The partials of an elementary function."""
        f = known(self.text, e.func)
        if f is UNKNOWN or not isinstance(f, np.ufunc) or f in LINEAR or f in FIRST or f in PRODUCTS:
            return None
        if (
            e.keywords
            or any(isinstance(a, ast.Starred) for a in e.args)
            or rules_of(f) is None
            or not is_own(f)
        ):
            return None
        scalar = getattr(rule_of(f, (1.0,) * len(e.args), {}), "scalar", None)
        if scalar is None or len(scalar.parts) != len(e.args):
            return None
        return scalar if all(callable(p) or isinstance(p, int | float) for p in scalar.parts) else None

    def scale(self, e: ast.expr) -> Scale:
        """An expression that can be scaled."""
        if isinstance(e, ast.Name) and self.moves(e):
            known_ = self.pending.get(e.id)
            return (
                known_._replace(value=e.id) if known_ else Scale(e.id, e.id, full=e.id not in self.stretched)
            )
        if not self.moves(e):
            p = self.atom(e)
            return Scale(p.value)
        if isinstance(e, ast.UnaryOp):
            s = self.scale(e.operand)
            return s._replace(value=f"(-{s.value})", minus=not s.minus)
        if isinstance(e, ast.BinOp):
            return self._scale_operator(e)
        assert isinstance(e, ast.Call)
        return self._scale_call(e)

    def held(self, s: Scale) -> Scale:
        """The same with variables for value and slope."""
        return s._replace(value=self.let(s.value), slope=None if s.slope is None else self.let(s.slope))

    def _scale_operator(self, e: ast.BinOp) -> Scale:
        a = self.held(self.scale(e.left))
        if isinstance(e.op, ast.Pow):
            p: Any = literal(f"={ast.unparse(e.right).strip('()')}")
            right = ast.unparse(e.right)
            power = f"2.0 * {a.value}"
            if p != 2:
                power = f"{float(p)!r} * {power_text(a.value, p - 1, not self.is_number(e.left))}"
            return a._replace(value=f"({a.value} ** ({right}))", slope=_times(power, a.slope), full=True)
        b = self.held(self.scale(e.right))
        if isinstance(e.op, ast.Div):
            slope = f"({a.slope or '1.0'} / {b.value})"
            return a._replace(value=f"({a.value} / {b.value})", slope=slope)
        if isinstance(e.op, ast.Mult):
            value = f"({a.value} * {b.value})"
            terms = [(_times(y.value, x.slope), x) for x, y in ((a, b), (b, a)) if x.base is not None]
            return self._sum(value, terms, full=any(x.full for _, x in terms))
        value = f"({a.value} {_SIGNS[type(e.op)]} {b.value})"
        turned = b._replace(minus=b.minus != isinstance(e.op, ast.Sub))
        moving = [x for x in (a, turned) if x.base is not None]
        if len(moving) == 1:
            other = e.right if a.base is not None else e.left
            return moving[0]._replace(value=value, full=moving[0].full and self.is_number(other))
        return self._sum(value, [(x.slope or "1.0", x) for x in moving], full=a.full and b.full)

    def _sum(self, value: str, terms: list[tuple[str, Scale]], full: bool) -> Scale:
        """The sum of slopes, each with its sign."""
        if len(terms) == 1:
            slope, x = terms[0]
            return Scale(value, x.base, slope, x.minus, full)
        (p, a), (q, b) = terms
        if a.minus and not b.minus:
            p, a, q, b = q, b, p, a
        sign = "+" if a.minus == b.minus else "-"
        return Scale(value, a.base, f"({p} {sign} {q})", a.minus, full)

    def _scale_call(self, e: ast.Call) -> Scale:
        scalar = self._scalar(e)
        args = [self.held(self.scale(a)) for a in e.args]
        y = self.let(f"{ast.unparse(e.func)}({', '.join(a.value for a in args)})")
        terms, full = [], False
        for i, a in enumerate(args):
            if a.base is None:
                continue
            parts = [Part(x.value, x.slope or "1.0" if x.base is not None else None) for x in args]
            text, used = self._partial(scalar, i, parts, y)
            others = {str(j) for j in range(len(args)) if j != i and not self.is_number(e.args[j])}
            full |= "y" in used or (others <= used and (a.full or str(i) in used))
            minus = text.startswith(f"-{parts[i].dot} * ")
            text = text[minus:].removeprefix("1.0 * ")
            terms.append((f"({text})", a._replace(minus=a.minus != minus)))
        return self._sum(y, terms, full)


def _times(value: str, slope: str | None) -> str:
    return value if slope is None else f"({slope} * {value})"


def _is_end(s: ast.AST) -> bool:
    """Whether a statement says that a variable is not read any more."""
    return (
        isinstance(s, ast.Assign)
        and isinstance(s.targets[0], ast.Name)
        and isinstance(s.value, ast.Constant)
        and s.value.value is None
    )
