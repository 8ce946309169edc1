"""Ordering: `sorted`, and `max` and `min` by a key, as the places of items and the items there.

    sorted(xs, key=f)       items = [*xs]; keys = [f(v) for v in items]
                            [items[i] for i in order_of(keys, False)]
    max(xs, key=f)          items[first_of(keys, True)]

Which place that is has no derivative; where two keys are equal, it is the one that Python takes. Functions
here are read in turn, as if they were the program's own. Where one is given a dictionary its keys are known.
"""

from __future__ import annotations

import ast
from typing import Any

from ....core import non_differentiable
from ....core.changes import pure
from .declined import Declined
from .quoted import expression
from .reader import Reader
from .steps import Step


def order_of(keys: list[Any], reverse: Any) -> list[int]:
    """The places of items in the order of their keys."""
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=bool(reverse))


def first_of(keys: list[Any], greatest: bool) -> int:
    """The first place of the greatest key, or of the least."""
    return (max if greatest else min)(range(len(keys)), key=keys.__getitem__)


non_differentiable(order_of, first_of, why="a place among others")
pure(order_of)
pure(first_of)


def in_order(items: Any) -> Any:
    """All that something has, in order."""
    made = [*items]
    return [made[i] for i in order_of(made, False)]


def keys_in_order(d: Any) -> Any:
    """The keys, in order."""
    return in_order(d.keys())


def pairs_in_order(d: Any) -> Any:
    """Keys and entries, in the order of the keys."""
    return in_order(d.items())


SORTED = {in_order: "sorted keys", keys_in_order: "sorted keys", pairs_in_order: "sorted items"}
"""What a dictionary tells of itself where it is given to one of these, by names that no method has."""
_OF_VIEWS = {"iter": in_order, "keys": keys_in_order, "items": pairs_in_order}


class Ordering(Reader):
    """Reads these calls; Iterating reads comprehensions."""

    def ordered(self, e: ast.Call, f: Any, out: list[Step]) -> str:
        """`sorted`, `max` or `min` of what one argument has."""
        given = {k.arg: k.value for k in e.keywords}
        if not given.keys() <= ({"key", "reverse"} if f is sorted else {"key"}):
            raise Declined(f"{f.__name__} with another keyword")
        asked, in_its = e.args[0], _OF_VIEWS["iter"]
        match asked:
            case ast.Call(ast.Attribute(owner, "keys" | "items" as name), [], []):
                asked, in_its = owner, _OF_VIEWS[name]
        if f is not sorted or given or not isinstance(asked, ast.Name | ast.Attribute):
            return self._of_items(e, f, given, out)
        made = self._helped(in_its, (self.value(asked, out),), e, out)
        out[-1].text = SORTED[in_its]
        return made

    def _of_items(self, e: ast.Call, f: Any, given: dict[str | None, ast.expr], out: list[Step]) -> str:
        """The same of the items of anything."""
        items = self.own("held", self.items_of(e.args[0], e, out))
        key = given.get("key", ast.Constant(None))
        keys = items
        if not (isinstance(key, ast.Constant) and key.value is None):
            each = expression("map(key, items)", e, key=key, items=items)
            keys = self.own("held", self._listcomp(self.mapped(each, False), out))
        if f is sorted:
            reverse = self.value(given.get("reverse", ast.Constant(False)), out)
            order = self.own("held", self._helped(order_of, (self.now[keys], reverse), e, out))
            return self.value(self.written("[items[i_] for i_ in order]", e, items=items, order=order), out)
        place = self.own("held", self._helped(first_of, (self.now[keys], f"={f is max}"), e, out))
        return self.value(expression("items[place]", e, items=items, place=place), out)
