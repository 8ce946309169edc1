"""Columns: gradients along directions, and Jacobians of one run for each number of the arguments.

What `grad` makes of a function is a program of its own. Its derivative along a direction is what a product
with a Hessian is, and runs the same text, the gradient's pushforward. A Jacobian by columns runs a
pushforward along each unit vector, of a function's value or of its gradient.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ....core import debug
from ....core.tracebacks import CALLERS
from ....tangents import is_zero
from ...blocks import blocks
from ..reading.arguments import counts_from_left
from .agreeing import agree
from .answers import composed
from .aside import stands_aside
from .directions import answer_of, filled, learn_pushed, moving_of, pushed
from .early import early
from .entry import Settings, Variant, variant_now, variant_of
from .many import along_units, unit, zero
from .remade import lasting_choice, lasting_direction
from .seconds import directions_of

_NUMBERS = (float, np.float64, np.ndarray)
_gradients: set[int] = set()  # the codes of what `grad` makes, which live as long as it


def is_gradient(made: Any) -> None:
    """Remember that functions of this code are what `grad` makes."""
    _gradients.add(id(made.__code__))


class Way(NamedTuple):
    """Which pushforward answers: of what function, along which arguments, and where the answer lies."""

    f: FunctionType
    way: str
    x: tuple[Any, ...]
    dx: tuple[Any, ...]
    moving: tuple[int, ...]
    moved: list[Any]
    places: tuple[int, ...]  # of a gradient's parts among those by all that moves
    one: bool

    def variant(self) -> Variant | None:
        """What is known of the text."""
        return variant_of(self.f, (self.way, self.moving), self.x)

    def ready(self) -> Variant | None:
        """The same where there is a text, if need be one that is written now."""
        variant = self.variant()
        if variant is not None and variant.program is None and self.way == "gradient":
            early(self.f, self.x, self.dx)
        return None if variant is None or variant.program is None or debug.is_on() else variant

    def answer(self, variant: Variant) -> Any:
        """Value and tangent by the text; None where it does not fit."""
        answer = answer_of(variant, self.x, self.moved)
        if answer is None:
            return None
        if self.way == "value":
            return answer[0][0], answer[1][0]
        y, dy = (tuple(part[1][i] for i in self.places) for part in answer)
        return (y[0], dy[0]) if self.one else (y, composed(*dy))


def way_of(f: FunctionType, x: Any, dx: Any) -> Way | None:
    """How f is pushed forward along dx; None where a text does not take that."""
    if type(x) is not tuple or not isinstance(dx, tuple) or len(x) != len(dx):
        return None
    if id(f.__code__) in _gradients:
        return _of_gradient(f, x, dx)
    x, dx = filled(f, x, dx)
    moving, moved = moving_of(x, dx)
    return None if moving is None else Way(f, "value", x, dx, moving, moved, (), True)


def _of_gradient(made: FunctionType, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Way | None:
    """The same of a gradient; the arguments by which it is taken move, if only along zero."""
    cells = dict(zip(made.__code__.co_freevars, made.__closure__ or (), strict=True))
    f, argnums, plain = (cells[name].cell_contents for name in ("f", "argnums", "plain"))
    if type(f) is not FunctionType or not plain or id(f.__code__) in _gradients:
        return None
    if not counts_from_left(argnums, len(x)) or all(map(is_zero, dx)):
        return None
    one = not isinstance(argnums, tuple | list)
    wanted = (argnums,) if one else tuple(argnums)
    if len(set(wanted)) < len(wanted) or not all(type(x[i]) in _NUMBERS for i in wanted):
        return None
    dx = tuple(zero(x[i]) if i in wanted and is_zero(t) else t for i, t in enumerate(dx))
    x, dx = filled(f, x, dx)
    moving, moved = moving_of(x, dx)
    if moving is None or not all(type(x[i]) in _NUMBERS for i in moving):
        return None
    return Way(f, "gradient", x, dx, moving, moved, tuple(moving.index(i) for i in wanted), one)


def along(f: Any, x: Any, dx: Any) -> Any:
    """Value and tangent of f along dx, also where f is a gradient; None where there is no program."""
    f, x, dx = lasting_direction(f, x, dx)
    if type(f) is not FunctionType or not Settings.on or Settings.compared:
        return None
    if id(f.__code__) not in _gradients:
        answer = pushed(f, "value", x, dx)
        return None if answer is None else (answer[0][0], answer[1][0])
    way = way_of(f, x, dx)
    variant = None if way is None else way.ready()
    return None if way is None or variant is None else way.answer(variant)


def learn_along(f: Any, x: Any, dx: Any, y: Any, dy: Any) -> None:
    """Note what the ordinary program gave along a direction."""
    f, x, dx = lasting_direction(f, x, dx)
    if type(f) is not FunctionType or not Settings.on:
        return
    if id(f.__code__) not in _gradients:
        learn_pushed(f, "value", x, dx, (y, dy), 1)
        return
    way = way_of(f, x, dx)
    if way is None:
        return
    learn_pushed(way.f, "gradient", way.x, way.dx, None, 1)
    variant = way.variant()
    if variant is None or variant.program is None or variant.program.written:
        return
    mine = way.answer(variant)
    if mine is not None:
        _held_against(variant, mine, (y, dy))


def _held_against(variant: Variant, mine: Any, theirs: Any) -> None:
    """Give up a text that says something else than the ordinary program."""
    with variant.held(tells=_is_plain(theirs)):
        agree(mine, theirs)


def _is_plain(v: Any) -> bool:
    return all(map(_is_plain, v)) if type(v) is tuple else type(v) in _NUMBERS


def jacobian_of(f: Any, argnums: Any, x: tuple[Any, ...], tall: bool) -> Any:
    """Value and Jacobians by columns; None where there is no program.

    tall: whether only where the value has as many numbers as the arguments, or more.
    """
    f, argnums, x = lasting_choice(f, argnums, x)
    if type(f) is not FunctionType or not Settings.on or Settings.compared:
        return None
    return _columns(f, argnums, x, tall)


def _columns(f: FunctionType, argnums: Any, x: tuple[Any, ...], tall: bool) -> Any:
    wanted, directions = directions_of(argnums, x)
    way = way_of(f, x, directions) if directions else None
    variant = None if way is None or not way.one else way.ready()
    if way is None or variant is None:
        return None
    program = variant.program
    count = sum(np.size(x[i]) for i in wanted)
    if program.written or (tall and program.size < count):
        return None
    matrices = []
    y: Any = None
    for i in wanted:
        found = _at_once(variant, way.x, list(way.moving), i) if way.way == "value" else None
        if found is None:
            found = _one_by_one(way, variant, i)
        if found is None:
            return None
        y, matrix = found
        program.size = np.size(y)
        if tall and program.size < count:
            return None
        matrices.append(matrix)
        if not np.any(matrix):
            return None  # the ordinary program may have to warn of it
    made = tuple(blocks(m, (y, x[i])) for m, i in zip(matrices, wanted, strict=True))
    return y, made if isinstance(argnums, tuple | list) else made[0]


def _at_once(variant: Variant, x: tuple[Any, ...], moving: list[int], i: int) -> Any:
    """A value and its Jacobian by one argument, by runs along many directions; None where there are none."""
    if variant.program is None or variant.program.many is False:
        return None
    found = along_units(variant, x, moving, [i], by_one=False)
    if found is None or type(y := found[0][0][0]) not in _NUMBERS or not np.size(y):
        return None
    return y, np.reshape(found[0][1][0], (np.size(x[i]), np.size(y))).T


def _one_by_one(way: Way, variant: Variant, i: int) -> Any:
    """The same by a run for each direction."""
    columns = []
    y: Any = None
    for k in range(np.size(way.x[i])):
        moved = list(way.moved)
        moved[way.moving.index(i)] = unit(way.x[i], k)
        answer = way._replace(moved=moved).answer(variant)
        if answer is None or type(answer[0]) not in _NUMBERS:
            return None
        y, dy = answer
        if not np.size(y):
            return None
        columns.append(np.ravel(dy))
    return y, np.stack(columns, axis=1)


def jacobian_at_once(f: FunctionType, x: tuple[Any, ...]) -> Any:
    """The value and its Jacobian by a vector, the first argument of all that f has, as `_at_once`."""
    variant = variant_now(f, ("value", (0,)), x)
    return None if variant is None else _at_once(variant, x, [0], 0)


def learn_jacobian(f: Any, argnums: Any, x: tuple[Any, ...], tall: bool, y: Any, jacobians: Any) -> None:
    """Note a Jacobian that the ordinary program gave; it stands for two calls."""
    f, argnums, x = lasting_choice(f, argnums, x)
    if type(f) is not FunctionType or not Settings.on:
        return
    wanted, directions = directions_of(argnums, x)
    if (
        not directions
        or type(y) not in _NUMBERS
        or (tall and np.size(y) < sum(np.size(x[i]) for i in wanted))
    ):
        return
    way = way_of(f, x, directions)
    if way is None or not way.one:
        return
    learn_pushed(way.f, way.way, way.x, way.dx, None, 2)
    mine = _columns(f, argnums, x, False)
    variant = way.variant()
    if mine is not None and variant is not None:
        _held_against(variant, mine, (y, jacobians))


for _f in (along, learn_along, jacobian_of, learn_jacobian):
    stands_aside(_f)
for caller in (along, jacobian_of):
    CALLERS[caller.__code__] = "both"
