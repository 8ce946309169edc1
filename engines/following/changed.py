"""Changed: what a rule of a user's has written into an object or container, which varies from then on.

Such a rule says that it changes an argument; which arrays and numbers in it, no site sees.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...tangents.own_dict import own_dict
from ..leaves import Layout
from .here import below
from .kept import before_change
from .leaves import arrays_in, holders, is_leaf, is_result

_NUMBERS = (float, complex, np.float64)


def about_to_change_in(x: Any) -> None:
    """See to it that no pullback sees the change of an array in an object."""
    if not is_leaf(x):
        for a in arrays_in(x):
            before_change(a)


def changed_in(x: Any, outer: tuple[Any, ...]) -> tuple[Layout, list[Any]]:
    """Where the leaves of an object are that was changed; its numbers are objects that nothing else is."""
    for h in holders(x):
        if isinstance(h, list):
            for i, v in enumerate(h):
                if type(v) in _NUMBERS:
                    list.__setitem__(h, i, below(outer, operator.sub, v, 0.0))
        else:
            inside = h if isinstance(h, dict) else own_dict(h)
            put = dict.__setitem__ if isinstance(h, dict) else object.__setattr__
            for name, v in list(inside.items()):
                if type(v) in _NUMBERS:
                    put(h, name, below(outer, operator.sub, v, 0.0))
    return Layout.of(x, is_result)
