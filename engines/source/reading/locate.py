"""Find the source: from a code object to the syntax tree of exactly that function.

A `def` is found by its first line and only its own block is parsed; a lambda by the exact position
of its body among all lambdas of the file. What is found is compiled again and compared with the
code that runs, so that an edited file is refused rather than differentiated in place of the
function that is loaded. Generated programs register their own trees.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import operator
import sys
import tokenize
import weakref
from collections import deque
from collections.abc import Callable
from types import CodeType
from typing import Any

from ....core.errors import NotDifferentiableError
from ..syntax.codes import ByCode
from ..syntax.quiet import quietly
from ..syntax.scopes import children, copied
from .explicit import spell_out
from .recompiling import FunctionNode, is_identical, is_same_code, recompile
from .renamed import renamed


class Source:
    """The tree of one function, its positions those of the file."""

    def __init__(self, node: FunctionNode, code: CodeType, class_name: str | None) -> None:
        self.node = node
        self.filename = code.co_filename
        self.class_name = class_name  # the class whose private names the body may use
        self._code = weakref.ref(code)
        self._lines = lines_of(code.co_filename)

    @functools.cached_property
    def written(self) -> FunctionNode:
        """The tree as its author wrote it; a generated function has no other one."""
        return self.written_anew()

    def written_anew(self) -> FunctionNode:
        """The same as a tree of its own, which may be changed."""
        nodes = _nodes(self.code)
        if len(nodes) == 1 and lines_of(self.filename) is self._lines:  # verified before
            return nodes[0]
        return _verified_of(nodes, self.code, self.class_name) or copied(self.node)

    @property
    def code(self) -> CodeType:
        """The code of the function, which asks."""
        code = self._code()
        assert code is not None
        return code


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


class Generated:
    """A generated function: its tree, and the functions nested in it, looked for once."""

    def __init__(self, tree: Callable[[], FunctionNode], used: Callable[[], object]) -> None:
        self._tree = tree
        self.used = used

    @functools.cached_property
    def node(self) -> FunctionNode:
        """The tree, made when it is asked for."""
        return self._tree()

    @functools.cached_property
    def nested(self) -> list[FunctionNode]:
        """The functions in it."""
        inside: list[ast.AST] = [self.node]
        for n in inside:
            inside += [c for c in children(n) if type(c) is not ast.Name and type(c) is not ast.Constant]
        return [n for n in inside[1:] if isinstance(n, FunctionNode)]


_LINE = operator.itemgetter(2)
_NAMES = operator.attrgetter("co_names", "co_varnames", "co_cellvars", "co_freevars")
_known: ByCode[Source] = ByCode()
_latest: deque[weakref.ref[CodeType]] = deque(maxlen=64)  # those whose source was found in a file
_generated: ByCode[tuple[bool, Generated]] = ByCode()  # whether that is the whole of it


def locate(code: CodeType) -> Source:
    """The source of the function that runs as `code`; NoSource where it cannot be had."""
    known = _known.get(code)
    if known is None:
        known = _known[code] = _remembered(code) or _found(code)
    return known


def _found(code: CodeType) -> Source:
    """The source in a file; the trees of the latest alone are kept, since what is made of them stays."""
    found = _search(code)
    if len(_latest) == _latest.maxlen and (oldest := _latest[0]()) is not None:
        _known.pop(oldest)
    _latest.append(weakref.ref(code))
    return found


def remember(
    code: CodeType, tree: Callable[[], FunctionNode], used: Callable[[], object] = lambda: None
) -> None:
    """Say which tree a generated function has, and the functions nested in it, when it is asked for.

    `used` is called when the function itself is to be differentiated.
    """
    generated = Generated(tree, used)
    for c in (code, *_nested_codes(code)):
        _generated[c] = c is code, generated
        _known.pop(c)


def _remembered(code: CodeType) -> Source | None:
    found = _generated.pop(code)
    if found is None:
        return None
    whole, generated = found
    if whole:
        generated.used()
        return Source(generated.node, code, None)
    places = [n for n in generated.nested if _same_place(n, code)]
    return Source(places[-1], code, None) if places else None


def _nested_codes(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return inner + [c for i in inner for c in _nested_codes(i)]


def names_in(code: CodeType) -> set[str]:
    """Every name that a function's code knows, and that of the functions nested in it."""
    every = (code, *_nested_codes(code))
    return set[str]().union(*(names for c in every for names in _NAMES(c)))


