"""Programs: a function read, analysed, lowered, emitted and compiled, once for each form of use.

A form is the code object, the mode, and which parameters and captured variables vary. The program
is a code object whose free variables are the user's own captured cells and the helpers it calls,
so that it runs in the user's module with the user's cells and puts nothing there. The forward part
keeps the user's file and positions; the pullback is a text of its own, readable in tracebacks.
"""

from __future__ import annotations

import ast
import functools
import operator
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType
from typing import Any

from ....core.caches import emptied
from ....core.errors import ChainRulesError
from ....core.loading import load_for
from ....tangents import add
from ..analysis.activity import analyse
from ..analysis.closures import Closures
from ..analysis.forms import (
    ORIGINS,
    Form,
    Stale,
    captured_lent,
    form_of,
    lent_slots,
    parameter_count,
    parameters_lent,
    slots_of,
    unsettled_slots,
)
from ..analysis.held_functions import note_inside
from ..analysis.mutation import Mutation
from ..analysis.writers import HELPERS_OF, analysed, resolver_of
from ..memory.aliased_arguments import form_for
from ..reading.locate import (
    OWN_NAME,
    Source,
    compile_function,
    in_scope,
    locate,
    names_in,
    remember,
    type_params,
    without_defaults,
)
from ..reading.opaque import refuse_installed
from ..rewriting.direct_lazies import direct_lazies
from ..rewriting.effects import changes_apart
from ..rewriting.kept_lazies import kept_lazies
from ..rewriting.loops import over_items
from ..rewriting.managers import Place, Unwritten
from ..rewriting.names import Names
from ..rewriting.prologue import (
    HANDING,
    attributes_read,
    check_kind,
    copies_of,
    guards,
    hand_over,
    handing,
    keeps,
    own_captured,
    rebinding,
    refuse_rebinding,
    returning,
    unsettled_in,
    written_out,
)
from ..rewriting.stores import Stores
from ..rewriting.unset import told_of_unset
from ..syntax.codes import ByCode
from ..syntax.collector import collector_resting, wake
from ..syntax.ir import Atom, Return, Statement
from ..syntax.scopes import GENERATOR, parameter_names
from ..syntax.trees import at, place
from ..syntax.where import call_chain, is_program, show_chain
from ..values.answers import Placed
from ..values.streams import Run, Stream, answers_of
from .actions import Plan
from .first_run import Maker
from .forward_program import ForwardEmitter
from .lower import Lowering
from .pullback_text import compiled
from .reverse_program import ReverseEmitter
from .yielding import generating


@dataclass
class Program:
    """A compiled program, bound to a function's cells and defaults when it is called."""

    form: Form
    code: CodeType
    helpers: dict[str, Any]
    tree: ast.FunctionDef
    maker: Maker | None

    @property
    def backward_text(self) -> str:
        """The text of its pullback; empty forward."""
        return "" if self.maker is None else self.maker.text

    @property
    def forward_text(self) -> str:
        """The program as Python that a person can read."""
        return ast.unparse(self.tree)

    def bind(self, f: FunctionType) -> Callable[..., Any]:
        """The program with the globals, cells and defaults of f."""
        if f.__closure__ is None:
            cells = self.cells
        else:
            own = dict(zip(f.__code__.co_freevars, f.__closure__, strict=True))
            cells = tuple(own[n] if n in own else self.helpers[n] for n in self.code.co_freevars)
        bound = FunctionType(self.code, f.__globals__, f.__name__, f.__defaults__, cells)
        bound.__kwdefaults__ = f.__kwdefaults__
        return bound

    @functools.cached_property
    def cells(self) -> tuple[CellType, ...]:
        """Those of the helpers, which are all for a function that captures nothing."""
        return tuple(self.helpers[n] for n in self.code.co_freevars)


_programs: ByCode[dict[Form, Program]] = emptied(ByCode())
_CALLED = (operator.getitem, add)  # by every program: loading their rules later would empty the caches


def program(f: FunctionType, form: Form, args: tuple[Any, ...] = ()) -> Program:
    """The program for this use of f, made if it is new; `args` are for messages."""
    known = _programs.get(f.__code__)
    made = None if known is None else known.get(form)
    if made is None:
        refuse_installed(form.mode, f, args)
        try:
            made = _make(f, form)
        except ChainRulesError as error:
            chain = call_chain()
            if chain and "when differentiating" not in error.where:
                called = show_chain(chain).replace("at ", "when differentiating this call: ", 1)
                error.where = f"{error.where}\n  {called}" if error.where else called
            raise
        known = _programs.get(f.__code__)
        if known is None:
            known = _programs[f.__code__] = {}
        known[form] = made
        wake()
    return made


def forget(f: FunctionType, form: Form) -> None:
    """Drop a program whose assumptions no longer hold."""
    if (known := _programs.get(f.__code__)) is not None:
        known.pop(form, None)


