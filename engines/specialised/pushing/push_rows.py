"""Push, rows: the pushforward of a text along many directions at once.

The values are computed once. Beside each stand its tangents for all directions, as rows of one array. What
goes entry by entry, indexing and products are written for all rows; any other linear function is called for
each of them. Where the number of axes decides and the text does not tell, it is looked at as the text runs.
"""

from __future__ import annotations

import ast
import operator
from typing import Any

import numpy as np

from ..reading.declined import Declined
from ..reading.kinds import axes, is_real, is_tuple
from ..reading.texts import Text, as_value, key_of, known
from ..writing import rundown
from ..writing.axes import Axes, Sites
from ..writing.tangents import extremum
from . import rows
from .expressions import Part
from .linear import IN_PLACE, LINEAR, METHODS, PRODUCTS, asks_layout
from .push import Push
from .varying import Varying, base_of

_COUNT = "rows_"
_INTEGERS = ("i", "q")
_REDUCED = (np.sum, np.mean, np.add.reduce)


class PushRows(Axes, Push):
    """Writes that pushforward; the last argument of each text is how many directions there are."""

    ending, many = "_rows", True
    more = (_COUNT,)

    def __init__(self, text: Text, varying: Varying, stretched: set[str], sites: Sites) -> None:
        """`sites`: what is known of the calls among the texts."""
        if _COUNT in text.scope.names:
            raise Declined("a variable called rows_")
        self.numbers = self.arrays = 0  # how many variables of each sort have tangents
        self.know(text, sites)
        super().__init__(text, varying, stretched)

    def let(self, text: str) -> str:
        name = super().let(text)
        e = ast.parse(text.strip(), mode="eval").body
        if name not in self.axes and (n := self.axes_of(e)) is not None:
            self.axes[name] = n
        return name

    def aligned(self, e: str, dot: str, value: str) -> str:
        """The tangents of what `e` says, where the value is computed from that."""
        a, n = (self.axes_of(ast.parse(x.strip(), mode="eval").body) for x in (e, value))
        if a is None or n is None:
            return f"{self.bind(rows.aligned)}({dot}, {value})"
        return dot if a >= n else f"{dot}[:, {', '.join(['None'] * (n - a))}{', :' * a}]"

    def constant(self) -> str:
        return f"{self.bind(np.zeros)}({_COUNT})"

    def still(self, value: str) -> str:
        return f"{self.bind(rows.still)}({value}, {_COUNT})"

    def filled(self, dot: str, value: str) -> str:
        return f"{self.bind(rows.fill)}({dot}, {value})"

    def owning(self, dot: str, value: str) -> str:
        return f"{self.bind(rows.owning)}({dot}, {value})"

    def by_rows(self, f: str, values: list[str], moving: list[int], dots: list[str], more: str = "") -> str:
        """A linear function for each direction by itself."""
        given = ", ".join(d if i in moving else v for i, (v, d) in enumerate(zip(values, dots, strict=True)))
        return f"{self.bind(rows.by_rows)}({f}, {_COUNT}, {tuple(moving)!r}, {given}{more})"

    def common(self, e: ast.expr) -> str | None:
        return None  # slopes have the axes of the values

    # expressions

    def push_attribute(self, e: ast.Attribute) -> Part:
        p = self.atom(e.value)
        dot = f"{self.whole(p)}.swapaxes(1, 2)" if self.axes_of(e.value) == 2 else self.turned(p)
        return Part(f"{p.value}.T", dot)

    def turned(self, p: Part) -> str:
        """The tangents of a transpose."""
        return f"{self.bind(rows.turned)}({self.whole(p)}, {p.value})"

    def push_subscript(self, e: ast.Subscript) -> Part:
        if self._holds(e.value):
            return super().push_subscript(e)
        p = self.atom(e.value)
        if self._items(e) is None:
            if not self.axes_of(e.value):
                raise Declined(f"the tangents of {ast.unparse(e)}")
            key = as_value(key_of(e))
            dot = self.by_rows(self.bind(operator.getitem), [p.value, key], [0], [self.whole(p), key])
            return Part(f"{p.value}[{key}]", dot, True, True)
        value, dot = f"{p.value}[{self.key(e)}]", f"{self.whole(p)}[:, {self.key(e)}]"
        n = self.axes_of(e)
        if n or not self.varying.changes(self.text, base_of(e)):
            return Part(value, dot)
        if n == 0:  # a number stays what it is when the array changes
            return Part(value, f"{dot}.copy()", True, True)
        value = self.let(value)
        return Part(value, f"{self.bind(rows.part)}({dot}, {value})")

    def key(self, e: ast.Subscript) -> str:
        """The text of an index."""
        items = self._items(e)
        assert items is not None
        return ", ".join(map(ast.unparse, items))

    def _terms(self, value: str, terms: list[tuple[str, Part]], sign: str = "+") -> Part:
        """A value, and the sum of terms, each an operand's tangents in a text that goes entry by entry."""
        parts = [ast.parse(t.strip(), mode="eval").body for t in (value, *(p.value for _, p in terms))]
        y = self.let(value) if None in map(self.axes_of, parts) else value
        texts = [form.format(self.aligned(p.value, str(p.dot), y)) for form, p in terms]
        return Part(y, f"({f' {sign} '.join(texts)})", False, True)

    def _add(self, e: ast.BinOp, a: Part, b: Part, sign: str = "+") -> Part:
        moving = [("{}", p) for p in (a, b) if p.dot is not None]
        made = self._terms(f"({a.value} {sign} {b.value})", moving, sign)
        return made if a.dot is not None or sign == "+" else made._replace(dot=f"(-{made.dot})")

    def _mul(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        terms = [("{} * " + b.value, a), (a.value + " * {}", b)]
        return self._terms(f"({a.value} * {b.value})", [t for t in terms if t[1].dot is not None])

    def _truediv(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        y = self.let(f"{a.value} / {b.value}")
        first = "" if a.dot is None else self.aligned(a.value, a.dot, y)
        if b.dot is None:
            return Part(y, f"({first} / {b.value})", False, True)
        return Part(y, f"(({first} - {y} * {self.aligned(b.value, b.dot, y)}) / {b.value})", False, True)

    def placed(self, a: Part, y: str) -> str:
        return self.aligned(a.value, str(a.dot), y)

    def _mod(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        raise Declined("the tangents of a remainder")

    def _matmul(self, e: ast.BinOp, a: Part, b: Part) -> Part:
        return self._products(f"{a.value} @ {b.value}", self.bind(operator.matmul), a, b)

    def _products(self, value: str, f: str, a: Part, b: Part) -> Part:
        product, terms = self.bind(rows.product), []
        if a.dot is not None:
            terms.append(f"{product}({f}, {_COUNT}, 0, {self.whole(a)}, {b.value})")
        if b.dot is not None:
            terms.append(f"{product}({f}, {_COUNT}, 1, {a.value}, {self.whole(b)})")
        return Part(f"({value})", f"({' + '.join(terms)})", True, True)

    def push_call(self, e: ast.Call) -> Part:
        f = known(self.text, e.func)
        if f in PRODUCTS and len(e.args) == 2 and not e.keywords:
            a, b = map(self.atom, e.args)
            name = ast.unparse(e.func)
            return self._products(f"{name}({a.value}, {b.value})", name, a, b)
        return super().push_call(e)

    def first(self, e: ast.Call, f: Any, p: Part, more: str) -> Part:
        name = ast.unparse(e.func)
        value = f"{name}({p.value}{more})"
        if f is float:
            return Part(value, p.dot)
        k = self.scope.kinds.get(p.value)
        if f is np.array and not more and (k == "L" or is_tuple(k)):
            return Part(value, f"{self.bind(rows.gathered)}({p.dot})", True, True)
        if f in (np.concatenate, np.stack) and not more and (k == "L" or is_tuple(k)):
            return Part(value, f"{name}({p.dot}, axis=1)", True, True)
        if f is sum or isinstance(e.args[0], ast.Tuple | ast.List):
            raise Declined(f"the tangents of {ast.unparse(e)}")
        if k == "L" or is_tuple(k):
            raise Declined(f"the tangents of {ast.unparse(e)}")
        if f is np.ravel and not more:
            return Part(value, f"{self.whole(p)}.reshape({_COUNT}, -1)", True)
        if f in _REDUCED and len(e.args) == 1 and (found := _axis_alone(e, f is np.add.reduce)):
            (at,) = found
            if at is None:
                dot = f"{name}({self.whole(p)}.reshape({_COUNT}, -1), axis=1)"
            else:
                dot = f"{name}({self.whole(p)}, axis={at + 1 if at >= 0 else at})"
            return Part(value, dot, True, True)
        return Part(value, self.by_rows(name, [p.value], [0], [self.whole(p)], more), True, True)

    def _linear(self, e: ast.Call, f: Any) -> Part:
        args = list(e.args)
        if any(isinstance(a, ast.Starred) for a in args) and f is not rundown.each:
            raise Declined(f"the tangents of {ast.unparse(e)}")
        if f is rundown.each:
            return self._each(e)
        parts = [self.atom(a) for a in args]
        values = [p.value for p in parts]
        value = f"{ast.unparse(e.func)}({', '.join(values)})"
        moving = [i for i, p in enumerate(parts) if i in LINEAR[f] and p.dot is not None]
        first = str(parts[0].dot) if parts else ""
        match f:
            case rundown.filled:
                return Part(value, self.filled(first, values[1]), True, False)
            case rundown.owned:
                return Part(value, f"{self.bind(rows.owned)}({first}, {values[1]})", True, True)
            case rundown.number:
                return Part(value, f"{self.bind(rows.number)}({first}, {_COUNT})", False)
            case rundown.taken_out:
                return Part(value, f"{ast.unparse(e.func)}({first}, {values[1]})", False)
            case rundown.total:
                return Part(value, f"{self.bind(rows.total)}({first}, {values[1]})", True, True)
            case rundown.unstored:
                return Part(value, f"{self.bind(rows.unstored)}({self.whole(parts[0])}, {values[1]})", True)
            case rundown.total_of:
                return Part(value, f"{ast.unparse(e.func)}({first})", True, True)
            case rundown.extremes:
                dot = f"{ast.unparse(e.func)}({values[0]}, {values[1]}, {parts[2].dot})"
                return Part(value, dot, True, True)
            case rundown.slot:
                dot = self.still(values[2]) if parts[2].dot is None else str(parts[2].dot)
                if values[2] == "None":
                    raise Declined("a cotangent that is None")
                text = f"{self.bind(rows.slot_rows)}({first}, {values[1]}, {dot}, {values[0]})"
                return Part(value, text, True)
        dots = [self.whole(p) if i in moving else "" for i, p in enumerate(parts)]
        if f in (rundown.scattered, rundown.added):
            dots[2] = dots[2] or self.still(values[2])
            given = f"{dots[0]}, {values[1]}, {dots[2]}"
            text = f"{self.bind(rows.in_rows)}({ast.unparse(e.func)}, {_COUNT}, (0, 2), {given})"
            return Part(value, text)
        if f in IN_PLACE or f is rundown.parts_of or not moving:
            raise Declined(f"the tangents of {ast.unparse(e)}")
        return Part(value, self.by_rows(ast.unparse(e.func), values, moving, dots), True, True)

    def _each(self, e: ast.Call) -> Part:
        shadow = self.atom(e.args[0])
        given: list[str] = [shadow.value]
        moved: list[str] = []
        for a in e.args[1:]:
            if isinstance(a, ast.Starred):
                p = self.atom(a.value)
                turned = "" if self._holds(a.value) else ".swapaxes(0, 1)"
                given, moved = [*given, f"*{p.value}"], [*moved, f"*{self.whole(p)}{turned}"]
            else:
                p = self.atom(a)
                given, moved = [*given, p.value], [*moved, self.whole(p)]
        values, dots = ", ".join(given), ", ".join(moved)
        text = f"{self.bind(rows.each_rows)}({shadow.dot}, {shadow.value}, {dots})"
        return Part(f"{ast.unparse(e.func)}({values})", text)

    def _method(self, e: ast.Call) -> Part:
        if not isinstance(e.func, ast.Attribute):
            raise Declined(f"the tangents of {ast.unparse(e)}")
        name, p = e.func.attr, self.atom(e.func.value)
        k = self.scope.kinds.get(p.value)
        if name == "dot" and len(e.args) == 1:
            b = self.atom(e.args[0])
            return self._products(f"{p.value}.dot({b.value})", self.bind(np.dot), p, b)
        if name in ("pop", "values") or k == "L" or is_tuple(k):
            return super()._method(e)
        if name not in METHODS or any(map(self.moves, [*e.args, *(x.value for x in e.keywords)])):
            raise Declined(f"the tangents of {ast.unparse(e)}")
        if name in ("reshape", "ravel", "flatten") and not e.keywords and not asks_layout(e):
            value = self.let(f"{p.value}.{name}({', '.join(map(ast.unparse, e.args))})")
            return Part(value, f"{self.whole(p)}.reshape({_COUNT}, *{value}.shape)", True)
        if e.args or e.keywords or name not in ("copy", "sum", "mean"):
            raise Declined(f"the tangents of {ast.unparse(e)}")
        value = f"{p.value}.{name}()"
        if name == "copy":
            return Part(value, f"{self.whole(p)}.copy()", True, True)
        return Part(value, f"{self.whole(p)}.reshape({_COUNT}, -1).{name}(1)", True, True)

    def extremum(self, p: Part, y: str, more: str) -> str:
        f = self.bind(extremum)
        return self.by_rows(f, ["", p.value, y], [0], [self.whole(p), "", ""], more)

    def called(self, name: str, moving: str, given: str) -> str:
        return f"{self.bind(rows.called_by_rows)}({_COUNT}, {name}, {moving}, {given})"

    # statements

    def _half(self, e: ast.Call, half: Text) -> str:
        for p, a in zip(half.parameters, e.args, strict=True):
            self.sites.note(half, p, self.axes_of(a))
        return super()._half(e, half)

    def do_assign(self, s: ast.Assign) -> None:
        super().do_assign(s)
        half = self.varying.half(self.text, s.value)
        if half is not None and isinstance(s.targets[0], ast.Tuple):
            for i, x in enumerate(s.targets[0].elts):
                n = self.sites.known(half, i)
                if isinstance(x, ast.Name) and self.stores[x.id] == 1 and n is not None:
                    self.axes.setdefault(x.id, n)

    def do_return(self, s: ast.Return) -> None:
        assert isinstance(s.value, ast.Tuple)
        for i, x in enumerate(s.value.elts):
            self.sites.note(self.text, i, self.axes_of(x))
        super().do_return(s)

    def pairs(self, target: str, p: Part, it: ast.expr) -> str:
        base = it.value if isinstance(it, ast.Subscript) else it
        n = self.axes_of(it)
        changes = isinstance(base, ast.Name) and self.varying.changes(self.text, base.id)
        if (not self._holds(base) and not n) or (n == 1 and changes):
            raise Declined(f"the tangents of {ast.unparse(it)}")
        dots = f"{self.whole(p)}.swapaxes(0, 1)" if n else str(p.dot)
        return f"for {target}, {target}{self.end} in zip({p.value}, {dots}):"

    def items_of(self, e: ast.expr) -> str:
        base = base_of(e.func if isinstance(e, ast.Call) else e)
        if not self._holds(ast.Name(base)):
            raise Declined(f"the tangents of the items of {base}")
        return base

    def _noted(self, name: str, p: Part) -> None:
        super()._noted(name, p)
        is_number = is_real(self.scope.kinds.get(name))
        self.numbers, self.arrays = self.numbers + is_number, self.arrays + (not is_number)
        self._known(name, ast.parse(p.value, mode="eval").body)

    def zeros(self, name: str, e: ast.Call) -> None:
        self.put(f"{name} = {ast.unparse(e)}")
        if len(e.args) != 1 or e.keywords:
            raise Declined(f"the tangents of {ast.unparse(e)}")
        self.put(f"{name}{self.end} = {self.bind(rows.zeros)}({_COUNT}, {ast.unparse(e.args[0])})")
        self._known(name, e)

    def _known(self, name: str, e: ast.expr) -> None:
        """Note how many axes a variable has that is set in one place."""
        if self.stores[name] == 1 and name not in self.text.parameters and name not in self.axes:
            n = self.axes_of(e)
            if n is not None:
                self.axes[name] = n

    def _store(self, target: ast.Subscript, e: ast.expr) -> None:
        if not self.carries(base_of(target)) or self._holds(target.value):
            super()._store(target, e)
            return
        p = self.atom(e)
        self.put(f"{ast.unparse(target)} = {p.value}")
        dot = "0.0" if p.dot is None else self.aligned(p.value, p.dot, ast.unparse(target))
        self.put(f"{self._slot(target)} = {dot}")

    def _slot(self, target: ast.expr) -> str:
        if isinstance(target, ast.Subscript):
            assert isinstance(target.value, ast.Name)
            if self._holds(target.value):
                return super()._slot(target)
            if self._items(target) is None:
                raise Declined(f"the tangents of {ast.unparse(target)}")
            return f"{target.value.id}{self.end}[:, {self.key(target)}]"
        return super()._slot(target)

    def do_augassign(self, s: ast.AugAssign) -> None:
        sign = {ast.Add: "+", ast.Sub: "-"}.get(type(s.op))
        base = base_of(s.target)
        k = self.scope.kinds.get(base)
        if sign is None or k == "L" or is_tuple(k):
            raise Declined(f"the tangents of {ast.unparse(s)}")
        p = self.atom(s.value)
        target = ast.unparse(s.target)
        self.put(f"{target} {sign}= {p.value}")
        if p.dot is None or not self.carries(base):
            return
        dot, slot = self.aligned(p.value, p.dot, target), self._slot(s.target)
        if isinstance(s.target, ast.Subscript) or axes(k):
            self.put(f"{slot} {sign}= {dot}")
        elif is_real(k):
            self.put(f"{slot} = {slot} {sign} {dot}")
        else:
            self.put(f"if {self.bind(type)}({target}) is {self.bind(np.ndarray)}: {slot} {sign}= {dot}")
            self.put(f"else: {slot} = {slot} {sign} {dot}")


def _axis_alone(e: ast.Call, reduces: bool) -> tuple[int | None] | None:
    """The axis of a sum, one or None for all, where nothing else is said of it."""
    try:
        said = {k.arg: ast.literal_eval(k.value) for k in e.keywords}
    except ValueError:
        return None
    if said.pop("keepdims", False) is not False:
        return None
    at = said.pop("axis", 0 if reduces else None)
    return (at,) if not said and (type(at) is int or at is None) else None
