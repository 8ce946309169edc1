"""For arrays: lists that are written out, and of which arrays are made and nothing else.

    rows = [[c, -s], [s, c]]        rows = ((c, -s), (s, c))
    np.array(rows)                  np.array(rows)

Several such lists may have one name, in branches, if they have the same form.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .kinds import NUMBERS, REAL
from .steps import Step
from .turns import Turns


class ForArrays(Turns):
    """The steps of one text, and which of its lists become arrays."""

    def becomes_array(self, s: Step) -> bool:
        """Whether a list, or the list in which it is, is made an array of, and nothing else."""
        return all(self._is_for_array(x, n) for n, x in self.uses_of(s))

    def _is_for_array(self, s: Step, name: str) -> bool:
        if s.op == "copy":
            makers = self.makers[s.target]
            if self.sole(s.target) is not None:
                return True
            forms = {self._form(m.args[0]) if m.op == "copy" else None for m in makers}
            alike = len(forms) == 1 and None not in forms
            uses = self.uses.get(s.target, ())
            another = self.given(s.target) is not None
            return alike and not another and all(self._is_for_array(x, s.target) for x in uses)
        if s.op == "list":
            return self.becomes_array(s)
        return s.op == "call" and s.args[1:] == (name,) and self.given(s.args[0]) == ("F", np.array)

    def in_one_kind(self, s: Step) -> None:
        """Write whole numbers as real ones in a list of which an array of real numbers is made."""
        lists = [x for a in s.args if (x := self.maker(a)) is not None and x.op == "list"]
        every = [(x, x.args) for x in [s, *lists]]
        if any(self.kind(a) in REAL for _, args in every for a in args):
            for x, args in every:
                x.args = tuple(
                    f"{a}.0" if type(self.literal_of(a)) is int and a[0] == "=" else a for a in args
                )

    def _form(self, name: str) -> Any:
        """How many items a list of numbers that is written out has, or the lists in it; None of another."""
        maker = self.maker(name)
        if maker is None or maker.op != "list":
            return "number" if self.kind(name) in NUMBERS else None
        forms = tuple(map(self._form, maker.args))
        return None if None in forms else forms
