"""Find the source: from a code object to the syntax tree of exactly that function.

A `def` is found by its first line and only its own block is parsed; a lambda by the exact position
of its body among all lambdas of the file. What is found is compiled again and compared with the
code that runs, so that an edited file is refused rather than differentiated in place of the
function that is loaded. Generated programs register their own trees.
"""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import textwrap
import tokenize
from types import CodeType
from typing import Any, NamedTuple

from ...core.errors import NotDifferentiableError
from .explicit import spell_out

FunctionNode = ast.FunctionDef | ast.Lambda
OWN_NAME = "chainrules_function"  # what a function is called while it is compiled: no name that it could read
_FUTURE_FLAGS = 0x1FF0000  # the compiler flags of `from __future__` imports


class Source(NamedTuple):
    """The tree of one function, its positions those of the file."""

    node: FunctionNode
    filename: str
    code: CodeType
    class_name: str | None  # the class whose private names the body may use


class NoSource(NotDifferentiableError):
    """The source of a Python function cannot be had, or is not the code that runs."""


class NoText(NoSource):
    """There is no text of the function: it was typed at a prompt or run from text."""

    def __init__(self, code: CodeType) -> None:
        super().__init__(
            f"the source of {code.co_qualname} cannot be had: it was typed at a prompt or run from text",
            where=f"{code.co_filename}:{code.co_firstlineno}",
            closest='engine="tape", which takes over by itself in the operators, needs no source',
            next="put the function into a file or a notebook",
        )
        self.code = code


_known: dict[tuple[CodeType, str], Source] = {}  # equal code may stand in several files


def locate(code: CodeType) -> Source:
    """The source of the function that runs as `code`; NoSource where it cannot be had."""
    known = _known.get((code, code.co_filename))
    if known is None:
        known = _known[code, code.co_filename] = _search(code)
    return known


def remember(code: CodeType, node: FunctionNode) -> None:
    """Register the tree of a generated function, and of the functions nested in it."""
    _known[code, code.co_filename] = Source(node, code.co_filename, code, None)
    nested = [n for n in ast.walk(node) if isinstance(n, FunctionNode) and n is not node]
    for inner in _nested_codes(code):
        for candidate in nested:
            if _same_place(candidate, inner):
                _known[inner, inner.co_filename] = Source(candidate, inner.co_filename, inner, None)


def _nested_codes(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return inner + [c for i in inner for c in _nested_codes(i)]


def _search(code: CodeType) -> Source:
    found = _read(code)
    if found is None:  # the text remembered of the file may be older than the code
        linecache.checkcache(code.co_filename)
        found = _read(code)
    if found is None:
        raise NoSource(
            f"the file no longer holds the code of {code.co_qualname} that is loaded",
            where=f"{code.co_filename}:{code.co_firstlineno}",
            next="reload the module, or restart the program",
        )
    return found


def _read(code: CodeType) -> Source | None:
    lines = linecache.getlines(code.co_filename)
    if not lines:
        raise NoText(code)
    class_name = _enclosing_class(code)
    for node in _lambdas(lines, code) if code.co_name == "<lambda>" else _block(lines, code):
        if _verified(node, code, class_name):
            spell_out(node, class_name)
            return Source(node, code.co_filename, code, class_name)
    return None


def _block(lines: list[str], code: CodeType) -> list[FunctionNode]:
    """The `def` that starts at the code's first line; the code may have been renamed since."""
    try:
        text = "".join(inspect.getblock(lines[code.co_firstlineno - 1 :]))
        indent = len(text) - len(text.lstrip())
        wrapped = f"if 1:\n{text}" if indent else f"\n{text}"
        tree = ast.parse(textwrap.dedent(wrapped) if not indent else wrapped)
    except (SyntaxError, tokenize.TokenError, IndexError):
        return []
    ast.increment_lineno(tree, code.co_firstlineno - 2)
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    found = next((n for n in functions if _first_line(n) == code.co_firstlineno), None)
    return [] if found is None else [found]


def _lambdas(lines: list[str], code: CodeType) -> list[FunctionNode]:
    """The lambdas in whose body all of the code stands, the innermost first."""
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return []
    around = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and _same_place(n, code)]
    return sorted(around, key=lambda n: n.col_offset, reverse=True)


