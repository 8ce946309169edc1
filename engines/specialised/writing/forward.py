"""Forward: the text that computes the value, and keeps what the backward text asks for.

A value that is kept is a local variable. In a loop what one iteration keeps is a tuple, put on a list; in a
branch, a tuple of the branch. What nobody asks for leaves no trace: the text is put together when the
backward text is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..inferring.inference import Inferred
from ..inferring.shapes import Shapes
from ..reading.arguments import parameters_of
from ..reading.blocks import Block, Given, Keep, Line
from ..reading.calls import is_users
from ..reading.composed import Keyed, Made
from ..reading.kinds import has_object, is_array, is_real, is_tuple, reading
from ..reading.names import Names
from ..reading.packing import boxed
from ..reading.spelling import expression, positional
from ..reading.statements import RESULT
from ..reading.steps import Step, is_name, plain, walk
from ..reading.tests_of_kinds import guard_text
from ..reading.unset import Unset
from .activity import Activity, targets
from .committing import Committing
from .rundown import number_of


class Forward(Committing, Shapes):
    """Writes the forward text of one function."""

    def __init__(
        self, inferred: Inferred, steps: list[Step], activity: Activity, callee: Callable[[Step], Any]
    ) -> None:
        self.inferred, self.steps, self.activity, self.callee = inferred, steps, activity, callee
        self.memory = activity.memory
        self.kinds = inferred.kinds
        self.taken = Names((*inferred.profile.names, *self.kinds))
        self.shadows = {n: self.fresh(f"{n}_shadow") for n in sorted(self.kinds) if self.memory.shadowed(n)}
        self.first_shadows: dict[str, str] = {}  # of arguments that are written into
        self.records = {"trace_"}  # the names of what holds values that were kept
        self.epochs: Counter[str] = Counter()  # how often a memory was written into
        self.step = Step("copy")
        self.helpers: dict[str, Any] = dict(inferred.profile.helpers)
        self.by_id: dict[int, str] = {}
        self.lines: list[Line] = []
        self.commits = []
        self.loops: list[str] = []  # of each loop that is written the variable that says that it stops
        self.depth, self.line = 1, 0
        self.top = self.block = Block("top")
        self.version: dict[str, int] = {}
        self.where: dict[str, Block] = {}
        self.definitions: dict[str, int] = {}
        for s in walk(steps):
            for n in {*targets(s), s.target}:
                if n:
                    self.definitions[n] = self.definitions.get(n, 0) + 1
        for p in inferred.parameters:
            for n in {p, *inferred.leaves(p)}:
                self.definitions[n] = self.definitions.get(n, 0) + 1
                self.where[n] = self.top
        self.shape: dict[str, str] = {}
        unset = [n for s in walk(steps) for n in s.facts.get("names", ()) if n in self.kinds]
        self.unsure = {leaf for n in unset for leaf in (n, *inferred.leaves(n))}
        self.uses = Counter(n for s in walk(steps) for n in (*s.args, *s.names))

    # names and helpers

    def fresh(self, stem: str) -> str:
        """A name that nothing in the texts has."""
        return self.taken.fresh(stem)

    def fresh_record(self, stem: str) -> str:
        """The same, for what holds values that were kept."""
        name = self.fresh(stem)
        self.records.add(name)
        return name

    def bind(self, value: Any) -> str:
        """The name of an object of the text's own."""
        known = self.by_id.get(id(value))
        if known is None:
            stem = str(getattr(value, "__name__", "c"))
            stem = stem if stem.isidentifier() else "c"
            known = self.by_id[id(value)] = self.fresh(f"{stem}_")
            self.helpers[known] = value
        return known

    def put(self, text: Any) -> None:
        """A line of text, or a function that gives it, or None, in the end."""
        self.lines.append((self.depth, self.line, text))

    def given_up(self) -> str:
        return f"raise {self.bind(Given)}"

    # what is kept

    def candidate(self, name: str) -> Keep:
        """This value of a variable, should the backward text ask for it."""
        home = self.where.get(name)
        copied = self.memory.changes(name) and self.memory.overwritten(self.step, name)
        if not copied and self.definitions.get(name) == 1 and home in list(self.block.chain()):
            assert home is not None
            return Keep(name, home)
        key: Any = name, self.version.get(name, 0)
        if copied:
            key = *key, self.epochs[self.memory.root(name)]
        for b in self.block.chain():
            if key in b.versions:
                return b.versions[key]
        made = self.block.versions[key] = self.asked(f"{name}.copy()" if copied else name, "k")
        return made

    def asked(self, text: str, stem: str = "n") -> Keep:
        """What is computed here, should the backward text ask for it."""
        kept = Keep(self.fresh(stem), self.block)
        self.put(lambda: f"{kept.name} = {text}" if kept.used else None)
        return kept

    def keep(self, s: Step, *atoms: str) -> None:
        for a in atoms:
            if is_name(a) and a not in s.kept:
                s.kept[a] = self.candidate(a)

    def define(self, name: str) -> None:
        """A variable gets a value here."""
        self.version[name] = self.version.get(name, 0) + 1
        self.where[name] = self.block
        self.shape.pop(name, None)

    def forget(self, steps: list[Step]) -> None:
        """Variables that these steps set may have any of several values from here on."""
        for s in walk(steps):
            for n in (*targets(s), s.target):
                self.version[n] = self.version.get(n, 0) + 1
                self.version[f"{n}_s"] = self.version.get(f"{n}_s", 0) + 1
                if n in self.shadows:
                    self.version[self.shadows[n]] = self.version.get(self.shadows[n], 0) + 1
                self.shape.pop(n, None)
            if s.op == "set":
                self.stored(s.args[0])

    def stored(self, base: str) -> None:
        """An array is written into."""
        self.epochs[self.memory.root(base)] += 1

    # steps

    def write(self, steps: list[Step]) -> None:
        """The forward text of steps."""
        last = self._last_uses(steps)
        for i, s in enumerate(steps):
            self.line, self.step = s.line or self.line, s
            for n in sorted(self.unsure & {*s.args, *s.names}) if self.unsure else ():
                self.put(f"if {n} is {self.bind(Unset)}: {self.given_up()}")
            getattr(self, f"_{s.op}", self._value)(s)
            for n in last.get(i, ()):
                if self.where.get(n) is self.block:
                    self.put(lambda n=n, b=self.block: None if n in b.kept else f"{n} = None")

    def _last_uses(self, steps: list[Step]) -> dict[int, list[str]]:
        """After which step nothing reads an array that the block makes: its memory may be used again."""
        made = {s.target for s in steps if s.op in ("binary", "unary", "call", "method", "copy")}
        made = {
            n for n in made if n != RESULT and self.definitions.get(n) == 1 and is_array(self.kinds.get(n))
        }
        last: dict[str, int] = {}
        here: dict[str, int] = {}
        for i, s in enumerate(steps):
            for x in walk([s]):
                for n in (*x.args, *x.names):
                    if n in made:
                        last[n], here[n] = i, here.get(n, 0) + 1
        last = {n: i for n, i in last.items() if here[n] == self.uses[n]}
        found: dict[int, list[str]] = {}
        for n, i in last.items():
            found.setdefault(i, []).append(n)
        return found

    def _unset(self, s: Step) -> None:
        for name in s.facts["names"]:
            for n in [name, *self.inferred.leaves(name)] if name in self.kinds else ():
                self.put(f"{n} = {self.bind(Unset)}")
                self.define(n)

    def _deopt(self, s: Step) -> None:
        self.put(self.given_up())

    def _break(self, s: Step) -> None:
        self.put(f"{self.loops[-1]} = True")

    def _if(self, s: Step) -> None:
        flag = s.args[0]
        base = self.block
        if is_name(flag):
            s.kept["flag"] = self.candidate(flag)
        context, given = s.facts.get("under", (None, ""))
        self.put(f"if {plain(flag)}:" if context is None else f"with {self.bind(context)}({given}):")
        record = self.fresh_record("b")
        s.facts["record"] = Keep(record, base)
        blocks = []
        shapes = self.shape
        for i, arm in enumerate((s.body, s.orelse)):
            b = Block("arm", base)
            b.record = record
            blocks.append(b)
            if i and context is not None:
                continue
            if i:
                self.put("else:")
            self.block, self.shape = b, dict(shapes)
            self.depth += 1
            self.write(arm)
            if not (arm and arm[-1].op == "deopt"):
                self.put(lambda b=b: self._recorded(b, blocks))
            self.put("pass" if not arm else None)
            self.depth -= 1
        self.block, self.shape = base, dict(shapes)
        s.facts["blocks"] = blocks
        self.forget([s])

    def _recorded(self, b: Block, blocks: list[Block]) -> str | None:
        if not any(x.kept for x in blocks) or not self.needs_record(b):
            return None
        return f"{b.record} = ({', '.join(b.kept)},)" if b.kept else f"{b.record} = None"

    def needs_record(self, b: Block) -> bool:
        """Whether what a branch keeps has to be handed on: locals of the one function need not be."""
        return b.repeats or not self.joint

    joint = False

    def _loop(self, s: Step) -> None:
        base = self.block
        trace = self.fresh_record("trace")
        s.facts["trace"] = Keep(trace, base)
        self.put(lambda: f"{trace} = []" if s.facts["trace"].used else None)
        head = "while True:" if s.text == "while" else f"for {s.target} in {plain(s.args[0])}:"
        self.forget([s])
        self.put(head)
        b = self.block = Block("loop", base)
        s.facts["block"] = b
        self.depth += 1
        shapes, self.shape = self.shape, dict(self.shape)
        if s.target:
            self.define(s.target)
        stop = ""
        if s.stops:
            stop = self.fresh("stop")
            self.put(f"{stop} = False")
        self.loops.append(stop)
        s.facts["head"] = {n: self.candidate(n) for n in sorted(s.live) if self.carried(n)}
        self.write(s.body)
        self.loops.pop()
        self.put(lambda: self._closed(s, b))
        if s.stops:
            self.put(f"if {stop}: break")
        self.put(lambda: None if s.facts["trace"].used or s.body else "pass")
        self.depth -= 1
        self.block, self.shape = base, shapes
        self.forget([s])
        s.facts["tail"] = {n: self.candidate(n) for n in sorted(s.live) if self.carried(n)}

    def carried(self, name: str) -> bool:
        """Whether a variable's cotangent is an array that goes from one iteration to another."""
        return is_array(self.kinds[name]) and not self.memory.shadowed(name)

    def _closed(self, s: Step, b: Block) -> str | None:
        if not s.facts["trace"].used:
            return None
        kept = b.kept[0] if len(b.kept) == 1 else f"({', '.join(b.kept)})" if b.kept else "None"
        return f"{s.facts['trace'].name}.append({kept})"

    def _shadow(self, name: str) -> Keep:
        """The list of cotangents beside a list."""
        return self.candidate(f"{name}_s")

    def _value(self, s: Step) -> None:
        """A step that makes a value."""
        args = s.args[1:] if s.op == "call" else s.args
        if (
            s.op == "get"
            and s.facts.get("of") is not None
            and s.text == "0"
            and not is_tuple(self.inferred.kind(s.args[0]))
        ):
            self.put(f"if {self.bind(len)}({plain(s.args[0])}) != {s.facts['of']}: {self.given_up()}")
        if "least" in s.facts:
            self.put(f"if {self.bind(len)}({plain(s.args[0])}) < {s.facts['least']}: {self.given_up()}")
        if s.active:
            self._alike(s, list(args))
            names = [n for a in args for n in self.activity.leaves(a)]
            self.keep(s, *names, *s.names)
            for n in names:
                self.shadow_kept(s, n)
            lists = [a for a in args if self.inferred.kind(a) == "L"]
            s.kept |= {f"from {a}": self._shadow(a) for a in lists if self.activity.varied(a)}
            if len(lists) == 1 and s.op != "copy":
                s.kept["from"] = s.kept["shadow"] = self._shadow(lists[0])
        text = self._text(s)
        self.put(text)
        if "without axes" in s.facts:
            self.put(f"{s.target} = {s.target}[()]")
        found = targets(s)
        for n in {s.target, *found}:
            self.define(n)
        if s.number in self.inferred.guards and s.op not in ("copy", "pack"):
            k = self.inferred.guards[s.number]
            k = boxed(k) if s.facts.get("packed") else k
            self.put(f"if {guard_text(s.target, k, self.bind)}: {self.given_up()}")
        if found != [s.target] and found:
            self.opened(s.target, s.facts.get("packed", False))
        self.born(s)
        if s.active:
            s.kept["="] = self.candidate(s.target) if found == [s.target] else None
            for n in found:
                s.kept[f"={n}"] = self.candidate(n)
            if self.kinds.get(s.target) == "L":
                self.put(f"{s.target}_s = {self.list_beside(s)}")
                self.definitions[f"{s.target}_s"] = self.definitions[s.target]
                self.define(f"{s.target}_s")
                s.kept["shadow"] = self._shadow(s.target)
        self._shaped(s)

    def opened(self, name: str, as_tuple: bool = False) -> None:
        """The items of a tuple, dictionary or object that is given; `as_tuple`: an object as a tuple."""
        k = self.kinds[name]
        parts = [f"{name}__{i}" for i in range(len(k) - 1)]
        if as_tuple and parts and has_object(k):
            self.put(f"{', '.join(parts)}, = {name}")
        elif type(k) is Made:
            for p, field in zip(parts, k.keys, strict=True):
                self.put(f"{p} = {name}{reading(k, field)}")
        elif parts:
            self.put(f"{', '.join(parts)}, = {name}{'.values()' if type(k) is Keyed else ''}")
        for p in parts:
            if is_tuple(self.kinds[p]):
                self.opened(p, as_tuple)

    def _text(self, s: Step) -> str:
        f = self.inferred.function(s) if s.op in ("call", "method") else None
        if s.op == "call" and is_users(f):
            if "stands for" in s.facts and not s.active and not self.memory.changes(s.target):
                return self._as_it_is(s, f)
            program = self.callee(s)
            back = self.fresh_record("r")
            s.facts["program"] = program
            s.facts["kept trace"] = Keep(back, self.block)
            call = f"{program.name}_f({', '.join(self.lent(s, a) for a in s.args[1:])})"
            self.helpers.setdefault(f"{program.name}_f", program)
            return f"{s.target}, {back} = {call}"
        if s.active and s.op in ("call", "method", "binary", "unary"):
            rule = self.direct(s)
            if rule is not None:
                back = self.fresh("p")
                s.facts["pullback"] = Keep(back, self.block)
                given = positional([self.lent(s, a) for a in s.args[s.op == "call" :]], s)
                return f"{s.target}, {back} = {self.bind(rule)}({', '.join(given)})"
        if s.op == "call":
            given = positional([plain(a) for a in s.args[1:]], s)
            callee = plain(s.args[0]) if is_name(s.args[0]) else self.bind(f)
            return f"{s.target} = {callee}({', '.join(given)})"
        return f"{s.target} = {expression(s)}"

    def _as_it_is(self, s: Step, f: Any) -> str:
        """A call of a function whose rule is a program, where nothing is differentiated."""
        library, names, keywords = s.facts["stands for"]
        given = dict(zip(parameters_of(f), map(plain, s.args[1:]), strict=False))
        args = [given[n] for n in names[: len(names) - len(keywords)]]
        args += [f"{k}={given[n]}" for k, n in zip(keywords, names[len(args) :], strict=True)]
        self.inferred.guards[s.number] = self.kinds[s.target]
        made = f"{self.bind(library)}({', '.join(args)})"
        return f"{s.target} = {f'{self.bind(number_of)}({made})' if is_real(self.kinds[s.target]) else made}"

    def list_beside(self, s: Step) -> str:
        """The list of cotangents beside a list; Lists has it."""
        raise NotImplementedError

    def born(self, s: Step) -> None:
        """The shadows of what a step makes."""

    def shadow_kept(self, s: Step, name: str) -> None:
        """The shadow that a name has at this step."""

    def lent(self, s: Step, atom: str) -> str:
        """An argument of a call that keeps it."""
        return plain(atom)

    def direct(self, s: Step) -> Any:
        """The rule that a call is done by, where it is not written into the texts."""
        return None
