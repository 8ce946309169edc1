"""Mixed: how a gradient by an unknown and by parameters moves with the unknown.

That of a minimum, whose parameters stand still in such a run. Its text is the pushforward of the gradient's,
along the first argument alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .agreeing import agree
from .directions import answer_of, write
from .entry import lock, variant_now, variant_of
from .many import along_these, along_units, zero
from .moved import direction_of, ends_nearby, moved
from .seconds import product_of

Places = tuple[int, ...]


def gradients_along(f: Any, x: tuple[Any, ...], v: Any, places: Places) -> Any:
    """The gradients by the arguments at these places, and how they move along v; None without a program.

    Shapes:  x are all arguments that f has; those at the places are numbers or arrays, and v is like the
             first one.
    """
    variant = variant_now(f, _way(places), x)
    answer = None if variant is None else answer_of(variant, x, (v,))
    return None if answer is None else (answer[0][1], answer[1][1])


def gradients_at_once(f: Any, x: tuple[Any, ...], places: Places) -> Any:
    """The gradient by the first argument, a vector, the Hessian, and how the other gradients move with it.

    Their numbers are the first axis. None where there are no runs along many directions.
    """
    variant = variant_now(f, _way(places), x)
    found = None if variant is None else along_units(variant, x, [0], [0], by_one=False)
    if found is None:
        return None
    ((_, (gradient, *_)), (_, (hessian, *others))), *_ = found
    return gradient, hessian.T, others


def gradients_along_all(f: Any, x: tuple[Any, ...], places: Places, directions: Any) -> Any:
    """The gradient by the first argument, and how the gradients move along its directions, the first axis.

    None where there are no runs along many directions.
    """
    variant = variant_now(f, _way(places), x)
    found = None if variant is None else along_these(variant, x, directions)
    if found is None:
        return None
    (_, (gradient, *_)), (_, (rows, *others)), *_ = found
    return gradient, rows, others


def _way(places: Places) -> Any:
    """Which program it is: without others, that of the gradient that moves."""
    return "mixed" if len(places) > 1 else "gradient", places


def learn_mixed(f: Any, x: tuple[Any, ...], places: Places) -> None:
    """Write the program, which has to say what the product with the whole Hessian says."""
    variant = variant_of(f, _way(places), x)
    if variant is None or variant.program is not None or variant.dead or len(places) == 1:
        return
    with lock:
        write(variant, f, "mixed", x, places)
        if variant.program is None or variant.session is None:
            return
        everywhere = [x, moved(x)] if ends_nearby(variant.session) else [x]
        with variant.held(), np.errstate(all="ignore"):
            for at in everywhere:
                v = direction_of(at[0])
                theirs = product_of(f, at, (v, *[zero(at[i]) for i in places[1:]]), places)
                mine = answer_of(variant, at, (v,))
                if theirs is not None and mine is not None:
                    agree(mine[1][1], theirs)
                elif at is x:
                    variant.program = None
                    return