def _same_place(node: FunctionNode, code: CodeType) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == code.co_name and _first_line(node) == code.co_firstlineno
    if node.lineno != code.co_firstlineno or code.co_name != "<lambda>":
        return False
    start, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
    return all(start <= first and last <= end for first, last in _extents(code))


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _extents(code: CodeType) -> list[tuple[Any, Any]]:
    """First and last position of each instruction that stands for a part of the body."""
    return [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if None not in (line, end_line, column, end_column) and (column, end_column) != (0, 0)
    ]


def _enclosing_class(code: CodeType) -> str | None:
    owner = code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    return None if owner in ("", "<locals>") else owner


def _verified(node: FunctionNode, code: CodeType, class_name: str | None) -> bool:
    """Whether the tree compiles to the code that runs."""
    try:
        again = recompile(node, code, class_name)
    except SyntaxError:
        return False
    if _same_code(again, code):
        return True
    rewritten = "@pytest_ar" in code.co_names  # assertions, by pytest
    own = tuple(name for name in code.co_varnames if not name.startswith("@py"))
    return rewritten and again.co_varnames == own


def recompile(node: FunctionNode, like: CodeType, class_name: str | None) -> CodeType:
    """The tree compiled in the scope that `like` was compiled in: free variables, private names, flags."""
    bare = without_defaults(node.args)
    inner: ast.stmt
    if isinstance(node, ast.Lambda):
        inner = ast.Expr(ast.copy_location(ast.Lambda(bare, node.body), node))
    else:
        inner = ast.copy_location(ast.FunctionDef(OWN_NAME, bare, node.body, [], None, **type_params()), node)
    free = [n for n in like.co_freevars if n != "__class__" or class_name is None]
    module = ast.fix_missing_locations(in_scope(inner, class_name, free))
    return compile_function(module, like)


def in_scope(inner: ast.stmt, class_name: str | None, free: list[str]) -> ast.Module:
    """A module in which a function has these free variables, and the private names of its class."""
    body: list[ast.stmt] = [inner]
    if class_name is not None:
        body = [ast.ClassDef(class_name, [], [], body, [], **type_params())]
        if class_name not in free:
            body.insert(0, ast.Global([class_name]))
    outer = ast.FunctionDef("scope", parameters([ast.arg(n) for n in free]), body, [], None, **type_params())
    return ast.Module([outer], [])


def compile_function(module: ast.Module, like: CodeType) -> CodeType:
    """The one function that such a module defines, compiled with the flags and file of `like`."""
    flags = like.co_flags & _FUTURE_FLAGS
    code: CodeType = compile(module, like.co_filename, "exec", flags=flags, dont_inherit=True)
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


def _same_code(a: CodeType, b: CodeType) -> bool:
    """Equal instruction by instruction, qualified names and the way of calling methods aside.

    Python calls `module.f(…)` in another way where it sees the import in the same file.
    """
    return _instructions(a) == _instructions(b)


def _instructions(code: CodeType) -> list[tuple[str, object]]:
    listed: list[tuple[str, object]] = []
    for i in dis.get_instructions(code):
        name = "LOAD_ATTR" if i.opname == "LOAD_METHOD" else i.opname
        if name in _CALLING_WAYS:
            continue
        value = None if i.opcode in _JUMPS else i.argval
        listed.append((name, _instructions(value) if isinstance(value, CodeType) else repr(value)))
    return [entry for entry in listed if not _is_qualified_name(entry)]


_CALLING_WAYS = frozenset({"PUSH_NULL", "PRECALL", "EXTENDED_ARG", "NOP", "RESUME"})
_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)


def _is_qualified_name(entry: tuple[str, object]) -> bool:
    """The constant that MAKE_FUNCTION takes in Python 3.10 style; harmless to leave out."""
    return entry[0] == "LOAD_CONST" and isinstance(entry[1], str) and "<locals>" in entry[1]
