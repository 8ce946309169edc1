"""The boundary of an operator: what goes in is checked, what comes out is what a user computes with.

A gradient comes back with thunks forced, in its argument's space (a float for a float, float32 for
float32), zeros filled in. One that is mostly zeros becomes a scipy.sparse array only where the
argument has `LARGE` entries or more, so that small programs always see ndarrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.apply import as_tangent
from ..core.callables import describe, name_of
from ..core.decorators import frule, non_differentiable, rrule
from ..core.errors import (
    NonScalarOutputError,
    NoRuleError,
    NotDifferentiableError,
    ShapeMismatch,
    UnsupportedArgument,
)
from ..core.installed import array_advice
from ..core.recording import by_rule, is_recording, recorder
from ..core.types import is_foreign
from ..tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    ItemTangent,
    NotImplementedTangent,
    fields_of,
    is_zero,
    map_fields,
    materialize,
    primal_type,
    project_to,
    to_coo,
    unthunk,
    zero_tangent,
)
from ..tangents.canonical import in_fields
from ..tangents.composite import from_fields
from ..tangents.declared import canonical_of
from ..tangents.sparse import storable
from ..tangents.structure import named_parts, parts
from ..types.conditions import refuse
from .plain import plain

_CANONICAL = (None, "canonical")
"""The forms in which a type whose author declared its tangents has them so."""

LARGE = 1_000_000
"""From this many entries on, a gradient that is mostly zeros comes back as a scipy.sparse array."""

FORMS = (None, "raw", "dense", "sparse", "plain", "canonical")


@by_rule
def chosen(
    f: Callable[..., Any], argnums: int | tuple[int, ...], x: tuple[Any, ...], form: str | None
) -> tuple[bool, ...]:
    """Which arguments a gradient is wanted for; refused where one has no derivative."""
    if form not in FORMS:
        raise UnsupportedArgument("grad", "form", form, supported=FORMS)
    wanted = positions_of("grad", f, argnums, len(x))
    for i in wanted:
        refuse(x[i], f, i)
        if not _plain(x[i]):
            zero, said = zero_tangent(x[i]), array_advice(x[i])
            if zero is NO_TANGENT or (said and isinstance(zero, Composite)):
                raise NotDifferentiableError(
                    f"argument {i} of {name_of(f)} is a {type(x[i]).__name__}, which has no derivative",
                    next=said or "choose other arguments with argnums=",
                )
    return tuple([i in wanted for i in range(len(x))])


def _plain(x: Any) -> bool:
    """Whether x is what most arguments are: a float, or an array of real or complex floats."""
    return type(x) is float or (type(x) is np.ndarray and x.dtype.kind in "fc")


def _fits(x_bar: Any, x: Any) -> bool:
    """Whether a cotangent of such an argument is as it should be."""
    if type(x) is float:
        return type(x_bar) is float
    return _plain(x) and type(x_bar) is np.ndarray and x_bar.dtype is x.dtype and x_bar.shape == x.shape


def positions_of(name: str, f: Callable[..., Any], argnums: Any, count: int) -> tuple[int, ...]:
    """The arguments that argnums names, counted from the left; what is no such number is refused."""
    if type(argnums) is int and 0 <= argnums < count:
        return (argnums,)
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    for i in chosen:
        if isinstance(i, bool) or not isinstance(i, int | np.integer):
            raise UnsupportedArgument(
                name,
                "argnums",
                argnums,
                why="arguments are counted from 0",
                next="give a whole number or a tuple of them; an argument by keyword counts as a constant",
            )
        if not -count <= i < count:
            raise UnsupportedArgument(
                name,
                "argnums",
                argnums,
                why=f"{name_of(f)} was called with {count} positional arguments",
                next="give the arguments to differentiate by position, and choose among them",
            )
    return tuple(int(i) % count for i in chosen)


@by_rule
def seed_for(f: Callable[..., Any], y: Any, has_aux: bool) -> Any:
    """The seed 1 of a real scalar value, in its precision, or of a zero tangent; anything else is refused."""
    if has_aux:
        return seed_of(seed_for(f, value_part(f, y, True), False), True)
    if type(y) is float or type(y) is int or y is ZERO:  # the zero of numbers too
        return 1.0
    if isinstance(y, np.floating):
        return type(y)(1)
    if is_foreign(y) and y.dtype.kind in "iuf" and not y.ndim:
        return np.ones_like(y, dtype=y.dtype if y.dtype.kind == "f" else np.float64)
    if isinstance(y, np.integer) or (isinstance(y, np.ndarray) and y.dtype.kind in "iuf" and not y.ndim):
        return np.ones_like(y, dtype=y.dtype if y.dtype.kind == "f" else np.float64)[()]
    remedy = "return one real number, as with np.sum, or use vjp with a seed"
    if isinstance(y, complex | np.complexfloating):
        remedy = "return one real number, such as abs(y) or y.real, or use vjp with a seed"
    raise NonScalarOutputError(
        f"the gradient of {name_of(f)}, whose value is {describe(y)}, is not defined", next=remedy
    )


def value_part(f: Callable[..., Any], y: Any, has_aux: bool) -> Any:
    """What of f's result is differentiated: with has_aux the first of a pair."""
    if not has_aux:
        return y
    if not isinstance(y, tuple) or len(y) != 2:
        raise NonScalarOutputError(
            f"{name_of(f)} returned {describe(y)}, not (value, aux)",
            next="return a pair, or leave out has_aux",
        )
    return y[0]


