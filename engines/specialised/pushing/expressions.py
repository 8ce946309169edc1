"""Push, expressions: the tangent of an expression beside its value.

A tangent is `full` where it has its value's shape, and may else be anything that broadcasts to it; it is
`fresh` where nothing else refers to its array. Elementary rules are those that the backward text has: what
stands there for the cotangent stands here for the operand's tangent.
"""

from __future__ import annotations

import ast
import operator
from typing import Any, NamedTuple

import numpy as np

from ....core.registry import rules_of
from ....rules.quiet import power_by_base, power_by_exponent, power_text
from ..reading.calls import rule_of
from ..reading.declined import Declined
from ..reading.kinds import is_real, is_tuple
from ..reading.steps import literal
from ..reading.texts import UNKNOWN, key_of, known
from ..writing.partials import body_of
from ..writing.tangents import called, extremum, fill, still
from .linear import FIRST, LINEAR, METHODS, PRODUCTS, STRETCHED, adds_terms, asks_layout, is_own
from .solved import Solved

_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.Mod: operator.mod,
}
_FRESH = ("copy", "flatten", "sum", "mean", "cumsum")
_EXTREMA = (np.max, np.min, np.amax, np.amin, np.maximum.reduce, np.minimum.reduce)


class Part(NamedTuple):
    """An expression: the text of its value, and that of its tangent if it has one."""

    value: str
    dot: str | None = None
    full: bool = True
    fresh: bool = False


