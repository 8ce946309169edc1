"""Inference: the kind of every variable, from the kinds of the arguments.

Where the kind of a result follows from those of its operands nothing is tested when the program runs.
Elsewhere the recorded kind is taken, and a guard in the text holds the value to it. Branches that no
recorded run took are given up, and tuples become their items.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

import numpy as np

from ..reading.apart import Apart, field_place
from ..reading.by_key import is_by_key, is_missing, kind_by_key
from ..reading.calls import is_users
from ..reading.composed import Keyed, Kind, Listed, Made, Named
from ..reading.declined import Changing, Declined
from ..reading.held import is_made
from ..reading.kinds import (
    MIXED,
    NUMBERS,
    axes,
    has_object,
    is_array,
    is_complex,
    is_sequence,
    is_tuple,
    join,
    kind_of,
    place,
    places,
    tupled,
    widened,
)
from ..reading.levels import Levels, hold_counts
from ..reading.packing import mark_packed
from ..reading.statements import RESULT
from ..reading.steps import Step, is_name, plain, walk
from ..reading.unused import without_unused
from .inlining import Inlined
from .operators import kind_of_operator, kind_of_ufunc
from .recording import Profile

_INDICES = frozenset("iSNER")
"""What always takes as many axes; a tuple of places takes as many as it is long."""
_IN_KEYS = ("i", "S", "N", "E")
_ATTRIBUTES = {
    **{"shape": "H", "size": "i", "ndim": "i", "dtype": "D", "kind": "Z", "__name__": "Z"},
    **{"strides": "H", "itemsize": "i", "nbytes": "i", "char": "Z"},
}
_CALLS = ("call", "method")
_TAKE_OBJECTS = ("attr", "tuple", "get", "list")
"""Steps that know what to do with objects."""
_BY_KINDS: tuple[Any, ...] = (
    *(np.sum, np.mean, np.max, np.min, np.prod, np.amax, np.amin, np.matmul, np.dot, np.transpose),
    *(np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min, np.ndarray.dot, np.ndarray.transpose),
    *(np.stack, np.outer, np.cross, np.where, np.zeros_like, np.ones_like, np.ndarray.copy, np.ndarray.ravel),
    *(np.vander, np.arange, np.linspace, np.sign, np.concatenate),
)


@functools.lru_cache(1024)
def _kind_of_literal(text: str) -> Kind:
    """The kind of a constant that is written out."""
    return "E" if text == "Ellipsis" else kind_of(ast.literal_eval(text))


class Inferred(Apart):
    """The steps of a function with arguments of these kinds, and the kinds of its variables."""

    def __init__(self, profile: Profile) -> None:
        self.profile = Inlined(profile)
        self.reading = profile.reading
        self.steps: list[Step] = self.profile.steps
        self._prune(self.steps)
        self.kinds: dict[str, Kind] = dict(zip(self.reading.parameters, profile.kinds, strict=True))
        self.guards: dict[int, Kind] = {}
        self.decided: dict[str, bool] = {}  # what `isinstance` says of the kinds
        self.fresh: bool | None = None  # whether its result is an array of its own, once that was asked
        self.in_branches = {x for s in walk(self.steps) if s.op == "if" for x in walk([*s.body, *s.orelse])}
        self._settle()
        for s in walk(self.steps):
            if "in place" in s.facts and self.kind(s.args[0]) in NUMBERS:
                del s.facts["in place"]  # a number is not written into
            if s.op == "call" and is_name(s.args[0]):
                f, k = self.value_of(s.args[0]), self.kind(s.args[0])
                s.args = (self.profile.constant(f, k), *s.args[1:])  # whatever the variable is called
        self.result = widened(self.kinds[RESULT])
        self.kinds[RESULT] = self.result
        self.parameters = list(self.reading.parameters)
        self.steps = self._apart(self.steps)
        self._opened([(p, self.kinds[p]) for p in self.parameters])
        self.lists = Levels(self.steps, self.kind)
        mark_packed(self.steps, self.lists, profile.session.manner.records)
        hold_counts(self.steps, self.lists)
        results = {leaf for n in (RESULT, *self.parameters) for leaf in self.leaves(n)}
        self.steps = without_unused(self.steps, results)

    def kind(self, atom: str) -> Kind:
        """The kind of an argument of a step."""
        if is_name(atom):
            return self.kinds.get(atom)
        text = atom[1:]
        if text in self.profile.constants:
            return self.profile.constants[text]
        return _kind_of_literal(text)

    def value_of(self, atom: str) -> Any:
        """What a callable argument stands for."""
        k = self.kind(atom)
        if type(k) is tuple and k[0] == "F":
            return k[1]
        raise Declined(f"a call of {plain(atom)}")

    # branches

    def _prune(self, steps: list[Step]) -> None:
        taken, seen = self.profile.taken, self.profile.seen
        for s in steps:
            if s.op == "if" and "always" not in s.facts:
                if (s.number, True) not in taken:
                    s.body = [Step("deopt", line=s.line)]
                if (s.number, False) not in taken:
                    s.orelse = [Step("deopt", line=s.line)]
            elif s.op == "loop" and s.target and s.number not in seen:
                s.body = [Step("deopt", line=s.line)]
            self._prune(s.body)
            self._prune(s.orelse)

    def name_of(self, value: Any) -> str:
        return str(self.profile.constant(value)[1:])

    # kinds

    def _settle(self) -> None:
        for _ in range(12):
            before = dict(self.kinds)
            self.guards = {}
            for s in walk(self.steps):
                if s.op == "if" and s.args[0] in self.decided:
                    self._left_out(s, self.decided[s.args[0]])
                if s.op in ("get", "set") and (s.text,) == s.names:
                    self._spelled(s)
                if s.op == "loop" and s.target and s.body and s.body[0].op != "deopt":
                    self._give(s.target, self._item(s))
                elif s.target and s.op != "loop":
                    self._give(s.target, self._of(s))
            if self.kinds == before:
                if RESULT not in self.kinds:
                    raise Declined("a function that does not end")
                return
        raise Declined("kinds that do not settle")

    def _left_out(self, s: Step, taken: bool) -> None:
        """Leave out the arm that is not taken for objects of these kinds."""
        arm = s.orelse if taken else s.body
        arm[:] = [Step("deopt", line=s.line)]

    def _spelled(self, s: Step) -> None:
        """Write an index that is a tuple of arrays as its items."""
        k, base = self.kind(s.text), self.kind(s.args[0])
        if axes(base) and type(k) is tuple and is_tuple(k) and all(i in _IN_KEYS or axes(i) for i in k[1:]):
            self._opened([(s.text, k)])
            s.names = tuple(self.leaves(s.text))
            s.text = ", ".join(s.names)

    def _give(self, name: str, k: Kind) -> None:
        old = self.kinds.get(name)
        self.kinds[name] = k if old is None else join(old, k)

    def _item(self, s: Step) -> Kind:
        k = self.kind(s.args[0])
        if k == "R":
            return "i"
        raise Declined("a loop over what is neither a range nor a sequence")

    def _of(self, s: Step) -> Kind:
        try:
            found = self._inferred(s)
        except Declined as why:
            why.body = why.body or s.facts.get("body")
            raise
        if found is None:
            found = self.profile.seen.get(s.number)
            if found is None:
                raise Declined(f"line {s.line}, which was not reached")
            of_list = s.op == "get" and self.kind(s.args[0]) == "L"
            if found == "L" and not of_list and (s.op not in _CALLS or is_users(self.function(s))):
                raise Declined("a list that comes from a list or a call")
            self.guards[s.number] = found
        if found == MIXED:
            raise Changing("a value of several kinds")
        return found

    def _inferred(self, s: Step) -> Kind | None:
        k = [self.kind(a) for a in s.args]
        if None in k:
            raise Declined("a variable that is read before it is set")
        if s.op in ("copy", "open"):
            return k[0]
        if s.op == "compare" and s.text in ("is", "is not") and ("N" in k or not all(map(is_tuple, k))):
            return "b"
        if s.op == "call" and (decided := self.is_of(s)) is not None:
            self.decided[s.target] = decided
            return "b"
        if any(map(has_object, k)) and s.op not in _TAKE_OBJECTS and not self._is_apart(s):
            raise Declined("an object that is handed to what does not know it")
        if s.op == "binary" and s.text == "+" and (k[0] == "L" or is_tuple(k[0]) or is_tuple(k[1])):
            return self._joined(s, k[0], k[1])
        if s.op == "binary":
            made = kind_of_operator(s.text, k[0], k[1])
            if s.facts.get("in place") and axes(k[0]):
                base = s.facts.get("of")
                if made != k[0] or (base is not None and not axes(self.kind(base))):
                    raise Declined("an array that is changed in place")
            return made
        if s.op == "unary":
            if s.text == "not ":
                return "b"
            if s.text == "~":
                return k[0] if k[0][0] == "m" else None
            return "i" if k[0] == "b" else k[0] if k[0] in NUMBERS or axes(k[0]) else None
        if s.op == "compare":
            if s.text in ("is", "is not", "in", "not in") or not any(map(axes, k)):
                return "b"
            return f"m{max(map(axes, k))}"
        if s.op == "tuple":
            if "named" in s.facts:
                return Named.of(s.facts["named"], s.facts["keys"], k)
            if "made" in s.facts:
                return Made.of(s.facts["made"], s.facts["keys"], k)
            if "keys" in s.facts:
                return Keyed(s.facts["keys"], k)
            return Listed(("T", *k)) if "listed" in s.facts else tupled(k)
        if s.op == "list":
            return "L"
        if s.op == "attr" and isinstance(k[0], Made):
            return k[0][1 + field_place(k[0], s.text)]
        if s.op == "attr" and s.text in ("real", "imag") and is_complex(k[0]):
            return f"a{axes(k[0])}" if axes(k[0]) else "s"
        if s.op == "attr" and k[0][0] in "UFM" and s.text != "__name__":
            return None
        if s.op == "attr":
            return _ATTRIBUTES.get(s.text, k[0])
        if s.op == "get":
            return self._got(s, k[0])
        return self._called(s, k)

    def _is_apart(self, s: Step) -> bool:
        """Whether a function with a text of its own is called, which takes objects apart."""
        return s.op == "call" and is_users(self.function(s)) and s.number in self.profile.callees

    def _joined(self, s: Step, a: Kind, b: Kind) -> Kind:
        """The kind of two tuples or lists, one behind the other."""
        if a == "L" and "of" not in s.facts and (b == "L" or ("in place" in s.facts and is_tuple(b))):
            return "L"
        if all(type(k) is tuple and is_tuple(k) for k in (a, b)):
            return tupled((*a[1:], *b[1:]))
        raise Declined("a sum of lists or tuples")

    def _got(self, s: Step, base: Kind) -> Kind | None:
        inside = [self.kind(n) for n in s.names]
        if ("L" in inside and not axes(base)) or any(is_tuple(x) for x in inside):
            raise Declined("a list as an index")
        if type(base) is Made:
            raise Declined("an object that is indexed")
        if base == "L" and "rest" in s.facts:
            s.facts["least"] = s.facts.pop("rest")
        if s.facts.get("rest", 0) > len(base) - 1 or ("rest" in s.facts and not is_tuple(base)):
            raise Declined("a starred target, and what is no tuple")
        if is_missing(s, base) and s in self.in_branches:
            return kind_by_key(base, "i", [])
        if is_by_key(s, base):
            return kind_by_key(base, inside[0], [self.kind(a) for a in s.args[1:]])
        if is_tuple(base) and ":" in s.text and s.text[0] != "'":
            items = [base[1:][i] for i in places(base, s.text)]
            return Listed(("T", *items)) if type(base) is Listed else tupled(items)
        if is_tuple(base):
            return base[1:][place(base, s.text)]
        if base == "L" and ":" in s.text:
            return "L"
        if base in ("H", "R"):
            if all(x == "i" for x in inside):
                return "i" if ":" not in s.text else base
            return None
        if axes(base) and all(x in _INDICES or x == "L" or axes(x) for x in inside):
            return self.profile.seen.get(s.number)
        return None

    def _called(self, s: Step, k: list[Kind]) -> Kind | None:
        f, given = self.function(s), k[s.op == "call" :]
        seen = self.profile.seen.get(s.number)
        if is_users(f):
            callee = self.callee(s)
            if callee.f is not f:
                raise Changing("a call of one function or another")
            return self.profile.session.inferred(callee).result
        if f is len or f is int:
            return "i"
        if (f is list or f is tuple) and given and is_array(given[0]):
            raise Declined("a list of the entries of an array")
        if (f is list or f is tuple) and given and is_tuple(given[0]) and not is_sequence(given[0]):
            raise Declined("a list of the keys of a dictionary")
        if (f is list or f is tuple) and len(given) == 1 and (is_tuple(given[0]) or given[0] == "L"):
            if f is tuple and given[0] == "L":
                raise Declined("a tuple that is made of a list")
            return "L" if f is list else tupled(given[0][1:])
        if "L" in given:
            return None
        if f is float:
            return "f"
        if f is range or f is reversed:
            return "R"
        if isinstance(f, np.ufunc):
            return None if s.keywords else kind_of_ufunc(f, given)
        if getattr(f, "__module__", "") == "math" and seen == "f":
            return "f"
        if f in _BY_KINDS and not any(
            self.kind(a) in ("b", "q", "s", "H") and is_name(a) for a in s.args[2:]
        ):
            return seen
        return None

    def function(self, s: Step) -> Any:
        """What a call calls."""
        if s.op == "method":
            k = self.kind(s.args[0])
            if isinstance(k, tuple) and (k[0] == "M" or is_made(k[1])):
                return getattr(k[1] if k[0] == "M" else type(k[1]), s.text)
            return getattr(np.ufunc if isinstance(k, tuple) and k[0] == "F" else np.ndarray, s.text)
        return self.value_of(s.args[0])

    def callee(self, s: Step) -> Profile:
        """What was seen of the function that a call calls."""
        found = self.profile.callees.get(s.number)
        if found is None:
            raise Declined(f"line {s.line}, which was not reached")
        callee: Profile = self.profile.session.profiles[found]
        given = [self.kind(a) for a in s.args[1:]]
        if not s.keywords and any(join(a, b) != b for a, b in zip(given, callee.kinds, strict=False)):
            raise Declined("a call with a wider kind of argument than was seen")
        return callee
