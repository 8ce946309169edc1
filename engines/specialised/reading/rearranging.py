"""Rearranging: what `sort`, `reverse` and `clear` do in place.

    l.sort(key=f)       made = sorted(l, key=f); every item is taken out of l; l.extend(made)
    a.sort()            a[:] = np.sort(a), of an array

Which of them it is, a run tells; an object of another class has a method of its own by the name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from .declined import Declined
from .ordering import Ordering
from .steps import Step
from .tables import TABLES, Dictionary

_METHODS = ("sort", "reverse", "clear")
_SORT, _ASKED = "__import__('numpy').sort", "__import__('builtins').isinstance"
_CLASSES = {
    "__import__('builtins').list": list,
    f"__import__({TABLES!r}, fromlist=['Dictionary']).Dictionary": Dictionary,
    "__import__('numpy').ndarray": np.ndarray,
}
"""The texts of constants that are in no program."""
_OF_LISTS = {
    "sort": "made = sorted(whole)",
    "reverse": "made = whole[::-1]",
    "clear": "made = whole[:0]",
}
_REFILLED = "for place in range(len(whole)): whole.pop()\nwhole.extend(made)"


class Rearranging(Ordering):
    """Reads these calls; Reading reads statements."""

    depth: int
    block: Callable[..., None]
    bind: Callable[..., None]
    constants: dict[str, Any]
    constant: Callable[[ast.expr], Any]

    def rearranged(self, e: ast.expr, out: list[Step]) -> bool:
        """The steps of such a call that stands alone; whether it is one."""
        f = e.func if isinstance(e, ast.Call) else None
        if not isinstance(e, ast.Call) or not isinstance(f, ast.Attribute) or f.attr not in _METHODS:
            return False
        whole = self._held(self.value(f.value, out))
        self.depth += 1
        by_key = any(k.arg in ("key", "reverse") for k in e.keywords)
        if by_key or not (e.args or e.keywords):
            step = self._where(list, whole, e, out)
            self.block(self._of_list(whole, f.attr, e), step.body)
            out = step.orelse
        if f.attr == "sort" and not by_key:
            step = self._where(np.ndarray, whole, e, out)
            given = tuple(self.value(a, step.body) for a in (*e.args, *(k.value for k in e.keywords)))
            self.constants[_SORT] = np.sort
            call = Step("call", self.fresh(), (f"={_SORT}", self.now[whole], *given), e.lineno)
            call.keywords = tuple(str(k.arg) for k in e.keywords)
            step.body.append(call)
            every = ast.Subscript(ast.Name(whole, ast.Load()), ast.Slice(), ast.Store())
            self.bind(_placed(every, e), call.target, step.body)
            out = step.orelse
        again = isinstance(f.value, ast.Name | ast.Attribute)
        owner = f.value if again else ast.Name(whole, ast.Load())
        self.value(_placed(ast.Call(ast.Attribute(owner, f.attr, ast.Load()), e.args, e.keywords), e), out)
        self.depth -= 1
        return True

    def _where(self, P: type, whole: str, e: ast.Call, out: list[Step]) -> Step:
        """A branch for objects of a class."""
        text = next(t for t, Q in _CLASSES.items() if Q is P)
        self.constants.update({_ASKED: isinstance, text: P})
        asked = Step("call", self.fresh(), (f"={_ASKED}", self.now[whole], f"={text}"), e.lineno)
        out += [asked, Step("if", args=(asked.target,), line=e.lineno)]
        return out[-1]

    def _of_list(self, whole: str, name: str, e: ast.Call) -> list[ast.stmt]:
        """What the method does to a list, as statements."""
        for f in (sorted, range, len):
            if self.constant(ast.Name(f.__name__, ast.Load())) is not f:
                raise Declined(f"another {f.__name__}")
        made, place = (self.fresh(n) for n in ("made", "place"))
        self.locals |= {made, place}
        names = {"whole": whole, "made": made, "place": place}
        statements = ast.parse(f"{_OF_LISTS[name]}\n{_REFILLED}").body
        for n in (n for s in statements for n in ast.walk(s)):
            if isinstance(n, ast.Name):
                n.id = names.get(n.id, n.id)
            if isinstance(n, ast.Call) and name == "sort" and getattr(n.func, "id", "") == "sorted":
                n.keywords = e.keywords
        return [_placed(s, e) for s in statements]


def _placed(made: Any, e: ast.expr) -> Any:
    """What was made, where the call stands."""
    for n in ast.walk(made):
        if "lineno" in n._attributes:
            ast.copy_location(n, e)
    return made
