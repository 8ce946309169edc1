"""Lists: each has a list of cotangents beside it, and what is done to the one is undone in the other.

A part of a list is a list of its own, whose cotangents are added to those of the items that it was taken
from.
"""

from __future__ import annotations

from ..reading.blocks import Keep
from ..reading.kinds import has_list, is_tuple
from ..reading.steps import Step, is_name, plain
from .activity import targets
from .backward import Backward
from .rundown import Beside, gave, number, parts_of, put_at, sliced, slot, slots, taken_out


class Lists(Backward):
    """Writes what is done to lists."""

    # forward

    def beside(self, atom: str) -> str:
        """What stands beside an item when it is put into a list: a list's own list of cotangents."""
        k = self.inferred.kind(atom)
        if not has_list(k) or not self.activity.varied(atom):
            return "None"
        parts = [f"{n}_s" if self.is_list(n) else "None" for n in self.activity.leaves(atom)]
        return parts[0] if k == "L" else f"[{', '.join(parts)}]"

    def is_list(self, name: str) -> bool:
        """Whether a variable is a list that has cotangents."""
        return self.kinds.get(name) == "L" and name in self.activity.active

    def parts_beside(self, s: Step) -> None:
        """The lists of cotangents beside the lists in a tuple that was taken out of a list."""
        found = targets(s)
        if s.op != "get" or found == [s.target] or self.inferred.kind(s.args[0]) != "L":
            return
        for i, n in enumerate(found):
            if self.is_list(n):
                self.put(f"{n}_s = {s.args[0]}_s[{s.text}][{i}]")
                self.definitions[f"{n}_s"] = self.definitions[n]
                self.define(f"{n}_s")

    def is_nested(self, name: str) -> bool:
        """Whether a list holds lists, or is held by one."""
        return self.memory.lists.is_nested(name)

    def list_beside(self, s: Step) -> str:
        """The list of cotangents beside a list that a step makes, or finds."""
        base = s.args[0] if s.args else ""
        if s.op == "copy":
            return f"{base}_s"
        if s.op == "get" and self.inferred.kind(base) == "L" and ":" not in s.text:
            return f"{base}_s[{s.text}]"
        if not self.is_nested(s.target):
            return f"[None] * {self.bind(len)}({s.target})"
        if s.op == "list":
            items = f"[{', '.join(map(self.beside, s.args))}]"
        elif s.op == "get" and self.inferred.kind(base) == "L":
            items = f"{base}_s[{s.text}]"
        else:
            items = f"[None] * {self.bind(len)}({s.target})"
        return f"{self.bind(Beside)}({items})"

    def _append(self, s: Step, how: str = "append(") -> None:
        self.put(f"{s.args[0]}.{how}{plain(s.args[1])})")
        if s.args[0] in self.activity.active:
            self.put(f"{s.args[0]}_s.{how}{self.beside(s.args[1])})")
            self.keep(s, *s.names, *s.args)
            s.kept["shadow"] = self._shadow(s.args[0])

    def _put(self, s: Step) -> None:
        """An item before another one."""
        self._append(s, f"insert({s.text}, ")

    def _drop(self, s: Step) -> None:
        """An item that is taken out; it has no cotangent yet."""
        self.put(f"{s.args[0]}.pop({s.text})")
        if s.args[0] in self.activity.active:
            self._noted(s, f"{s.args[0]}_s.pop({s.text})")
            self.keep(s, *s.names)
            s.kept["shadow"] = self._shadow(s.args[0])

    def _noted(self, s: Step, text: str) -> None:
        """Note what stood beside an item that goes: that is nothing yet, if it was not a list."""
        if self.is_nested(s.args[0]):
            name = self.fresh("o")
            s.facts["before"] = Keep(name, self.block)
            text = f"{name} = {text}"
        self.put(text)

    def _set(self, s: Step) -> None:
        self.put(f"{s.args[0]}[{s.text}] = {plain(s.args[1])}")
        if s.args[0] in self.activity.active:
            if self.is_nested(s.args[0]):
                self._noted(s, f"{s.args[0]}_s[{s.text}]")
                self.put(f"{s.args[0]}_s[{s.text}] = {self.beside(s.args[1])}")
            self.keep(s, *s.names, s.args[1])
            s.kept["shadow"] = self._shadow(s.args[0])

    def _extend(self, s: Step) -> None:
        base, more = s.args
        if base not in self.activity.active:
            self.put(f"{base}.extend({more})")
            return
        count = self.fresh("n")
        self.put(f"{count} = {self.bind(len)}({more})")
        s.facts["count"] = Keep(count, self.block)
        self.put(f"{base}.extend({more})")
        nested = self.is_nested(base) and more in self.activity.active
        self.put(f"{base}_s.extend({more}_s)" if nested else f"{base}_s.extend([None] * {count})")
        s.kept["shadow"] = self._shadow(base)
        if more in self.activity.active:
            s.kept["from"] = self._shadow(more)

    # backward

    def give_item(self, atom: str, text: str) -> None:
        """Hand the cotangent of an item of a list to what was put there."""
        if not is_name(atom) or not is_tuple(self.kinds.get(atom)):
            self.give(atom, f"{self.bind(number)}({text})", "stretched", fresh=False)
            return
        leaves = self.inferred.leaves(atom)
        cs = self.let(f"{self.bind(parts_of)}({text}, {len(leaves)})")
        lists = any(map(self.is_list, leaves))
        for i, n in enumerate(leaves):
            if not self.is_list(n):
                part = f"{self.bind(number)}({cs}[{i}])" if lists else f"{cs}[{i}]"
                self.give(n, part, "stretched", fresh=False)

    def back_append(self, s: Step, place: str = "") -> None:
        if self.varied(s.args[0]):
            self.minus = False
            text = f"{s.kept['shadow'].use()}.pop({place})"
            if self._is_given(s.args[1]):
                self.give_item(s.args[1], text)
            else:
                self.put(text)

    def _is_given(self, item: str) -> bool:
        """Whether a cotangent is handed to what was put into a list; that of a list is there already."""
        return self.activity.varied(item) and self.inferred.kind(item) != "L"

    def back_put(self, s: Step) -> None:
        if self.varied(s.args[0]):
            count = f"{self.bind(len)}({s.kept['shadow'].use()})"
            self.back_append(s, "0" if s.text == "0" else f"{self.bind(put_at)}({self.key(s)}, {count})")

    def back_drop(self, s: Step) -> None:
        """The item is there again, and has no cotangent."""
        if self.varied(s.args[0]):
            self.minus = False
            shadow, key = s.kept["shadow"].use(), self.key(s)
            item = s.facts["before"].use() if "before" in s.facts else "None"
            place = f"insert({key} % (len({shadow}) + 1), " if key != "-1" else "append("
            self.put(f"{shadow}.{place}{item})")

    def back_set(self, s: Step) -> None:
        if self.varied(s.args[0]):
            self.minus = False
            before = f", {s.facts['before'].use()}" if "before" in s.facts else ""
            text = f"{self.bind(taken_out)}({s.kept['shadow'].use()}, {self.key(s)}{before})"
            if self._is_given(s.args[1]):
                self.give_item(s.args[1], text)
            else:
                self.put(text)

    def back_list(self, s: Step) -> None:
        if self.varied(s.target):
            self.minus = False
            for i, a in enumerate(s.args):
                if self._is_given(a):
                    self.give_item(a, f"{self.bind(taken_out)}({s.kept['shadow'].use()}, {i})")

    def item_of_list(self, s: Step) -> None:
        """`y = list[i]`: the list of cotangents beside it gets that of y, or those of its items."""
        shadow, key = s.kept["shadow"].use(), self.key(s)
        found = [self.take(n) for n in targets(s)]
        if all(c is None for c in found):
            return
        if found[0] is not None and targets(s) == [s.target]:
            self.put(f"{self.bind(slot)}({shadow}, {key}, {self.positive(found[0])})")
        else:
            cs = ["None" if c is None else self.positive(c) for c in found]
            self.put(f"{self.bind(slots)}({shadow}, {key}, {', '.join(cs)})")

    def back_extend(self, s: Step) -> None:
        base, more = s.args
        if self.varied(base):
            self.minus = False
            given = s.kept["from"].use() if more in self.activity.active else "None"
            self.put(f"{self.bind(gave)}({s.kept['shadow'].use()}, {given}, {s.facts['count'].use()})")

    def part_of_list(self, s: Step) -> None:
        """`y = list[i:j]`: the cotangents of y are added to those of the items."""
        ends = [e.strip() or "None" for e in self.key(s).split(":")]
        given = f"{s.kept['from'].use()}, slice({', '.join(ends)}), {s.kept['shadow'].use()}"
        self.put(f"{self.bind(sliced)}({given})")
