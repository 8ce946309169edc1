"""Twins: the functions that run in place of the user's, with the same variables, made once for each code."""

from __future__ import annotations

import ast
import inspect
import weakref
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from ...core.installed import OWN_NAME
from ..source.reading.locate import locate, names_in
from ..source.reading.recompiling import recompile
from ..source.syntax import patterns
from ..source.syntax.codes import ByCode
from ..source.syntax.trees import located
from ..source.syntax.where import is_program
from . import (
    attributes,
    calls,
    comparing,
    entries,
    equivalents,
    fused,
    here,
    items,
    iterating,
    operators,
    protocols,
    recipes,
    slots,
    texts,
)
from .deciding import PREFIX
from .instrument import Instrumenter
from .refusing import coroutine, of_text

_OF_TEXT = ("eval", "exec")
_SCOPE = f"scope.<locals>.{OWN_NAME}"  # of what is compiled anew, before the names of what is in it
_COROUTINE = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_OTHERS = (
    attributes,
    comparing,
    entries,
    equivalents,
    fused,
    items,
    iterating,
    operators,
    protocols,
    recipes,
    slots,
    texts,
)  # which register sites and recipes


class Twin:
    """The code that runs in place of a function's, and where its variables come from."""

    __slots__ = ("cells", "code", "of_sites")

    def __init__(self, code: CodeType, own: tuple[str, ...], expressions: dict[str, CellType]) -> None:
        self.code = code
        self.cells = tuple(
            (name, None if name in own else expressions.get(name) or CellType(HELPERS[name]))
            for name in code.co_freevars
        )
        self.of_sites = tuple(cell for _, cell in self.cells if cell is not None)


_twins: ByCode[Twin] = ByCode()
_apart: ByCode[Twin] = ByCode()  # in which each operation is a call of its own
_written: ByCode[weakref.ref[CodeType]] = ByCode()  # the user's code, by the code that runs in its place


def code_of(code: CodeType) -> CodeType | None:
    """The user's code that this code runs in place of; None for any other code."""
    own = _written.get(code)
    return None if own is None else own()


def twin_of(f: FunctionType) -> FunctionType:
    """The function that runs in place of f, with its variables."""
    code = f.__code__
    runs = here.here.runs
    apart = bool(runs) and runs[0].apart
    twins = _apart if apart else _twins
    twin = twins.get(code)
    if twin is None:
        twin = twins[code] = _made(f, joins=False) if apart else _made(f)
        _written[twin.code] = weakref.ref(code)
        here.twins.add(id(twin.code))
        weakref.finalize(twin.code, here.twins.discard, id(twin.code))
        is_program(twin.code)
    cells = twin.of_sites
    if f.__closure__:
        own = dict(zip(code.co_freevars, f.__closure__, strict=True))
        cells = tuple([own[name] if cell is None else cell for name, cell in twin.cells])
    made = FunctionType(twin.code, f.__globals__, f.__name__, f.__defaults__, cells)
    if f.__kwdefaults__:
        made.__kwdefaults__ = f.__kwdefaults__
    return made


def tree_of(f: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """The tree of the function that runs in place of f, each operation a call of its own.

    Raises:  UnsupportedSyntaxError for a coroutine; NoSource where its source cannot be had.
    """
    return _instrumented(f, joins=False)[0]


def _instrumented(f: FunctionType, *, joins: bool) -> tuple[ast.FunctionDef | ast.Lambda, Instrumenter]:
    if f.__code__.co_flags & _COROUTINE:
        raise coroutine(f)
    source = locate(f.__code__)
    tree = source.written_anew()
    for n in ast.walk(tree) if names_in(f.__code__).intersection(_OF_TEXT) else ():
        called = n.func.id if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) else ""
        if called in _OF_TEXT and _builtin(f, called):
            raise of_text(n, f)  # type: ignore[arg-type]  # a call
    by = Instrumenter(source.class_name, f if joins else None)
    return by.function(tree), by


def _builtin(f: FunctionType, name: str) -> bool:
    """Whether a name stands in f for the function that Python has by it."""
    code = f.__code__
    return name not in (*code.co_varnames, *code.co_cellvars, *code.co_freevars) and name not in f.__globals__


def _made(f: FunctionType, *, joins: bool = True) -> Twin:
    code = f.__code__
    tree, by = _instrumented(f, joins=joins)
    expressions = {PREFIX + name: e.cell for name, e in by.joiner.made.items()}
    made = recompile(located(tree), code, by.class_name, (*HELPERS, *expressions))
    made = _with_own_functions(made, code)
    # its first line stays that of `def`, from which lines are counted: the user's may be a decorator's
    made = made.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    return Twin(made, code.co_freevars, expressions)


def _with_own_functions(made: CodeType, code: CodeType) -> CodeType:
    """The same code, whose nested functions are those of the user's code."""
    own = {_place(c): c for c in _codes(code) if _is_function(c)}
    consts = []
    for c in made.co_consts:
        if isinstance(c, str) and c.startswith(_SCOPE):  # the name of a class
            c = code.co_qualname + c.removeprefix(_SCOPE)
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
