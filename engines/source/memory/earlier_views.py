"""Earlier views: a change through a view of what is kept still, made before that was.

NumPy asks only the array that is written, so such a change would go through. Where the program stores into
what came from outside of the function, it is asked here.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.errors import AliasedMutationError
from ..locking.frozen import shows_kept
from ..syntax.where import call_chain, show_chain


def path_of(e: ast.expr | None) -> tuple[str, list[str]] | None:
    """The variable that a changed object was read out of, and by which attributes; None for other ways."""
    attributes: list[str] = []
    while isinstance(e, ast.Attribute):
        attributes.append(e.attr)
        e = e.value
    return (e.id, attributes[::-1]) if isinstance(e, ast.Name) else None


def not_kept(x: Any, *attributes: str) -> None:
    """Refuse to change an array in place that shows what is kept still: x, or what its attributes lead to."""
    for name in attributes:
        x = getattr(x, "__dict__", {}).get(name)
    if isinstance(x, np.ndarray) and shows_kept(x):
        raise AliasedMutationError(
            "an array is changed in place after a part of it was used in the computation",
            where=show_chain(call_chain()),
            next="compute with a copy, as in `f(w.copy())`, or make a new array in place of the change",
        )


non_differentiable(not_kept, why="asks about arrays")
