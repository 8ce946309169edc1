"""Reader: what all that reads a function builds upon: its names, what stands outside, and its steps."""

from __future__ import annotations

import ast
import builtins
import enum
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from ...source.syntax.trees import place
from . import objects, quoted
from .arguments import parameters_of
from .declined import Declined
from .groups import Definition, Groups
from .held import is_of_library
from .importing import Imported
from .kinds import CAPTURED, DEFINED
from .manner import AS_WRITTEN
from .names import Names
from .objects import is_choice, is_plain_class
from .steps import Step
from .texts import UNKNOWN


class Reader:
    """What is known of one function while it is read."""

    # what the parts of Reading have for one another
    value: Callable[[ast.expr, list[Step]], str]
    consumed: Callable[[ast.expr, list[Step]], str]
    items_of: Callable[[ast.expr, ast.AST, list[Step]], str]
    key: Callable[[ast.expr, list[Step]], tuple[str, tuple[str, ...]]]
    bind: Callable[[ast.expr, str, list[Step]], None]
    block: Callable[[list[ast.stmt], list[Step]], None]
    statement: Callable[[ast.stmt, list[Step]], None]
    loop: Callable[[Any, list[Step]], None]
    mapped: Callable[[ast.Call, bool], ast.ListComp]
    reduced: Callable[[ast.Call, list[Step]], str]
    summed: Callable[[ast.Call, list[Step], ast.operator], str]
    listed: Callable[[ast.expr, list[Step]], str | None]
    is_accumulate: Callable[[Any], bool]
    accumulated: Callable[[Any, list[Step]], str]
    filled: Callable[[ast.Call, Any, list[Step]], str | None]
    named: Callable[[str], str]
    call_step: Callable[..., str]
    _listcomp: Callable[[Any, list[Step]], str]
    _rows: Callable[[ast.List, list[Step]], str]
    _places: Callable[[ast.List, list[Step]], str]
    _repeated: Callable[[ast.BinOp, list[Step]], str]
    _starred_items: Callable[..., str]

    def __init__(self, f: FunctionType) -> None:
        code = f.__code__
        self.f = f
        captured = f.__dict__.get(CAPTURED, {})
        self.parameters: list[str] = [*captured, *parameters_of(f)]
        self.locals = {*code.co_varnames, *code.co_cellvars, *captured}
        self.taken = Names((*self.locals, *code.co_names, *code.co_freevars))
        self.constants: dict[str, Any] = {}
        self.same: dict[str, Any] = {}  # what is asked for nothing but whether it is what it was
        self.imports: dict[str, Imported] = {}
        self.captured = dict(zip(code.co_freevars, f.__closure__ or (), strict=True))
        definition: Definition | None = f.__dict__.get(DEFINED)
        self.boxes = dict(definition.boxes) if definition else {}
        self.given = definition.group if definition else {}  # functions that it defines for itself
        self.groups: Groups | None = None  # those that are defined in it
        self.now = {n: n for n in self.parameters}
        self.manner = AS_WRITTEN
        self.loops = 0
        self.depth = 0
        self.body: list[ast.stmt] = []
        self.known: dict[Any, str] = {}
        self.statement_read: ast.stmt = ast.Pass()

    def fresh(self, stem: str = "t") -> str:
        """A name that nothing has."""
        return self.taken.fresh(stem)

    def own(self, stem: str, atom: str = "") -> str:
        """A variable for trees that no program has; it stands for an argument, where one is given."""
        name = self.fresh(stem)
        self.locals.add(name)
        if atom:
            self.now[name] = atom
        return name

    def tree(self, atom: str, at: ast.AST) -> ast.expr:
        """A tree for an argument of the steps."""
        return place(ast.Name(self.own("held", atom), ast.Load()), at)

    def standing(self, f: Any) -> str:
        """A name for trees, which no program has, that stands for a function of this package."""
        name = self.fresh(f.__name__)
        self.imports[name] = Imported(f, _text_of(f))
        return name

    def quoted(self, text: str, at: ast.AST, /, **parts: Any) -> list[Any]:
        """The statements of a text (quoted.py), in which a name like `item_` is a variable of its own.

        Declined where another stands for a builtin of Python's.
        """
        for n in {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)} - parts.keys():
            if n.endswith("_"):
                parts[n] = self.own(n[:-1])
            elif self.constant(ast.Name(n, ast.Load())) is not getattr(builtins, n):
                raise Declined(f"another {n}")
        return quoted.statements(text, at, **parts)

    def written(self, text: str, at: ast.AST, /, **parts: Any) -> Any:
        """The same of an expression."""
        return self.quoted(text, at, **parts)[0].value

    def constant(self, e: ast.expr) -> Any:
        """What a path of names outside the function stands for; UNKNOWN for any other."""
        if isinstance(e, ast.Name) and e.id in self.imports:
            return self.imports[e.id].value
        if isinstance(e, ast.Name) and e.id not in self.locals:
            if e.id in self.captured:
                try:
                    return self.captured[e.id].cell_contents
                except ValueError:
                    raise Declined(f"{e.id} is not set") from None
            found = self.f.__globals__.get(e.id, getattr(builtins, e.id, UNKNOWN))
            if found is UNKNOWN:
                raise Declined(f"{e.id} is not set")
            return found
        if isinstance(e, ast.Attribute):
            owner = self.constant(e.value)
            if isinstance(owner, ModuleType):
                return getattr(owner, e.attr, UNKNOWN)
            if isinstance(owner, enum.EnumMeta) and is_choice(member := owner.__members__.get(e.attr)):
                return member
            if isinstance(owner, FunctionType):
                return owner.__dict__.get(e.attr, UNKNOWN)
            if isinstance(owner, type) and is_plain_class(owner):
                return objects.named(owner, e.attr, UNKNOWN)
            if isinstance(owner, type) and is_of_library(owner):
                found = getattr(owner, e.attr, None)
                return found if type(found) is FunctionType else UNKNOWN
        return UNKNOWN

    def spelled(self, e: ast.expr) -> str:
        """The text of such a path, which says where from what the function imports comes."""
        head, dot, rest = ast.unparse(e).partition(".")
        return (self.imports[head].text if head in self.imports else head) + dot + rest

    def _step(self, out: list[Step], *given: Any, **more: Any) -> str:
        step = Step(*given, **more)
        out.append(step)
        return step.target

    def _helped(self, f: Any, args: tuple[str, ...], e: Any, out: list[Step]) -> str:
        """A call of a function that the program may not name, by a text that is in no program."""
        text = _text_of(f)
        self.constants[text] = f
        return self._step(out, "call", self.fresh(), (f"={text}", *args), e.lineno)

    def _where(self, P: type, whole: str, e: Any, out: list[Step]) -> Step:
        """A branch for objects of a class."""
        self.constants[_text_of(P)] = P
        asked = self._helped(isinstance, (self.now[whole], f"={_text_of(P)}"), e, out)
        out.append(Step("if", args=(asked,), line=e.lineno))
        return out[-1]


def _text_of(f: Any) -> str:
    """The text of a function of this package, of NumPy or of Python, which is in no program."""
    module = getattr(f, "__module__", None) or "numpy"
    inside = f", fromlist=[{f.__name__!r}]" if "." in module else ""
    return f"__import__({module!r}{inside}).{f.__name__}"
