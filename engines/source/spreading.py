"""Spreading: calls that change what stands in a `*` or `**` operand.

Such a call is one of the values that the operand passes, each of them lent; what the operand is worth
after the call are their states together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...tangents import ZERO, Composite, is_zero
from . import lending, lending_forward
from .site import Site
from .structures import parts_of, tuple_tangent

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
    direct, places = _direct(site, operands, kwargs, needs)
    y, back = lending.call_in_reverse(direct, f, name, args, kwargs, needs)

    def spread_pullback(seeds: Any) -> Any:
        y_bar, *states = parts_of(seeds, 1 + len(places))
        flat: dict[int, Any] = {}
        for (w, at), state in zip(places.items(), states, strict=True):
            flat |= zip(at, _parts(site, operands, w, state, len(at)), strict=True)
        return back(tuple_tangent(y_bar, *(flat[i] for i in direct.writes)))

    return _grouped(site, f, operands, y), spread_pullback


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
    needs = tuple(not is_zero(t) for t in moved)
    direct, places = _direct(site, operands, kwargs, needs)
    y, dy = lending_forward.call_forward(direct, f, name, own, args, kwargs, moved)
    dvalue, *states = parts_of(dy, 1 + len(direct.writes))
    by_place = dict(zip(direct.writes, states, strict=True))
    grouped = [_together(site, operands, w, [by_place[i] for i in at]) for w, at in places.items()]
    return _grouped(site, f, operands, y), tuple_tangent(dvalue, *grouped)


def _operand(site: Site, operands: Values, w: int) -> tuple[Any, bool, bool]:
    """An operand that may change, and whether it is a starred one or a mapping."""
    i, n = w - int(site.callee != "plain"), site.layout.positional
    if i < 0:
        return None, False, False
    return operands[i], i < n and site.starred[i], i >= n and site.keywords[i - n] is None


def _parts(site: Site, operands: Values, w: int, state: Any, count: int) -> Values:
    """The cotangents of the values of an operand, from its own."""
    operand, star, mapping = _operand(site, operands, w)
    if mapping:
        return tuple(ZERO if is_zero(state) else state[k] for k in operand)
    return parts_of(state, count) if star else (state,)


def _together(site: Site, operands: Values, w: int, states: list[Any]) -> Any:
    """The tangent of an operand, from those of its values."""
    operand, star, mapping = _operand(site, operands, w)
    if mapping:
        return Composite[dict](dict(zip(operand, states, strict=True)))
    return tuple_tangent(*states) if star else states[0]


def _grouped(site: Site, f: Any, operands: Values, y: Values) -> Values:
    """The value of the call, and the operands that it may have changed."""
    return (
        y[0],
        *(f if w < int(site.callee != "plain") else _operand(site, operands, w)[0] for w in site.writes),
    )
