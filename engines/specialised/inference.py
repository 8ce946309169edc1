"""Inference: the kind of every variable, from the kinds of the arguments.

Where the kind of a result follows from those of its operands nothing is tested when the program runs.
Elsewhere the recorded kind is taken, and a guard in the text holds the value to it. Branches that no
recorded run took are given up, and tuples become their items.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .calls import is_users
from .declined import Declined
from .inlining import Inlined
from .kinds import (
    REAL,
    Keyed,
    Kind,
    Made,
    axes,
    has_object,
    is_array,
    is_tuple,
    join,
    keys_of,
    kind_of,
    place,
    widened,
)
from .reading import RESULT
from .recording import Profile
from .steps import Step, is_name, plain, walk

_INDICES = frozenset("iSNEHR")
_BY_KINDS: tuple[Any, ...] = (
    *(
        np.sum,
        np.mean,
        np.max,
        np.min,
        np.prod,
        np.amax,
        np.amin,
        np.matmul,
        np.dot,
        np.transpose,
        np.concatenate,
    ),
    *(np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min, np.ndarray.dot, np.ndarray.transpose),
    *(np.stack, np.outer, np.cross, np.where, np.zeros_like, np.ones_like, np.ndarray.copy, np.ndarray.ravel),
    *(np.vander, np.arange, np.linspace, np.sign),
)


class Inferred:
    """The steps of a function with arguments of these kinds, and the kinds of its variables."""

    def __init__(self, profile: Profile) -> None:
        self.profile = Inlined(profile)
        self.reading = profile.reading
        self.steps: list[Step] = self.profile.steps
        self._prune(self.steps)
        self.kinds: dict[str, Kind] = dict(zip(self.reading.parameters, profile.kinds, strict=True))
        self.guards: dict[int, Kind] = {}
        self.fresh: bool | None = None  # whether its result is an array of its own, once that was asked
        self._settle()
        self.result = widened(self.kinds[RESULT])
        self.kinds[RESULT] = self.result
        self.parameters = list(self.reading.parameters)
        self.steps = self._apart(self.steps)
        self._opened([(p, self.kinds[p]) for p in self.parameters])

    def kind(self, atom: str) -> Kind:
        """The kind of an argument of a step."""
        if is_name(atom):
            return self.kinds.get(atom)
        text = atom[1:]
        if text in self.profile.constants:
            return self.profile.constants[text]
        return kind_of(ast.literal_eval(text))

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
            if s.op == "if":
                if (s.number, True) not in taken:
                    s.body = [Step("deopt", line=s.line)]
                if (s.number, False) not in taken:
                    s.orelse = [Step("deopt", line=s.line)]
            elif s.op == "loop" and s.target and s.number not in seen:
                s.body = [Step("deopt", line=s.line)]
            self._prune(s.body)
            self._prune(s.orelse)

    # kinds

    def _settle(self) -> None:
        for _ in range(12):
            before = dict(self.kinds)
            self.guards = {}
            for s in walk(self.steps):
                if s.op == "loop" and s.target and s.body and s.body[0].op != "deopt":
                    self._give(s.target, self._item(s))
                elif s.target and s.op != "loop":
                    self._give(s.target, self._of(s))
            if self.kinds == before:
                if RESULT not in self.kinds:
                    raise Declined("a function that does not end")
                return
        raise Declined("kinds that do not settle")

    def _give(self, name: str, k: Kind) -> None:
        old = self.kinds.get(name)
        self.kinds[name] = k if old is None else join(old, k)

    def _item(self, s: Step) -> Kind:
        k = self.kind(s.args[0])
        if k == "R":
            return "i"
        raise Declined("a loop over what is neither a range nor a sequence")

    def _of(self, s: Step) -> Kind:
        found = self._inferred(s)
        if found is None:
            found = self.profile.seen.get(s.number)
            if found is None:
                raise Declined(f"line {s.line}, which was not reached")
            if found == "L" and s.op != "list":
                raise Declined("a list that comes from a list or a call")
            if s.op != "call" or found != "L":
                self.guards[s.number] = found
        return found

    def _inferred(self, s: Step) -> Kind | None:
        k = [self.kind(a) for a in s.args]
        if None in k:
            raise Declined("a variable that is read before it is set")
        if s.op in ("copy", "open"):
            return k[0]
        if s.op == "compare" and s.text in ("is", "is not") and "N" in k:
            return "b"
        if any(map(has_object, k)) and s.op not in ("attr", "tuple", "get"):
            raise Declined("an object that is handed to what does not know it")
        if s.op == "binary":
            made = _binary(s.text, k[0], k[1])
            if s.facts.get("in place") and (axes(k[0]) or k[0] == "L" or is_tuple(k[0])):
                base = s.facts.get("of")
                if made != k[0] or (base is not None and not axes(self.kind(base))):
                    raise Declined("an array that is changed in place")
            return made
        if s.op == "unary":
            if s.text == "not ":
                return "b"
            if s.text == "~":
                return k[0] if k[0][0] == "m" else None
            return "i" if k[0] == "b" else k[0] if k[0] in ("f", "d", "s", "i", "q") or axes(k[0]) else None
        if s.op == "compare":
            if s.text in ("is", "is not", "in", "not in") or not any(map(axes, k)):
                return "b"
            return f"m{max(map(axes, k))}"
        if s.op == "tuple":
            if "made" in s.facts:
                return Made.of(s.facts["made"], s.facts["keys"], k)
            if "keys" in s.facts:
                return Keyed(s.facts["keys"], k)
            return "H" if all(x == "i" for x in k) else ("T", *k)
        if s.op == "list":
            return "L"
        if s.op == "attr" and type(k[0]) is Made:
            return k[0][1 + field_place(k[0], s.text)]
        if s.op == "attr":
            return {"shape": "H", "size": "i", "ndim": "i"}.get(s.text, k[0])
        if s.op == "get":
            return self._got(s, k[0])
        return self._called(s, k)

    def _got(self, s: Step, base: Kind) -> Kind | None:
        inside = [self.kind(n) for n in s.names]
        if "L" in inside or any(is_tuple(x) for x in inside):
            raise Declined("a list as an index")
        if type(base) is Made:
            raise Declined("an object that is indexed")
        if base == "L" and s.facts.get("grows"):
            raise Declined("a loop over items that may append to what it goes through")
        if is_tuple(base):
            return base[1:][place(base, s.text)]
        if base in ("H", "R"):
            if all(x == "i" for x in inside):
                return "i" if ":" not in s.text else base
            return None
        if axes(base) and all(x in _INDICES or axes(x) for x in inside):
            return self.profile.seen.get(s.number)
        return None

    def _called(self, s: Step, k: list[Kind]) -> Kind | None:
        f, given = self.function(s), k[s.op == "call" :]
        seen = self.profile.seen.get(s.number)
        if is_users(f):
            self._by_position(s, f)
            return self.profile.session.inferred(self.callee(s)).result
        if f is len or f is int:
            return "i"
        if "L" in given:
            return None
        if f is float:
            return "f"
        if f is range or f is reversed:
            return "R"
        if isinstance(f, np.ufunc):
            numbers = all(x in REAL or x in ("i", "b", "q") or is_array(x) for x in given)
            varying = any(x in REAL or is_array(x) for x in given)
            if (
                numbers
                and varying
                and not s.keywords
                and "d" * f.nin + "->" + "d" * f.nout in f.types
                and f.nout == 1
            ):
                n = max(map(axes, given))
                return f"a{n}" if n else "d"
            return None
        if getattr(f, "__module__", "") == "math" and seen == "f":
            return "f"
        if f in _BY_KINDS and not any(self.kind(a) in ("b", "q", "s") and is_name(a) for a in s.args[2:]):
            return seen
        return None

    def _by_position(self, s: Step, f: Any) -> None:
        """Give the arguments of a call by position, with defaults that are constants."""
        code = f.__code__
        names = code.co_varnames[: code.co_argcount]
        several = names + code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        given = dict(zip(several, s.args[1 : len(s.args) - len(s.keywords)], strict=False))
        given.update(zip(s.keywords, s.args[len(s.args) - len(s.keywords) :], strict=True))
        defaults = dict(zip(reversed(names), reversed(f.__defaults__ or ()), strict=False))
        defaults.update(f.__kwdefaults__ or {})
        for n in several:
            if n not in given:
                if n not in defaults or type(defaults[n]) not in (int, float, bool, str, type(None)):
                    raise Declined("a default that is no number")
                given[n] = f"={defaults[n]!r}"
        s.args, s.keywords = (s.args[0], *(given[n] for n in several)), ()

    def function(self, s: Step) -> Any:
        """What a call calls."""
        if s.op == "method":
            return getattr(np.ndarray, s.text)
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

    # tuples

    def leaves(self, name: str) -> list[str]:
        """The variables that hold the items of a tuple, or the variable itself."""
        k = self.kinds[name]
        if not is_tuple(k):
            return [name]
        return [leaf for i in range(len(k) - 1) for leaf in self.leaves(f"{name}__{i}")]

    def _opened(self, names: list[tuple[str, Kind]]) -> None:
        for name, k in names:
            if is_tuple(k):
                inside = [(f"{name}__{i}", item) for i, item in enumerate(k[1:])]
                self.kinds.update(inside)
                self._opened(inside)

    def _apart(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._apart(s.body), self._apart(s.orelse)
            k: Kind = self.kinds.get(s.target) if s.target else None
            if is_tuple(k) and s.op != "loop":
                self._opened([(s.target, k)])
            base: Kind = self.kind(s.args[0]) if s.op in ("get", "copy", "attr") else None
            if s.op == "expect":
                if self.kind(s.args[0]) not in ("f", "i"):
                    raise Declined("an operator whose operand may be NumPy's")
                continue
            if s.op in ("append", "set", "if") and any(has_object(self.kind(a)) for a in s.args):
                raise Declined("an object that is handed to what does not know it")
            if s.op == "compare" and k == "b" and any(is_tuple(self.kind(a)) for a in s.args):
                s.op, s.args, s.text = "copy", (f"={s.text == 'is not'}",), ""
            if s.op == "open":
                s.facts["leaves"] = self.leaves(s.target)
            if s.op == "attr" and type(base) is Made:
                self._opened([(s.args[0], base)])
                out += self._copies(s, s.target, f"{s.args[0]}__{field_place(base, s.text)}")
            elif s.op == "get" and is_tuple(base):
                if not is_name(s.args[0]):
                    raise Declined("a tuple from outside")
                self._opened([(s.args[0], base)])
                if s.facts.get("of", len(base) - 1) != len(base) - 1:
                    raise Declined("a tuple of another length")
                leaf = f"{s.args[0]}__{place(base, s.text)}"
                out += self._copies(s, s.target, leaf)
            elif s.op == "tuple" and is_tuple(k):
                for i, a in enumerate(s.args):
                    out += self._copies(s, f"{s.target}__{i}", a)
                out += self._pack(s, s.target)
            elif s.op == "copy" and is_tuple(k):
                if not is_name(s.args[0]):
                    raise Declined("a tuple from outside")
                out += self._copies(s, s.target, s.args[0])
            elif s.op == "binary" and s.facts.get("in place") and axes(k) and "of" not in s.facts:
                target, s.target = s.target, f"{s.target}__w"
                self.kinds[s.target] = k
                out += [s, Step("set", "", (s.args[0], s.target), s.line, "...")]
                out.append(Step("copy", target, (s.args[0],), s.line))
            else:
                out.append(s)
                if is_tuple(k) and s.op != "open":
                    if s.op != "call" and not (s.op == "get" and base == "L"):
                        raise Declined("a tuple that an operator makes")
                    s.facts["leaves"] = self.leaves(s.target)
        return out

    def _pack(self, s: Step, name: str) -> list[Step]:
        if has_object(self.kinds[name]):
            return []
        count, keys = len(self.kinds[name]) - 1, keys_of(self.kinds[name])
        step = Step("pack", name, tuple(f"{name}__{i}" for i in range(count)), s.line)
        if keys is not None:
            step.facts["keys"] = keys
        return [step]

    def _copies(self, s: Step, target: str, source: str) -> list[Step]:
        if not is_tuple(self.kind(source)) or not is_name(source):
            self.kinds.setdefault(target, self.kind(source))
            return [Step("copy", target, (source,), s.line)]
        self._opened([(source, self.kind(source)), (target, self.kind(source))])
        inner = []
        for i in range(len(self.kind(source)) - 1):
            inner += self._copies(s, f"{target}__{i}", f"{source}__{i}")
        return [*inner, *self._pack(s, target)]


def field_place(k: Kind, name: str) -> int:
    """Which of an object's fields this is."""
    if name not in k.keys:
        raise Declined(f"the attribute {name}")
    return int(k.keys.index(name))


def _binary(op: str, a: Kind, b: Kind) -> Kind | None:
    """The kind of an operator's value."""
    x, y = axes(a), axes(b)
    real = is_array(a) or is_array(b)
    if type(a) is not str or type(b) is not str or op in "&|^":
        return None
    if x or y:
        if op == "@" or not real or a[0] not in "ajmfdsibq" or b[0] not in "ajmfdsibq":
            return _product(x, y) if op == "@" and real and x and y else None
        return f"a{max(x, y)}"
    if a == "H" and b == "H" and op == "+":
        return "H"
    if "q" in (a, b) or op == "**" or not {a, b} <= {"f", "d", "s", "i", "b"}:
        return "d" if op == "**" and (a, b) in (("d", "i"), ("d", "d"), ("d", "f")) else None
    if "s" in (a, b):
        return "s" if op in "+-*/" else None
    if "d" in (a, b):
        return "d"
    if "f" in (a, b):
        return "f"
    return "f" if op == "/" else "i"


def _product(x: int, y: int) -> Kind | None:
    if x <= 2 and y <= 2:
        n = x + y - 2
        return f"a{n}" if n else "d"
    return f"a{max(x, y)}" if x > 1 and y > 1 else None
