"""Handed out: functions that could be called after the variables that they captured are bound anew.

    q = p[0]
    f = made()          def made(): return lambda x: x * q
    q = p[1]
    f(3.0)

The cotangent of such a function belongs to the value that the variable has when it is called; so it is
refused where the function could be kept until then.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ....core import UnsupportedSyntaxError
from ....tangents import Composite, IndexedTangent, Wrapper, is_zero
from ..syntax.where import PULLBACK_FILE, call_chain, show_chain

_ATOMIC = (int, float, complex, str, bytes, type(None), np.ndarray, np.generic)


def no_closure(y: Any) -> None:
    """Refuse a result in which a function could be kept whose captured variables are rebound.

    Tangents keep none, and a pullback is of the values that were captured when it was made.
    """
    if isinstance(y, _ATOMIC) or is_zero(y) or isinstance(y, Wrapper | Composite | IndexedTangent):
        return
    if isinstance(y, types.FunctionType) and y.__code__.co_filename.startswith(PULLBACK_FILE):
        return
    if isinstance(y, tuple | list | dict):
        for element in y.values() if isinstance(y, dict) else y:
            no_closure(element)
        return
    raise UnsupportedSyntaxError(
        "a function whose captured variables are rebound was given to a call that returned "
        f"{type(y).__name__}, which may keep it for later",
        next="bind the captured variables once before the function, or pass them as arguments",
    )


def none_handed_out(y: Any, names: tuple[str, ...]) -> None:
    """Refuse a function, or what holds one, that captured one of these variables, which are rebound."""
    if isinstance(y, types.FunctionType):
        if rebound := sorted({*names} & {*y.__code__.co_freevars}):
            raise UnsupportedSyntaxError(
                f"a function that captured {', '.join(rebound)}, which is rebound, was returned by what "
                "made it, and may be called later",
                where=show_chain(call_chain()),
                next="bind the captured variables once before the function, or pass them as arguments",
            )
    elif isinstance(y, tuple | list | dict):
        for element in y.values() if isinstance(y, dict) else y:
            none_handed_out(element, names)
