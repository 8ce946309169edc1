"""Recompiling: a tree compiled as a function's code was, and whether it is the same code."""

from __future__ import annotations

import ast
import builtins
import dis
import operator
from collections.abc import Iterable
from types import CodeType
from typing import Any

from ....core.installed import OWN_NAME
from ..syntax.quiet import quietly

FunctionNode = ast.FunctionDef | ast.Lambda
_FUTURE_FLAGS = 0x1FF0000  # the compiler flags of `from __future__` imports


def recompile(
    node: FunctionNode,
    like: CodeType,
    class_name: str | None,
    more: Iterable[str] = (),
    *,
    imports: bool = True,
) -> CodeType:
    """The tree compiled in the scope that `like` was compiled in: free variables, private names, flags.

    `more`: variables that are free too. `imports`: whether its text stands with imports, as in a file, or
    without, as in the cell of a notebook.
    """
    bare = without_defaults(node.args)
    inner: ast.stmt
    if isinstance(node, ast.Lambda):
        inner = ast.copy_location(ast.Expr(ast.copy_location(ast.Lambda(bare, node.body), node)), node)
    else:
        inner = ast.copy_location(ast.FunctionDef(OWN_NAME, bare, node.body, [], None, **type_params()), node)
    free = [n for n in (*like.co_freevars, *more) if n != "__class__" or class_name is None]
    module = in_scope(inner, class_name, free)
    module.body[:0] = _imports(like, at=node) if imports else []
    return compile_function(module, like)


def _imports(like: CodeType, at: ast.AST) -> list[ast.stmt]:
    """What a file may import: Python calls `module.f(…)` in another way where it sees the import."""
    own = {*like.co_varnames, *like.co_cellvars, *like.co_freevars, *vars(builtins)}
    names = [ast.copy_location(ast.alias(n), at) for n in _global_names(like) if n not in own]
    return [ast.copy_location(ast.Import(names), at)] if names else []


def _global_names(code: CodeType) -> dict[str, None]:
    """The names of globals and attributes in a code and in those that are nested in it."""
    inside = [_global_names(c) for c in code.co_consts if isinstance(c, CodeType)]
    return dict.fromkeys((*code.co_names, *(n for names in inside for n in names)))


def in_scope(inner: ast.stmt, class_name: str | None, free: list[str]) -> ast.Module:
    """A module in which a function has these free variables, and the private names of its class."""
    body: list[ast.stmt] = [inner]
    at = {name: getattr(inner, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    if class_name is not None:
        body = [ast.ClassDef(class_name, [], [], body, [], **type_params(), **at)]
        if class_name not in free:
            body.insert(0, ast.Global([class_name], **at))
    arguments = parameters([ast.arg(n, **at) for n in free])
    outer = ast.FunctionDef("scope", arguments, body, [], None, **type_params(), **at)
    return ast.Module([outer], [])


def compile_function(module: ast.Module, like: CodeType) -> CodeType:
    """The one function that such a module defines, compiled with the flags and file of `like`."""
    flags = like.co_flags & _FUTURE_FLAGS
    try:
        code: CodeType = quietly(compile, module, like.co_filename, "exec", flags=flags, dont_inherit=True)
    except TypeError:  # a part has no place yet
        ast.fix_missing_locations(module)
        code = quietly(compile, module, like.co_filename, "exec", flags=flags, dont_inherit=True)
    while code.co_name != OWN_NAME and code.co_name != "<lambda>":
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    return code


def parameters(names: list[ast.arg]) -> ast.arguments:
    """A parameter list of plain positional names."""
    return ast.arguments([], names, None, [], [], None, [])


def without_defaults(a: ast.arguments) -> ast.arguments:
    """The same parameters; their defaults and annotations are the function object's affair."""

    def bare(arg: ast.arg | None) -> Any:
        return None if arg is None else ast.copy_location(ast.arg(arg.arg), arg)

    return ast.arguments(
        [bare(x) for x in a.posonlyargs],
        [bare(x) for x in a.args],
        bare(a.vararg),
        [bare(x) for x in a.kwonlyargs],
        [None for _ in a.kwonlyargs],
        bare(a.kwarg),
        [],
    )


def type_params() -> dict[str, Any]:
    """What a FunctionDef or ClassDef needs besides, from Python 3.12 on."""
    return {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def is_same_code(a: CodeType, b: CodeType) -> bool:
    """Equal instruction by instruction, qualified names and the way of calling methods aside.

    Python calls `module.f(…)` in another way where it sees the import in the same file.
    """
    if is_identical(a, b):
        return True
    tables = a.co_exceptiontable == b.co_exceptiontable or len(a.co_code) != len(b.co_code)
    return tables and _instructions(a) == _instructions(b)


def is_identical(a: CodeType, b: CodeType) -> bool:
    """Equal byte by byte, with the same names and constants."""
    return _BYTES(a) == _BYTES(b) and all(map(_same_constant, a.co_consts, b.co_consts))


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, CodeType):
        return isinstance(b, CodeType) and is_identical(a, b)
    return repr(a) == repr(b)


def _instructions(code: CodeType) -> list[tuple[str, object]]:
    listed: list[tuple[str, object]] = [("parameters", _PARAMETERS(code))]
    for i in dis.get_instructions(code):
        name = "LOAD_ATTR" if i.opname == "LOAD_METHOD" else i.opname
        if name in _CALLING_WAYS:
            continue
        value = None if i.opcode in _JUMPS else i.argval
        listed.append((name, _instructions(value) if isinstance(value, CodeType) else repr(value)))
    return [entry for entry in listed if not _is_qualified_name(entry)]


_PARAMETERS = operator.attrgetter("co_argcount", "co_posonlyargcount", "co_kwonlyargcount")
_BYTES = operator.attrgetter(
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_code", "co_exceptiontable"),
    *("co_names", "co_varnames", "co_freevars", "co_cellvars"),
)
_CALLING_WAYS = frozenset({"PUSH_NULL", "PRECALL", "EXTENDED_ARG", "NOP", "RESUME"})
_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)


def _is_qualified_name(entry: tuple[str, object]) -> bool:
    """The constant that MAKE_FUNCTION takes in Python 3.10 style; harmless to leave out."""
    return entry[0] == "LOAD_CONST" and isinstance(entry[1], str) and "<locals>" in entry[1]
