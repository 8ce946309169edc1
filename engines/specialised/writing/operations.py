"""Operations: the backward text of each operator and call.

Elementary rules come from their partials, and some others from texts that stand in `structural`, while the
rule in force is the library's own. Every other call is done by its rule, found when the text is written.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..reading.calls import called, is_built_in, is_flat, rule_of
from ..reading.declined import Declined
from ..reading.kinds import axes, is_array, is_complex, is_number, is_tuple
from ..reading.steps import OPERATORS, Step, literal
from ..reading.texts import as_value
from .activity import targets
from .backward import Cotangent
from .partials import body_of
from .ruled import Ruled, sample
from .rundown import scattered, spread, total

_UNARY = {"-": operator.neg, "+": operator.pos}
_OF_COMPLEX = frozenset(
    [
        *("sum", "mean", "matmul", "reshape", "transpose", "roll", "outer", "join", "items", "copied"),
        *("trace", "cumsum", "diag", "swapped", "flip", "broadcast", "where", "fourier", "parts"),
    ]
)
"""The texts of linear functions, which hold for complex numbers as they stand or conjugate their factors."""


class Operations(Ruled):
    """The texts of operations."""

    checked = False
    """Whether a result is to be looked at: a zero may have met an infinite partial."""
    singular = False
    """Whether the backward text may divide arrays by zero."""

    all_steps: list[Step]
    structural: Mapping[Any, str] = {}
    """The functions whose text is written by a method `of_…`."""

    # how a call is done

    def planned(self, s: Step) -> Any:
        """How an active step is differentiated: by its partials, by a text, or by a call of its rule."""
        plan = s.facts.get("plan")
        if plan is None:
            plan = s.facts["plan"] = self._plan(s)
        return plan

    def _plan(self, s: Step) -> Any:
        if s.op == "binary" or s.op == "unary":
            f: Any = (OPERATORS if s.op == "binary" else _UNARY)[s.text]
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
            raise Declined(f"{called(f)} has no rule")
        scalar: Any = getattr(rule, "scalar", None)
        given = s.args[1:] if s.op == "call" else s.args
        plain_args = all(
            is_number(k) or axes(k) or k in ("i", "b", "q") for k in map(self.inferred.kind, given)
        )
        fits = scalar is not None and not kwargs and plain_args and len(scalar.parts) == len(given)
        if fits and all(callable(p) or isinstance(p, int | float) for p in scalar.parts):
            return scalar
        name = self.structural.get(f)
        if f is np.array and axes(self.inferred.kind(given[0])):
            name = "copied"
        if name is not None and any(map(self._is_complex, (s.target, *given))):
            lists = any(self.inferred.kind(a) == "L" for a in given)
            name = name if name in _OF_COMPLEX and not lists else None
        if name is not None and is_built_in(rule) and getattr(self, f"fits_{name}", lambda s: True)(s):
            return name
        if s.op in ("binary", "unary"):
            return OPERATORS[s.text] if s.op == "binary" else _UNARY[s.text]
        return f

    def elementwise(self, s: Step) -> bool:
        if s.op == "call":
            f = self.inferred.function(s)
            return isinstance(f, np.ufunc) and f.signature is None
        return s.op in ("binary", "unary") and s.text != "@"

    # steps in reverse

    def back_binary(self, s: Step) -> None:
        if self.several(s):
            self.back_several(s)
            return
        if is_tuple(self.kinds[s.target]) and s.active:
            self.minus = False
            getattr(self, f"of_{self.planned(s)}")(s, list(s.args[1:]), None)
            return
        c = self.cotangent_of(s, s.target)
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
            self.by_rule(s, c)
        self.minus = False

    back_unary = back_binary
    back_method = back_binary

    def back_call(self, s: Step) -> None:
        if "program" in s.facts:
            self._by_program(s)
        elif s.active and not is_flat(self.inferred.function(s)):
            self.back_binary(s)
        elif not self.has_shadow(s.target):
            self.take(s.target)

    def back_copy(self, s: Step) -> None:
        c = self.cotangent_of(s, s.target)
        if c is not None and s.active and self.kinds[s.target] != "L":
            self.minus = False
            source = s.args[0]
            first = source not in self.cotangents and self.varied(source) and not self.has_shadow(source)
            if first and (not self.projected or self._is_complex(source)):
                self.cotangents[source] = c if c.form != "own" else c._replace(form="full")
            else:
                self.give(source, c.text, "full" if c.form == "own" else c.form, c.minus, fresh=False)

    def back_attr(self, s: Step) -> None:
        c = self.cotangent_of(s, s.target)
        if c is not None and s.active:
            self.minus = False
            whole = self._whole_of(s, c)
            text = {"T": f"{whole}.T", "real": whole, "imag": f"1j * {whole}"}[s.text]
            self.give(s.args[0], text, fresh=False)

    def back_get(self, s: Step) -> None:
        if self.inferred.kind(s.args[0]) == "L" and s.active:
            self.minus = False
            if self.kinds[s.target] != "L":
                self.item_of_list(s)
            elif ":" in s.text:
                self.part_of_list(s)
            return
        c = self.cotangent_of(s, s.target)
        if c is None or not s.active:
            return
        base = s.args[0]
        self.minus = False
        parts = [p.strip() for p in s.text.split(",") if p.strip()]
        whole = s.text == "()" or (all(p in (":", "None") for p in parts) and "None" in parts)
        if parts and whole and not self.has_shadow(base):
            self.give(base, f"{self._whole_of(s, c)}.reshape({self.primal(s, base)}.shape)", fresh=False)
            return
        buffer = self.buffer(s, base)
        key = self.key(s)
        if any(axes(self.inferred.kind(n)) for n in s.names):
            self.put(f"{self.bind(scattered)}({buffer}, {as_value(key)}, {self.positive(c)})")
        else:
            self.put(f"{buffer}[{key}] {'-' if c.minus else '+'}= {c.text}")

    def buffer(self, s: Step, name: str) -> str:
        """The array that a variable's cotangent is added into."""
        return self.shadow(name) if self.has_shadow(name) else self.own(name, f"{self.primal(s, name)}.shape")

    def _whole_of(self, s: Step, c: Cotangent) -> str:
        """The cotangent in the shape of the step's value, the minus written out where none is pending."""
        whole = self.full(c, lambda: self.value(s)) if c.form == "stretched" else self._bare(c)
        return self.as_made(s, whole)

    def _bare(self, c: Cotangent) -> str:
        return f"(-{c.text})" if c.minus else c.text

    def adjoint(self, s: Step, atom: str) -> str:
        """A factor of a product as its adjoint has it: conjugated where it is complex."""
        text = self.primal(s, atom)
        return f"{text}.conjugate()" if self._is_complex(atom) else text

    # elementary rules

    def _by_partials(self, s: Step, scalar: Any, c: Cotangent) -> None:
        args = list(s.args[1:] if s.op == "call" else s.args)
        whole = is_array(self.kinds[s.target])
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
            if scalar.strong_zero and is_number(self.kinds[a]) and not whole:
                text = self.let(text)
                self.put(f"if not {text} - {text} == 0.0: {self.given_up()}")
            if not whole or (is_array(self.kinds[a]) and same[i]):
                alone = sum(is_array(self.kinds[args[j]]) for j in wanted) == 1
                fresh = c.fresh and alone if text == c.text else len(wanted) == 1
                self.give(a, text, "full" if full else "stretched", minus, fresh=fresh, moved=alone)
            elif is_array(self.kinds[a]):
                given = f"{self.bind(spread)}({text}, {self.primal(s, a)}, {self.value(s)})"
                self.give(a, given, "full", minus, fresh=False)
            elif c.form != "stretched" and len(args) == 2 and same[1 - i] and scalar.f in _PRODUCTS:
                self.give(a, f"{self.bind(np.vdot)}({self.primal(s, args[1 - i])}, {c.text})", "full", minus)
            elif c.form != "stretched" and all(
                same[j] or not axes(self.inferred.kind(b)) for j, b in enumerate(args)
            ):
                self.give(a, f"{self.bind(np.add.reduce)}({text}, axis=None)", "full", minus)
            else:
                self.give(a, f"{self.bind(total)}({text}, {self.value(s)})", "full", minus)

    def _partial(self, s: Step, scalar: Any, i: int, args: list[str], g: str) -> tuple[str, set[str], bool]:
        """The text of one cotangent, which values are in it, and whether it is to be subtracted."""
        template = scalar.templates[i] if scalar.templates and not self.projected else None
        whole = is_array(self.kinds[s.target])
        made = None if template is None else template.text([literal(a) for a in args], whole)
        if made is not None:
            text, test = made
            names = Names(self, s, args, g)
            if test:
                held = names.fill(test)
                kinds = [
                    self.kinds[s.target] if u == "y" else self.inferred.kind(args[int(u)]) for u in names.used
                ]
                if not any(map(axes, kinds)):
                    self.put(f"if not {held}: {self.given_up()}")
                else:
                    self.checked = self.singular = True
            if whole and "{y}" in text and scalar.strong_zero:
                self.checked = True
            names.used.clear()
            minus = text[0] == "-"
            filled_in = names.fill(text[minus:])
            if filled_in[0] == "(" and filled_in[-1] == ")" and minus:
                filled_in = filled_in[1:-1]
            return filled_in, names.used, minus
        part = scalar.parts[i]
        if scalar.strong_zero:
            self.checked, self.singular = True, self.singular or whole
        if not callable(part):
            if part in (1, -1):
                return g, set(), part == -1
            return f"{g} * {part!r}", set(), False
        body, helpers = body_of(part, len(args))
        names = Names(self, s, args, g)
        names.helpers = helpers
        text = names.fill(body)
        found = (s.target if u == "y" else args[int(u)] for u in names.used)
        end = ".conjugate()" if any(map(self._is_complex, found)) else ""
        return f"{g} * {text}{end}", names.used, False

    # other rules

    def _by_program(self, s: Step) -> None:
        """A function that has a program of its own."""
        program = s.facts["program"]
        found = targets(s)
        cs = [self.cotangent_of(s, n) for n in found]
        if not s.active:
            return
        self.minus = False
        self.projected |= any(map(is_complex, program.profile.kinds))
        seeds = []
        for n, c, varied in zip(found, cs, program.active, strict=True):
            if n not in self.activity.active or not varied:
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
        leaves = [n for a in s.args[1:] for n in self.activity.given(a)]
        buffers, answers = [], []
        for n, role in zip(leaves, program.roles, strict=True):
            if role == "buffer":
                buffers.append(self.buffer(s, n))
            elif role == "answer":
                answers.append((n, self.fresh("g")))
        self.helpers.setdefault(f"{program.name}_b", program)
        call = f"{program.name}_b({', '.join([s.facts['kept trace'].use(), *seeds, *buffers])})"
        self.put(f"{', '.join(g for _, g in answers)}, = {call}" if answers else call)
        for n, g in answers:
            self.give(n, g, "full", fresh=False)


class Names(dict[str, str]):
    """The values in a template, each asked for only if it stands there."""

    def __init__(
        self, writer: Operations, s: Step, args: list[str], g: str, outer: str = "", adjoint: bool = False
    ) -> None:
        """`adjoint`: whether complex factors are conjugated, as the adjoint of a product has them."""
        self.adjoint = adjoint
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
        atom = self.args[int(key)]
        return self.writer.adjoint(self.s, atom) if self.adjoint else self.writer.primal(self.s, atom)


_PRODUCTS = (operator.mul, np.multiply)
