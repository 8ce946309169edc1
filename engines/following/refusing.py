"""Refusing: what is said of a call that cannot be followed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.errors import NotDifferentiableError, UnsupportedSyntaxError
from ..source.reading import opaque


def no_rule(f: Any, args: Any, kwargs: Any, run: Any) -> Exception:
    """The error of a callable without a rule."""
    return opaque.no_rule("forward" if run.forward else "reverse", f, args, kwargs)


def coroutine(f: Any) -> Exception:
    """The error of a coroutine function."""
    code = f.__code__
    return UnsupportedSyntaxError(
        f"the coroutine {code.co_qualname} is not differentiated",
        where=f"{code.co_filename}:{code.co_firstlineno}",
        closest="a function without `async`, which the coroutine may call",
        next="differentiate the function that computes, and await outside",
    )


def not_numbers(x: Any) -> Exception:
    """The error of a store of a value that varies into an array that does not hold numbers."""
    kinds = {"O": "an array of objects", "m": "an array of time spans", "M": "an array of times"}
    kinds |= {"i": "an array of narrow whole numbers", "u": "an array of narrow whole numbers"}
    kinds |= {"U": "an array of texts", "S": "an array of texts"}
    what = (
        "a masked array"
        if isinstance(x, np.ma.MaskedArray)
        else kinds.get(x.dtype.kind, "a structured array")
    )
    return NotDifferentiableError(
        f"a differentiated value is stored into {what}, and no store into that is followed",
        next="keep the values in an array of numbers, a list or a dictionary",
    )


def hidden(x: Any) -> Exception:
    """The error of a value that varies where no site can reach it."""
    return NotDifferentiableError(
        f"a differentiated value is in {describe(x)}, which is not taken apart",
        next="keep such values in arrays of numbers, lists, dictionaries or objects",
    )
