"""Twins: the functions that run in place of the user's, with the same variables, made once for each code."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from ..source.reading.locate import locate, recompile
from ..source.syntax import patterns
from ..source.syntax.codes import ByCode
from . import attributes, calls, items, iterating, operators, recipes
from .instrument import PREFIX, Instrumenter
from .refusing import coroutine

_COROUTINE = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_OTHERS = (attributes, items, iterating, operators, recipes)  # which register sites and recipes


class Twin:
    """The code that runs in place of a function's, and where its variables come from."""

    __slots__ = ("cells", "code")

    def __init__(self, code: CodeType, own: tuple[str, ...]) -> None:
        self.code = code
        self.cells = tuple(
            (name, None if name in own else CellType(HELPERS[name])) for name in code.co_freevars
        )


_twins: ByCode[Twin] = ByCode()


def twin_of(f: FunctionType) -> FunctionType:
    """The function that runs in place of f, with its variables."""
    code = f.__code__
    twin = _twins.get(code)
    if twin is None:
        twin = _twins[code] = _made(f)
    own = dict(zip(code.co_freevars, f.__closure__ or (), strict=True))
    cells = tuple([own[name] if cell is None else cell for name, cell in twin.cells])
    made = FunctionType(twin.code, f.__globals__, f.__name__, f.__defaults__, cells)
    if f.__kwdefaults__:
        made.__kwdefaults__ = f.__kwdefaults__
    return made


def _made(f: FunctionType) -> Twin:
    code = f.__code__
    if code.co_flags & _COROUTINE:
        raise coroutine(f)
    source = locate(code)
    tree = Instrumenter(source.class_name).function(source.written)
    used = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in HELPERS})
    made = recompile(ast.fix_missing_locations(tree), code, source.class_name, used)
    made = _with_own_functions(made, code)
    names: Any = {
        "co_name": code.co_name,
        "co_qualname": code.co_qualname,
        "co_firstlineno": code.co_firstlineno,
    }
    return Twin(made.replace(**names), code.co_freevars)


def _with_own_functions(made: CodeType, code: CodeType) -> CodeType:
    """The same code, whose nested functions are those of the user's code."""
    own = {_place(c): c for c in _codes(code) if _is_function(c)}
    consts = []
    for c in made.co_consts:
        if isinstance(c, CodeType):
            same = own.get(_place(c)) if _is_function(c) else None
            c = (
                same
                if same is not None and same.co_freevars == c.co_freevars
                else _with_own_functions(c, code)
            )
        consts.append(c)
    return made.replace(co_consts=tuple(consts))


def _is_function(code: CodeType) -> bool:
    """Whether this is the code of a function that its author wrote, and not of a class or comprehension."""
    named = code.co_name == "<lambda>" or not code.co_name.startswith("<")
    return named and bool(code.co_flags & inspect.CO_OPTIMIZED)


def _place(code: CodeType) -> Any:
    """Where a function's body begins in its file."""
    spans = [(p[0], p[2]) for p in code.co_positions() if None not in p and p[2:] != (0, 0)]
    return code.co_name, min(spans, default=None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield c
            yield from _codes(c)


HELPERS: dict[str, Any] = {PREFIX + name: f for name, f in calls.SITES.items()}
HELPERS |= patterns.HELPERS
calls.twin_of = twin_of
