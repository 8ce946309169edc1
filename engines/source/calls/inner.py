"""A call inside a program, as the one Python function that it runs.

Differentiating a program again meets calls that are not plain Python: call sites, pullbacks that
are objects, the operators' calls of the engine. Each runs one Python function in the end, an
author's rule or another program, with values that stand somewhere among the operands of the call;
that function is what gets transformed. `Inner` says which function, where its arguments stand, and
how what it returns becomes what the call returns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from ....core.seeds import ready
from ....tangents import ZERO, Composite, add, is_zero, primal_type
from ..analysis.forms import Lent, lent_slots, unsettled_slots
from ..analysis.writers import HELPERS_OF
from ..emitting.programs import program, program_for
from ..memory.aliased_arguments import form_for
from ..values.answers import Between, Placed
from ..values.streams import started
from ..values.structures import field_tangent, object_tangent

Values = tuple[Any, ...]
Path = tuple[Any, ...]
"""Where a value stands: the operand, then keys into it; a `Seeding` on the way is a linear map."""


class Seeding:
    """A step of a path from a seed to what a pullback makes of it."""

    __slots__ = ("pullback", "seeded")

    def __init__(self, pullback: Any, seeded: Any) -> None:
        self.pullback = pullback
        self.seeded = seeded


class Field(str):
    """A step of a path, or a key of a place, to a field of an object."""

    __slots__ = ()


def _same(tangent: Any, result: Any) -> Any:
    return tangent


@dataclass(frozen=True)
class Inner:
    """One call: `operands` are what it is given, `function(*args, **kwargs)` is what it runs.

    `places` holds for each argument its path; a list or dict of places where it is a tuple or dict of
    values; None where it is no operand. `callee` is the path of what
    has the function's captured cells. `finish` makes the call's value of the function's result;
    `tangent` and `cotangent` do so for a tangent of the result, and back for a cotangent of the value.
    `unsettled`: what the function is given may change later. `lent`: the arguments that it changes,
    which come after what it returns.
    """

    operands: Values
    function: FunctionType
    args: Values
    kwargs: dict[str, Any]
    places: tuple[Any, ...]
    finish: Callable[[Any], Any]
    callee: Path | None = None
    tangent: Callable[[Any, Any], Any] = _same
    cotangent: Callable[[Any, Any], Any] = _same
    unsettled: bool = False
    lent: tuple[int, ...] = ()

    def then(self, wrap: Callable[[Any], Any]) -> Inner:
        """The same with the second part of its value wrapped."""

        def finish(result: Any) -> Any:
            y, second = self.finish(result)
            return y, wrap(second)

        return replace(self, finish=finish)

    def among(self, operands: Values, paths: tuple[Path | None, ...]) -> Inner:
        """The same with its operands found at these paths of the operands of another call."""

        def moved(place: Any) -> Any:
            if isinstance(place, list):
                return [moved(p) for p in place]
            if isinstance(place, dict):
                return {key: moved(p) for key, p in place.items()}
            at = None if place is None else paths[place[0]]
            return None if at is None else (*at, *place[1:])

        return replace(
            self, operands=operands, places=tuple(map(moved, self.places)), callee=moved(self.callee)
        )

    def mask(self, needs: tuple[bool, ...]) -> tuple[bool, ...]:
        """Which of the function's arguments vary, from which operands do."""
        return tuple(any(needs[p[0]] for _, p in leaves(place)) for place in self.places)

    def tangents(self, moving: Values) -> Values:
        """The tangents of the function's arguments, from those of the operands."""
        return tuple(placed(moving, place) for place in self.places)

    def lent_slots(self) -> tuple[Lent, ...]:
        """The parameters of the function whose objects it changes."""
        return lent_slots(self.function, len(self.args), tuple(self.kwargs), self.lent, told=True)

    def in_reverse(self, needs: tuple[bool, ...], unsettled: bool) -> Inner:
        """The call differentiated: it returns `(its value, pullback to its operands)`.

        A rule's own function may return what it is given, so that it gets no copies.
        """
        closure = self.callee is not None and needs[self.callee[0]]
        count, keywords = len(self.args), tuple(self.kwargs)
        later = frozenset[int]()
        if (unsettled or self.unsettled) and self.function.__code__ in HELPERS_OF:
            later = frozenset(range(-1, count + len(keywords)))
        slots = unsettled_slots(self.function, count, keywords, later)
        lent = self.lent_slots()
        made = program_for(self.function, count, keywords, self.mask(needs), closure, lent, slots)
        form = form_for(made.form, self.function, self.args, self.kwargs)
        bound = program(self.function, form, self.args).bind(self.function)
        picks = _picks(self.places, closure, self.callee)

        def finish(result: Any) -> Any:
            raw, back = started(result, form)
            back = back if made.picks is None else Placed(back, made.picks)
            return self.finish(raw), Operands(Lifted(back, self, raw), picks, self.operands)

        def tangent(t: Any, result: Any) -> Any:
            return t if is_zero(t) else Composite[tuple](self.tangent(t[0], result[0]), t[1])

        def cotangent(t: Any, result: Any) -> Any:
            return t if is_zero(t) else Composite[tuple](self.cotangent(t[0], result[0]), t[1])

        assert isinstance(bound, FunctionType)
        return replace(self, function=bound, finish=finish, tangent=tangent, cotangent=cotangent, lent=())


