"""Stores: the texts of arrays that are written into, and of their shadows.

Forward, a shadow travels beside each name of such an array. Backward, a store takes the shadow's part,
clears it, and hands it to what was stored. What a pullback reads of memory that is overwritten later is
copied when it is kept.
"""

from __future__ import annotations

from ..inferring.viewing import shares
from ..reading.blocks import Keep
from ..reading.declined import Declined
from ..reading.kinds import axes, is_array, is_number, is_tuple
from ..reading.spelling import positional
from ..reading.steps import Step, is_name, plain
from .activity import targets
from .backward import Cotangent
from .lasting import items_of_key, lasting
from .lists import Lists
from .rundown import total, unstored


class Stores(Lists):
    """Writes stores and shadows."""

    step: Step

    # forward

    def _set(self, s: Step) -> None:
        base, value = s.args
        if not axes(self.inferred.kind(base)):
            super()._set(s)
            return
        shape = self.shape_at(s)
        one = self.memory.one_entry(s)
        if self.memory.picks(s):
            self._picked_once(s)
        k = self.inferred.kind(value)
        if is_tuple(k) or k in ("L", "Z", "N"):
            raise Declined("a tuple, list or text that is stored into an array")
        if axes(k) and any(self.inferred.kind(n) == "H" for n in s.names):
            raise Declined("an array that is stored at a tuple")
        if one and axes(k):
            raise Declined("an array that is stored as a number")
        if s.active:
            self.shadow_kept(s, base)
            self.keep(s, *s.names)
            if self.varied(value) and is_array(k):
                s.facts["whole"] = shape is not None and self.shape_of(value) == shape
                if not s.facts["whole"]:
                    s.facts["shape"] = self.asked(f"{plain(value)}.shape")
                self.shadow_kept(s, value)
        self.put(f"{base}[{s.text}] = {plain(value)}")
        self.stored(base)

    def _picked_once(self, s: Step) -> None:
        """Of entries that are stored twice the last one stays: which that is, is found out."""
        kinds = [self.inferred.kind(n) for n in s.names]
        if [k[0] for k in kinds if axes(k)] == ["m"] and s.text.strip() == s.names[0]:
            return
        name = self.fresh("n")
        s.facts["lasting"] = Keep(name, self.block)
        key = items_of_key(s.text, self.bind(slice))
        self.put(f"{name} = {self.bind(lasting)}({s.args[0]}.shape, {key})")

    def shadow_kept(self, s: Step, name: str) -> None:
        """The shadow that a name has at this step."""
        if self.has_shadow(name) and f"shadow {name}" not in s.kept:
            s.kept[f"shadow {name}"] = self.candidate(self.shadows[name])

    def has_shadow(self, name: str) -> bool:
        """Whether a name's cotangent lies in a shadow."""
        return is_name(name) and name in self.shadows and name in self.activity.active

    def born(self, s: Step) -> None:
        """The shadow of what a step makes, or a view of the shadow of what it looks at."""
        self.parts_beside(s)
        for n in targets(s):
            if not self.memory.shadowed(n):
                continue
            viewed = s in self.memory.viewed
            alias = viewed or s.op in ("copy", "attr") or (s.op == "get" and not self.memory.picks(s))
            if s.active and ("pullback" in s.facts or "program" in s.facts):
                self.put(f"{n} = {n}.copy()")  # since the pullback may keep it
            if not self.has_shadow(n):
                continue
            name = self.shadows[n]
            if viewed:
                self._viewed(s, name)
            elif alias:
                end = {"copy": "", "attr": f".{s.text}", "get": f"[{s.text}]"}[s.op]
                self.put(f"{name} = {self.shadows[s.args[0]]}{end}")
            else:
                self.put(f"{name} = {self.zeros(n, f'{n}.shape')}")
            self.definitions[name] = self.definitions[n]
            self.define(name)
            if not alias:
                s.kept[f"born {n}"] = self.candidate(name)

    def _viewed(self, s: Step, name: str) -> None:
        """The same view of the shadow; no run in which either is none."""
        base, *given = s.args[s.op == "call" :]
        shadow, shares_ = self.shadows[base], self.bind(shares)
        called = f"{shadow}.{s.text}" if s.op == "method" else self.bind(self.inferred.function(s))
        first = [] if s.op == "method" else [shadow]
        self.put(f"{name} = {called}({', '.join([*first, *positional([*map(plain, given)], s)])})")
        tests = f"{shares_}({s.target}, {base}) and {shares_}({name}, {shadow})"
        self.put(f"if not ({tests}): {self.given_up()}")

    def lent(self, s: Step, atom: str) -> str:
        """An argument of a call that keeps it: a copy where it is written into later."""
        if not is_name(atom):
            return plain(atom)
        leaves = self.inferred.leaves(atom)
        if not any(self.memory.overwritten(s, n) for n in leaves):
            return atom
        if leaves != [atom]:
            raise Declined("a tuple with an array that is written into, given to a function")
        return f"{atom}.copy()"

    # backward

    def cotangent_of(self, s: Step, name: str) -> Cotangent | None:
        """The cotangent of what a step made; of a view there is nothing to hand on."""
        if not self.has_shadow(name):
            return self.take(name)
        kept = s.kept.get(f"born {name}")
        return None if kept is None else Cotangent(kept.use(), "full", False, True)

    def shadow(self, name: str) -> str:
        """The shadow of a name at the step that is gone through."""
        return str(self.step.kept[f"shadow {name}"].use())

    def give(
        self,
        atom: str,
        text: str,
        form: str = "full",
        minus: bool = False,
        fresh: bool = True,
        moved: bool = False,
    ) -> None:
        if self.has_shadow(atom):
            sign = "-" if minus ^ self.minus else "+"
            self.put(f"{self.shadow(atom)} {sign}= {self.real_part(atom, text)}")
        else:
            super().give(atom, text, form, minus, fresh, moved)

    def own(self, atom: str, shape: str) -> str:
        return self.shadow(atom) if self.has_shadow(atom) else super().own(atom, shape)

    def back_set(self, s: Step) -> None:
        base, value = s.args
        if not axes(self.inferred.kind(base)):
            super().back_set(s)
            return
        if not s.active:
            return
        self.minus = False
        slot = f"{self.shadow(base)}[{self.key(s)}]"
        if not self.varied(value):
            self.put(f"{slot} = 0.0")
            return
        g = self.fresh("g")
        one = self.memory.one_entry(s)
        lasts = f" * {s.facts['lasting'].use()}" if "lasting" in s.facts else ".copy()"
        self.put(f"{g} = {slot}" if one else f"{g} = {slot}{lasts}")
        self.put(f"{slot} = 0.0")
        if one:
            self.give(value, g, fresh=False)
        elif is_number(self.inferred.kind(value)):
            self.give(value, f"{self.bind(total)}({g}, {g})", fresh=False)
        elif s.facts["whole"]:
            self.give(value, g, fresh=True, moved=True)
        else:
            self.give(value, f"{self.bind(unstored)}({g}, {s.facts['shape'].use()})", fresh=False)
