"""`verify`: what keeps a function from being differentiated, all of it, before anything runs.

The calls of the function are looked at whose operands may vary and whose values are used: what has rules is
taken to match, Python functions are verified in turn, what is opaque and has no rule is a fault. What a name
means is read from the globals and the captured variables; a callee that only running would tell is passed
over.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import ChainRulesError, UnsupportedArgument, UnsupportedSyntaxError, VerificationError
from ...core.installed import is_followed, is_of_package
from ...core.registry import Mode, rules_of
from ..following.natives import GETTERS, INSTEAD, MOVES, RECIPES, is_moving
from ..following.refusing import coroutine
from .reading.generated import is_generated
from .reading.locate import locate
from .reading.opaque import no_rule
from .syntax.scopes import assigned, binds, parameter_names, reads
from .syntax.where import show

MODES: dict[str, Mode] = {"rev": "reverse", "fwd": "forward"}
_UNKNOWN = object()
_REFUSED = (eval, exec)


def verify(f: Callable[..., Any], *x: Any, mode: str = "rev") -> None:
    """Raise what would keep f from being differentiated at arguments like x, without running it.

    f and the Python functions that it calls by name are looked at, the rules of all else only for
    being there. One fault is raised as it is, several in one `VerificationError`.

    Raises:  NoRuleError for a call of something opaque; UnsupportedSyntaxError for Python that is not
             differentiated; NotDifferentiableError where source cannot be had; VerificationError, a
             group of those; UnsupportedArgument for another mode.
    Example: >>> verify(lambda x: x * x, 3.0)
    """
    if mode not in MODES:
        raise UnsupportedArgument("verify", "mode", mode, supported=tuple(MODES))
    faults = list(_Walk(MODES[mode]).callee(f, x, ""))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise VerificationError(f"{name_of(f)} cannot be differentiated: {len(faults)} faults", faults)


class _Walk:
    """One walk through a function and what it calls, each once."""

    def __init__(self, mode: Mode) -> None:
        self.mode: Mode = mode
        self.seen: set[Any] = set()

    def callee(self, f: Any, x: tuple[Any, ...], chain: str) -> Iterator[ChainRulesError]:
        """The faults of calling f with these arguments, which may be unknown."""
        g, args, _ = normalise(f, x, {})
        rules = rules_of(g)
        if any(g is refused for refused in _REFUSED):
            yield UnsupportedSyntaxError(
                f"`{name_of(g).rpartition('.')[2]}` runs text as code",
                where=_at(chain),
                next="write a function, and call it",
            )
        elif (rules is not None and (rules.non_differentiable is not None or rules.methods[self.mode])) or (
            _is_known(g)
        ):
            return
        elif isinstance(g, type):
            init = g.__init__  # type: ignore[misc]  # of a class
            if not isinstance(init, FunctionType):
                if is_of_package(g):
                    yield self.opaque(g, chain)
            elif not is_followed(init):
                yield self.opaque(g, chain)
            elif not is_generated(init):
                yield from self.python(init, (_UNKNOWN, *args), chain)
        elif type(g) is FunctionType:
            yield from self.python(INSTEAD.get(g.__code__, g), args, chain)
        elif (call := call_operator(g)) is not None:
            yield from self.callee(call, (g, *args), chain)
        else:
            yield self.opaque(g, chain)

    def opaque(self, f: Any, chain: str) -> ChainRulesError:
        """The error of what has no rule and no source."""
        error = no_rule(self.mode, f, (), {})
        error.where = _at(chain)
        return error

    def python(self, f: FunctionType, args: tuple[Any, ...], chain: str) -> Iterator[ChainRulesError]:
        """The faults of a Python function, and of what it calls."""
        if f.__code__ in self.seen:
            return
        self.seen.add(f.__code__)
        if not is_followed(f):
            yield self.opaque(f, chain)
            return
        try:
            if f.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
                raise coroutine(f)
            node = locate(f.__code__).written
        except ChainRulesError as error:
            error.where = f"{error.where}\n  {chain}" if chain else error.where
            yield error
            return
        types = {
            n: type(v) for n, v in zip(parameter_names(node.args), args, strict=False) if v is not _UNKNOWN
        }
        for call, callee in _Reader(f, types).calls(node):
            end = call.end_col_offset if call.end_lineno == call.lineno else None
            place = show((f.__code__.co_filename, call.lineno, call.col_offset, end))
            here = f"when differentiating this call: {place}"
            operands = (_UNKNOWN,) * len(call.args)
            yield from self.callee(callee, operands, f"{here}\n  {chain}".rstrip())


def _at(chain: str) -> str:
    return chain.replace("when differentiating this call: ", "at ", 1)


def _is_known(f: Any) -> bool:
    """Whether a callable of the library is followed without a rule."""
    try:
        return f in RECIPES or f in MOVES or is_moving(f) or type(f) in GETTERS
    except TypeError:  # not hashable
        return False


class _Reader:
    """What a function calls with operands that may vary, read from its tree."""

    def __init__(self, f: FunctionType, types: dict[str, type]) -> None:
        self.globals = f.__globals__
        self.types = types  # of parameters
        self.cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        self.local = {*f.__code__.co_varnames, *f.__code__.co_cellvars}

    def calls(self, node: Any) -> Iterator[tuple[ast.Call, Any]]:
        """The calls whose values are used, with their callees where these are known."""
        varying, unused = self.varying(node), set[int]()
        for n in ast.walk(node):
            if isinstance(n, ast.Expr):
                unused.add(id(n.value))
            if isinstance(n, ast.Call):
                callee = self.callee(n.func)
                used = reads(n) & varying and id(n) not in unused
                if any(callee is refused for refused in _REFUSED) or (
                    used and callee is not _UNKNOWN and callee is not getattr and callable(callee)
                ):
                    yield n, callee

    def varying(self, node: Any) -> set[str]:
        """The names whose values may depend on an argument."""
        found = {*parameter_names(node.args)}
        while True:
            before = len(found)
            for n in ast.walk(node):
                if isinstance(n, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and n.value:
                    targets = n.targets if isinstance(n, ast.Assign) else [n.target]
                    if reads(n.value) & found:
                        found.update(name for t in targets for name in assigned(t))
                elif isinstance(n, ast.For | ast.comprehension) and reads(n.iter) & found:
                    found |= assigned(n.target)
                elif isinstance(n, ast.With | ast.Match | ast.FunctionDef) and n is not node:
                    found |= binds(n)
            if len(found) == before:
                return found

    def callee(self, e: ast.expr) -> Any:
        """What is called, also a method of an argument by its class."""
        if isinstance(e, ast.Attribute) and isinstance(e.value, ast.Name) and e.value.id in self.types:
            return getattr(self.types[e.value.id], e.attr, _UNKNOWN)
        return self.value(e)

    def value(self, e: ast.expr) -> Any:
        """What a global or captured name, or an attribute of one, stands for."""
        if isinstance(e, ast.Name):
            if e.id in self.cells:
                return getattr(self.cells[e.id], "cell_contents", _UNKNOWN)
            if e.id in self.local:
                return _UNKNOWN
            return self.globals.get(e.id, getattr(builtins, e.id, _UNKNOWN))
        if isinstance(e, ast.Attribute):
            owner = self.value(e.value)
            return _UNKNOWN if owner is _UNKNOWN else getattr(owner, e.attr, _UNKNOWN)
        return _UNKNOWN
