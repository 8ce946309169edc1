"""Seconds: which program a Hessian runs, and a product of one with a vector.

Both run the pushforward of the specialised gradient, a Hessian once for each number of the arguments.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ....core import debug
from ....core.tracebacks import CALLERS
from ....tangents import ZERO
from .agreeing import agree
from .aside import stands_aside
from .directions import learn_pushed, moving_of, pushed
from .early import early
from .entry import Settings, variant_of
from .many import along_units, zero
from .remade import lasting_choice, lasting_product


def product_of(f: Any, x: Any, v: Any, argnums: Any) -> Any:
    """The Hessian of f times v; None where there is no program. The arguments are those of `hvp`."""
    if type(f) is not FunctionType or not Settings.on or Settings.compared:
        return None
    found = _placed(x, v, argnums)
    if found is None:
        return None
    wanted, x, dx = found
    answer = pushed(f, "gradient", x, dx)
    if answer is None and early(f, x, dx):
        answer = pushed(f, "gradient", x, dx)
    if answer is None:
        return None
    products = tuple(answer[1][1][sorted(wanted).index(i)] for i in wanted)
    return products if isinstance(argnums, tuple | list) else products[0]


def product_by_lasting(f: Any, x: Any, v: Any, argnums: Any) -> Any:
    """The same by a function that lasts where f was made anew."""
    return product_of(*lasting_product(f, x, v, argnums))


def learn_product(f: Any, x: Any, v: Any, argnums: Any, product: Any) -> None:
    """Note a product that the ordinary program gave."""
    f, x, v, argnums = lasting_product(f, x, v, argnums)
    found = _placed(x, v, argnums)
    if found is None:
        return
    wanted, x, dx = found
    products = product if isinstance(argnums, tuple | list) else (product,)
    answer = tuple(products[wanted.index(i)] for i in sorted(wanted))
    learn_pushed(f, "gradient", x, dx, answer, 1)


def _placed(x: Any, v: Any, argnums: Any) -> Any:
    """The places of the arguments that move, all arguments, and their tangents; None where one has none."""
    if argnums is None:
        wanted, x, v = [0], (x,), (v,)
    elif type(x) is not tuple:
        return None
    else:
        wanted = _chosen(argnums, x)
        v = v if isinstance(argnums, tuple | list) else (v,)
    if not wanted or len(v) != len(wanted):
        return None
    dx = tuple(v[wanted.index(i)] if i in wanted else ZERO for i in range(len(x)))
    moving, _ = moving_of(x, dx)
    return (wanted, x, dx) if moving is not None and len(moving) == len(wanted) else None


def hessian_of(f: Any, argnums: Any, x: tuple[Any, ...]) -> Any:
    """The Hessian by one product for each number of the arguments; None where there is no program."""
    f, argnums, x = lasting_choice(f, argnums, x)
    if type(f) is not FunctionType or not Settings.on or Settings.compared:
        return None
    known = _columns(f, argnums, x)
    if known is None:
        _, directions = directions_of(argnums, x)
        if directions and early(f, x, directions):
            known = _columns(f, argnums, x)
    return known


def _columns(f: Any, argnums: Any, x: tuple[Any, ...]) -> Any:
    wanted, directions = directions_of(argnums, x)
    if not directions or moving_of(x, directions)[0] is None:
        return None
    variant = variant_of(f, ("gradient", tuple(sorted(wanted))), x)
    if variant is None or variant.program is None or debug.is_on():
        return None
    places = [sorted(wanted).index(i) for i in wanted]
    columns = along_units(variant, x, sorted(wanted), wanted)
    if columns is None:
        return None
    rows: list[list[Any]] = [[None] * len(wanted) for _ in wanted]
    for column, j in enumerate(wanted):
        for row, (i, place) in enumerate(zip(wanted, places, strict=True)):
            block = columns[column][1][1][place]
            turned = np.moveaxis(block, 0, -1).reshape(np.shape(x[i]) + np.shape(x[j]))
            rows[row][column] = _number(turned, x[i]) if not turned.ndim else np.ascontiguousarray(turned)
    return tuple(map(tuple, rows)) if isinstance(argnums, tuple | list) else rows[0][0]


def _number(v: Any, like: Any) -> Any:
    return float(v) if type(like) is float else np.float64(v)


def _chosen(argnums: Any, x: tuple[Any, ...]) -> list[int]:
    """The places of the arguments chosen; none where a choice is not one that a text takes."""
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    if not all(type(i) is int and -len(x) <= i < len(x) for i in chosen):
        return []
    wanted = [i % len(x) for i in chosen]
    return wanted if len(set(wanted)) == len(wanted) else []


def directions_of(argnums: Any, x: tuple[Any, ...]) -> tuple[list[int], tuple[Any, ...]]:
    """The arguments chosen, and zero tangents of them; none where one is no number and no array."""
    wanted = _chosen(argnums, x)
    if not wanted or not all(type(x[i]) in (float, np.float64, np.ndarray) and np.size(x[i]) for i in wanted):
        return [], ()
    return wanted, tuple(zero(v) if i in wanted else ZERO for i, v in enumerate(x))


def learn_hessian(f: Any, argnums: Any, x: tuple[Any, ...], answer: Any) -> None:
    """Note a Hessian that the ordinary program gave; it stands for two calls."""
    f, argnums, x = lasting_choice(f, argnums, x)
    if type(f) is not FunctionType or not Settings.on:
        return
    wanted, directions = directions_of(argnums, x)
    if not directions:
        return
    ones = tuple(t if t is ZERO else t + 1.0 for t in directions)
    learn_pushed(f, "gradient", x, ones, None, 2)
    variant = variant_of(f, ("gradient", tuple(sorted(wanted))), x)
    if variant is None or variant.program is None or variant.program.written:
        return
    mine = _columns(f, argnums, x)
    if mine is None:
        return
    with variant.held():
        agree(mine, answer)


for _f in (hessian_of, learn_hessian, product_of, product_by_lasting, learn_product):
    stands_aside(_f)
for caller in (hessian_of, product_of, product_by_lasting):
    CALLERS[caller.__code__] = "both"