@collector_resting
def _make(f: FunctionType, form: Form) -> Program:
    managers: frozenset[Place] = frozenset()
    while True:
        try:
            return _made(f, form, managers)
        except Unwritten as found:
            if managers == (managers := managers | {found.place}):
                raise


def _made(f: FunctionType, form: Form, managers: frozenset[Place]) -> Program:
    load_for(_CALLED)
    refuse_rebinding(f)
    check_kind(f.__code__)
    source = locate(f.__code__)
    node = source.node
    body: list[ast.stmt] = (
        node.body if isinstance(node, ast.FunctionDef) else [at(ast.Return(node.body), node.body)]
    )
    ordered = parameter_names(node.args)
    varied = [n for n, v in zip(ordered, form.parameters, strict=True) if v]
    outer = frozenset(form.captured or ()) | ({form.itself} if form.itself else set())
    names = Names({*ordered, *names_in(f.__code__)})
    body = attributes_read(f, body, names)
    captured, again = captured_lent(form), HANDING.get(f.__code__)
    own, anew = own_captured(f, captured, names)
    held = frozenset(form.held)
    resolver_for = functools.partial(resolver_of, f, ordered, handed=form.handed, held=held, aliases=own)
    body = written_out(f, body, [*ordered, *captured], names, managers, lambda: resolver_for(body))
    kept, guarded = keeps(f, form, ordered, body, names)
    body = returning(form, ordered, kept, body, node) if form.lent else body
    body = rebinding([*copies_of(kept, guarded, node), *body], own, anew, node)
    unsettled = unsettled_in(f, form, ordered)

    def mutation_of(body: list[ast.stmt]) -> Mutation:
        resolver = resolver_for(body)
        resolver.helpers |= frozenset(names.bound)
        return Mutation(body, resolver, unsettled, joined)

    joined = [*ordered, *f.__code__.co_freevars] if form.joined else []
    mutation = None if joined or captured or form.handed or form.held or names.bound else analysed(f, body)
    mutation = mutation_of(body) if mutation is None else mutation
    mutation.unsettle(unsettled)
    flags: dict[str, str] = {}
    unset = functools.partial(told_of_unset, parameters=[*ordered, *kept.values()])
    for rewritten in (direct_lazies, kept_lazies, changes_apart, over_items, unset):
        new, more = rewritten(body, mutation, names)
        flags |= more
        if new is not body:
            body, mutation = new, mutation_of(new)
    resolver = mutation.resolver
    activity = analyse(body, frozenset(varied), resolver, mutation, outer)
    closures = Closures(ordered, body, outer, again)
    stores = Stores(body, activity, resolver, mutation.counters, [*ordered, *kept.values()])
    free = frozenset(f.__code__.co_freevars).difference(captured)
    lowering = Lowering(
        source.filename, activity, stores, resolver, names, closures, mutation, free, guarded, flags
    )
    lent = (ordered[i] for i in parameters_lent(form))
    lowering.returned = (*(kept.get(n, n) for n in lent), *own.values())
    lowered = lowering.block(body)
    if source.code.co_flags & GENERATOR:
        lowered[:0] = generating(source, form, body)
    if not lowered or not isinstance(lowered[-1], Return):
        lowered.append(Return(Atom(ast.Constant(None)), node))
    emit = _emit_reverse if form.mode == "reverse" else _emit_forward
    statements, backward, arguments = emit(f, form, source, lowered, names, closures, ordered)
    made = _compile(f, form, source, guards(resolver, names) + statements, arguments, names, backward)
    if lowering.hands_on or captured or again is not None:
        handing(made.code, closures.once, anew)
    hand_over(made.code, f, form, ordered)
    note_inside(made.code, f.__code__, resolver.held)
    return made


def _emit_reverse(
    f: FunctionType,
    form: Form,
    source: Source,
    lowered: list[Statement],
    names: Names,
    closures: Closures,
    ordered: list[str],
) -> tuple[list[ast.stmt], Plan | None, ast.arguments]:
    emitter = ReverseEmitter(names, closures.captures, source.filename)
    emitter.generator = bool(source.code.co_flags & GENERATOR)
    statements = emitter.forward(lowered)
    varying = [n if v else None for n, v in zip(ordered, form.parameters, strict=True)]
    closure = None
    if form.captured is not None:
        closure = {n: n for n in form.captured} | ({"": form.itself} if form.itself else {})
    return statements, emitter.plan(varying, closure), without_defaults(source.node.args)


def _emit_forward(
    f: FunctionType,
    form: Form,
    source: Source,
    lowered: list[Statement],
    names: Names,
    closures: Closures,
    ordered: list[str],
) -> tuple[list[ast.stmt], Plan | None, ast.arguments]:
    emitter = ForwardEmitter(names, closures.captures)
    emitter.generator = bool(source.code.co_flags & GENERATOR)
    varying = [n for n, v in zip(ordered, form.parameters, strict=True) if v]
    inner = {*varying, *(form.captured or ()), form.itself}
    constants = [n for n in (*ordered, *f.__code__.co_freevars) if n not in inner]
    statements = emitter.emit(lowered, varying, form.captured, form.itself, constants, source.node)
    arguments = without_defaults(source.node.args)
    arguments.posonlyargs.insert(0, ast.arg(emitter.tangents))
    return statements, None, arguments


