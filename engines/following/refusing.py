"""Refusing: what is said of a call that cannot be followed."""

from __future__ import annotations

import ast
import linecache
from typing import Any

import numpy as np

from ...core.callables import describe, name_of
from ...core.errors import AliasedMutationError, NotDifferentiableError
from ..source.reading import opaque
from ..source.syntax.where import call_chain, refusal, show_chain
from .here import here


def no_rule(f: Any, args: Any, kwargs: Any, run: Any) -> Exception:
    """The error of a callable without a rule, or of a function with rules of the other mode that calls it."""
    mode = "forward" if run.forward else "reverse"
    f = next((g for g in here.alone if opaque.the_other(mode, g) is not None), f)
    return opaque.no_rule(mode, f, args, kwargs)


def coroutine(f: Any) -> Exception:
    """The error of a coroutine function."""
    code = f.__code__
    what = f"the coroutine {code.co_qualname.rpartition('.')[2]} is not differentiated"
    first = code.co_firstlineno  # a decorator's, where there are any
    lines = enumerate(linecache.getlines(code.co_filename)[first - 1 :], first)
    at, line = next(((i, line) for i, line in lines if line.lstrip().startswith("async")), (first, ""))
    place = ast.Pass(lineno=at, col_offset=len(line) - len(line.lstrip()))
    return refusal(place, code.co_filename, what, "make it a plain function")


def of_text(call: ast.Call, f: Any) -> Exception:
    """The error of a call of `eval` or `exec` in a function."""
    name = getattr(call.func, "id", "eval")
    return refusal(
        call, f.__code__.co_filename, f"`{name}` runs text as code", "write a function, and call it"
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


def through_an_iterator() -> Exception:
    """The error of a store into what `np.nditer` gives."""
    return AliasedMutationError(
        "a differentiated value is stored into an entry that np.nditer gives",
        next="store it by its index, as in a loop over np.ndindex(a.shape)",
    )


def given_to_a_class(v: Any) -> Exception:
    """The error of a value that varies in the head of a class statement."""
    return NotDifferentiableError(
        f"a differentiated value, {describe(v)}, is given to a class as it is made, which no site sees",
        next="set it as an attribute of the class afterwards",
    )


def unfit_output(f: Any, out: Any, y: Any) -> Exception:
    """The error of an output that a value does not fit."""
    return NotDifferentiableError(
        f"{name_of(f)} writes {describe(y)} into {describe(out)}, another shape or kind of numbers",
        next="give it an output of the shape and type of its value",
    )


def as_texts() -> Exception:
    """The error of a derivative that passes through an array of texts."""
    return NotDifferentiableError(
        "a differentiated value is made a text, and a number again",
        where=show_chain(call_chain()),
        next="keep it a number",
    )


def hidden(x: Any) -> Exception:
    """The error of a value that varies where no site can reach it."""
    return NotDifferentiableError(
        f"a differentiated value is in {describe(x)}, which is not taken apart",
        next="keep such values in arrays of numbers, lists, dictionaries or objects",
    )


def assigned(x: Any, name: str) -> Exception:
    """The error of a store into an attribute of an object that is one leaf."""
    why = "is not copied, since its class has a `__del__`" if hasattr(type(x), "__del__") else ""
    return AliasedMutationError(
        f"`{name}` of {describe(x)} is assigned, which {why or 'rules take as a whole'}",
        next="make another object of what it is to hold",
    )


def recorded(x: Any) -> Exception:
    """The error of a value that another engine records, inside a derivative of this one."""
    return NotDifferentiableError(
        f"a value that another engine records, {type(x).__name__}, is met in a derivative inside its run",
        next="let one engine do both derivatives, by the same `engine=`",
    )


def shared(x: Any) -> Exception:
    """The error of a change in place of what shares memory with another object."""
    return AliasedMutationError(
        f"{describe(x)} is changed in place, which shares memory with another object or an array",
        next="change a copy, or make the other of a copy",
    )
