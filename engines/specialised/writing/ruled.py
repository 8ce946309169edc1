"""Ruled: calls that are done by their rule, found when the text is written.

What such a call is given may be a tuple or a list of arrays, and what it returns as well: the rule's pullback
is given a tuple of cotangents, and answers with one for each item.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.changes import is_pure
from ....core.engine import default_engine
from ....core.lookup import find
from ....core.reverse import reverse_rule
from ....tangents import ZERO, Composite, from_fields
from ..reading.calls import is_built_in, rule_of
from ..reading.composed import Kind, Named
from ..reading.declined import Declined
from ..reading.kinds import axes, has_whole, is_array, is_complex, is_number, is_tuple
from ..reading.steps import Step, plain
from .activity import targets
from .backward import Cotangent
from .rundown import answered, as_complex, dense, each_item, items_of, seeds_of
from .stores import Stores
from .tangents import Linear

_ONES = 1.0, np.float64(1.0), 1.0, 1 + 0j, 1, True, np.int64(1)
_SAMPLES: dict[str, Any] = dict(zip("fdscibq", _ONES, strict=True))
_TYPES = {"a": np.float64, "z": np.complex128, "j": np.int64, "m": np.bool_}


def sample(k: Kind) -> Any:
    """A value of a kind."""
    if k in _SAMPLES:
        return _SAMPLES[k]
    if axes(k):
        return np.ones((1,) * axes(k), _TYPES[k[0]])
    raise Declined("an operand that is no number")


def item_kinds(k: Kind) -> bool:
    """Whether this is a tuple of arrays and numbers."""
    return is_tuple(k) and all(is_array(i) or is_number(i) or i in ("i", "b", "q") for i in k[1:])


class Ruled(Stores):
    """Writes calls of rules."""

    all_steps: list[Step]

    def planned(self, s: Step) -> Any:
        """How an active step is differentiated; Operations has it."""
        raise NotImplementedError

    def direct(self, s: Step) -> Any:
        if s in self.memory.viewed and self.has_shadow(s.target):
            return None  # a view, whose shadow is the same view
        plan = self.planned(s)
        if isinstance(plan, str) or hasattr(plan, "parts"):
            return None
        given = s.args[1:] if s.op == "call" else s.args
        kinds = [self.inferred.kind(a) for a in given]
        name = getattr(plan, "__name__", plan)
        for a, k in zip(given, kinds, strict=True):
            if not self.activity.varied(a):
                continue
            if is_tuple(k) and not item_kinds(k):
                raise Declined(f"{name} of a tuple in a tuple")
            if k == "L" and not self.holds_numbers(a):
                raise Declined(f"{name} of a list of tuples")
        made = self.kinds[s.target]
        if not (is_array(made) or has_whole(made) or item_kinds(made) or made == "L"):
            raise Declined(f"{name}, which returns several values")
        args, kwargs = self.inferred.profile.samples.get(s.number) or (tuple(map(sample, kinds)), {})
        needs = tuple(self.activity.varied(a) for a in given)
        found = reverse_rule(plan, args, kwargs, needs, default_engine())
        if found is None:
            raise Declined(f"{name}, which has no rule for this")
        rule = rule_of(plan, args, kwargs)
        if not is_built_in(rule) and not is_pure(plan):
            raise Declined("a rule that may have effects")
        place = s.facts["linear"] = linear_in(rule, needs, find("reverse", plan, args, kwargs))
        return found if place is None else Linear(found, plan, place)

    def holds_numbers(self, name: str) -> bool:
        """Whether what is put into a list are numbers and arrays alone."""
        return self.holds(name, lambda k: is_array(k) or is_number(k) or k in ("i", "b", "q"))

    def holds(self, name: str, fits: Callable[[Kind], bool]) -> bool:
        """Whether all that is put into a list is of such a kind."""
        return not self.memory.lists.holds_lists(name) and all(map(fits, self.memory.lists.put(name)))

    def lent(self, s: Step, atom: str) -> str:
        """An argument of a call that keeps it: of a list a copy."""
        return f"{plain(atom)}[:]" if self.inferred.kind(atom) == "L" else super().lent(s, atom)

    def several(self, s: Step) -> bool:
        """Whether a call by its rule returns several values."""
        return "pullback" in s.facts and (is_tuple(self.kinds[s.target]) or self.kinds[s.target] == "L")

    def born(self, s: Step) -> None:
        if s.active and "pullback" in s.facts and self.kinds.get(s.target) == "L":
            s.facts["shapes"] = self.asked(f"[{self.bind(shape_of)}(v) for v in {s.target}]")
        super().born(s)

    def seeded(self, s: Step) -> str | None:
        """The cotangents of several values as the pullback takes them; None where there are none."""
        if self.kinds[s.target] == "L":
            return f"{self.bind(seeds_of)}({s.kept['shadow'].use()}, {s.facts['shapes'].use()})"
        found = targets(s)
        cs = [self.cotangent_of(s, n) for n in found]
        if all(c is None for c in cs):
            return None
        seeds = []
        for n, c in zip(found, cs, strict=True):
            if c is None:
                seeds.append(self.bind(ZERO))
            elif is_array(self.kinds[n]):
                seeds.append(self.seed_of(n, self.full(c, s.kept[f"={n}"].use)))
            else:
                seeds.append(self.seed_of(n, self.positive(c)))
        k = self.kinds[s.target]
        if type(k) is Named:
            return f"{self.bind(named_seed)}({self.bind(k.made)}, {', '.join(seeds)})"
        return f"{self.bind(Composite[tuple])}({', '.join(seeds)})"

    def back_several(self, s: Step) -> None:
        """A call by its rule that returned several values."""
        self.minus = False
        seed = self.seeded(s)
        if seed is not None and s.active:
            self._answered(s, seed)

    def by_rule(self, s: Step, c: Cotangent) -> None:
        """A call by its rule that returned one value."""
        bare = f"(-{c.text})" if c.minus else c.text
        if c.form == "stretched" and is_array(self.kinds[s.target]):
            bare = self.full(c, lambda: str(s.kept["="].use()))
        self._answered(s, self.as_made(s, self.seed_of(s.target, bare)))

    def as_made(self, s: Step, text: str) -> str:
        """A cotangent as an array, where that of an array without axes is a number."""
        return f"{self.bind(np.asarray)}({text})" if "without axes" in s.facts else text

    def seed_of(self, name: str, text: str) -> str:
        """A seed as a rule expects it: the cotangent of complex numbers may be real so far."""
        if not is_complex(self.kinds[name]):
            return text
        return f"{self.bind(as_complex)}({text})"

    def _answered(self, s: Step, seed: str) -> None:
        given = s.args[1:] if s.op == "call" else s.args
        place = s.facts.get("linear")
        if place is not None and is_array(self.inferred.kind(given[place])):
            text = f"{self.bind(answered)}({s.facts['pullback'].use()}, {place}, {seed})"
            self.give(given[place], text, "stretched", fresh=False)
            return
        answers = self.fresh("a")
        self.put(f"{answers} = {s.facts['pullback'].use()}({seed})")
        for i, a in enumerate(given):
            k = self.inferred.kind(a)
            if not self.activity.varied(a):
                continue
            if is_tuple(k):
                parts, leaves = self.fresh("a"), self.activity.leaves(a)
                minus = "-" if self.minus else ""
                self.put(f"{parts} = {self.bind(items_of)}({answers}[{i}], {len(leaves)})")
                before, self.minus = self.minus, False
                for j, n in enumerate(leaves):
                    self.give(n, f"{minus}{parts}[{j}]", "stretched", fresh=False)
                self.minus = before
            elif k == "L":
                sign = ", -1.0" if self.minus else ""
                self.put(f"{self.bind(each_item)}({s.kept[f'from {a}'].use()}, {answers}[{i}]{sign})")
            else:
                self.give(a, f"{self.bind(dense)}({answers}[{i}])", "stretched", fresh=False)


def linear_in(rule: Any, needs: tuple[bool, ...], found: Any) -> int | None:
    """The one argument of a call that moves, where what its rule does is linear in that; None otherwise.

    `rule.linear` has the places of such arguments among the rule's data.
    """
    moving = [i for i, need in enumerate(needs) if need]
    if len(moving) != 1 or found is None or found.binding is None:
        return None
    data = found.binding.data
    linear = [data[i] for i in getattr(rule, "linear", ()) if i < len(data)]
    return moving[0] if moving[0] in linear else None


def named_seed(P: Any, *seeds: Any) -> Any:
    """The cotangent of a named tuple, from those of its fields."""
    return from_fields(P, dict(zip(P._fields, seeds, strict=True)))


def shape_of(v: Any) -> Any:
    """The shape of an item, None of a number."""
    return getattr(v, "shape", None)
