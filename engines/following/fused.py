"""Fused: the text of an expression of several operations, for values of these types of which these vary.

    s + x[i] * x[i]        forward: t = x[i] * x[i]; y = s + t        backward: s̄ += ȳ; x̄[i] += 2 x[i] ȳ

Between numbers the partials of `scalar_rule` are written out; any other operation is done by its rule, which
was found when the text was written. The text leaves to the sites what has another type, what varies and did
not or the other way round, and a result that is no object of its own.
"""

from __future__ import annotations

import ast
import re
import sys
from types import ModuleType
from typing import Any

import numpy as np

from ...core.broadcasting import fit, fit_array
from ...core.installed import OWN_NAME
from ...core.seeds import READY, absorbs, answer_to, ready
from ...tangents import IndexedTangent, add, project_to
from ...tangents.places import settled_index
from ..source.reading.locate import remember
from . import joined
from .attributes import is_plain
from .faint import LARGE, faint
from .here import here
from .joined import Expression
from .looking import may_write
from .planned import FLOAT64, FLOATS, VARYING, Plan, Unfit, is_argument, used
from .quick import QUICK
from .reverse import Joined

_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "neg": "-", "pos": "+", "invert": "~",
}  # fmt: skip
_ANEW = frozenset({"add", "sub", "mul", "truediv"})  # which make another float of floats
_MOVES = {(op, kind, other) for kind in (list, tuple) for op, other in (("add", kind), ("mul", int))}
_PLACES = (int, slice, str, type(None), type(Ellipsis), tuple)
_WRITTEN = (int, str, type(None))
_HELPERS = {
    "here_": here, "frame_": sys._getframe, "READY_": READY, "absorbs_": absorbs, "answer_to_": answer_to,
    "ready_": ready, "project_to_": project_to, "Indexed_": IndexedTangent, "add_": add, "Joined_": Joined,
    "faint_": faint,
    "fit_": fit, "fit_array_": fit_array, "settled_": settled_index, "float64_": FLOAT64,
}  # fmt: skip


def written(e: Expression, run: Any, values: list[Any], vary: list[bool]) -> Any:
    """The text of an expression, compiled; None where it has none for these values."""
    try:
        return _Text(e, run, values, vary).compiled()
    except Exception:  # Unfit, or a partial that cannot be asked here: the sites answer
        return None


joined.written = written