def seed_of(y_bar: Any, has_aux: bool) -> Any:
    """The seed of f's result, from that of its value."""
    return Composite[tuple](y_bar, ZERO) if has_aux else y_bar


@by_rule
def finished(
    x: tuple[Any, ...], cotangents: tuple[Any, ...], argnums: int | tuple[int, ...], form: str | None
) -> Any:
    """The gradients of the chosen arguments, in the form the user wants."""
    if not isinstance(argnums, tuple | list):
        gradient = owned(presented(x[argnums], cotangents[argnums], form), x)
        return plain(x[argnums], gradient) if form == "plain" else gradient
    gradients: tuple[Any, ...] = ()
    for i in argnums:
        gradients = (*gradients, presented(x[i], cotangents[i], form))
    gradients = owned(gradients, x)
    if form == "plain":
        gradients = tuple([plain(x[i], g) for i, g in zip(argnums, gradients, strict=True)])
    return gradients


@by_rule
def presented(x: Any, x_bar: Any, form: str | None) -> Any:
    """One cotangent as a user computes with it."""
    if form is None and _fits(x_bar, x):
        return x_bar
    t = unthunk(x_bar)
    _refuse_missing(t)
    if form == "raw":
        return t
    return _shown(x, project_to(x)(in_fields(t, x)), form)


def owned(gradients: Any, x: Any) -> Any:
    """The gradients, each array the user's own: writable, its memory shared with no other and no argument."""
    if type(gradients) is float:
        return gradients
    if type(gradients) is np.ndarray and gradients.base is None and gradients.flags.writeable:
        return gradients.copy() if any(_memory(a) is gradients for a in x) else gradients
    return _owned(gradients, {id(_memory(a)) for a in x if type(a) is np.ndarray})


def _owned(t: Any, taken: set[int]) -> Any:
    if type(t) is np.ndarray:
        memory = id(_memory(t))
        if t.flags.writeable and memory not in taken:
            taken.add(memory)
            return t
        return t.copy()
    if type(t) is tuple:
        return tuple(_owned(part, taken) for part in t)
    if isinstance(t, Composite):
        return map_fields(lambda part: _owned(part, taken), t)
    declared = canonical_of(type(t))
    if declared is None:
        return t
    return declared.present(
        {name: _owned(getattr(t, name), taken) for name in declared.names}
    )  # its own tangent


def _memory(a: Any) -> Any:
    """What owns the memory of an array."""
    while isinstance(a, np.ndarray) and a.base is not None:
        a = a.base
    return a


