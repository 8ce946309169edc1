"""Rearranging: what `sort`, `reverse` and `clear` do in place.

    l.sort(key=f)       made = sorted(l, key=f); every item is taken out of l; l.extend(made)
    a.sort()            a[:] = np.sort(a), of an array

Which of them it is, a run tells; an object of another class has a method of its own by the name.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ...source.syntax.trees import place
from .quoted import target
from .reader import Reader
from .steps import Step

_OF_LISTS = {
    "sort": "made_ = sorted(whole)",
    "reverse": "made_ = whole[::-1]",
    "clear": "made_ = whole[:0]",
}
_REFILLED = "for place_ in range(len(whole)): whole.pop()\nwhole.extend(made_)"


class Rearranging(Reader):
    """Reads these calls; Reading reads statements."""

    def rearranged(self, e: ast.expr, out: list[Step]) -> bool:
        """The steps of such a call that stands alone; whether it is one."""
        f = e.func if isinstance(e, ast.Call) else None
        if not isinstance(e, ast.Call) or not isinstance(f, ast.Attribute) or f.attr not in _OF_LISTS:
            return False
        whole = self.own("held", self.value(f.value, out))
        self.depth += 1
        by_key = any(k.arg in ("key", "reverse") for k in e.keywords)
        if by_key or not (e.args or e.keywords):
            step = self._where(list, whole, e, out)
            self.block(self._of_list(whole, f.attr, e), step.body)
            out = step.orelse
        if f.attr == "sort" and not by_key:
            step = self._where(np.ndarray, whole, e, out)
            given = tuple(self.value(a, step.body) for a in (*e.args, *(k.value for k in e.keywords)))
            made = self._helped(np.sort, (self.now[whole], *given), e, step.body)
            step.body[-1].keywords = tuple(str(k.arg) for k in e.keywords)
            self.bind(target("whole[:]", e, whole=whole), made, step.body)
            out = step.orelse
        again = isinstance(f.value, ast.Name | ast.Attribute)
        owner = f.value if again else ast.Name(whole, ast.Load())
        call = ast.Call(ast.Attribute(owner, f.attr, ast.Load()), e.args, e.keywords)
        self.value(place(call, e), out)
        self.depth -= 1
        return True

    def _of_list(self, whole: str, name: str, e: ast.Call) -> list[ast.stmt]:
        """What the method does to a list, as statements."""
        made: list[Any] = self.quoted(f"{_OF_LISTS[name]}\n{_REFILLED}", e, whole=whole)
        if name == "sort":
            made[0].value.keywords = e.keywords
        return made