def _search(code: CodeType) -> Source:
    found = _read(code)
    if found is None:  # the text remembered of the file may be older than the code
        linecache.checkcache(code.co_filename)
        found = _read(code)
    if found is None and code.co_filename.startswith("<"):
        raise NoText(
            code
        )  # a name that many texts share, as Python 3.13 remembers that of `-c` by "<string>"
    if found is None:
        raise NoSource(
            f"the file no longer holds the code of {code.co_qualname} that is loaded",
            where=f"{code.co_filename}:{code.co_firstlineno}",
            next="reload the module, or restart the program",
        )
    return found


def _read(code: CodeType) -> Source | None:
    if not lines_of(code.co_filename):
        raise NoText(code)
    class_name = _enclosing_class(code)
    node = _parsed(code, class_name)
    if node is None:
        return None
    if class_name is not None or "__qualname__" in names_in(code) or "super" in code.co_names:
        spell_out(node, class_name)
    return Source(renamed(node, code), code, class_name)


def _parsed(code: CodeType, class_name: str | None) -> FunctionNode | None:
    """The tree of a function in its file; None where that does not hold the code."""
    return _verified_of(_nodes(code), code, class_name)


def lines_of(filename: str) -> list[str]:
    """The lines of a file; of a module that is frozen into Python, those of the file that it was made of."""
    if filename.startswith("<frozen "):
        module = sys.modules.get(filename.removeprefix("<frozen ").removesuffix(">"))
        filename = getattr(module, "__file__", None) or filename
    return linecache.getlines(filename)


def _nodes(code: CodeType) -> list[FunctionNode]:
    """The functions in a file that stand where the code says."""
    lines = lines_of(code.co_filename)
    return _lambdas(lines, code) if code.co_name == "<lambda>" else _block(lines, code)


def _verified_of(nodes: list[FunctionNode], code: CodeType, class_name: str | None) -> FunctionNode | None:
    return next((node for node in nodes if _verified(node, code, class_name)), None)


def _block(lines: list[str], code: CodeType) -> list[FunctionNode]:
    """The `def` that starts at the code's first line; the code may have been renamed since."""
    first = code.co_firstlineno
    if first > len(lines):
        return []
    inside = lines[first - 1][:1].isspace()
    before = "\n" * (first - 1) if not inside else "\n" * (first - 2) + "if 1:\n"
    for block in (_until_dedent, _tokenized):
        try:
            (found,) = quietly(ast.parse, before + "".join(block(lines, code))).body
        except (SyntaxError, tokenize.TokenError, ValueError):
            continue
        node = found.body[0] if isinstance(found, ast.If) else found
        if isinstance(node, ast.FunctionDef) and _first_line(node) == first:
            return [node]
    return []


def _until_dedent(lines: list[str], code: CodeType) -> list[str]:
    """The lines of a `def`, told from where its code ends and by how far they are indented."""
    first = code.co_firstlineno
    codes = (code, *_nested_codes(code))
    last = max(filter(None, (line for c in codes for line in set(map(_LINE, c.co_lines())))))
    indent = _indent(lines[first - 1])
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    return lines[first - 1 : last]


def _tokenized(lines: list[str], code: CodeType) -> list[str]:
    """The same as Python reads them, which takes longer."""
    return list(inspect.getblock(lines[code.co_firstlineno - 1 :]))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lambdas(lines: list[str], code: CodeType) -> list[FunctionNode]:
    """The lambdas in whose body all of the code stands, the innermost first."""
    try:
        tree = quietly(ast.parse, "".join(lines))
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
        for imports in (True, False):
            again = recompile(node, code, class_name, imports=imports)
            if is_identical(again, code):
                return True
    except SyntaxError:
        return False
    if is_same_code(again, code):
        return True
    rewritten = "@pytest_ar" in code.co_names  # assertions, by pytest
    own = tuple(name for name in code.co_varnames if not name.startswith("@py"))
    return rewritten and again.co_varnames == own
