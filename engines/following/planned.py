"""Planned: by which rules the steps of an expression are done, and which of these are written out.

A rule by `scalar_rule` is its partials. They are written out where no other rule takes the value, so that a
cotangent is a number or an array as it stands.
"""

from __future__ import annotations

import dis
import functools
import inspect
import operator
from types import CodeType
from typing import Any

import numpy as np

from ...core.callables import attribute
from ...core.lookup import find
from .attributes import is_plain
from .joined import Expression, words_of
from .joining import IN_PLACE
from .looking import quick_rule, rule_in_reverse
from .quick import QUICK, is_by_rule

FLOATS = (float, np.float64)
VARYING = (*FLOATS, np.ndarray)
FLOAT64 = np.dtype(float)
_FEW = 2  # values of a call that is quick
_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Unfit(Exception):
    """An expression that has no text for what it was given."""


class Plan:
    """The steps of an expression for values of these types, of which these vary. A value's place tells it."""

    def __init__(self, e: Expression, run: Any, values: list[Any], vary: list[bool]) -> None:
        self.e, self.run, self.values, self.vary = e, run, values, vary
        self.kinds = [type(v) for v in values]
        self.first = e.count + len(e.constants)
        self.words: dict[int, list[str]] = {}  # names of the last values of calls
        self.steps = self.without_repetitions()
        self.called = {places[0] for site, places in self.steps.values() if site == "call"}
        self.rules: dict[int, Any] = {}  # by their steps
        self.parts: dict[int, Any] = {}  # the partials of their steps, where these can be written out
        self.plain: set[int] = set()  # the steps for which they are
        self.typed: set[int] = set()  # arrays that have to be of the precision that they had
        for k, (site, places) in self.steps.items():
            if self.computes(site, places) and any(vary[i] for i in places):
                self.rules[k], self.parts[k] = self.rule(k, site, places)
        self.choose()

    def without_repetitions(self) -> dict[int, tuple[str, tuple[int, ...]]]:
        """The steps by the places of their values; an entry of an array that is read twice is read once."""
        steps: dict[int, tuple[str, tuple[int, ...]]] = {}
        read: dict[tuple[int, ...], int] = {}
        same: dict[int, int] = {}
        for k, (site, given) in enumerate(self.e.steps, self.first):
            places = tuple([same.get(i, i) for i in given])
            if words_of(site):
                self.words[k], site = words_of(site), "call"
            if site in IN_PLACE:
                if self.kinds[places[0]] not in FLOATS:
                    raise Unfit
                site = IN_PLACE[site]
            of_array = site == "getitem" and self.kinds[places[0]] is np.ndarray
            first = read.setdefault(places, k) if of_array else k
            if first == k:
                steps[k] = site, places
            else:
                same[k] = first
        return steps

    def computes(self, site: str, places: tuple[int, ...]) -> bool:
        """Whether a step is more than reading and moving."""
        if site == "attr" and self.vary[places[0]]:
            return not is_plain(self.kinds[places[0]], self.values[places[1]])
        if site == "getitem":
            return self.kinds[places[0]] is np.ndarray
        return site not in ("attr", "slice", "tuple")

    def rule(self, k: int, site: str, places: tuple[int, ...]) -> tuple[Any, Any]:
        """The rule of a step, and its partials where these can be written out."""
        if site == "attr":
            f, given = attribute(self.values[places[1]]), places[:1]
        elif site == "call":
            f, given = self.values[places[0]], places[1:]
        else:
            f, given = getattr(operator, site), places
        kinds, vary = [self.kinds[i] for i in given], tuple([self.vary[i] for i in given])
        index = site == "getitem"
        if not self.vary[k] or self.kinds[k] not in VARYING or (site == "call" and not is_by_rule(f)):
            raise Unfit
        if not QUICK.issuperset(kinds[:1] if index else kinds) or (index and vary[1]):
            return self.other_rule(k, f, given, vary), None
        args = tuple([self.values[i] for i in given])
        if not index and (k in self.words or len(args) > _FEW):
            return self.other_rule(k, f, given, vary), None
        if index:
            key: tuple[Any, ...] = (f, np.ndarray, kinds[1], True, False)
        else:
            key = (f, kinds[0]) if len(kinds) == 1 else (f, *kinds, *vary)
        rule = quick_rule(self.run, key, args, vary)
        if not rule:
            raise Unfit
        if any(map(_is_unusual, (self.values[k], *args[: 1 if index else None]), (True, *vary))):
            return rule, None
        return rule, "item" if index else self.partials(f, k, args, vary)

    def other_rule(self, k: int, f: Any, given: tuple[int, ...], vary: tuple[bool, ...]) -> Any:
        """The rule of a call of several values, some by name; what is no number and no array is constant."""
        words, site = self.words.get(k, []), self.steps[k][0]
        settled = all(self.kinds[i] in QUICK or self.e.count <= i < self.first for i in given)
        if site != "call" or not settled or any(vary[len(vary) - len(words) :]):
            raise Unfit
        found = rule_in_reverse(f, *self.call_of(k), vary, self.run.engine)
        if found is None or found[1] or found[2]:
            raise Unfit
        return found[0]

    def call_of(self, k: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call; Unfit where one of them may be written into."""
        f, *values = [self.values[i] for i in self.steps[k][1]]
        words = self.words.get(k, [])
        count = len(values) - len(words)
        args, kwargs = tuple(values[:count]), dict(zip(words, values[count:], strict=True))
        if "out" in kwargs or (isinstance(f, np.ufunc) and len(args) > f.nin) or not is_by_rule(f):
            raise Unfit
        return args, kwargs

    def partials(self, f: Any, k: int, args: tuple[Any, ...], vary: tuple[bool, ...]) -> Any:
        """The partials of a rule by `scalar_rule`, where those that are asked for are plain."""
        found = find("reverse", f, args, {})
        scalar: Any = getattr(found and found.method and found.method.rule, "scalar", None)
        if scalar is None or scalar.strong_zero:
            return None
        for part, v in zip(scalar.parts, vary, strict=True):
            if v and _is_unusual(part(self.values[k], *args) if callable(part) else part):
                return None
        return scalar.parts

    def choose(self) -> None:
        """Choose the steps whose partials are written out: those whose values no other rule takes."""
        users: dict[int, list[int]] = {}
        for k in self.rules:
            for i in self.steps[k][1]:
                users.setdefault(i, []).append(k)
        for k in reversed(self.rules):
            if self.parts[k] is not None and self.plain.issuperset(users.get(k, ())):
                self.plain.add(k)
        for k in self.plain:
            site, places = self.steps[k]
            given = places[: 1 if site == "getitem" else None][site == "call" :]
            self.typed |= {i for i in given if self.kinds[i] is np.ndarray and i not in self.plain}


def _is_unusual(v: Any, varies: bool = False) -> bool:
    """Whether a value is other than a float, a whole number that does not vary, or an array of such."""
    if type(v) is np.ndarray:
        return v.dtype is not FLOAT64 if varies else v.dtype.kind not in "fiu"
    return type(v) not in FLOATS and (varies or type(v) is not int)


@functools.lru_cache(maxsize=1024)
def used(code: CodeType, count: int) -> list[bool]:
    """Which of so many arguments a partial reads."""
    if code.co_cellvars or code.co_flags & _MORE or code.co_argcount != count:
        return [True] * count
    read = {name for i in dis.get_instructions(code) for name in _names(i.argval)}
    return [name in read for name in code.co_varnames[:count]]


@functools.lru_cache(maxsize=1024)
def is_argument(part: Any) -> bool:
    """Whether a partial is one of its arguments."""
    asked = [object() for _ in range(part.__code__.co_argcount)]
    try:
        return any(part(*asked) is v for v in asked)
    except Exception:  # it computes something
        return False


def _names(argval: Any) -> Any:
    return argval if type(argval) is tuple else (argval,)
