"""`verify`: what keeps a function from being differentiated, all of it, before anything runs.

The function is made into a derivative program as for a derivative; where that is refused, the
statement at fault gives way (stand_ins.py) and the rest is tried again. Then the calls of the
program are followed: what has rules is taken to match, Python functions are verified in turn, what
is opaque and has no rule is a fault. What a name means is read from the globals and the captured
variables; a callee that only running would tell is passed over.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import ChainRulesError, UnsupportedArgument, UnsupportedSyntaxError, VerificationError
from ...core.installed import is_of_package
from ...core.registry import Mode, rules_of
from .analysis.forms import form_of, parameter_count, slots_of
from .calls.construction import constructor_fields
from .emitting.programs import program
from .reading.locate import locate
from .reading.opaque import no_rule
from .reading.stand_ins import without
from .syntax.site import Site, site_called
from .syntax.where import show

MODES: dict[str, Mode] = {"rev": "reverse", "fwd": "forward"}
_UNKNOWN = object()


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
    faults = list(_Walk(MODES[mode]).callee(f, x, (True,) * len(x), ""))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise VerificationError(f"{name_of(f)} cannot be differentiated: {len(faults)} faults", faults)


class _Called(NamedTuple):
    """One active call of a program: what is called, which operands vary, at which place."""

    f: Any
    needs: tuple[bool, ...]
    place: str


class _Walk:
    """One walk through a function and what it calls, each once."""

    def __init__(self, mode: Mode) -> None:
        self.mode: Mode = mode
        self.seen: set[Any] = set()

    def callee(
        self, f: Any, x: tuple[Any, ...], needs: tuple[bool, ...], chain: str
    ) -> Iterator[ChainRulesError]:
        """The faults of calling f with these arguments, which may be unknown."""
        g, args, _ = normalise(f, x, {})
        rules = rules_of(g)
        needs = (False,) * (len(args) - len(needs)) + needs
        if rules is not None and (rules.non_differentiable is not None or rules.methods[self.mode]):
            return
        if type(g) is not FunctionType:
            call = call_operator(g)
            if call is None or isinstance(g, type):
                if not isinstance(g, type) or (is_of_package(g) and constructor_fields(g, (), {}) is None):
                    error = no_rule(self.mode, g, (), {})
                    error.where = chain.replace("when differentiating this call: ", "at ", 1)
                    yield error
                return
            g, args, needs = call, (g, *args), (False, *needs)
        if type(g) is FunctionType:
            yield from self.python(g, args, needs, chain)

    def python(
        self, f: FunctionType, args: tuple[Any, ...], needs: tuple[bool, ...], chain: str
    ) -> Iterator[ChainRulesError]:
        """The faults of a Python function, and of what it calls."""
        mask = [False] * parameter_count(f)
        slots = slots_of(f, len(args), ())
        for (slot, _), needed in zip(slots, needs, strict=False):
            mask[slot] |= needed
        key = (f.__code__, f.__code__.co_filename, tuple(mask))
        if key in self.seen or not any(mask):
            return
        self.seen.add(key)
        known = dict(zip((slot for slot, _ in slots), args, strict=False))
        while True:
            try:
                made = program(f, form_of(f, self.mode, tuple(mask), False))
            except UnsupportedSyntaxError as error:
                error.where = f"{error.where}\n  {chain}" if chain else error.where
                yield error
                rest = without(f, locate(f.__code__), error.lineno or 0, (error.offset or 1) - 1)
                if rest is None:
                    return
                f = rest
            except ChainRulesError as error:
                error.where = f"{error.where}\n  {chain}" if chain else error.where
                yield error
                return
            else:
                break
        names = f.__code__.co_varnames
        types = {names[i]: type(v) for i, v in known.items() if v is not _UNKNOWN}
        reader = _Reader(f, {n: c.cell_contents for n, c in made.helpers.items()}, types)
        for called in reader.calls(locate(made.code).node):
            here = f"when differentiating this call: {called.place}"
            operands = (_UNKNOWN,) * len(called.needs)
            yield from self.callee(called.f, operands, called.needs, f"{here}\n  {chain}".rstrip())


class _Reader:
    """What a program's call sites call, read from its tree."""

    def __init__(self, f: FunctionType, helpers: dict[str, Any], types: dict[str, type]) -> None:
        self.filename = f.__code__.co_filename
        self.globals = f.__globals__
        self.helpers = helpers
        self.types = types  # of parameters
        self.cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        self.local = {*f.__code__.co_varnames, *f.__code__.co_cellvars}

    def calls(self, node: ast.AST) -> Iterator[_Called]:
        for n in ast.walk(node):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name):
                site = site_called(self.helpers.get(n.func.id))
                if site is not None:
                    yield from self._called(n, site)

    def _called(self, n: ast.Call, site: Site) -> Iterator[_Called]:
        first, *rest = n.args[1:] if site.mode == "forward" else n.args
        f, needs = self.value(first), site.mask[: len(site.mask) - len(site.keywords)]
        if site.callee == "method":
            owner = self.types.get(first.id) if isinstance(first, ast.Name) else None
            name = rest[0].value if isinstance(rest[0], ast.Constant) else ""
            f, needs = getattr(owner, str(name), _UNKNOWN), (True, *needs)
        if f is not _UNKNOWN and f is not getattr and callable(f) and not any(site.starred):
            end = n.end_col_offset if n.end_lineno == n.lineno else None
            yield _Called(f, needs, show((self.filename, n.lineno, n.col_offset, end)))

    def value(self, e: ast.expr) -> Any:
        """What a helper, a global or captured name, or an attribute of one stands for."""
        if isinstance(e, ast.Name):
            if e.id in self.helpers:
                return self.helpers[e.id]
            if e.id in self.cells:
                return getattr(self.cells[e.id], "cell_contents", _UNKNOWN)
            if e.id in self.local:
                return _UNKNOWN
            return self.globals.get(e.id, getattr(builtins, e.id, _UNKNOWN))
        if isinstance(e, ast.Attribute):
            owner = self.value(e.value)
            return _UNKNOWN if owner is _UNKNOWN else getattr(owner, e.attr, _UNKNOWN)
        return _UNKNOWN
