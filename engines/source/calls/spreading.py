"""Spreading: calls that change what stands in a `*` or `**` operand.

Such a call is one of the values that the operand passes, each of them lent; what the operand is worth
after the call are their states together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....tangents import ZERO, Composite, is_zero
from ..syntax.site import Site
from ..values.structures import parts_of, tuple_tangent
from . import lending, lending_forward
from .changed_arguments import Seen, View

Values = tuple[Any, ...]
Places = dict[int, Sequence[int]]  # for each operand that the call may change, those of its values


def _direct(site: Site, operands: Values, kwargs: Mapping[str, Any], needs: Any) -> tuple[Site, Places]:
    """The site of the values themselves, and where those of each written operand are among its operands."""
    before, n = int(site.callee != "plain"), site.layout.positional
    places: list[Sequence[int]] = []
    count = before
    for operand, star in zip(operands[:n], site.starred, strict=False):
        size = len(operand) if star else 1
        places.append(range(count, count + size))
        count += size
    words = {name: count + i for i, name in enumerate(kwargs)}
    for operand, name in zip(operands[n:], site.keywords, strict=True):
        places.append([words[k] for k in (operand if name is None else (name,))])
    at: list[Sequence[int]] = [[0]] * before + places
    shared = [False] * (count + len(words))
    for i, is_shared in enumerate(site.shared):
        for place in at[i]:
            shared[place] = is_shared
    writes = tuple(sorted({place for w in site.writes for place in at[w]}))
    marks = tuple(shared) if any(shared) else ()
    none = (False,) * len(needs)
    direct = replace(site, mask=needs, keywords=tuple(kwargs), starred=none, writes=writes, shared=marks)
    return direct, {w: at[w] for w in site.writes}


def call_in_reverse(
    site: Site, f: Any, name: str, operands: Values, args: Values, kwargs: dict[str, Any], needs: Any
) -> tuple[Any, Any]:
    """Such a call, with what it may change after its value."""
    spread = Spread(site, f, operands, kwargs, needs)
    y, back = lending.call_in_reverse(spread.direct, f, name, args, kwargs, needs)
    return spread.value(y), Seen(back, spread)


def call_forward(
    site: Site,
    f: Any,
    name: str,
    own: Any,
    operands: Values,
    args: Values,
    kwargs: dict[str, Any],
    moved: Values,
) -> tuple[Any, Any]:
    """The same, forward."""
    spread = Spread(site, f, operands, kwargs, tuple(not is_zero(t) for t in moved))
    y, dy = lending_forward.call_forward(spread.direct, f, name, own, args, kwargs, moved)
    return spread.value(y), spread.together(dy)


class Spread(View):
    """Between the values that such a call may change, and the operands that they stand in.

    `direct` is the site of the call of the values themselves.
    """

    __slots__ = ("callee", "direct", "operands", "places", "site")

    def __init__(self, site: Site, f: Any, operands: Values, kwargs: Mapping[str, Any], needs: Any) -> None:
        self.site, self.callee, self.operands = site, f, operands
        self.direct, self.places = _direct(site, operands, kwargs, needs)

    def value(self, y: Values) -> Values:
        before = int(self.site.callee != "plain")
        return (y[0], *(self.callee if w < before else self._operand(w)[0] for w in self.site.writes))

    def together(self, t: Any) -> Any:
        value, *states = parts_of(t, 1 + len(self.direct.writes))
        by_place = dict(zip(self.direct.writes, states, strict=True))
        joined = (self._joined(w, [by_place[i] for i in at]) for w, at in self.places.items())
        return tuple_tangent(value, *joined)

    def apart(self, t: Any) -> Any:
        value, *states = parts_of(t, 1 + len(self.places))
        flat: dict[int, Any] = {}
        for (w, at), state in zip(self.places.items(), states, strict=True):
            flat |= zip(at, self._parts(w, state, len(at)), strict=True)
        return tuple_tangent(value, *(flat[i] for i in self.direct.writes))

    def _operand(self, w: int) -> tuple[Any, bool, bool]:
        """An operand that may change, and whether it is a starred one or a mapping."""
        site, i, n = self.site, w - int(self.site.callee != "plain"), self.site.layout.positional
        if i < 0:
            return None, False, False
        return self.operands[i], i < n and site.starred[i], i >= n and site.keywords[i - n] is None

    def _parts(self, w: int, state: Any, count: int) -> Values:
        """The cotangents of the values of an operand, from its own."""
        operand, star, mapping = self._operand(w)
        if mapping:
            return tuple(ZERO if is_zero(state) else state[k] for k in operand)
        return parts_of(state, count) if star else (state,)

    def _joined(self, w: int, states: list[Any]) -> Any:
        """The tangent of an operand, from those of its values."""
        operand, star, mapping = self._operand(w)
        if mapping:
            return Composite[dict](dict(zip(operand, states, strict=True)))
        return tuple_tangent(*states) if star else states[0]
