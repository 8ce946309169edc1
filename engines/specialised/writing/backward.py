"""Backward: the text that goes through the steps in reverse and adds up cotangents.

A cotangent is a local variable. It is `full` where it has its variable's shape, `stretched` where it may be
anything that broadcasts to it, so that the cotangent of a sum is never filled; `own` where it is an array of
the text's own that is added into. A minus stays pending until something is added.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy import float64, zeros

from ..reading.blocks import Keep, Line
from ..reading.declined import Declined
from ..reading.kinds import has_whole, is_array, is_complex
from ..reading.steps import RESIZES, Step, is_name, plain, renamed, walk
from .activity import targets
from .forward import Forward
from .rundown import filled, owned


class Cotangent(NamedTuple):
    """The text of a cotangent and its form; `fresh` where nothing else refers to its array."""

    text: str
    form: str = "full"
    minus: bool = False
    fresh: bool = False


class Backward(Forward):
    """Writes the backward text of one function, whose forward text is written."""

    first: dict[str, Keep]
    """What the function was given, by the names of its arguments; without those that are written into."""

    def start(self) -> None:
        """Begin the backward text."""
        self.forward_lines: list[Line] = self.lines
        self.lines = []
        self.depth = 1
        self.cotangents: dict[str, Cotangent] = {}
        self.minus = False
        self.of_complex = any(map(is_complex, self.kinds.values()))
        self.projected = False  # whether the step has to do with complex numbers

    def _is_complex(self, atom: str) -> bool:
        return atom != "" and is_complex(self.inferred.kind(atom))

    def _is_mixed(self, atom: str) -> bool:
        """Whether something is complex, or a list, which may hold real and complex numbers."""
        return self._is_complex(atom) or (atom != "" and self.inferred.kind(atom) == "L")

    def back(self, steps: list[Step]) -> None:
        """The backward text of steps."""
        for s in reversed(steps):
            self.line, self.step = s.line or self.line, s
            self.projected = self.of_complex and any(map(self._is_mixed, (s.target, *targets(s), *s.args)))
            maker = getattr(self, f"back_{s.op}", None)
            if maker is not None:
                maker(s)

    # primals

    def primal(self, s: Step, atom: str) -> str:
        """A value of the forward run at this step, in the backward text."""
        if not is_name(atom):
            return f"({plain(atom)})" if plain(atom)[0] == "-" else plain(atom)
        kept: Keep = s.kept[atom]
        return kept.use()

    def value(self, s: Step) -> str:
        """What the step computed."""
        return str(s.kept["="].use())

    def key(self, s: Step) -> str:
        """The step's index in the backward text."""
        return renamed(s.text, {n: self.primal(s, n) for n in s.names})

    # cotangents

    def varied(self, atom: str) -> bool:
        """Whether an argument is active."""
        return is_name(atom) and atom in self.activity.active

    def take(self, name: str) -> Cotangent | None:
        """The cotangent of a variable that is set here; before that it has none."""
        return self.cotangents.pop(name, None)

    def let(self, text: str) -> str:
        """A variable for an expression."""
        if text.isidentifier():
            return text
        name = self.fresh("g")
        self.put(f"{name} = {text}")
        return name

    def positive(self, c: Cotangent) -> str:
        """The cotangent with its minus written out."""
        return f"-{c.text}" if c.minus else c.text

    def full(self, c: Cotangent, primal: Any) -> str:
        """The cotangent in its variable's shape; `primal` gives the text of the variable."""
        if c.form == "stretched":
            return f"{self.bind(filled)}({self.positive(c)}, {primal()})"
        return self.positive(c)

    def give(
        self,
        atom: str,
        text: str,
        form: str = "full",
        minus: bool = False,
        fresh: bool = True,
        moved: bool = False,
    ) -> None:
        """Add to a variable's cotangent; `moved` where a variable's array is handed over to it alone."""
        if not self.varied(atom):
            return
        text = self.real_part(atom, text)
        minus ^= self.minus
        old = self.cotangents.get(atom)
        if has_whole(self.kinds[atom]):
            form = "full"
        if old is None:
            self.cotangents[atom] = Cotangent(
                self.let(text), form, minus, fresh and (moved or not text.isidentifier())
            )
        elif old.form == "own":
            self.put(f"{old.text} {'-' if minus else '+'}= {text}")
        else:
            name = self.fresh("g")
            if old.minus and not minus:
                sum_, minus = f"{text} - {old.text}", False
            elif old.minus:
                sum_, minus = f"{old.text} + {text}", True
            else:
                held = f"({text})" if minus else text
                sum_, minus = f"{old.text} {'-' if minus else '+'} {held}", False
            self.put(f"{name} = {sum_}")
            both = "stretched" if old.form == form == "stretched" else "full"
            self.cotangents[atom] = Cotangent(name, both, minus, both == "full")

    def real_part(self, atom: str, text: str) -> str:
        """What a step with complex numbers gives a variable: one that is real takes the real part."""
        if not self.projected or is_complex(self.kinds[atom]):
            return text
        return f"{text}.real" if text.isidentifier() else f"({text}).real"

    def zeros(self, name: str, shape: str) -> str:
        """Zeros for the cotangent of a variable."""
        return f"{self.bind(zeros)}({shape}{self._dtype(name)})"

    def _dtype(self, name: str) -> str:
        return f", {self.bind(complex)}" if is_complex(self.kinds[name]) else ""

    def own(self, atom: str, shape: str) -> str:
        """An array of the text's own for a variable's cotangent; `shape` is the text of its shape."""
        old = self.cotangents.get(atom)
        if old is not None and old.form == "own":
            return old.text
        name = self.fresh(f"{atom}_bar")
        if old is None:
            self.put(f"{name} = {self.zeros(atom, shape)}")
        elif old.form == "full" and old.fresh and not old.minus and not is_complex(self.kinds[atom]):
            name = old.text
        else:  # as that of complex numbers, which may be real so far
            self.put(f"{name} = {self.bind(owned)}({self.positive(old)}, {shape}{self._dtype(atom)})")
        self.cotangents[atom] = Cotangent(name, "own", False, True)
        return name

    def own_from(self, name: str, text: str) -> None:
        """An array that whoever calls gave for a variable's cotangent."""
        self.cotangents[name] = Cotangent(text, "own", False, True)

    # control flow

    def back_if(self, s: Step) -> None:
        base = dict(self.cotangents)
        outer, states, texts = self.lines, [], []
        blocks, record = s.facts["blocks"], s.facts["record"]
        for arm, b in zip((s.body, s.orelse), blocks, strict=True):
            self.lines, self.cotangents = [], dict(base)
            self.depth += 1
            gone = bool(arm) and arm[-1].op == "deopt"
            if not gone:
                self.put(lambda b=b: self._opened_record(b))
                self.back(arm)
            self.depth -= 1
            states.append(None if gone else self.cotangents)
            texts.append(self.lines)
        alive = [x for x in states if x is not None]
        self.lines = outer
        if not alive:
            return
        if len(alive) == 1:
            i = 0 if states[0] is not None else 1
            self.lines += [(d - 1, at, t) for d, at, t in texts[i]]
            self.cotangents = alive[0]
            self._use_record(blocks, record)
            return
        merged = dict(base)
        names = sorted({n for x in alive for n in x} | set(base))
        differing = [n for n in names if alive[0].get(n) != alive[1].get(n)]
        for n in names:
            if n not in differing:
                if n in alive[0]:
                    merged[n] = alive[0][n]
                else:
                    merged.pop(n, None)
        self.depth += 1
        new = {n: self.fresh(f"{n}_bar") for n in differing}
        for x, text in zip(alive, texts, strict=True):
            self.lines = text
            given = [self.positive(x[n]) if n in x else "0.0" for n in differing]
            if differing:
                self.put(f"{', '.join(new[n] for n in differing)} = {', '.join(given)}")
        self.depth -= 1
        for n in differing:
            forms = [x[n].form if n in x else "stretched" for x in alive]
            same = all(f in ("full", "own") for f in forms) or has_whole(self.kinds[n])
            merged[n] = Cotangent(new[n], "full" if same else "stretched", False, False)
        self.lines = outer
        self.cotangents = merged
        if not any(self._speaks(t) for t in texts):
            return
        flag = s.kept["flag"].use() if is_name(s.args[0]) else plain(s.args[0])
        self.put(f"if {flag}:")
        self.lines += [*texts[0], (self.depth + 1, self.line, "pass")]
        if self._speaks(texts[1]):
            self.put("else:")
            self.lines += [*texts[1], (self.depth + 1, self.line, "pass")]
        self._use_record(blocks, record)

    @staticmethod
    def _speaks(lines: list[Line]) -> bool:
        return len(lines) > 1

    def _use_record(self, blocks: list[Any], record: Keep) -> None:
        if any(b.kept for b in blocks) and self.needs_record(blocks[0]):
            record.use()

    def _opened_record(self, b: Any) -> str | None:
        if not b.kept or not self.needs_record(b):
            return None
        return f"{', '.join(b.kept)}, = {b.record}"

    def back_loop(self, s: Step) -> None:
        """The iterations in reverse; what goes from one to the next is a variable, or an array added into."""
        set_inside = {n for x in walk([s]) for n in targets(x)}
        touched = set_inside | {n for x in walk(s.body) for a in x.args for n in self.activity.leaves(a)}
        names = [n for n in sorted(s.live & self.activity.active) if n in touched and self.kinds[n] != "L"]
        shadowed = any(n in self.activity.active and self.memory.shadowed(n) for n in touched)
        names = [n for n in names if not self.memory.shadowed(n)]
        if not names and not shadowed and not any(map(self._has_lists, walk(s.body))):
            return
        saved_lines, saved = self.lines, dict(self.cotangents)
        self.lines = []
        carried = []
        for n in names:
            if is_array(self.kinds[n]) and n not in set_inside:
                self.own(n, f"{s.facts['tail'][n].use()}.shape")
                continue
            name = self.fresh(f"{n}_bar")
            old = self.cotangents.get(n)
            form = "full"
            if has_whole(self.kinds[n]):
                text = "0.0" if old is None else self.positive(old)
            elif n not in s.exact:
                form, text = "stretched", "0.0" if old is None else self.positive(old)
            else:
                text = self._whole(n, old, s.facts["tail"][n])
            self.put(f"{name} = {text}")
            self.cotangents[n] = Cotangent(name, form)
            carried.append((n, name, form))
        owns = {n: c for n, c in self.cotangents.items() if c.form == "own"}
        record = self.fresh_record("record")
        self.put(f"for {record} in {s.facts['trace'].name}[::-1]:")
        self.depth += 1
        block = s.facts["block"]
        start = len(self.lines)
        self.put(lambda: self._opened_iteration(block, record))
        self.back(s.body)
        still = all(self.cotangents.get(n) == Cotangent(name, form) for n, name, form in carried)
        if still and not any(isinstance(t, str) for _, _, t in self.lines[start:]):
            self.depth -= 1
            self.lines, self.cotangents = saved_lines, saved
            return
        texts = []
        for n, _, form in carried:
            old = self.cotangents.get(n)
            if has_whole(self.kinds[n]) or form == "stretched":
                texts.append("0.0" if old is None else self.positive(old))
            elif n not in s.facts["head"]:
                raise Declined("a variable that is not alive")
            else:
                texts.append(self._whole(n, old, s.facts["head"][n]))
        moved = [(name, t) for (_, name, _), t in zip(carried, texts, strict=True) if name != t]
        if moved:
            self.put(f"{', '.join(n for n, _ in moved)} = {', '.join(t for _, t in moved)}")
        self.depth -= 1
        s.facts["trace"].use()
        for n, name, form in carried:
            self.cotangents[n] = Cotangent(name, form)
        for n, c in owns.items():
            if self.cotangents.get(n) != c:
                raise Declined("an array of cotangents that a loop gives away")
        for n in [n for n in self.cotangents if n not in s.live and n in set_inside]:
            del self.cotangents[n]
        self.lines = [*saved_lines, *self.lines]

    def _has_lists(self, s: Step) -> bool:
        """Whether a step changes a list, or makes one: its cotangents are reached by no variable."""
        made = s.active and s.op != "copy" and self.kinds.get(s.target) == "L"
        return made or s.op in (*RESIZES, "set")

    def _whole(self, name: str, c: Cotangent | None, primal: Keep) -> str:
        if c is None:
            return self.zeros(name, f"{primal.use()}.shape")
        return self.full(c, primal.use)

    def _opened_iteration(self, block: Any, record: str) -> str | None:
        if not block.kept:
            return None
        if len(block.kept) == 1:
            return f"{block.kept[0]} = {record}"
        return f"{', '.join(block.kept)} = {record}"

    # what ends a text

    def seed(self, texts: dict[str, str]) -> None:
        """The cotangents of the result's items."""
        for n, text in texts.items():
            self.cotangents[n] = Cotangent(text)

    def first_of(self, name: str) -> Keep:
        """What a parameter stood for when the function began, which it may not do any more."""
        return self.first.get(name) or Keep(name, self.top)

    def answer(self, name: str, primal: Any) -> str:
        """A parameter's cotangent as a function that was called returns it."""
        c = self.cotangents.get(name)
        if c is None:
            return self.zeros(name, f"{primal()}.shape") if is_array(self.kinds[name]) else "0.0"
        return self.full(c, primal) if is_array(self.kinds[name]) else self.positive(c)

    def final(self, name: str) -> str:
        """A parameter's cotangent as the user gets it: an array of its own, a number of its type."""
        c = self.cotangents.get(name)
        if name in self.shadows and name in self.activity.active:
            return self.first_shadows[name]
        if c is None and is_array(self.kinds[name]):
            return self.zeros(name, f"{self.first_of(name).use()}.shape")
        if c is None:
            c = Cotangent("0.0")
        if is_array(self.kinds[name]):
            free = c.form == "full" and c.fresh and not c.minus and not is_complex(self.kinds[name])
            if c.form == "own" or free:
                return c.text
            shape = f"{self.first_of(name).use()}.shape"
            return f"{self.bind(owned)}({self.positive(c)}, {shape}{self._dtype(name)})"
        kind = float if self.kinds[name] == "f" else float64
        return f"{self.bind(kind)}({self.positive(c)})"
