"""Apart: tuples, dictionaries and objects become their items.

What is done to lists by operators becomes steps of lists.

After this there is a variable for each number, array and list; a tuple as a whole is put together again
where somebody asks for it.
"""

from __future__ import annotations

import re
from types import FunctionType
from typing import Any

import numpy as np

from .by_key import ByKey, is_by_key, is_missing
from .composed import Keyed, Kind, Listed, Made, Named
from .declined import Changing, Declined
from .kinds import (
    axes,
    has_object,
    is_of,
    is_real,
    is_sequence,
    is_tuple,
    keys_of,
    made_of,
    place,
    places,
    varies,
)
from .places import places_of
from .steps import GROWS, Step, is_name

_FLOATS = (float, np.float64)
_TYPES = {"f": _FLOATS, "d": _FLOATS, "s": (*_FLOATS, int, bool, np.bool_, np.int64, np.int32)}
"""What numbers of these kinds may be."""


class Apart(ByKey):
    """Takes the steps of one function apart; Inferred knows their kinds."""

    kinds: dict[str, Kind]
    profile: Any

    def kind(self, atom: str) -> Kind:
        """The kind of an argument; Inferred has it."""
        raise NotImplementedError

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
            if s.op == "expect" and "holds" in s.facts:
                if not s.facts["holds"](self.kind(s.args[0])):
                    raise Changing("something that a turn does otherwise than was seen")
                continue
            if s.op == "expect":
                if self.kind(s.args[0]) not in ("f", "i"):
                    raise Declined("an operator whose operand may be NumPy's")
                continue
            objects = dict.fromkeys(a for a in s.args if has_object(self.kind(a)))
            if objects and s.op in ("append", "list"):
                for a in objects:
                    out += self._boxed(s, a)
            elif objects and s.op in (*GROWS, "set", "if"):
                raise Declined("an object that is handed to what does not know it")
            if s.op == "compare" and s.text[:2] == "is" and any(is_tuple(self.kind(a)) for a in s.args):
                if all(is_tuple(self.kind(a)) for a in s.args):
                    raise Declined("which tuple is which")
                s.op, s.args, s.text = "copy", (f"={s.text == 'is not'}",), ""
            elif s.op == "call" and (decided := self.is_of(s)) is not None:
                s.op, s.args = "copy", (f"={decided}",)
            if s.op == "attr" and s.text == "mT" and axes(base) == 2:
                s.text = "T"
            if s.op == "if" and (self.kind(s.args[0]) == "L" or axes(self.kind(s.args[0]))):
                out.append(self._truth(s))
            if s.op == "commit" and is_tuple(self.kind(s.args[0])):
                if not is_name(s.args[0]):
                    raise Declined("a tuple from outside")
                s.facts["whole"], s.args = s.args[0], tuple(self.leaves(s.args[0]))
            if s.op == "open":
                s.facts["leaves"] = self.leaves(s.target)
            if s.op == "attr" and isinstance(base, Made):
                self._opened([(s.args[0], base)])
                out += self._copies(s, s.target, f"{s.args[0]}__{field_place(base, s.text)}")
            elif (items := self._items_of(s, base)) is not None:
                s.op, s.args, s.names, s.text = "tuple", tuple(items), (), ""
                out += self._apart([s])
            elif s.op == "binary" and k == "L":
                out += self._lists(s)
            elif s.op in ("get", "set") and self._has_lists(s):
                out += self._by_lists(s)
            elif s.op == "call" and any(has_object(self.kind(a)) for a in s.args):
                for a in dict.fromkeys(a for a in s.args if has_object(self.kind(a))):
                    out += self._boxed(s, a)
                out.append(s)
            elif s.op == "call" and len(s.args) == 2 and self._is_of_numbers(s, (min, max)):
                out.append(self._of_items(s))
            elif s.op == "call" and len(s.args) == 2 and self._is_of_numbers(s, (sum,)):
                out += self._added(s)
            elif s.op == "extend" and axes(self.kind(s.args[1])):
                raise Declined("a list that gets the entries of an array")
            elif s.op == "extend" and is_tuple(self.kind(s.args[1])):
                if not is_sequence(self.kind(s.args[1])):
                    raise Declined("a list that gets the keys of a dictionary")
                out += self._appends(s)
            elif s.op == "call" and k == "L" and self.function(s) is list and is_tuple(self.kind(s.args[1])):
                out.append(Step("list", s.target, (), s.line))
                out += self._appends(Step("extend", "", (s.target, s.args[1]), s.line))
            elif s.op == "call" and k == "L" and self.function(s) is list and self.kind(s.args[1]) == "L":
                s.op, s.args, s.text = "get", s.args[1:], ":"
                out.append(s)
            elif is_missing(s, base):
                self._opened([(s.args[0], base)])
                out += [Step("deopt", line=s.line), *self._copies(s, s.target, f"{s.args[0]}__0")]
            elif is_by_key(s, base):
                out += self._by_key(s, base)
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
                    repeated = s.op == "binary" and s.text == "*" and not varies(k)
                    of_library = s.op == "attr" and base[0] in "UFM"
                    if s.op != "call" and not (repeated or of_library or (s.op == "get" and base == "L")):
                        raise Declined("a tuple that an operator makes")
                    s.facts["leaves"] = self.leaves(s.target)
        return out

    def _truth(self, s: Step) -> Step:
        """Whether there is nothing in what a branch asks about: that may have changed when it is run back."""
        made = Step("unary", f"empty__{s.number}", s.args, s.line, "not ")
        self.kinds[made.target], s.args = "b", (made.target,)
        s.body, s.orelse = s.orelse, s.body
        return made

    def is_of(self, s: Step) -> bool | None:
        """What `isinstance` or `callable` says of a value, where its kind tells."""
        if len(s.args) not in (2, 3):
            return None
        k = self.kind(s.args[1])
        if len(s.args) == 2 and (is_real(k) or axes(k)) and self.function(s) is callable:
            return False
        if len(s.args) == 2 and isinstance(k, tuple) and k[0] == "F" and self.function(s) is callable:
            return bool(callable(k[1]))
        if not is_tuple(k):
            return self._is_plain_of(s, k)
        if len(s.args) == 2 and self.function(s) is callable:
            P = made_of(k)
            return P is not None and (
                not isinstance(P, type) or any("__call__" in vars(c) for c in P.__mro__)
            )
        if len(s.args) == 2 or self.function(s) is not isinstance:
            return None
        plain = dict if type(k) is Keyed else list if type(k) is Listed else tuple
        made = made_of(k)
        own: Any = made if isinstance(made, type) else plain if made is None else FunctionType
        return is_of(own, self.kind(s.args[2]))

    def _is_plain_of(self, s: Step, k: Kind) -> bool | None:
        """What `isinstance` says of a number or array."""
        types = (np.ndarray,) if axes(k) else _TYPES.get(k, ()) if type(k) is str else ()
        if len(s.args) == 2 or self.function(s) is not isinstance:
            return None
        answers = {is_of(P, self.kind(s.args[2])) for P in types}
        return answers.pop() if len(answers) == 1 else None

    def _has_lists(self, s: Step) -> bool:
        """Whether an array is read or stored into by lists or ranges."""
        return axes(self.kind(s.args[0])) > 0 and any(self.kind(n) in ("L", "R") for n in s.names)

    def _by_lists(self, s: Step) -> list[Step]:
        """The same by arrays of their whole numbers."""
        array, made = self.profile.constant(places_of, ("F", places_of)), []
        for n in dict.fromkeys(n for n in s.names if self.kind(n) in ("L", "R")):
            places = f"{n}__at{s.number}"
            self.kinds[places] = "j1"
            made.append(Step("call", places, (array, n), s.line))
            s.text = re.sub(rf"\b{n}\b", places, s.text)
            s.names = tuple([places if name == n else name for name in s.names])
        return [*made, s]

    def _items_of(self, s: Step, base: Kind) -> list[str] | None:
        """The items of what is a part of a tuple, or two tuples, or a list made a tuple."""
        for a in s.args if s.op in ("get", "binary", "call") else ():
            if is_name(a) and is_tuple(self.kind(a)):
                self._opened([(a, self.kind(a))])
        if s.op == "get" and is_tuple(base) and ":" in s.text and s.text[0] != "'":
            return [f"{s.args[0]}__{i}" for i in places(base, s.text)]
        kinds = [self.kind(a) for a in s.args]
        if s.op == "binary" and s.text == "+" and all(map(is_tuple, kinds)):
            return [f"{a}__{i}" for a, k in zip(s.args, kinds, strict=True) for i in range(len(k) - 1)]
        if s.op == "call" and len(s.args) == 2 and is_tuple(kinds[1]) and self.function(s) is tuple:
            return [f"{s.args[1]}__{i}" for i in range(len(kinds[1]) - 1)]
        return None

    def _is_of_numbers(self, s: Step, functions: tuple[Any, ...]) -> bool:
        """Whether a call of one of some functions is given a tuple of at least two numbers, some real."""
        k = self.kind(s.args[1])
        numbers = is_sequence(k) and len(k) > 2 and all(is_real(i) or i == "i" for i in k[1:])
        return numbers and not s.keywords and self.function(s) in functions

    def _added(self, s: Step) -> list[Step]:
        """The sum of a tuple of numbers as Python makes it, one after the other, from a whole zero."""
        total, out = "=0", []
        *items, last = [f"{s.args[1]}__{i}" for i in range(len(self.kind(s.args[1])) - 1)]
        for i, item in enumerate(items):
            out.append(Step("binary", f"{s.target}__sum{i}", (total, item), s.line, "+"))
            total = out[-1].target
            self.kinds[total] = "s"
        s.op, s.text, s.args = "binary", "+", (total, last)
        return [*out, s]

    def _of_items(self, s: Step) -> Step:
        """The same with the numbers as arguments."""
        leaves = [f"{s.args[1]}__{i}" for i in range(len(self.kind(s.args[1])) - 1)]
        sample = self.profile.samples[s.number][0]
        self.profile.samples[s.number] = tuple(sample[0] if len(sample) == 1 else sample), {}
        s.args = (s.args[0], *leaves)
        return s

    def _lists(self, s: Step) -> list[Step]:
        """A list that another is added to, or two lists that become one."""
        a, b = s.args
        if s.facts.get("in place"):
            return [*self._apart([Step("extend", "", (a, b), s.line)]), Step("copy", s.target, (a,), s.line)]
        grown = [Step("extend", "", (s.target, x), s.line) for x in (a, b)]
        return [Step("list", s.target, (), s.line), *grown]

    def _appends(self, s: Step) -> list[Step]:
        """A list that gets the items of a tuple."""
        base, given = s.args
        items = [f"{given}__{i}" for i in range(len(self.kind(given)) - 1)]
        return [Step("append", "", (base, a), s.line) for a in items]

    def name_of(self, value: Any) -> str:
        """The name of an object of the text's own; Inferred has it."""
        raise NotImplementedError

    def function(self, s: Step) -> Any:
        """What a call calls; Inferred has it."""
        raise NotImplementedError

    def _pack(self, s: Step, name: str) -> list[Step]:
        if has_object(self.kinds[name]):
            return []
        count, keys = len(self.kinds[name]) - 1, keys_of(self.kinds[name])
        step = Step("pack", name, tuple(f"{name}__{i}" for i in range(count)), s.line)
        if type(self.kinds[name]) is Named:
            step.facts["named"] = self.name_of(made_of(self.kinds[name]))
        elif type(self.kinds[name]) is Listed:
            step.facts["listed"] = True
        elif keys is not None:
            step.facts["keys"] = keys
        return [step]

    def _boxed(self, s: Step, name: str) -> list[Step]:
        """A tuple in an object's place, for a function with a text of its own."""
        items, out = [f"{name}__{i}" for i in range(len(self.kind(name)) - 1)], []
        for n in items:
            out += self._boxed(s, n) if has_object(self.kind(n)) else []
        return [*out, Step("pack", name, tuple(items), s.line)]

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
