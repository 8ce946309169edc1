"""Texts that are made of values: each varies with them, so that no number is made of it again."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from .calls import call, reported, site
from .natives import RECIPES


def _method(x: Any, *names: str) -> Any:
    """The method in Python by which an object makes a text: the first that its class has of its own."""
    for name in names:
        f = getattr(type(x), name, None)
        if f is not getattr(object, name):
            return f if isinstance(f, FunctionType) else None
    return None


def shown(x: Any) -> Any:
    """`str(x)`"""
    f = _method(x, "__str__", "__repr__")
    return reported(str(x) if f is None else call(f, x), x)


def represented(x: Any) -> Any:
    """`repr(x)`"""
    f = _method(x, "__repr__")
    return reported(repr(x) if f is None else call(f, x), x)


def formatted(x: Any, spec: Any = "") -> Any:
    """`format(x, spec)`"""
    f = _method(x, "__format__")
    if f is not None:
        return reported(call(f, x, spec), x, spec)
    f = None if spec else _method(x, "__format__", "__str__", "__repr__")
    return reported(format(x, spec) if f is None else call(f, x), x, spec)


def texted(*args: Any, **words: Any) -> Any:
    """`str(…)`"""
    return shown(*args) if len(args) == 1 and not words else reported(str(*args, **words), *args)


def printed(*args: Any, **words: Any) -> None:
    """`print(…)`"""
    print(*[x if _method(x, "__str__", "__repr__") is None else shown(x) for x in args], **words)  # noqa: T201  the user's own


_SHOWN: dict[int, Any] = {-1: lambda v: v, ord("s"): shown, ord("r"): represented, ord("a"): ascii}


@site
def text(*parts: Any) -> Any:
    """A formatted text."""
    made = "".join([p if type(p) is str else formatted(_SHOWN[p[1]](p[0]), p[2]) for p in parts])
    return reported(
        made, *[p[0] for p in parts if type(p) is tuple], *[p[2] for p in parts if type(p) is tuple]
    )


RECIPES.update({str: texted, repr: represented, format: formatted, print: printed})
RECIPES[ascii] = lambda x: reported(ascii(x), x)
