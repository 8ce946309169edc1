"""Construction: calls of classes.

A NamedTuple or a dataclass puts each value into its field: the cotangent of a value is that of the
field. A class with an `__init__` written in Python makes an empty object and calls it: the object is
lent, and its cotangent after the call is that of the result. So is a dataclass with a `__post_init__`,
of whose `__init__` the source is told (generated.py).
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....core.installed import is_followed
from ....core.registry import rules_of
from ....tangents import ZERO, Composite, is_zero
from ..analysis.implicit_changes import refuse_unseen
from ..analysis.writers import INSTALLED
from ..reading.generated import generated_initialiser, is_generated
from ..values import partials
from ..values.structures import field_parts, object_tangent, parts_of, tuple_tangent
from . import forward_resolution, lending, lending_forward, resolution

Values = tuple[Any, ...]
Places = tuple[int, ...]
Words = dict[str, Any]


def constructor_fields(P: type, args: Values, kwargs: Words) -> tuple[str, ...] | None:
    """The field that each value of `P(*args, **kwargs)` goes into unchanged; None where P computes.

    That is so for NamedTuples and for dataclasses with a generated `__init__` and no `__post_init__`.
    """
    if P is types.SimpleNamespace and not args:
        return tuple(kwargs)
    if issubclass(P, tuple) and hasattr(P, "_fields"):
        names, generated = P._fields, is_generated(P.__new__)
        every = set(names)
    elif dataclasses.is_dataclass(P):
        init = getattr(P, "__init__", None)
        generated = is_generated(init) and not hasattr(P, "__post_init__")
        names = init.__code__.co_varnames[1 : init.__code__.co_argcount] if init and generated else ()
        every = {f.name for f in dataclasses.fields(P)}
    else:
        return None
    given = (*names[: len(args)], *kwargs)
    return given if generated and len(args) <= len(names) and every.issuperset(given) else None


def initialiser(P: type) -> FunctionType | None:
    """The `__init__` that a class is made by, where it is written in Python and nothing else makes it."""
    init = getattr(P, "__init__", None)
    made: Any = P.__new__
    plain = type(P) is type or type(P).__call__ is type.__call__
    if plain and made is object.__new__ and isinstance(init, FunctionType):
        refuse_unseen(P)
        if is_generated(init):
            return generated_initialiser(P) if is_followed(getattr(P, "__post_init__", init)) else None
        return init if is_followed(init) else None
    return None


def makes_by_code(P: type) -> bool:
    """Whether a class makes its objects by a method written in Python."""
    return constructor_fields(P, (), {}) is None and initialiser(P) is not None


def in_reverse(P: type, args: Values, kwargs: Words, needs: tuple[bool, ...]) -> Callable[..., Any] | None:
    """How to call a class in reverse; None where it is not known how it makes its objects."""
    if P is functools.partial:
        return lambda *a, **k: partials.made_in_reverse(a, k)
    names = constructor_fields(P, args, kwargs)
    if names is not None:
        return lambda *a, **k: _fielded(P, names, a, k)
    init = initialiser(P)
    return None if init is None else lambda *a, **k: _initialised(P, init, a, k, needs)


def _fielded(P: type, names: tuple[str, ...], args: Values, kwargs: Words) -> tuple[Any, Any]:
    made = P(*args, **kwargs)

    def construct_pullback(y_bar: Any) -> Any:
        return field_parts(y_bar, P, names)

    return made, construct_pullback


def fielded_forward(
    tangents: Values, P: Any, names: tuple[str, ...], *args: Any, **kwargs: Any
) -> tuple[Any, Any]:
    """An object of a class that puts each value into its field, and its tangent."""
    return P(*args, **kwargs), object_tangent(P, names, *tangents)


def _initialised(P: Any, init: FunctionType, args: Values, kwargs: Words, needs: tuple[bool, ...]) -> Any:
    values = (P.__new__(P), *args)
    later = frozenset(range(len(values) + len(kwargs)))
    y, back = lending.lent_in_reverse(init, values, kwargs, (False, *needs), (0,), later=later)
    return y[1], lending.Made(back, 1)


def lending_initialiser(P: Any, args: Values, kwargs: Words) -> FunctionType | None:
    """The user's `__init__` that a class is made by, which may change what it is given."""
    if not isinstance(P, type) or rules_of(P) is not None or constructor_fields(P, args, kwargs) is not None:
        return None
    init = initialiser(P)
    return None if init is None or init.__code__.co_filename.startswith(INSTALLED) else init


class MadeOf(lending.Made):
    """The pullback of `made, *states`, where the initialiser changed some of what it was given."""

    __slots__ = ("parts",)

    def __init__(self, back: Any, parts: int) -> None:
        super().__init__(back, 1)
        self.parts = parts

    def seed(self, y_bar: Any) -> Any:
        return tuple_tangent(ZERO, *parts_of(y_bar, self.parts))

    def seed_adjoint(self, t: Any) -> Any:
        return tuple_tangent(*parts_of(t, 1 + self.parts)[1:])


def lent_in_reverse(P: Any, args: Values, kwargs: Words, needs: tuple[bool, ...], places: Places) -> Any:
    """An object and what its initialiser may have changed, at these places; None for other classes."""
    init = lending_initialiser(P, args, kwargs)
    if init is None:
        return None
    values, lent = (P.__new__(P), *args), (0, *(i + 1 for i in places))
    later = frozenset(range(len(values) + len(kwargs)))
    y, back = lending.lent_in_reverse(init, values, kwargs, (False, *needs), lent, later=later)
    return y[1:], MadeOf(back, len(lent))


def lent_forward(P: Any, args: Values, kwargs: Words, tangents: Values, places: Places) -> Any:
    """The same, forward."""
    init = lending_initialiser(P, args, kwargs)
    if init is None:
        return None
    values, lent = (P.__new__(P), *args), (0, *(i + 1 for i in places))
    answer = lending_forward.written_forward(init, values, kwargs, (ZERO, *tangents), lent, None)
    assert answer is not None
    return answer[0][1:], tuple_tangent(*parts_of(answer[1], 1 + len(lent))[1:])


def forward(P: Any, args: Values, kwargs: Words, tangents: Values) -> tuple[Any, Any] | None:
    """A call of a class forward; None where it is not known how it makes its objects."""
    if P is functools.partial:
        return partials.made_forward(args, kwargs, tangents)
    names = constructor_fields(P, args, kwargs)
    if names is not None:
        moving = {n: t for n, t in zip(names, tangents, strict=True) if not is_zero(t)}
        return P(*args, **kwargs), Composite[P](**moving)
    init = initialiser(P)
    if init is None:
        return None
    values, moved = (P.__new__(P), *args), (ZERO, *tangents)
    return _last(lending_forward.written_forward(init, values, kwargs, moved, (0,), None))


def _last(answer: Any) -> tuple[Any, Any]:
    """The object that a method changed, with its tangent."""
    y, dy = answer
    return y[1], parts_of(dy, 2)[1]


resolution.construct_in_reverse, resolution.construct_lent = in_reverse, lent_in_reverse
forward_resolution.construct_forward, forward_resolution.construct_lent = forward, lent_forward
