"""Operations: the backward text of each operator and call.

Elementary rules come from their partials. For some functions that nearly every program calls (sums, indices, products of
matrices, changes of shape) the text stands here; they are taken only while the rule in force is the library's
own. Every other call is done by its rule, found when the text is written.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np

from ..source import resolution
from .activity import targets
from .backward import Backward, Cotangent
from .calls import is_built_in, is_flat, is_users, rule_of
from .forward import Keep
from .kinds import Declined, Kind, axes, is_array, is_real, is_tuple
from .partials import body_of
from .rundown import along, dense, extremes, filled, scattered, slot, spread, total
from .steps import Step, is_name, literal, plain

_OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_UNARY = {"-": operator.neg, "+": operator.pos}
_SAMPLES: dict[str, Any] = {"f": 1.0, "d": np.float64(1.0), "s": 1.0, "i": 1, "b": True, "q": np.int64(1)}
_TYPES = {"a": np.float64, "j": np.int64, "m": np.bool_}
_METHODS: dict[str, str] = {}


def sample(k: Kind) -> Any:
    """A value of a kind."""
    if k in _SAMPLES:
        return _SAMPLES[k]
    if axes(k):
        return np.ones((1,) * axes(k), _TYPES[k[0]])
    raise Declined("an operand that is no number")


class Operations(Backward):
    """The texts of operations."""

    checked = False
    """Whether a result is to be looked at: a zero may have met an infinite partial."""
    singular = False
    """Whether the backward text may divide arrays by zero."""

    # how a call is done

    def planned(self, s: Step) -> Any:
        """How an active step is differentiated: its partials, the name of a method here, or a rule to call."""
        plan = s.facts.get("plan")
        if plan is None:
            plan = s.facts["plan"] = self._plan(s)
        return plan

    def _plan(self, s: Step) -> Any:
        if s.op == "binary" or s.op == "unary":
            f = (_OPERATORS if s.op == "binary" else _UNARY)[s.text]
            args: tuple[Any, ...] = tuple(sample(self.inferred.kind(a)) for a in s.args)
            kwargs: dict[str, Any] = {}
        else:
            f = self.inferred.function(s)
            if s.number not in self.inferred.profile.samples:
                raise Declined(f"line {s.line}, which was not reached")
            args, kwargs = self.inferred.profile.samples[s.number]
        if f is float:
            return "copied"
        rule = rule_of(f, args, kwargs)
        if rule is None:
            raise Declined(f"{getattr(f, '__name__', f)} has no rule")
        scalar = getattr(rule, "scalar", None)
        given = s.args[1:] if s.op == "call" else s.args
        plain_args = all(is_real(k) or axes(k) or k in ("i", "b", "q") for k in map(self.inferred.kind, given))
        if scalar is not None and not kwargs and plain_args and len(scalar.parts) == len(given):
            if all(callable(p) or isinstance(p, int | float) for p in scalar.parts):
                return scalar
        name = _STRUCTURAL.get(f)
        if name is not None and is_built_in(rule) and getattr(self, f"fits_{name}", lambda s: True)(s):
            return name
        if s.op in ("binary", "unary"):
            return _OPERATORS[s.text] if s.op == "binary" else _UNARY[s.text]
        return f

    def direct(self, s: Step) -> Any:
        plan = self.planned(s)
        if isinstance(plan, str) or hasattr(plan, "parts"):
            return None
        given = s.args[1:] if s.op == "call" else s.args
        kinds = [self.inferred.kind(a) for a in given]
        if any(is_tuple(k) or k == "L" for k in kinds):
            raise Declined(f"{getattr(plan, '__name__', plan)} of a tuple or list")
        if not (is_array(self.kinds[s.target]) or is_real(self.kinds[s.target])):
            raise Declined(f"{getattr(plan, '__name__', plan)}, which returns several values")
        args, kwargs = self.inferred.profile.samples.get(s.number) or (tuple(map(sample, kinds)), {})
        needs = tuple(self.varied(a) for a in given)
        found = resolution.resolve(plan, args, kwargs, needs)
        if not is_built_in(rule_of(plan, args, kwargs)):
            raise Declined("a rule that may have effects")
        return found

    def _text(self, s: Step) -> str:
        if s.active and s.op in ("binary", "unary"):
            rule = self.direct(s)
            if rule is not None:
                back = self.fresh("p")
                s.facts["pullback"] = Keep(back, self.block)
                return f"{s.target}, {back} = {self.bind(rule)}({', '.join(map(plain, s.args))})"
        return super()._text(s)

    def elementwise(self, s: Step) -> bool:
        if s.op == "call":
            return isinstance(self.inferred.function(s), np.ufunc) and s.text != "@" and self.inferred.function(s) is not np.matmul
        return s.op in ("binary", "unary") and s.text != "@"

    # steps in reverse

    def back_binary(self, s: Step) -> None:
        c = self.take(s.target)
        if c is None or not s.active:
            return
        self.minus = c.minus
        c = c._replace(minus=False)
        plan = self.planned(s)
        if hasattr(plan, "parts"):
            self._by_partials(s, plan, c)
        elif isinstance(plan, str):
            getattr(self, f"of_{plan}")(s, list(s.args[1:] if s.op == "call" else s.args), c)
        else:
            self._by_rule(s, c)
        self.minus = False

    back_unary = back_binary
    back_method = back_binary

    def back_call(self, s: Step) -> None:
        if "program" in s.facts:
            self._by_program(s)
        elif s.active and not is_flat(self.inferred.function(s)):
            self.back_binary(s)
        else:
            self.take(s.target)

    def back_copy(self, s: Step) -> None:
        c = self.take(s.target)
        if c is not None and s.active and self.kinds[s.target] != "L":
            self.minus = False
            source = s.args[0]
            if source not in self.cotangents and self.varied(source):
                self.cotangents[source] = c if c.form != "own" else c._replace(form="full")
            else:
                self.give(source, c.text, "full" if c.form == "own" else c.form, c.minus, fresh=False)

    def back_attr(self, s: Step) -> None:
        c = self.take(s.target)
        if c is not None and s.active:
            self.minus = False
            self.give(s.args[0], f"{self._whole_of(s, c)}.T")

    def back_get(self, s: Step) -> None:
        c = self.take(s.target)
        if c is None or not s.active:
            return
        base = s.args[0]
        self.minus = False
        if self.inferred.kind(base) == "L":
            shadow = s.kept["shadow"].use()
            self.put(f"{self.bind(slot)}({shadow}, {self.key(s)}, {self.positive(c)})")
            return
        parts = [p.strip() for p in s.text.split(",") if p.strip()]
        if parts and all(p in (":", "None") for p in parts) and "None" in parts:
            self.give(base, f"{self._whole_of(s, c)}.reshape({self.primal(s, base)}.shape)")
            return
        buffer = self.own(base, f"{self.primal(s, base)}.shape")
        key = self.key(s)
        if any(axes(self.inferred.kind(n)) for n in s.names):
            self.put(f"{self.bind(scattered)}({buffer}, {_key_text(key)}, {self.positive(c)})")
        else:
            self.put(f"{buffer}[{key}] {'-' if c.minus else '+'}= {c.text}")

    def _whole_of(self, s: Step, c: Cotangent) -> str:
        """The cotangent in the shape of the step's value, the minus written out where none is pending."""
        return self.full(c, lambda: self.value(s)) if c.form == "stretched" else self._bare(c)

    def _bare(self, c: Cotangent) -> str:
        return f"(-{c.text})" if c.minus else c.text

    # elementary rules

    def _by_partials(self, s: Step, scalar: Any, c: Cotangent) -> None:
        args = list(s.args[1:] if s.op == "call" else s.args)
        whole = is_array(self.kinds[s.target])
        if scalar.strong_zero:
            self.checked = True
            self.singular |= whole
        same = s.facts["same"]
        texts: dict[str, str] = {}
        wanted = [i for i, a in enumerate(args) if self.varied(a)]
        for i in wanted:
            text, used, minus = self._partial(s, scalar, i, args, c.text)
            for old, name in texts.items():
                text = text.replace(old, name)
            full = not whole or c.form != "stretched" or any(u == "y" or same[int(u)] for u in used)
            a = args[i]
            if len(wanted) > 1 and not text.isidentifier() and i == wanted[0]:
                text, before = self.let(text), text
                texts[before] = text
            if not whole or (is_array(self.kinds[a]) and same[i]):
                self.give(a, text, "full" if full else "stretched", minus, fresh=text != c.text and len(wanted) == 1)
            elif is_array(self.kinds[a]):
                given = f"{self.bind(spread)}({text}, {self.primal(s, a)}, {self.value(s)})"
                self.give(a, given, "full", minus, fresh=False)
            elif full and all(u == "y" or same[int(u)] for u in used) and len(args) == 2 and same[1 - i] and scalar.f in _PRODUCTS and c.form != "stretched":
                self.give(a, f"{self.bind(np.vdot)}({c.text}, {self.primal(s, args[1 - i])})", "full", minus)
            elif full and c.form != "stretched" and all(s.facts["same"][j] or not axes(self.inferred.kind(b)) for j, b in enumerate(args)):
                self.give(a, f"{self.bind(np.add.reduce)}({text}, axis=None)", "full", minus)
            else:
                self.give(a, f"{self.bind(total)}({text}, {self.value(s)})", "full", minus)

    def _partial(self, s: Step, scalar: Any, i: int, args: list[str], g: str) -> tuple[str, set[str], bool]:
        """The text of one cotangent, which values are in it, and whether it is to be subtracted."""
        template = scalar.templates[i] if scalar.templates else None
        whole = is_array(self.kinds[s.target])
        made = None if template is None else template.text([literal(a) for a in args], whole)
        if made is not None:
            text, test = made
            names = _Names(self, s, args, g)
            if test and not whole:
                self.put(f"if not {names.fill(test)}: {self.given_up()}")
            names.used.clear()
            minus = text[0] == "-"
            filled_in = names.fill(text[minus:])
            if filled_in[0] == "(" and filled_in[-1] == ")" and minus:
                filled_in = filled_in[1:-1]
            return filled_in, names.used, minus
        part = scalar.parts[i]
        if not callable(part):
            if part in (1, -1):
                return g, set(), part == -1
            return f"{g} * {part!r}", set(), False
        body, helpers = body_of(part, len(args))
        names = _Names(self, s, args, g)
        names.helpers = helpers
        return f"{g} * {names.fill(body)}", names.used, False

    # other rules

    def _by_rule(self, s: Step, c: Cotangent) -> None:
        given = s.args[1:] if s.op == "call" else s.args
        seed = self._whole_of(s, c) if is_array(self.kinds[s.target]) else self._bare(c)
        answers = self.fresh("a")
        self.put(f"{answers} = {s.facts['pullback'].use()}({seed})")
        for i, a in enumerate(given):
            if self.varied(a):
                self.give(a, f"{self.bind(dense)}({answers}[{i}])", "stretched", fresh=False)

    def _by_program(self, s: Step) -> None:
        """A function that has a program of its own."""
        program = s.facts["program"]
        found = targets(s)
        cs = [self.take(n) for n in found]
        if not s.active:
            return
        self.minus = False
        seeds = []
        for n, c in zip(found, cs, strict=True):
            if n not in self.activity.active:
                continue
            if is_array(self.kinds[n]):
                kept = s.kept["="] if s.kept.get("=") is not None else s.kept[f"={n}"]
                if c is None:
                    seeds.append(f"{self.bind(np.zeros)}({kept.use()}.shape)")
                else:
                    seeds.append(self.full(c, kept.use))
            else:
                seeds.append("0.0" if c is None else self.positive(c))
        if all(c is None for c in cs):
            return
        leaves = [n for a in s.args[1:] for n in (self.activity.leaves(a) or [a])]
        buffers, answers = [], []
        for n, role in zip(leaves, program.roles, strict=True):
            if role == "buffer":
                buffers.append(self.own(n, f"{self.primal(s, n)}.shape"))
            elif role == "answer":
                answers.append((n, self.fresh("g")))
        self.helpers.setdefault(f"{program.name}_b", program)
        call = f"{program.name}_b({', '.join([s.facts['kept trace'].use(), *seeds, *buffers])})"
        self.put(f"{', '.join(g for _, g in answers)}, = {call}" if answers else call)
        for n, g in answers:
            self.give(n, g, "full", fresh=False)

    # functions whose text stands here

    def _axis(self, s: Step, args: list[str]) -> tuple[Any, Any]:
        """`axis` and `keepdims`, where they are written out."""
        named = dict(zip(s.keywords, args[len(args) - len(s.keywords) :], strict=True))
        free = args[1 : len(args) - len(s.keywords)]
        axis = named.pop("axis", free[0] if free else "=None")
        keep = named.pop("keepdims", "=False")
        if named or len(free) > 1:
            return literal, literal
        return literal(axis), literal(keep)

    def fits_sum(self, s: Step) -> bool:
        args = list(s.args[1:] if s.op == "call" else s.args)
        axis, keep = self._axis(s, args)
        n = axes(self.inferred.kind(args[0]))
        return is_array(self.inferred.kind(args[0])) and type(keep) is bool and (axis is None or (type(axis) is int and n > 1))

    fits_mean = fits_extremum = fits_sum

    def _stretched(self, s: Step, args: list[str], c: Cotangent) -> str:
        """The cotangent of a reduction with the reduced axes in their places."""
        axis, keep = self._axis(s, args)
        if axis is None or not is_array(self.kinds[s.target]):
            if axis is None and keep:
                return c.text
            return c.text
        if keep:
            return c.text
        n = axes(self.inferred.kind(args[0]))
        whole = self._whole_of(s, c)
        return f"{whole}[{', '.join('None' if i == axis % n else ':' for i in range(n))}]"

    def of_sum(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], self._stretched(s, args, c), "stretched", fresh=False)

    def of_mean(self, s: Step, args: list[str], c: Cotangent) -> None:
        x, y = self.primal(s, args[0]), self.value(s) if is_array(self.kinds[s.target]) else ""
        count = f"({x}.size / {y}.size)" if y else f"{x}.size"
        self.give(args[0], f"{self._stretched(s, args, c)} / {count}", "stretched", fresh=False)

    def of_extremum(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis, keep = self._axis(s, args)
        x, y = self.primal(s, args[0]), self.value(s)
        if not is_array(self.kinds[s.target]):
            buffer = self.own(args[0], f"{x}.shape")
            places, part = self.fresh("i"), self.fresh("g")
            self.put(f"{places}, {part} = {self.bind(extremes)}({x}, {y}, {c.text})")
            self.put(f"{buffer}.reshape(-1)[{places}] {'-' if self.minus else '+'}= {part}")
            return
        n = axes(self.inferred.kind(args[0]))
        index = "" if keep else f"[{', '.join('None' if axis is None or i == axis % n else ':' for i in range(n))}]"
        self.give(args[0], f"{self.bind(along)}({x}, {y}{index}, {self._stretched(s, args, c)})")

    def fits_matmul(self, s: Step) -> bool:
        k = [axes(self.inferred.kind(a)) for a in (s.args[1:] if s.op == "call" else s.args)]
        return not s.keywords and len(k) == 2 and tuple(k) in _PRODUCT_TEXTS

    def of_matmul(self, s: Step, args: list[str], c: Cotangent) -> None:
        m, n = (axes(self.inferred.kind(a)) for a in args)
        g = self._whole_of(s, c) if is_array(self.kinds[s.target]) else c.text
        for a, text in zip(args, _PRODUCT_TEXTS[m, n], strict=True):
            if self.varied(a):
                self.give(a, _Names(self, s, args, g, self.bind(np.outer)).fill(text))

    def of_reshape(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], f"{self._whole_of(s, c)}.reshape({self.primal(s, args[0])}.shape)", fresh=False)

    def of_copied(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], c.text, "stretched" if c.form == "stretched" else "full", fresh=False)

    def _order(self, s: Step) -> Any:
        """The axes of a transposition, where they are written out."""
        args = list(s.args[1:] if s.op == "call" else s.args)
        if s.keywords or len(args) > 2:
            return literal
        if len(args) == 1:
            return tuple(range(axes(self.inferred.kind(args[0]))))[::-1]
        maker = next((x for x in self.all_steps if x.target == args[1] and x.op == "tuple"), None)
        order = tuple(map(literal, maker.args)) if maker is not None and self.definitions[args[1]] == 1 else ()
        return order if order and all(type(i) is int for i in order) else literal

    def fits_transpose(self, s: Step) -> bool:
        return self._order(s) is not literal

    def of_transpose(self, s: Step, args: list[str], c: Cotangent) -> None:
        order = self._order(s)
        n = len(order)
        inverse = tuple(sorted(range(n), key=lambda i: order[i] % n))
        self.give(args[0], f"{self._whole_of(s, c)}.transpose({inverse})", fresh=False)

    def fits_concatenate(self, s: Step) -> bool:
        args = list(s.args[1:])
        axis, keep = self._axis(s, args)
        k = self.inferred.kind(args[0])
        return s.op == "call" and is_tuple(k) and all(is_array(x) for x in k[1:]) and (axis is None or axis >= 0) and keep is False if axis is not literal else False

    def of_concatenate(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis = self._axis(s, args)[0] or 0
        g, at = self._whole_of(s, c), "0"
        g = self.let(g)
        for n in self.activity.leaves(args[0]):
            end = self.fresh("n")
            size = f"{s.kept[n].use()}.shape[{axis}]"
            self.put(f"{end} = {size}" if at == "0" else f"{end} = {at} + {size}")
            self.give(n, f"{g}[{':, ' * axis}{at}:{end}]", fresh=False)
            at = end

    def fits_items(self, s: Step) -> bool:
        args = list(s.args[1:])
        axis, _ = self._axis(s, args)
        k = self.inferred.kind(args[0])
        return s.op == "call" and not s.keywords and len(args) == 1 and is_tuple(k) and all(is_array(x) or is_real(x) for x in k[1:])

    def of_items(self, s: Step, args: list[str], c: Cotangent) -> None:
        g = self.let(self._whole_of(s, c))
        for i, n in enumerate(self.activity.leaves(args[0])):
            self.give(n, f"{g}[{i}]", fresh=False)


class _Names(dict[str, str]):
    """The values in a template, each asked for only if it stands there."""

    def __init__(self, writer: Operations, s: Step, args: list[str], g: str, outer: str = "") -> None:
        self.writer, self.s, self.args = writer, s, args
        self.used: set[str] = set()
        self.helpers: dict[str, Any] = {}
        super().__init__(y_bar=g, outer=outer)

    def fill(self, text: str) -> str:
        """The text with the values in their places."""
        return re.sub(r"\{(\w+)\}", lambda found: self[found[1]], text)

    def __missing__(self, key: str) -> str:
        if key in self.helpers:
            return self.writer.bind(self.helpers[key])
        self.used.add(key)
        if key == "y":
            return self.writer.value(self.s)
        return self.writer.primal(self.s, self.args[int(key)])


def _key_text(key: str) -> str:
    """The text of an index as a value."""
    parts = [p.strip() for p in key.split(",")]
    if not any(":" in p for p in parts):
        return f"({key})"
    made = []
    for p in parts:
        if ":" in p:
            ends = [e.strip() or "None" for e in p.split(":")]
            made.append(f"slice({', '.join(ends)})")
        elif p:
            made.append(p)
    return f"({', '.join(made)},)"


_PRODUCTS = (operator.mul, np.multiply)
_PRODUCT_TEXTS = {
    (2, 2): ("{y_bar} @ {1}.T", "{0}.T @ {y_bar}"),
    (2, 1): ("{outer}({y_bar}, {1})", "{y_bar} @ {0}"),
    (1, 2): ("{1} @ {y_bar}", "{outer}({0}, {y_bar})"),
    (1, 1): ("{y_bar} * {1}", "{y_bar} * {0}"),
}
_STRUCTURAL: dict[Any, str] = {
    **dict.fromkeys((np.sum, np.ndarray.sum), "sum"),
    **dict.fromkeys((np.mean, np.ndarray.mean), "mean"),
    **dict.fromkeys((np.max, np.min, np.amax, np.amin, np.ndarray.max, np.ndarray.min), "extremum"),
    **dict.fromkeys((np.matmul, operator.matmul, np.dot, np.ndarray.dot), "matmul"),
    **dict.fromkeys((np.reshape, np.ravel, np.ndarray.reshape, np.ndarray.ravel, np.ndarray.flatten), "reshape"),
    **dict.fromkeys((np.transpose, np.ndarray.transpose), "transpose"),
    **dict.fromkeys((np.copy, np.ndarray.copy), "copied"),
    np.concatenate: "concatenate",
    np.stack: "items",
}

__all__ = ["Operations", "filled"]