class _Text(Plan):
    """One text being written. The value at a place is `v0`, `v1`, … in it."""

    def __init__(self, e: Expression, run: Any, values: list[Any], vary: list[bool]) -> None:
        super().__init__(e, run, values, vary)
        self.known: dict[str, Any] = {**_HELPERS, "otherwise_": e.cell.cell_contents}
        self.lines: list[str] = []
        self.tests: list[str] = []
        self.held: list[int] = []  # what was not computed
        self.kept: dict[str, str] = {}  # what the pullback needs, by its name

    def bind(self, v: Any, name: str) -> str:
        """A name for a value."""
        made = f"{name}{len(self.known)}_"
        self.known[made] = v
        return made

    def compiled(self) -> Any:
        """The function."""
        last = len(self.values) - 1
        for k in range(self.e.count):
            self.hold(k)
        self.flush()
        for k, (site, places) in self.steps.items():
            self.ahead(k, site, places)
        if not self.vary[last]:
            self.flush()
            return self.function([*self.lines, f"return v{last}"])
        ahead, self.lines = self.lines, []
        given = self.back(last)
        return self.function([*ahead, *self.registered(last, given)])

    # forward

    def leave_unless(self, test: str) -> None:
        """Leave the text where a test fails, before anything is done by a rule or registered."""
        if test not in self.tests:
            self.tests.append(test)

    def flush(self) -> None:
        """Write the tests that were collected."""
        if self.tests:
            leaves = ", ".join(f"v{k}" for k in range(self.e.count))
            self.lines.append(f"if not ({' and '.join(self.tests)}): return otherwise_({leaves})")
            self.tests.clear()

    def is_of_kind(self, k: int) -> str:
        """A test of a value's type, and of an array's precision where that counts."""
        test = f"type(v{k}) is {self.bind(self.kinds[k], 'kind')}"
        return (
            f"{test} and v{k}.dtype is {self.bind(self.values[k].dtype, 'dtype')}"
            if k in self.typed
            else test
        )

    def hold(self, k: int) -> None:
        """Hold what was not computed to its type, and to whether it varies; what is called, to itself."""
        kind = self.kinds[k]
        self.held.append(k)
        if k in self.called or kind is ModuleType:
            self.leave_unless(f"v{k} is {self.bind(self.values[k], 'known')}")
            return
        if self.vary[k] and kind not in VARYING:
            raise Unfit
        test = self.is_of_kind(k)
        if self.vary[k]:
            test += f" and id(v{k}) in live_"
        elif kind in (float, complex) or issubclass(kind, np.generic):
            test += f" and id(v{k}) not in live_"
        elif kind is np.ndarray:
            test += f" and not run_.is_live(v{k})"
        self.leave_unless(test)

    def ahead(self, k: int, site: str, places: tuple[int, ...]) -> None:
        """One step."""
        names = [self.name(i) for i in places]
        if k in self.rules:
            self.ahead_by_rule(k, site, places, names)
        elif site == "attr":
            self.flush()
            held, name = self.values[places[0]], self.values[places[1]]
            if type(held) not in (ModuleType, np.ndarray) and not is_plain(type(held), name):
                raise Unfit
            self.lines.append(f"v{k} = {names[0]}.{name}")
            self.hold(k)
        elif not self.computes(site, places):
            parts = places[site == "getitem" :]
            if any(self.kinds[i] not in _PLACES for i in parts):
                raise Unfit
            if site != "getitem":
                inside = ", ".join(names)
                self.lines.append(f"v{k} = slice({inside})" if site == "slice" else f"v{k} = ({inside},)")
                return
            if self.kinds[places[0]] not in (list, tuple, dict):
                raise Unfit
            self.flush()
            self.lines.append(f"v{k} = {names[0]}[{names[1]}]")
            self.hold(k)
        else:
            self.still(k, site, places)
            self.flush()
            self.lines.append(f"v{k} = {self.text(k, site, names)}")
            self.leave_unless(self.is_of_kind(k))

    def text(self, k: int, site: str, names: list[str]) -> str:
        """An operation as Python has it."""
        return f"{names[0]}({self.inside(k, names[1:])})" if site == "call" else _text(site, names)

    def inside(self, k: int, names: list[str]) -> str:
        """What a call is given, the last by name."""
        words = self.words.get(k, [])
        first = len(names) - len(words)
        return ", ".join([*names[:first], *[f"{w}={n}" for w, n in zip(words, names[first:], strict=True)]])

    def still(self, k: int, site: str, places: tuple[int, ...]) -> None:
        """See to it that a step on what does not vary does as Python does, and nothing else."""
        if self.moves(site, places):
            return
        given = places[: 1 if site == "getitem" else None][site == "call" :]
        settled = [i for i in given if site != "call" or not self.e.count <= i < self.first]
        if self.vary[k] or not QUICK.issuperset([self.kinds[i] for i in settled]):
            raise Unfit
        if site == "call" and may_write(self.values[places[0]], *self.call_of(k)):
            raise Unfit

    def moves(self, site: str, places: tuple[int, ...]) -> bool:
        """Whether a step makes a list or tuple of the items of others, by Python's own operators."""
        kinds = [self.kinds[i] for i in places]
        return (site, *kinds) in _MOVES

    def ahead_by_rule(self, k: int, site: str, places: tuple[int, ...], names: list[str]) -> None:
        """A step that computes with something that varies."""
        given = places[site == "call" :]
        if k not in self.plain:
            self.flush()
            inside = self.inside(k, names[:1] if site == "attr" else names[site == "call" :])
            self.lines.append(f"v{k}, b{k} = {self.bind(self.rules[k], 'rule')}({inside})")
            self.leave_unless(self.is_of_kind(k))
            return
        self.lines.append(f"v{k} = {self.text(k, site, names)}")
        if any(self.kinds[i] is np.ndarray for i in given):
            self.leave_unless(self.is_of_kind(k))
        for i in given:
            if self.kinds[i] is np.ndarray and self.vary[i]:
                self.kept[f"s{i}"] = f"v{i}.shape"
        if site == "getitem" and not self.is_settled(places[1]):
            self.kept[f"i{k}"] = f"settled_({names[1]})"

    def is_settled(self, k: int) -> bool:
        """Whether an index is a place, or the same at each call."""
        return self.kinds[k] is int or self.e.count <= k < self.first

    def name(self, k: int) -> str:
        """A value in the text: a variable, or a constant."""
        if not self.e.count <= k < self.first:
            return f"v{k}"
        v = self.values[k]
        if type(v) in _WRITTEN or (type(v) is float and v - v == 0.0):
            return f"({v!r})" if repr(v).startswith("-") else repr(v)
        return self.bind(v, "constant")

    # backward

    def back(self, last: int) -> list[int]:
        """Write the pullback, for the cotangent g; the places of the leaves whose cotangents it returns."""
        bars: dict[int, list[str]] = {last: ["g"]}
        given: list[tuple[int, str]] = []
        for k in reversed(self.rules):
            if k not in bars:
                continue
            site, places = self.steps[k]
            c = self.summed(k, bars[k])
            if k not in self.plain:
                self.lines.append(f"r{k} = b{k}({c})")
            for j, i in enumerate(places[site == "call" :]):
                if not self.vary[i]:
                    continue
                text = self.pulled(k, site, places, j, c) if k in self.plain else f"r{k}[{j}]"
                if i in self.rules:
                    bars.setdefault(i, []).append(text)
                else:
                    given.append((i, text))
        self.lines.append(f"return ({', '.join(text for _, text in given)},)")
        return [i for i, _ in given]

    def summed(self, k: int, parts: list[str]) -> str:
        """A variable for the sum of the parts of a cotangent."""
        text, *others = parts
        for other in others:
            text = f"{text} + {other}" if k in self.plain else f"add_({text}, {other})"
        if text == "g":
            return text
        self.lines.append(f"c{k} = {text}")
        return f"c{k}"

    def pulled(self, k: int, site: str, places: tuple[int, ...], j: int, c: str) -> str:
        """The cotangent of one of what a step was given, written out."""
        if site == "getitem":
            index = self.name(places[1]) if self.is_settled(places[1]) else f"i{k}"
            return f"Indexed_(s{places[0]}, float64_, {index}, {c})"
        given = places[site == "call" :]
        part, i = self.parts[k][j], given[j]
        if callable(part):
            reads = used(part.__code__, 1 + len(given))
            x = [self.name(g) if u else "None" for g, u in zip((k, *given), reads, strict=True)]
            factor = f"{self.bind(part, 'part')}({', '.join(x)})"
            if is_argument(part):
                factor = next(name for name in x if name != "None")
            text = f"{c} * {factor}"
        else:
            text = c if part == 1 else f"-{c}" if part == -1 else f"{c} * {part!r}"
        if self.kinds[i] is np.ndarray:
            return f"fit_array_({text}, s{i}, float64_)"
        return text if self.kinds[k] in FLOATS else f"fit_({text}, v{i})"

    # the whole

    def registered(self, last: int, given: list[int]) -> list[str]:
        """The lines that tell the run."""
        y, seed = f"v{last}", []
        if last in self.plain:
            seed = [
                "if type(g) not in READY_:",
                f"    if absorbs_(g): return (answer_to_(g),) * {len(given)}",
                "    g = ready_(g)",
            ]
        if last in self.plain and self.kinds[last] in FLOATS:
            seed.append(f"if type(g) not in {self.bind(FLOATS, 'floats')}: g = project_to_({y})(g)")
        pullback = ["def joined_pullback(g):", *(f"    {line}" for line in (*seed, *self.lines))]
        if self.kinds[last] is np.float64:
            self.leave_unless(f"id({y}) not in live_")
        elif self.kinds[last] is np.ndarray:
            self.leave_unless(f"run_.is_own({y})")
        self.lines = []
        self.flush()
        if self.kinds[last] is float and self.steps[last][0] not in _ANEW:
            self.lines.append(f"{y} = {y} - 0.0")
        if self.kept:
            self.lines.append(f"{', '.join(self.kept)} = {', '.join(self.kept.values())}")
        x, at = [f"v{i}" for i in given], "(at.f_code, at.f_lasti)"
        arrays = self.read_in(pullback, last)
        event = f"Joined_(live_, joined_pullback, {y}, ({', '.join(x)},), ({', '.join((*arrays, ''))}), {at})"
        is_large = self.kinds[last] is np.ndarray and np.size(self.values[last]) >= LARGE
        if len(x) <= 2 and {*arrays} <= {*x} and not is_large:
            b = f"{x[1]}, True, True" if len(x) == 2 else "None, True, False"
            event = f"(joined_pullback, {y}, {x[0]}, {b}, {at})"
        known = f"faint_({y}, run_)" if is_large else y
        told = [f"live_[id({y})] = {known}", "at = frame_(1)", f"run_.events.append({event})", f"return {y}"]
        return [*self.lines, *pullback, *told]

    def read_in(self, pullback: list[str], last: int) -> list[str]:
        """The arrays given that a pullback may hold: those that it reads; all if others hold some for it."""
        arrays = [i for i, kind in enumerate(self.kinds) if kind is np.ndarray]
        kept = [text for text in self.kept.values() if not text.endswith(".shape")]
        names = {*re.findall(r"\bv\d+\b", "\n".join([*pullback, *kept]))}
        read = [i for i in arrays if f"v{i}" in names]
        others = {*read} - {*self.held, last}
        known = self.held if others or not self.plain.issuperset(self.rules) else read
        return [f"v{i}" for i in self.held if i in arrays and i in known]

    def function(self, lines: list[str]) -> Any:
        """These lines as a function of the leaves."""
        leaves = ", ".join(f"v{k}" for k in range(self.e.count))
        head = [
            "runs = here_.runs",
            f"if len(runs) != 1 or not runs[0].joins: return otherwise_({leaves})",
            "run_ = runs[0]",
            "live_ = run_.live",
        ]
        text = "\n".join([f"def {OWN_NAME}({leaves}):", *(f"    {line}" for line in (*head, *lines))])
        made: dict[str, Any] = {"__name__": __name__, **self.known}
        exec(compile(text, "<chainrules joined>", "exec"), made)
        remember(made[OWN_NAME].__code__, lambda: ast.parse(text).body[0])  # type: ignore[arg-type,return-value]
        return made[OWN_NAME]


def _text(site: str, names: list[str]) -> str:
    """An operation as Python has it."""
    if site == "getitem":
        return f"{names[0]}[{names[1]}]"
    return f"{names[0]} {_SYMBOLS[site]} {names[1]}" if len(names) == 2 else f"{_SYMBOLS[site]}{names[0]}"
