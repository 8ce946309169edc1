"""Fields: objects that change, as one variable for each of their fields.

Which object a name stands for has to be known from the text: it is made in one place, and its other names
are copies that each are made once, before they are read in the same run of their block. Then reading a field
is reading a variable, and setting it an assignment.
"""

from __future__ import annotations

import ast
import re
from types import SimpleNamespace
from typing import Any

from .declined import Changing, Declined, Unkeyed, Unplaced
from .kinds import is_of
from .resolving import Makers
from .steps import SETS, Step, is_name, walk

_KEEPS = ("copy", "append", "tuple", "call")
"""Steps that may have an object as it is in the end."""


class Fields(Makers):
    """The steps of one text in which objects that change are their fields."""

    def __init__(self, *given: Any) -> None:
        """`given`: as for the makers of a text."""
        super().__init__(*given)
        steps = self.steps = self._without_returned(self.steps)
        self.loops: set[int] = set()  # the bodies of loops among paths
        self.order: dict[Step, int] = {}
        self.path: dict[Step, tuple[int, ...]] = {}
        self._placed(steps, ())
        self.once: dict[Any, Step] = {}  # where a field is set to what the text makes, by its owner and name
        self._note_what_is_set_once(steps)
        self._grow(steps)
        self.set_fields = {(self._maker(s.args[0]), s.text) for s in walk(steps) if s.op in SETS}
        self.changing = {maker for maker, _ in self.set_fields}
        self.sets: dict[Step | None, list[Step]] = {}
        for s in walk(steps):
            if s.op in SETS:
                self.sets.setdefault(self._maker(s.args[0]), []).append(s)
        if None in self.changing:
            raise Unplaced("an attribute of an object of which it is not known where it was made")
        self._spread(steps)
        self.variables: dict[Any, str] = {}
        self._hold(steps)
        self.steps = [*self._replaced(steps, top=True), *self._committed()]

    def _without_returned(self, steps: list[Step]) -> list[Step]:
        """The steps but for those that give a variable what it is already, as `a = a.add(b)` may do."""
        dropped: set[Step] = set()
        for name, makers in self.makers.items():
            others = [s for s in makers if s.op != "copy" or self._first(s.args[0]) != name]
            if len(others) == 1 < len(makers):
                dropped.update(s for s in makers if s is not others[0])
                self.makers[name] = others
        sets: dict[str, list[Step]] = {}
        for s in walk(steps):
            if s.op in SETS:
                sets.setdefault(s.text, []).append(s)
        for some in sets.values():
            if all(map(self._sets_what_it_is, some)):
                dropped.update(some)
        return _without(steps, dropped) if dropped else steps

    def _sets_what_it_is(self, s: Step) -> bool:
        """Whether a field is set to what was read of it, as `o.a += b` may do."""
        read = self._first(s.args[1])
        made = self.makers.get(read, [])
        return (
            len(made) == 1
            and (made[0].op, made[0].text) == ("attr", s.text)
            and (self._first(made[0].args[0]) == self._first(s.args[0]))
        )

    def _first(self, a: str) -> str:
        """The variable that others are copies of."""
        makers = self.makers.get(a, []) if is_name(a) else []
        return self._first(makers[0].args[0]) if len(makers) == 1 and makers[0].op == "copy" else a

    def _placed(self, steps: list[Step], path: tuple[int, ...]) -> None:
        for s in steps:
            self.order[s], self.path[s] = len(self.order), path
            if s.op == "loop":
                self.loops.add(2 * self.order[s])
            self._placed(s.body, (*path, 2 * self.order[s]))
            self._placed(s.orelse, (*path, 2 * self.order[s] + 1))

    def _maker(self, name: str) -> Step | None:
        """The step that makes the object that a name stands for."""
        makers = self.makers.get(name, []) if is_name(name) else []
        if len(makers) != 1:
            return None
        s = makers[0]
        if s.op == "tuple":
            return s
        if s.op == "copy":
            return self._maker(s.args[0])
        if s.op == "attr" or (s.op == "get" and not s.names):
            owner = self._maker(s.args[0])
            now = self.once.get((owner, s.text))
            if now is not None and self.order[now] < self.order[s]:
                return self._maker(now.args[1])
            place = None if owner is None else _place(owner, s.text)
            known = owner is not None and place is not None and place < len(owner.args)
            return self._maker(owner.args[place]) if known else None  # type: ignore[union-attr, index]
        return None

    def _note_what_is_set_once(self, steps: list[Step]) -> None:
        """Note the fields that are set once, after their object was made, to an object or dictionary."""
        found: dict[Any, list[Step]] = {}
        for s in walk(steps):
            if s.op in SETS and (owner := self._maker(s.args[0])) is not None:
                found.setdefault((owner, s.text), []).append(s)
                made = self._maker(s.args[1])
                alone = len(found[owner, s.text]) == 1 and self.path[s] == self.path[owner]
                if alone and made is not None and "keys" in made.facts and self.path[made] == self.path[s]:
                    self.once[owner, s.text] = s
                else:
                    self.once.pop((owner, s.text), None)

    def _grow(self, steps: list[Step]) -> None:
        """Give dictionaries the keys, and objects the fields, that are set after they were made, wherever."""
        for s in walk(steps):
            entry = s.op in ("get", "setkey") and s.text[:1] in ("'", '"')
            if not entry and s.op != "setattr":
                continue
            maker = self._maker(s.args[0])
            if maker is None or "keys" not in maker.facts or _place(maker, s.text) is not None:
                continue
            if s.op == "get" or self.path[s] != self.path[maker]:
                raise (Unkeyed if entry else Declined)("an entry or a field that may not be there")
            maker.facts["keys"] = (*maker.facts["keys"], ast.literal_eval(s.text) if entry else s.text)

    def _spread(self, steps: list[Step]) -> None:
        """What holds an object that changes has to be known as well."""
        count = -1
        while count != len(self.changing):
            count = len(self.changing)
            for s in walk(steps):
                if s.op == "tuple" and any(self._changing(a) for a in s.args):
                    self.changing.add(s)

    def _changing(self, name: str) -> Step | None:
        """The step that makes the object, if it changes."""
        maker = self._maker(name)
        return maker if maker in self.changing else None

    def _hold(self, steps: list[Step]) -> None:
        for s in walk(steps):
            for i, a in enumerate(s.args):
                maker = self._changing(a)
                if maker is None:
                    continue
                reads = s.op in ("attr", "get", "expect", *SETS) and i == 0 and not s.names
                known = s.op == "copy" or reads or s in self.changing
                if s.op == "copy" and self._changing(s.target) is not maker:
                    known = False
                known = known or (s.op in _KEEPS and self._is_final(maker, s))
                known = known or s.facts.get("counts") == "isinstance"
                known = known or (s.op in SETS and i == 1 and self._may_be_set(s))
                made = self.makers[a][0]
                ahead = self.order[made] < self.order[s]
                if not known or not ahead or self.path[s][: len(self.path[made])] != self.path[made]:
                    sort = Unplaced if "made" in maker.facts else Unkeyed
                    raise sort("an object that changes and has names elsewhere")
            if s.op in SETS and self._maker(s.args[1]) is not None and not self._may_be_set(s):
                raise Unplaced("an object that is set into another")

    def _may_be_set(self, s: Step) -> bool:
        """Whether a step sets a field to what does not change, or to what that field holds from then on."""
        owner = self._maker(s.args[0])
        if self.once.get((owner, s.text)) is s:
            return True
        place = None if owner is None else _place(owner, s.text)
        first = (
            owner.args[place] if owner is not None and place is not None and place < len(owner.args) else "="
        )
        return self._changing(s.args[1]) is None and self._changing(first) is None

    def _is_final(self, maker: Step, s: Step) -> bool:
        """Whether an object is not changed any more once a step has it, and what it holds does not change."""
        if any(self._changing(a) is not None for a in maker.args) or self.makers[maker.target] != [maker]:
            return False
        depth = len(self.path[maker])
        for x in self.sets[maker]:
            common = {*self.path[x][depth:]} & {*self.path[s][depth:]}
            if self.order[x] > self.order[s] or common & self.loops:
                return False
        return True

    def _as_it_is(self, maker: Step, s: Step, out: list[Step]) -> str:
        """A name for an object as it is in the end."""
        values = tuple(self._variable(maker, i) for i in range(max(len(maker.args), self._count(maker))))
        made = Step("tuple", self.fresh("as_it_is"), values, s.line, facts=dict(maker.facts))
        made.number = self.number()
        out.append(made)
        return made.target

    def _committed(self) -> list[Step]:
        """What the fields of objects that are given are in the end."""
        out: list[Step] = []
        changed = [(maker, text) for maker, text in self.set_fields if maker is not None]
        for maker, text in sorted(changed, key=lambda pair: (self.order[pair[0]], pair[1])):
            if "path" not in maker.facts:
                continue
            now = self.once.get((maker, text))
            held = None if now is None else self._changing(now.args[1])
            if held is not None and now is not None:
                last = self._as_it_is(held, now, out)
            else:
                last = self._variable(maker, _field(maker, text))
            end = f".{text}" if "made" in maker.facts else f"[{text}]"
            out.append(Step("commit", "", (last,), text=maker.facts["path"] + end))
            out[-1].number = self.number()
        return out

    def _count(self, maker: Step) -> int:
        return len(maker.facts["keys"]) if "keys" in maker.facts else len(maker.args)

    def _variable(self, maker: Step, field: int) -> str:
        key = maker, field
        if key not in self.variables:
            name = str(maker.facts["keys"][field]) if "keys" in maker.facts else ""
            self.variables[key] = self.fresh(f"field_{name if name.isidentifier() else field}_")
        return self.variables[key]

    def _copy(self, target: str, source: str, s: Step) -> Step:
        step = Step("copy", target, (source,), s.line)
        step.number = self.number()
        return step

    def _replaced(self, steps: list[Step], top: bool = False) -> list[Step]:
        """The steps with variables for fields; outside of loops and branches each value has its own."""
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._replaced(s.body), self._replaced(s.orelse)
            if s in self.changing:
                for field, a in enumerate(s.args):
                    if self._changing(a) is None:
                        out.append(self._copy(self._variable(s, field), a, s))
                continue
            maker = self._changing(s.args[0]) if s.args else None
            asked = self._changing(s.args[1]) if s.facts.get("counts") == "isinstance" else None
            if asked is not None:
                own = asked.facts.get("made") or (dict if "keys" in asked.facts else tuple)
                out.append(self._copy(s.target, f"={is_of(own, self.given(s.args[2]))}", s))
                continue
            if s.op in _KEEPS and (s.op != "copy" or self._changing(s.target) is not maker):
                final = [self._changing(a) for a in s.args]
                s.args = tuple(
                    a if m is None else self._as_it_is(m, s, out) for a, m in zip(s.args, final, strict=True)
                )
                maker = None
            if maker is None:
                out.append(s)
            elif s.op == "expect":
                is_ = SimpleNamespace(made=maker.facts.get("made"), keys=maker.facts.get("keys"))
                if "holds" in s.facts and not s.facts["holds"](is_):
                    raise Changing("something that a turn does otherwise than was seen")
            elif s.op in SETS and self._changing(s.args[1]) is None:
                field = _field(maker, s.text)
                if top:
                    self.variables.pop((maker, field), None)
                out.append(self._copy(self._variable(maker, field), s.args[1], s))
            elif s.op in ("attr", "get") and self._changing(s.target) is None:
                field = _field(maker, s.text)
                out.append(self._copy(s.target, self._variable(maker, field), s))
        return out


def _without(steps: list[Step], dropped: set[Step]) -> list[Step]:
    """The steps of a block but for these, wherever they stand."""
    for s in steps:
        s.body, s.orelse = _without(s.body, dropped), _without(s.orelse, dropped)
    return [s for s in steps if s not in dropped]


def _place(maker: Step, text: str) -> int | None:
    """Which field an attribute, an index or a key takes."""
    if re.fullmatch(r"-?\d+", text):
        return int(text) % len(maker.args) if "made" not in maker.facts else None
    name = ast.literal_eval(text) if text[:1] in ("'", '"') else text
    keys = maker.facts.get("keys", ())
    return keys.index(name) if name in keys else None


def _field(maker: Step, text: str) -> int:
    """The same of what has to be there."""
    place = _place(maker, text)
    if place is None:
        raise Unplaced("a field of an object that changes, of which it is not known where it is")
    return place
