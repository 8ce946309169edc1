"""Fields: objects that change, as one variable for each of their fields.

Which object a name stands for has to be known from the text: it is made in one place, and its other names
are copies that each are made once, before they are read in the same run of their block. Then reading a field
is reading a variable, and setting it an assignment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .steps import Step, is_name, walk


class Fields:
    """The steps of one text in which objects that change are their fields."""

    def __init__(self, steps: list[Step], fresh: Callable[[str], str], number: Callable[[], int]) -> None:
        self.fresh, self.number = fresh, number
        self.order: dict[Step, int] = {}
        self.path: dict[Step, tuple[int, ...]] = {}
        self._placed(steps, ())
        self.makers: dict[str, list[Step]] = {}
        for s in walk(steps):
            if s.target:
                self.makers.setdefault(s.target, []).append(s)
        self.set_fields = {(self._maker(s.args[0]), s.text) for s in walk(steps) if s.op == "setattr"}
        self.changing = {maker for maker, _ in self.set_fields}
        if None in self.changing:
            raise Declined("an attribute of an object of which it is not known where it was made")
        self._spread(steps)
        self.variables: dict[Any, str] = {}
        self._hold(steps)
        self.steps = self._replaced(steps)

    def _placed(self, steps: list[Step], path: tuple[int, ...]) -> None:
        for s in steps:
            self.order[s], self.path[s] = len(self.order), path
            self._placed(s.body, (*path, 2 * self.order[s]))
            self._placed(s.orelse, (*path, 2 * self.order[s] + 1))

    def _maker(self, name: str) -> Step | None:
        """The step that makes the object that a name stands for."""
        makers = self.makers.get(name, []) if is_name(name) else []
        if len(makers) != 1:
            return None
        s = makers[0]
        if s.op == "tuple" and ("made" in s.facts or "keys" not in s.facts):
            return s
        if s.op == "copy":
            return self._maker(s.args[0])
        if s.op == "get" and re.fullmatch(r"-?\d+", s.text):
            owner = self._maker(s.args[0])
            return self._maker(owner.args[int(s.text)]) if owner is not None and owner.op == "tuple" else None
        if s.op == "attr":
            owner = self._maker(s.args[0])
            if owner is not None and s.text in owner.facts.get("keys", ()):
                return self._maker(owner.args[owner.facts["keys"].index(s.text)])
        return None

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
                reads = s.op in ("attr", "setattr", "get") and i == 0 and not s.names
                known = s.op == "copy" or reads or s in self.changing
                if s.op == "copy" and self._changing(s.target) is not maker:
                    known = False
                made = self.makers[a][0]
                ahead = self.order[made] < self.order[s]
                if not known or not ahead or self.path[s][: len(self.path[made])] != self.path[made]:
                    raise Declined("an object that changes and has names elsewhere")
            if s.op == "setattr" and (self._maker(s.args[1]) is not None):
                raise Declined("an object that is set into another")

    def _variable(self, maker: Step, field: str) -> str:
        key = maker, field
        if key not in self.variables:
            self.variables[key] = self.fresh(f"field_{field}_")
        return self.variables[key]

    def _copy(self, target: str, source: str, s: Step) -> Step:
        step = Step("copy", target, (source,), s.line)
        step.number = self.number()
        return step

    def _replaced(self, steps: list[Step]) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            s.body, s.orelse = self._replaced(s.body), self._replaced(s.orelse)
            if s in self.changing:
                keys = s.facts.get("keys") or map(str, range(len(s.args)))
                for field, a in zip(keys, s.args, strict=True):
                    if self._changing(a) is None:
                        out.append(self._copy(self._variable(s, field), a, s))
                continue
            maker = self._changing(s.args[0]) if s.args else None
            if maker is None:
                out.append(s)
            elif s.op == "setattr":
                out.append(self._copy(self._variable(maker, s.text), s.args[1], s))
            elif s.op in ("attr", "get") and self._changing(s.target) is None:
                field = s.text if s.op == "attr" else str(int(s.text) % len(maker.args))
                out.append(self._copy(s.target, self._variable(maker, field), s))
        return out