def _compile(
    f: FunctionType,
    form: Form,
    source: Source,
    statements: list[ast.stmt],
    arguments: ast.arguments,
    names: Names,
    backward: Plan | None,
) -> Program:
    name = f.__name__ if f.__name__.isidentifier() else "function"
    helpers = dict(names.bound)
    maker = None
    if backward is not None:
        maker = Maker(
            backward, f"{name}_pullback", functools.partial(compiled, name=name, users=backward.filename)
        )
    inner = ast.FunctionDef(OWN_NAME, arguments, statements, [], None, **type_params())
    place(inner, source.node)
    module = in_scope(inner, source.class_name, [*f.__code__.co_freevars, *helpers])
    code = compile_function(module, source.code)
    code = code.replace(co_name=f.__name__, co_qualname=f.__code__.co_qualname)
    is_program(code)
    inner.name = name
    remember(code, lambda: inner, maker.settle if maker is not None else lambda: None)
    HELPERS_OF[code] = (HELPERS_OF.get(f.__code__) or frozenset[str]()).union(helpers)
    ORIGINS[code] = ORIGINS.get(f.__code__) or weakref.ref(f.__code__)
    cells = {
        n: maker.cell if maker and type(v) is ReverseEmitter else CellType(v) for n, v in helpers.items()
    }
    names.bound.clear()  # for the text of the pullback it matters only which names are taken
    return Program(form, code, cells, inner, maker)


class ReverseProgram:
    """A program in reverse, for one form of call: the answers it gives are those for the call's values."""

    def __init__(self, f: FunctionType, form: Form, picks: tuple[Any, ...] | None) -> None:
        self.form = form
        self.picks = picks
        self.made: Program | None = None

    def run(self, f: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
        """Value and pullback, which answers for the values of the call."""
        y, back = self.start(f, args, kwargs)
        return (y, back) if self.picks is None else (y, Placed(back, self.picks))

    def start(self, f: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
        """Value and pullback, which answers for the parameters."""
        form, made = form_for(self.form, f, args, kwargs), self.made
        if form is not self.form:
            made = program(f, form, args)
        elif made is None:
            made = self.made = program(f, form, args)
        try:
            answer = made.bind(f)(*args, **kwargs)
        except Stale:
            return self.anew(f, form)(*args, **kwargs)  # type: ignore[no-any-return]  # a pair
        if not made.code.co_flags & GENERATOR:
            return answer  # type: ignore[no-any-return]  # a pair
        stream = Stream(answer, lambda: self.anew(f, form)(*args, **kwargs), args)
        return stream, Run(stream, answers_of(self.form))

    def anew(self, f: FunctionType, form: Form) -> Callable[..., Any]:
        """The program made again, since what it took for known is no longer so."""
        forget(f, form)
        self.made = None
        return program(f, form).bind(f)


def lent_program(
    f: FunctionType,
    count: int,
    keywords: tuple[str, ...],
    needs: tuple[bool, ...],
    lent: tuple[int, ...],
    closure: bool,
    later: frozenset[int] = frozenset(),
) -> ReverseProgram:
    """The reverse program of a call that hands over the values at the places `lent` for writing.

    It returns those objects after the value. `later`: the values that the caller may change after the
    call, −1 for what f captured.
    """
    order = lent_slots(f, count, keywords, lent)
    unsettled = unsettled_slots(f, count, keywords, later)
    if closure:
        return program_for(f, count, keywords, needs, closure, order, unsettled)
    known = _lending.get(f.__code__)
    if known is None:
        known = _lending[f.__code__] = {}
    key = needs, keywords, count, order, unsettled
    made = known.get(key)
    if made is None:
        made = known[key] = program_for(f, count, keywords, needs, closure, order, unsettled)
    return made


_lending: ByCode[dict[Any, ReverseProgram]] = emptied(ByCode())


def program_for(
    f: FunctionType,
    count: int,
    keywords: tuple[str, ...],
    needs: tuple[bool, ...],
    closure: bool,
    lent: tuple[Any, ...] = (),
    unsettled: tuple[int, ...] = (),
) -> ReverseProgram:
    """The reverse program for one form of call of f."""
    slots = slots_of(f, count, keywords)
    total = parameter_count(f)
    mask = [False] * total
    if len(slots) == count + len(keywords):
        for (slot, _), needed in zip(slots, needs, strict=True):
            mask[slot] |= needed
    form = form_of(f, "reverse", tuple(mask), closure, lent, unsettled)
    offset = form.captured is not None
    direct = slots == [(i, None) for i in range(total)]
    picks = ((0, None),) * offset + tuple((slot + offset, key) for slot, key in slots)
    return ReverseProgram(f, form, None if direct else picks)
