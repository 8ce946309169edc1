"""Local classes: the methods of those that a function defines, before it runs and makes them.

They stand among the constants of its code. A method here has the code of the one that will be made, so that
what it changes can be told from its source. Of what it captures, functions that stand beside it are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CellType, CodeType, FunctionType

_OF_A_CLASS = {"__module__", "__qualname__"}


def local_methods(f: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The methods of classes that f defines, by name."""
    inside = [*_codes(f.__code__)]
    classes = [c for c in inside if _OF_A_CLASS.issubset(c.co_names)]
    if classes:
        beside = {c.co_name: CellType(_made(c, f, {})) for c in inside if c not in classes}
        yield from ((code.co_name, _made(code, f, beside)) for body in classes for code in _codes(body))


def _made(code: CodeType, f: FunctionType, known: dict[str, CellType]) -> FunctionType:
    """A function of a copy of the code: what is found out of it is not for that one, which captures more."""
    cells = tuple(known.get(name) or CellType() for name in code.co_freevars)
    return FunctionType(code.replace(), f.__globals__, code.co_name, None, cells)


def _codes(code: CodeType) -> Iterator[CodeType]:
    return (c for c in code.co_consts if isinstance(c, CodeType))