def _shown(x: Any, t: Any, form: str | None) -> Any:
    if is_zero(t):
        t = zero_tangent(x)
    if isinstance(t, IndexedTangent):
        large = form is None and np.size(x) >= LARGE and storable(t.shape, t.dtype)
        return to_coo(t) if large or (form == "sparse" and t.shape) else t.dense()
    if isinstance(t, ItemTangent):
        t = t.dense()
    if isinstance(t, Composite) and not isinstance(x, Composite):
        declared = canonical_of(primal_type(t)) if form in _CANONICAL else None
        inside = parts(x) if declared is None else named_parts(x)
        if inside is None:  # a function that captured nothing
            return t if _entries(t) else NO_TANGENT
        if isinstance(inside, dict):
            known = _entries(t)
            shown = {k: _shown(v, known.get(k, ZERO), form) for k, v in inside.items()}
            named = {k: v for k, v in shown.items() if v is not NO_TANGENT}
            return from_fields(primal_type(t), named) if declared is None else declared.present(named)
        return from_fields(primal_type(t), [_shown(v, s, form) for v, s in zip(inside, t, strict=True)])
    if form == "sparse" and isinstance(t, np.ndarray) and t.shape:
        coo = to_coo(IndexedTangent(t.shape, t.dtype, ..., t))
        coo.eliminate_zeros()
        return coo
    return materialize(t, like=x) if form == "dense" else t


def _entries(t: Any) -> dict[Any, Any]:
    return dict(fields_of(t))


def _refuse_missing(t: Any) -> None:
    if isinstance(t, Composite):
        inside = fields_of(t)
        for part in inside.values() if isinstance(inside, dict) else inside:
            _refuse_missing(part)
    if isinstance(t, NotImplementedTangent):
        raise NoRuleError(
            str(getattr(t, "why", t)), next="register a rule for it, or keep the value out of the program"
        )


@by_rule
def unit_tangent(f: Callable[..., Any], t: Any, rest: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tangent 1 of a real scalar argument, and zeros for the others."""
    if (
        isinstance(t, bool)
        or np.ndim(t)
        or not isinstance(t, int | float | np.floating | np.integer | np.ndarray)
    ):
        raise NotDifferentiableError(
            f"the derivative of {name_of(f)} is taken with respect to one real number, not {describe(t)}",
            next="use jvp with a tangent, or grad",
        )
    return (project_to(t)(1.0), *(ZERO for _ in rest))


@by_rule
def scalar_tangent(y: Any, dy: Any) -> Any:
    """The tangent of a value, zeros filled in, in the value's space."""
    return presented(y, dy, None)


@by_rule
def value_of(y: Any, y_bar: Any) -> Any:
    """A seed from the user in the space of the value."""
    if is_zero(y_bar):
        return y_bar
    try:
        return project_to(y)(as_tangent(y_bar))
    except ShapeMismatch as error:
        error.next = "give a tangent or cotangent of the same shape as what it belongs to"
        raise


@by_rule
def force_all(cotangents: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cotangents with thunks forced."""
    forced: tuple[Any, ...] = ()
    for t in cotangents:
        forced = (*forced, unthunk(t))
    return forced


non_differentiable(chosen, positions_of, why="checks arguments")
non_differentiable(seed_for, why="a constant")
non_differentiable(unit_tangent, why="a constant")
non_differentiable(is_recording, recorder, why="ask who records")


@frule(value_of)
def value_of_frule(tangents: Any, y: object, y_bar: object) -> Any:
    """linear in ȳ"""
    return value_of(y, y_bar), value_of(y, tangents[1])


@rrule(value_of)
def value_of_rrule(y: object, y_bar: object) -> Any:
    """The cotangent of ȳ is the seed, and y only says in which space"""

    def value_of_pullback(t: Any) -> Any:
        return ZERO, t

    return value_of(y, y_bar), value_of_pullback


@frule(owned)
def owned_frule(tangents: Any, gradients: object, x: object) -> Any:
    """a copy; x only says which memory is taken"""
    return owned(gradients, x), tangents[0]


@rrule(owned)
def owned_rrule(gradients: object, x: object) -> Any:
    """a copy; x only says which memory is taken"""

    def owned_pullback(y_bar: Any) -> Any:
        return y_bar, ZERO

    return owned(gradients, x), owned_pullback


@frule(presented)
def presented_frule(tangents: Any, x: object, x_bar: object, *, form: Any = None) -> Any:
    """ẏ = ẋ̄: a linear map in x̄"""
    return presented(x, x_bar, form), tangents[1]


@rrule(presented)
def presented_rrule(x: object, x_bar: object, *, form: Any = None) -> Any:
    """The cotangent of x̄ is ȳ, and x only says in which space"""

    def presented_pullback(y_bar: Any) -> Any:
        return ZERO, y_bar

    return presented(x, x_bar, form), presented_pullback