def _picks(places: tuple[Any, ...], closure: bool, callee: Path | None) -> list[tuple[int, Any]]:
    """For each answer of the function's pullback that is wanted, its place among the operands."""
    picks: list[tuple[int, Any]] = [(0, callee)] if closure and callee is not None else []
    return picks + [(slot, p) for slot, p in enumerate(places, start=int(closure)) if p is not None]


def leaves(place: Any, keys: Path = ()) -> list[tuple[Path, Path]]:
    """The paths that a place holds, each with the keys under which it holds them."""
    if isinstance(place, list):
        return [found for key, p in enumerate(place) for found in leaves(p, (*keys, key))]
    if isinstance(place, dict):
        return [found for key, p in place.items() for found in leaves(p, (*keys, key))]
    return [] if place is None else [(keys, place)]


def placed(tangents: Any, place: Any) -> Any:
    """What stands at a place: a composite where it holds several."""
    if isinstance(place, list):
        return Composite[tuple](*(placed(tangents, p) for p in place))
    if isinstance(place, dict):
        return Composite[dict]({key: placed(tangents, p) for key, p in place.items()})
    return walk(tangents, place)


def walk(tangents: Any, path: Path | None) -> Any:
    """The tangent at a path, from those of the operands."""
    if path is None:
        return ZERO
    t = tangents[path[0]]
    for key in path[1:]:
        if not is_zero(t):
            t = _stepped(t, key)
    return t


def _stepped(t: Any, key: Any) -> Any:
    if type(key) is Field:
        return field_tangent(t, key)
    return key.pullback.seed(t) if type(key) is Seeding else ready(t)[key]


class Lifted(Between):
    """The pullback of an inner call's function, with seeds that are cotangents of the call's value."""

    __slots__ = ("inner", "result")

    def __init__(self, back: Any, inner: Inner, result: Any) -> None:
        super().__init__(back)
        self.inner = inner
        self.result = result

    def seed(self, y_bar: Any) -> Any:
        return self.inner.cotangent(y_bar, self.result)

    def seed_adjoint(self, t: Any) -> Any:
        return self.inner.tangent(t, self.result)


class Operands(Between):
    """Answers for the operands of a call, from those for the arguments of the function that it ran."""

    __slots__ = ("operands", "picks")

    def __init__(self, back: Any, picks: list[tuple[int, Any]], operands: Values) -> None:
        super().__init__(back)
        self.picks = picks
        self.operands = operands

    def arrange(self, answers: Values) -> Values:
        entries: list[list[tuple[Path, Any]]] = [[] for _ in self.operands]
        for slot, place in self.picks:
            for keys, path in leaves(place):
                answer = walk(answers, (slot, *keys))
                if not is_zero(answer):
                    entries[path[0]].append((path[1:], answer))
        return tuple(assemble(like, found) for like, found in zip(self.operands, entries, strict=True))

    def transpose(self, seeds: Values, answers: Values) -> Any:
        taken: list[Any] = [ZERO] * len(answers)
        for slot, place in self.picks:
            taken[slot] = add(taken[slot], placed(seeds, place))
        return Composite[tuple](*taken)


def assemble(like: Any, entries: list[tuple[Path, Any]]) -> Any:
    """The cotangent of one operand, from those of the values in it."""
    total: Any = ZERO
    inside: dict[Any, list[tuple[Path, Any]]] = {}
    for path, answer in entries:
        if path:
            inside.setdefault(path[0], []).append((path[1:], answer))
        else:
            total = add(total, answer)
    for step in [key for key in inside if type(key) is Seeding]:
        seeded = assemble(step.seeded, inside.pop(step))
        total = total if is_zero(seeded) else add(total, step.pullback.seed_adjoint(seeded))
    if not inside or is_zero(like):  # a tangent that is zero depends on nothing
        return total
    P = primal_type(like) if isinstance(like, Composite) else type(like)
    if type(next(iter(inside))) is Field:
        fields = {name: assemble(getattr(like, name), found) for name, found in inside.items()}
        return add(total, object_tangent(P, tuple(fields), *fields.values()))
    if issubclass(P, dict):
        return add(total, Composite[dict]({k: assemble(like[k], found) for k, found in inside.items()}))
    parts = (assemble(value, inside.get(i, [])) for i, value in enumerate(like))
    return add(total, Composite[tuple](*parts))
