"""Refusing: what is said of a call that cannot be followed."""

from __future__ import annotations

from typing import Any

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
    what = "an array of objects" if x.dtype.kind == "O" else "a structured array"
    return NotDifferentiableError(
        f"a differentiated value is stored into {what}, which has no tangent type",
        next="keep the values in an array of numbers, a list or a dictionary",
    )


def hidden(x: Any) -> Exception:
    """The error of a value that varies where no site can reach it."""
    return NotDifferentiableError(
        f"a differentiated value is in {describe(x)}, which is not taken apart",
        next="keep such values in arrays of numbers, lists, dictionaries or objects",
    )
