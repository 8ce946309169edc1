"""Lending: calls that may change what they are given.

Such a call returns, after its value, the objects that it was handed over for writing: `y, a = f(a)`.
So it is an ordinary function of values, and its pullback takes the cotangents of what the operands
hold after the call together with that of the value. A Python function is transformed in that form;
a rule with `mutates=` answers for what it changes; other calls change nothing, and what they were
given passes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....core.callables import Attribute, call_operator, unbind
from ....core.changes import functional
from ....core.errors import AliasedMutationError
from ....core.installed import is_followed
from ....core.recording import runs_by_rule
from ....core.registry import rules_of
from ....tangents import ZERO, add
from ....tangents.slots import Kind, join, split_plain
from ....tangents.structure import fields
from ..analysis.changing import holds_changer, unchanging_all
from ..analysis.effects_of import changes_captured
from ..analysis.forms import captured_lent
from ..emitting.programs import lent_program
from ..memory.copying import partial_now, with_copies
from ..reading.callers import caller_of
from ..reading.computed import computed, getter_of
from ..reading.opaque import may_carry
from ..syntax.scopes import GENERATOR
from ..syntax.site import Site, is_of_programs
from ..syntax.where import call_chain, show_chain
from ..values import protocols
from ..values.aliases import overlap, refreshed_rrule
from ..values.answers import Between, BoundAnswers, Placed
from ..values.reaching import changeable
from ..values.streams import bounded
from ..values.structures import is_field, parts_of, tuple_tangent
from . import resolution
from .changed_arguments import OfFunction, OfMethod, Seen
from .states import mutated, rule_that_writes
from .streaming import reads_later

Values = tuple[Any, ...]


def is_pullback(f: Any) -> bool:
    """Whether f is a pullback that is an object; it changes nothing that it is given (see nested.py)."""
    return isinstance(f, resolution.nested_pullback[0])


def written_operands(site: Site, count: int, kwargs: Mapping[str, Any]) -> tuple[int, ...]:
    """The operands that a call may change, counted as values: `count` positional ones, then keywords."""
    before = site.callee != "plain"
    return tuple(
        i if i < before else before + site.layout.place(i - before, count, kwargs) for i in site.writes
    )


class Target:
    """What a call runs: a function, its positional values, and where the call's operands are in them.

    `shift` is the place of the first operand among the values: −1 for a callee that is none of them.
    """

    __slots__ = ("bound", "closure", "count", "f", "name", "owner", "shift", "unbound", "values")

    def __init__(self, site: Site, f: Any, name: str, args: Values, words: Iterable[Any] = ()) -> None:
        self.f, self.values, self.shift = f, args, 0 if site.callee == "plain" else -1
        self.count, self.owner, self.name = len(args), f, name
        self.closure = self.bound = self.unbound = False
        if site.callee == "method":
            kind = protocols.kind_of_member(type(f), name)
            if kind == "method" and name not in getattr(f, "__dict__", ()):
                self.f, self.values, self.shift = getattr(type(f), name), (f, *args), 0
            elif protocols.is_computed(f, name):
                self.f, self.values, self.shift = protocols.called_by(name), (f, *args), 0
            else:
                self.f = getattr(f, name)
        elif found := unbind(f):
            self.f, self.values = found[0], (found[1], *args)
            self.shift += 1
            self.unbound, self.bound = True, site.callee == "closure"
        elif site.writes and (call := call_operator(f)) and rules_of(f) is None and not is_pullback(f):
            self.f, self.values = call, (f, *args)
            self.shift += 1
        else:
            self.closure = site.callee == "closure"
            if site.writes and (written := caller_of(f)) and any(map(holds_changer, (*args, *words))):
                self.f = written

    def picks(self, count: int) -> Values | None:
        """For each operand its answer among those for `count` values; None where they are the same."""
        if self.shift == 1:
            return tuple((i, None) for i in range(1, count))
        if self.shift == -1 and not self.closure:
            return (ZERO, *((i, None) for i in range(count)))
        return None

    def places(self, site: Site, kwargs: Mapping[str, Any]) -> tuple[int, ...]:
        """Where the operands that may change stand among the values."""
        return tuple(i + self.shift for i in written_operands(site, self.count, kwargs))

    def later(self, site: Site) -> frozenset[int]:
        """The values that the caller may change after the call, −1 for what the function captured."""
        found = frozenset(i + self.shift for i, shared in enumerate(site.shared) if shared)
        if found and not site.layout.direct:
            found = frozenset(range(len(self.values) + len(site.keywords)))
        return found | ({-1} if site.unsettled else set())

    def check(self, site: Site, kwargs: Mapping[str, Any]) -> Values:
        """What a generator reads and the caller's caller may change; refused where the caller may."""
        return reads_later(self.f, self.values, kwargs, self.later(site), site.steady)


