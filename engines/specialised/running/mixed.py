"""Mixed: how a gradient by an unknown and by parameters moves with the unknown.

That of a minimum, whose parameters stand still in such a run. Its text is the pushforward of the gradient's,
along the first argument alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .agreeing import agree
from .directions import answer_of, write
from .entry import Variant, lock, variant_of
from .many import along_these, along_units, zero
from .moved import direction_of, ends_nearby, moved
from .seconds import product_of

Places = tuple[int, ...]


def gradients_along(variant: Variant | None, x: tuple[Any, ...], v: Any) -> Any:
    """The gradients by which the program is, and how they move along v; None without a program.

    Shapes:  x are all arguments of the function; v is like the first one.
    """
    answer = None if variant is None else answer_of(variant, x, (v,))
    return None if answer is None else (answer[0][1], answer[1][1])


def gradients_at_once(variant: Variant | None, x: tuple[Any, ...]) -> Any:
    """The gradient by the first argument, a vector, the Hessian, and how the other gradients move with it.

    Their numbers are the first axis. None where there are no runs along many directions.
    """
    found = None if variant is None else along_units(variant, x, [0], [0], by_one=False)
    if found is None:
        return None
    ((_, (gradient, *_)), (_, (hessian, *others))), *_ = found
    return gradient, hessian.T, others


def gradients_along_all(variant: Variant | None, x: tuple[Any, ...], directions: Any) -> Any:
    """The gradient by the first argument, and how the gradients move along its directions, the first axis.

    None where there are no runs along many directions.
    """
    found = None if variant is None else along_these(variant, x, directions)
    if found is None:
        return None
    (_, (gradient, *_)), (_, (rows, *others)), *_ = found
    return gradient, rows, others


def which(places: Places) -> Any:
    """Which program it is, of the gradients by these arguments: without others, that of what moves."""
    return "mixed" if len(places) > 1 else "gradient", places


def learn_mixed(f: Any, x: tuple[Any, ...], places: Places) -> None:
    """Write the program, which has to say what the product with the whole Hessian says."""
    variant = variant_of(f, which(places), x)
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