class PushExpressions(Solved):
    """Writes expressions of one text with their tangents."""

    def moves(self, e: ast.expr) -> bool:
        """Whether an expression carries a tangent."""
        return self.varying.moves(self.text, e)

    def is_number(self, e: ast.expr) -> bool:
        """Whether an expression is known to be a number."""
        if isinstance(e, ast.Name):
            k = self.scope.kinds.get(e.id)
            return k is not None and (is_real(k) or k in ("i", "b", "q"))
        if isinstance(e, ast.BinOp):
            return self.is_number(e.left) and self.is_number(e.right)
        if isinstance(e, ast.UnaryOp):
            return self.is_number(e.operand)
        return isinstance(e, ast.Constant)

    # what is asked of parts

    def whole(self, p: Part) -> str:
        """A tangent in its value's shape; `p.value` is a variable or a number."""
        if p.dot is None:
            return self.still(p.value)
        return p.dot if p.full else self.filled(p.dot, p.value)

    def still(self, value: str) -> str:
        """The zero tangent of a value."""
        return f"{self.bind(still)}({value})"

    def filled(self, dot: str, value: str) -> str:
        """A tangent in its value's shape."""
        return f"{self.bind(fill)}({dot}, {value})"

    def constant(self) -> str:
        """The zero tangent of a number."""
        return "0.0"

    def placed(self, a: Part, y: str) -> str:
        """The tangent of an operand, beside what has the shape of y."""
        return str(a.dot)

    def atom(self, e: ast.expr) -> Part:
        """An expression whose value may stand in several places."""
        p = self.push(e)
        return p._replace(value=self.let(p.value), dot=None if p.dot is None else self.let(p.dot))

    def push(self, e: ast.expr) -> Part:
        """An expression and its tangent."""
        if not self.moves(e):
            text = ast.unparse(e)
            return Part(text if isinstance(e, ast.Name | ast.Constant | ast.Call) else f"({text})")
        made: Part = getattr(self, f"push_{type(e).__name__.lower()}", self._other)(e)
        if self.is_number(e):
            made = made._replace(full=True)
        return made

    def _other(self, e: ast.expr) -> Part:
        raise Declined(f"the tangent of {ast.unparse(e)}")

    def push_name(self, e: ast.Name) -> Part:
        return Part(e.id, e.id + self.end, e.id not in self.stretched)

    def push_attribute(self, e: ast.Attribute) -> Part:
        p = self.atom(e.value)
        return Part(f"{p.value}.T", f"{self.whole(p)}.T")

    def push_subscript(self, e: ast.Subscript) -> Part:
        p, key = self.atom(e.value), key_of(e)
        k = self.scope.kinds.get(e.value.id) if isinstance(e.value, ast.Name) else None
        full = p.full or (type(k) is str and k[0] == "a")
        return Part(f"{p.value}[{key}]", f"{self.whole(p)}[{key}]", full)

    def push_unaryop(self, e: ast.UnaryOp) -> Part:
        p = self.push(e.operand)
        sign = "+" if isinstance(e.op, ast.UAdd) else "-"
        return Part(f"({sign}{p.value})", f"({sign}{p.dot})", p.full, True)

    def push_tuple(self, e: ast.Tuple) -> Part:
        parts = [self._item(x) for x in e.elts]
        end = "," if len(parts) == 1 else ""
        values, dots = ", ".join(p.value for p in parts), ", ".join(str(p.dot) for p in parts)
        return Part(f"({values}{end})", f"({dots}{end})")

    def push_list(self, e: ast.List) -> Part:
        parts = [self._item(x) for x in e.elts]
        values, dots = ", ".join(p.value for p in parts), ", ".join(str(p.dot) for p in parts)
        return Part(f"[{values}]", f"[{dots}]", True, True)

    def push_dict(self, e: ast.Dict) -> Part:
        keys = [ast.unparse(k) for k in e.keys if k is not None]
        parts = [self._item(x) for x in e.values]
        values = ", ".join(f"{k}: {p.value}" for k, p in zip(keys, parts, strict=True))
        dots = ", ".join(f"{k}: {p.dot}" for k, p in zip(keys, parts, strict=True))
        return Part(f"{{{values}}}", f"{{{dots}}}")

    def _item(self, e: ast.expr) -> Part:
        """An item of a container, whose tangent has its shape."""
        p = self.atom(e)
        return Part(p.value, self.constant() if p.dot is None and self.is_number(e) else self.whole(p))

    # operators

    def push_binop(self, e: ast.BinOp) -> Part:
        f = _OPERATORS.get(type(e.op))
        if f is None or not is_own(f):
            raise Declined(f"the tangent of {ast.unparse(e)}")
        a, b = self.atom(e.left), self.atom(e.right)
        if isinstance(e.op, ast.Add | ast.Sub | ast.Mod) and (a.dot is None or b.dot is None):
            a, b = self.apart(e.left, a), self.apart(e.right, b)
        return getattr(self, f"_{f.__name__}")(e, a, b)  # type: ignore[no-any-return]

    def apart(self, e: ast.expr, p: Part) -> Part:
        """An operand of what has its tangent: a copy where arrays change, of which it may be a part."""
        if p.dot is None or p.fresh or self.is_number(e) or not self.varying.mutated:
            return p
        return p._replace(dot=f"(+{p.dot})", fresh=True)

    def _add(self, e: ast.BinOp, a: Part, b: Part, sign: str = "+") -> Part:
        value = f"({a.value} {sign} {b.value})"
        if a.dot is not None and b.dot is not None:
            return Part(value, f"({a.dot} {sign} {b.dot})", a.full and b.full, True)
        if a.dot is not None:
            return Part(value, a.dot, a.full and self.is_number(e.right), a.fresh)
        dot = b.dot if sign == "+" else f"(-{b.dot})"
        return Part(value, dot, b.full and self.is_number(e.left), b.fresh or sign == "-")

    def _sub(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        return self._add(e, a, b, "-")

    def _mul(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        terms, full = [], False
        if a.dot is not None:
            terms.append(f"{a.dot} * {b.value}")
            full |= a.full
        if b.dot is not None:
            terms.append(f"{a.value} * {b.dot}")
            full |= b.full
        return Part(f"({a.value} * {b.value})", f"({' + '.join(terms)})", full, True)

    def _truediv(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        if b.dot is None:
            return Part(f"({a.value} / {b.value})", f"({a.dot} / {b.value})", a.full, True)
        y = self.let(f"{a.value} / {b.value}")
        first = "-" if a.dot is None else f"{a.dot} - "
        return Part(y, f"(({first}{y} * {b.dot}) / {b.value})", True, True)

    def _pow(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        p = literal(f"={b.value.strip('()')}")
        if b.dot is None and type(p) in (int, float) and p >= 1:
            if p == 2:
                return Part(f"({a.value} ** {b.value})", f"(2.0 * {a.value} * {a.dot})", True, True)
            array = not self.is_number(e.left)
            x = self.let(a.value) if array and a.value.startswith("(") else a.value
            partial = f"{float(p)!r} * {power_text(x, p - 1, array)}"
            return Part(f"({a.value} ** {b.value})", f"({partial} * {a.dot})", True, True)
        y = self.let(f"{a.value} ** {b.value}")
        return self._scaled(y, power_by_base, power_by_exponent, a, b)

    def _scaled(self, y: str, by_first: Any, by_second: Any, a: Part, b: Part) -> Part:
        terms = []
        for p, partial in ((a, by_first), (b, by_second)):
            if p.dot is not None:
                terms.append(f"{self.bind(partial)}({y}, {a.value}, {b.value}) * {self.placed(p, y)}")
        return Part(y, f"({' + '.join(terms)})", a.full and b.full, True)

    def _matmul(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        return self._product("{} @ {}", a, b)

    def _mod(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        if b.dot is not None:
            raise Declined("a remainder by what varies")
        return Part(f"({a.value} % {b.value})", a.dot, a.full and self.is_number(e.right))

    def _product(self, form: str, a: Part, b: Part) -> Part:
        terms = []
        if a.dot is not None:
            terms.append(form.format(self.whole(a), b.value))
        if b.dot is not None:
            terms.append(form.format(a.value, self.whole(b)))
        return Part(f"({form.format(a.value, b.value)})", f"({' + '.join(terms)})", True, True)

    # calls

    def push_call(self, e: ast.Call) -> Part:
        f = known(self.text, e.func)
        if f is UNKNOWN:
            return self._method(e)
        if f in LINEAR:
            return self._linear(e, f)
        if hasattr(f, "moving_solution"):
            return Part(*self.solved(e, f))
        if not is_own(f):
            raise Declined(f"a rule of {f} that is not the library's own")
        rest = [*e.args[1:], *(k.value for k in e.keywords)]
        plain = f in FIRST and not (adds_terms(f, len(e.args), [k.arg for k in e.keywords]) or asks_layout(e))
        if plain and not any(map(self.moves, rest)) and not self._is_generator(e):
            p = self.atom(e.args[0])
            more = "".join(f", {ast.unparse(x)}" for x in (*e.args[1:], *e.keywords))
            return self.first(e, f, p, more)
        if f in PRODUCTS and len(e.args) == 2 and not e.keywords:
            return self._product(f"{ast.unparse(e.func)}({{}}, {{}})", *map(self.atom, e.args))
        if f in _EXTREMA and len(e.args) == 1 and {k.arg for k in e.keywords} <= {"axis", "keepdims"}:
            p = self.atom(e.args[0])
            more = "".join(f", {ast.unparse(k)}" for k in e.keywords)
            y = self.let(f"{ast.unparse(e.func)}({p.value}{more})")
            return Part(y, self.extremum(p, y, more), True, True)
        if f is power_by_base:
            return self._second_power(e)
        if (f is min or f is max) and len(e.args) == 1 and isinstance(e.args[0], ast.Name) and not e.keywords:
            return self._extreme(e, e.args[0])
        return self._elementary(e, f) or self._by_rule(e, f)

    def first(self, e: ast.Call, f: Any, p: Part, more: str) -> Part:
        """A call that is linear in its first argument, the only one that moves."""
        name = ast.unparse(e.func)
        fresh = f not in (np.reshape, np.ravel, np.transpose, np.squeeze, np.expand_dims, np.swapaxes)
        return Part(f"{name}({p.value}{more})", f"{name}({self.whole(p)}{more})", True, fresh)

    def extremum(self, p: Part, y: str, more: str) -> str:
        """The tangent of extrema."""
        return f"{self.bind(extremum)}({self.whole(p)}, {p.value}, {y}{more})"

    def called(self, name: str, moving: str, given: str) -> str:
        """A call by its rule."""
        return f"{self.bind(called)}({name}, {moving}, {given})"

    def _is_generator(self, e: ast.Call) -> bool:
        return any(isinstance(a, ast.Starred) for a in e.args)

    def _linear(self, e: ast.Call, f: Any) -> Part:
        values, dots = [], []
        for i, a in enumerate(e.args):
            inner = a.value if isinstance(a, ast.Starred) else a
            star = "*" if isinstance(a, ast.Starred) else ""
            p = self.atom(inner)
            values.append(star + p.value)
            moved = self.whole(p) if star or (p.dot is None and p.value != "None") else p.dot or "None"
            dots.append(star + moved if i in LINEAR[f] else p.value)
        name = ast.unparse(e.func)
        full = f not in STRETCHED
        return Part(f"{name}({', '.join(values)})", f"{name}({', '.join(dots)})", full, full)

    def _method(self, e: ast.Call) -> Part:
        if isinstance(e.func, ast.Name) and self.varying.is_of_solution(self.text, e.func.id):
            return Part(*self.pulled(e, e.func))
        if not isinstance(e.func, ast.Attribute):
            raise Declined(f"the tangent of {ast.unparse(e)}")
        name, p = e.func.attr, self.atom(e.func.value)
        given = [*e.args, *(k.value for k in e.keywords)]
        more = ", ".join(ast.unparse(x) for x in (*e.args, *e.keywords))
        if name == "dot" and len(given) == 1:
            return self._product("{}.dot({})", p, self.atom(e.args[0]))
        if any(map(self.moves, given)):
            raise Declined(f"the tangent of {ast.unparse(e)}")
        terms = name == "sum" and adds_terms(np.ndarray.sum, 1 + len(e.args), [k.arg for k in e.keywords])
        if name in METHODS and not terms and not asks_layout(e):
            if name == "pop":
                return Part(f"{p.value}.pop({more})", f"{p.dot}.pop({more})", False)
            made = f".{name}({more})"
            return Part(p.value + made, self.whole(p) + made, True, name in _FRESH)
        f = getattr(np.ndarray, name, None)
        if f is None or rules_of(f) is None or not is_own(f):
            raise Declined(f"the tangent of {ast.unparse(e)}")
        return self._call_by_rule(self.bind(f), [p, *map(self.atom, given)], list(e.keywords))

    def _extreme(self, e: ast.Call, items: ast.Name) -> Part:
        """The greatest or the least item of a list, and the tangent of the first of them."""
        if self.scope.kinds.get(items.id) != "L":
            raise Declined(f"{ast.unparse(e.func)} of a tuple")
        y = self.let(ast.unparse(e))
        return Part(y, f"{items.id}{self.end}[{items.id}.index({y})]", True)

    def _elementary(self, e: ast.Call, f: Any) -> Part | None:
        """A call by the partials of its rule, written in."""
        rules = rules_of(f) if callable(f) and not self._is_generator(e) else None
        if rules is None or rules.by_first is not None:
            return None
        rule = rule_of(f, (1.0,) * len(e.args), {})
        scalar = getattr(rule, "scalar", None)
        if scalar is None or e.keywords or len(scalar.parts) != len(e.args):
            return None
        if not all(callable(p) or isinstance(p, int | float) for p in scalar.parts):
            return None
        args = list(map(self.atom, e.args))
        y = self.let(f"{ast.unparse(e.func)}({', '.join(a.value for a in args)})")
        terms, full = [], False
        for i, a in enumerate(args):
            if a.dot is None:
                continue
            term, used = self._partial(scalar, i, args, y)
            terms.append(term)
            others = {str(j) for j in range(len(args)) if j != i and not self.is_number(e.args[j])}
            full |= "y" in used or (others <= used and (a.full or str(i) in used))
        return Part(y, f"({' + '.join(terms)})", full, True)

    def _partial(self, scalar: Any, i: int, args: list[Part], y: str) -> tuple[str, set[str]]:
        """An operand's tangent times its partial, and whose values are in it."""
        dot = self.placed(args[i], y)
        template = scalar.templates[i] if scalar.templates else None
        made = template and template.text([literal(f"={a.value}") for a in args], True)
        if made:
            text = made[0]
            names: dict[str, str] = {"y_bar": dot}
        elif not callable(scalar.parts[i]):
            return f"{dot} * {scalar.parts[i]!r}", set()
        else:
            body, helpers = body_of(scalar.parts[i], len(args))
            text, names = f"{dot} * {body}", {n: self.bind(h) for n, h in helpers.items()}
        used = {n for n in ("y", *map(str, range(len(args)))) if f"{{{n}}}" in text}
        for place, a in enumerate(args):
            names[str(place)] = a.value
        names["y"] = y
        for n, value in names.items():
            text = text.replace(f"{{{n}}}", value)
        return text, used

    def _second_power(self, e: ast.Call) -> Part:
        """The derivative of p x**(p − 1) by x is p times the same for p − 1."""
        y, x, p = map(self.atom, e.args)
        if p.dot is not None or x.dot is None:
            raise Declined("a power of which the exponent varies")
        f = ast.unparse(e.func)
        dot = f"({p.value} * {f}({y.value}, {x.value}, {p.value} - 1) * {self.placed(x, y.value)})"
        return Part(f"{f}({y.value}, {x.value}, {p.value})", dot, x.full and self.is_number(e.args[2]), True)

    def _by_rule(self, e: ast.Call, f: Any) -> Part:
        given = [*e.args, *(k.value for k in e.keywords)]
        for a in given:
            k = self.scope.kinds.get(a.id) if isinstance(a, ast.Name) else None
            if isinstance(a, ast.Starred | ast.List | ast.Tuple) or (
                self.moves(a) and (k == "L" or is_tuple(k))
            ):
                raise Declined(f"{ast.unparse(e.func)} of a tuple or list")
        if getattr(f, "__closure__", None) and rules_of(f) is None:
            raise Declined("a pullback")
        return self._call_by_rule(ast.unparse(e.func), list(map(self.atom, given)), list(e.keywords))

    def _call_by_rule(self, name: str, args: list[Part], keywords: list[ast.keyword]) -> Part:
        y, dot = self.fresh(), self.fresh()
        dots = ", ".join("None" if a.dot is None else self.whole(a) for a in args)
        count = len(args) - len(keywords)
        given = [a.value for a in args[:count]]
        given += [f"{k.arg}={a.value}" for k, a in zip(keywords, args[count:], strict=True)]
        self.put(f"{y}, {dot} = {self.called(name, f'({dots},)', ', '.join(given))}")
        return Part(y, dot, False)