def call_in_reverse(
    site: Site, f: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> tuple[Any, Any]:
    """A call whose operands may change, now or later; with those that may now after its value."""
    if f is computed:
        if getter := getter_of(*args):
            y, back = call_in_reverse(site.first, getter, "", args[:1], {}, needs[:1])
            before = (ZERO,) * (site.callee != "plain")
            return y, Placed(back, (*before, (0, None), ZERO))
        f = getattr
    later = site.unsettled or (site.callee != "plain" and site.shared[:1] == (True,))
    if later and isinstance(f, functools.partial) and isinstance(f.func, FunctionType):
        f = partial_now(f)
        y, back = _run(site, f, name, args, kwargs, needs)
        if overlap(y[0] if site.writes else y, (f.args, f.keywords)):
            raise AliasedMutationError(
                "what a partial holds is given back by calling it, and may be changed in place",
                where=show_chain(call_chain()),
                next="call the function itself",
            )
        return y, back
    return _run(site, f, name, args, kwargs, needs)


def _run(site: Site, f: Any, name: str, args: Values, kwargs: dict[str, Any], needs: Any) -> tuple[Any, Any]:
    if site.callee == "method" and 0 in site.writes and is_field(f, name):
        return field_in_reverse(site, f, name, args, kwargs, needs)
    target = Target(site, f, name, args, kwargs.values())
    reads = target.check(site, kwargs)
    y, back = _called(target, site, f, name, args, kwargs, needs)
    return bounded(y, reads), back


def _called(target: Target, site: Site, f: Any, name: str, args: Values, kwargs: Any, needs: Any) -> Any:
    wanted = (site.callee != "plain",) * (len(target.values) - len(args)) + needs
    held = site.callee == "method" and target.shift < 0 and not site.writes  # by a field, and varies with it
    answer = None if held else written_in_reverse(target, site, kwargs, wanted)
    if answer is not None:
        y, back = answer
        picks = target.picks(len(wanted))
        if target.bound:
            back = BoundAnswers(back)
            if 0 in site.writes:
                view = OfMethod(f, len(site.writes))
                y, back = view.value(y), Seen(back, view)
        return y, back if picks is None else Placed(back, picks)
    operands = (*(() if site.callee == "plain" else (f,)), *args, *kwargs.values())
    places = written_operands(site, len(args), kwargs)
    if site.writes:
        unchanging_all(target.f, (*args, *kwargs.values()))
        f, args, kwargs = _unwritten(site, f, name, args, kwargs, places)
    called = {
        "plain": resolution.plain_in_reverse,
        "closure": resolution.closure_in_reverse,
        "method": resolution.method_in_reverse,
    }[site.callee]
    y, back = resolution.before_changes(called, f, name, args, kwargs, needs)
    if not site.writes:
        return y, back
    return (y, *(operands[i] for i in places)), passing(back, places)


def _unwritten(
    site: Site, f: Any, name: str, args: Values, kwargs: dict[str, Any], places: tuple[int, ...]
) -> tuple[Any, Values, dict[str, Any]]:
    """The callee and arguments of a call that changes nothing, copies of those that it might have changed."""
    every = (*args, *kwargs.values())
    if not any(site.shared):
        return f, args, kwargs
    which = [i in places for i in range(len(every) + (site.callee != "plain"))]
    f, every = with_copies(site, f, name, every, which)
    return f, every[: len(args)], dict(zip(kwargs, every[len(args) :], strict=True))


def field_in_reverse(
    site: Site, owner: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> tuple[Any, Any]:
    """`owner.f(…)` of a field that the call may change: the field is called, and changes its owner."""
    called, held = replace(site, callee="closure"), getattr(owner, name)
    y, back = call_in_reverse(called, held, "", args, kwargs, needs)
    kind, count = Kind("object", type(owner)), len(site.writes)
    after = refreshed_rrule(owner, held)[1] if holds_twice(owner, name, held) else None

    def field_pullback(seeds: Any) -> Values:
        y_bar, owner_bar, *others = parts_of(seeds, 1 + count)
        rest, state = split_plain(owner_bar, name, kind) if after is None else after(owner_bar)
        member, *answers = back(tuple_tangent(y_bar, state, *others))
        return (join(rest, name, member, kind), *answers)

    return (y[0], owner, *y[2:]), field_pullback


def holds_twice(owner: Any, name: str, held: Any) -> bool:
    """Whether an object has what its field holds, or a part of that, elsewhere as well."""
    return any(overlap(v, held) for n, v in fields(owner).items() if n != name)


def passing(back: Any, places: tuple[int, ...]) -> Any:
    """The pullback of a call that changes nothing: the states pass to the operands as they are."""

    def passing_pullback(seeds: Any) -> Any:
        y_bar, *states = parts_of(seeds, 1 + len(places))
        answers = list(back(y_bar))
        for i, state in zip(places, states, strict=True):
            answers[i] = add(answers[i], state)
        return tuple(answers)

    return passing_pullback


def written_in_reverse(
    target: Target, site: Site, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> tuple[Any, Any] | None:
    """A call that may change its values, by a function or a rule that says so; else None."""
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if is_of_programs(f):
        return None
    if type(f) is FunctionType and rules_of(f) is None:
        if changes_nothing(f, values, places):
            return None
        return lent_in_reverse(f, values, kwargs, needs, places, target.closure, target.later(site))
    if isinstance(f, Attribute) or not places:
        return None
    if isinstance(f, type):
        return resolution.construct_lent(f, values, kwargs, needs, places)  # type: ignore[no-any-return]  # a pair
    changed = functional(f, values, kwargs) if 0 in places else None
    if changed is not None:
        y, back = resolution.resolve(changed, values, kwargs, needs)(*values, **kwargs)
        return (y, back) if places == (0,) else with_more(y, back, (*values, *kwargs.values()), places)
    rule = rule_that_writes(f, values, kwargs, needs)
    return None if rule is None else mutated(f, rule, values, kwargs, places)


def changes_nothing(f: FunctionType, values: Values, places: tuple[int, ...]) -> bool:
    """Whether another function is differentiated in its place, or it is a generator that only counts.

    That is one that was given numbers where it would change an array, as in `n -= 1`. Nor does an installed
    package's function change values that carry nothing.
    """
    if f.__code__ in resolution.INSTEAD or runs_by_rule(f) or not (is_followed(f) or may_carry(values)):
        return True
    given = [values[i] for i in places if 0 <= i < len(values)]
    return (
        bool(f.__code__.co_flags & GENERATOR)
        and len(given) == len(places)
        and not any(map(changeable, given))
    )


def with_more(y: Any, back: Any, values: Values, places: tuple[int, ...]) -> tuple[Any, Any]:
    """A call that changes its first value, as one that may have changed those at these places."""

    def first_pullback(seeds: Any) -> Values:
        y_bar, *states = parts_of(seeds, 1 + len(places))
        after = dict(zip(places, states, strict=True))
        answers = list(back(tuple_tangent(y_bar, after.pop(0))))
        for i, state in after.items():
            answers[i] = add(answers[i], state)
        return tuple(answers)

    return (y[0], *(values[i] for i in places)), first_pullback


def lent_in_reverse(
    f: FunctionType,
    values: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    lent: tuple[int, ...],
    closure: bool = False,
    later: frozenset[int] = frozenset(),
) -> tuple[Any, Any]:
    """A call of a Python function that may change its values at the places `lent`, −1 for itself."""
    itself = lent[:1] == (-1,)
    unchanged = itself and stays_as_it_is(f, values, lent)
    made = lent_program(f, len(values), tuple(kwargs), needs, lent[unchanged:], closure, later)
    y, back = made.run(f, values, kwargs)
    if unchanged:
        y = y if len(lent) > 1 else (y,)
        return (y[0], f, *y[1:]), OfUnchanged(back, len(lent) - 1)
    if not itself:
        return y, back
    view = OfFunction(f, tuple(captured_lent(made.form)), len(lent) - 1)
    return view.value(y), Seen(back, view)


def stays_as_it_is(f: FunctionType, values: Values, lent: tuple[int, ...]) -> bool:
    """Whether f is the same after it was called: it changes nothing that it captured, by whatever name."""
    return not changes_captured(f) and not any(overlap(f, values[i]) for i in lent if 0 <= i < len(values))


class OfUnchanged(Between):
    """The same of a function that changes nothing that it captured: its state passes to itself."""

    __slots__ = ("others",)

    def __init__(self, back: Any, others: int) -> None:
        super().__init__(back)
        self.others = others

    def __call__(self, seeds: Any) -> Any:
        y, f, *others = parts_of(seeds, 2 + self.others)
        answers = self.back(tuple_tangent(y, *others) if others else y)
        return (add(answers[0], f), *answers[1:])


class Made(Between):
    """The pullback of a function `made, …` seen as one of `made` alone: its answers but the first.

    The function is a method that changes its object, and the object is what the call is worth.
    """

    __slots__ = ("count",)

    def __init__(self, back: Any, count: int) -> None:
        super().__init__(back)
        self.count = count  # of the answers to leave out

    def seed(self, y_bar: Any) -> Any:
        return tuple_tangent(ZERO, y_bar)

    def seed_adjoint(self, t: Any) -> Any:
        return parts_of(t, 2)[1]

    def arrange(self, answers: Values) -> Values:
        return answers[self.count :]

    def transpose(self, seeds: Values, answers: Values) -> Any:
        return tuple_tangent(*(ZERO,) * self.count, *seeds)
