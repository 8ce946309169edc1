"""Construction: calls of classes.

A NamedTuple or a dataclass puts each value into its field: the cotangent of a value is that of the
field. A class with an `__init__` written in Python makes an empty object and calls it: the object is
lent, and its cotangent after the call is that of the result. A `__post_init__` is called in the same
way, on the object with its fields.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....core.installed import is_followed
from ....core.registry import rules_of
from ....tangents import ZERO, Composite, is_zero
from ..analysis.implicit_changes import refuse_unseen
from ..analysis.writers import INSTALLED
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
        names, generated = P._fields, _is_generated(P.__new__)
        every = set(names)
    elif dataclasses.is_dataclass(P):
        init = getattr(P, "__init__", None)
        generated = _is_generated(init) and not hasattr(P, "__post_init__")
        names = init.__code__.co_varnames[1 : init.__code__.co_argcount] if init and generated else ()
        every = {f.name for f in dataclasses.fields(P)}
    else:
        return None
    given = (*names[: len(args)], *kwargs)
    return given if generated and len(args) <= len(names) and every.issuperset(given) else None


def _is_generated(method: Any) -> bool:
    """Whether a method was written by `dataclasses` or `collections` rather than by a person."""
    return isinstance(method, FunctionType) and method.__code__.co_filename == "<string>"


def initialiser(P: type) -> FunctionType | None:
    """The `__init__` that a class is made by, where it is written in Python and nothing else makes it."""
    init = getattr(P, "__init__", None)
    made: Any = P.__new__
    plain = type(P) is type or type(P).__call__ is type.__call__
    if plain and made is object.__new__ and isinstance(init, FunctionType):
        refuse_unseen(P)
        return init if not _is_generated(init) and is_followed(init) else None
    return None


def post_initialiser(P: type) -> FunctionType | None:
    """The `__post_init__` of a dataclass."""
    post = getattr(P, "__post_init__", None)
    generated = dataclasses.is_dataclass(P) and _is_generated(getattr(P, "__init__", None))
    return post if generated and isinstance(post, FunctionType) and is_followed(post) else None


def makes_by_code(P: type) -> bool:
    """Whether a class makes its objects by a method written in Python."""
    return constructor_fields(P, (), {}) is None and (initialiser(P) or post_initialiser(P)) is not None


def fields_given(P: Any, args: Values, kwargs: Words) -> tuple[Any, Words, Values]:
    """An object of a dataclass with its fields set, and what its `__post_init__` is called with."""
    bound = inspect.signature(P).bind(*args, **kwargs)
    made, extra = P.__new__(P), []
    every = P.__dataclass_fields__
    for f in every.values():
        if f._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]  # no public name
            extra.append(bound.arguments.get(f.name, f.default))
        elif f.name in bound.arguments:
            object.__setattr__(made, f.name, bound.arguments[f.name])
        elif f.default_factory is not dataclasses.MISSING:
            object.__setattr__(made, f.name, f.default_factory())
        elif f.default is not dataclasses.MISSING:
            object.__setattr__(made, f.name, f.default)
    return made, dict(bound.arguments), tuple(extra)


def order_of(P: Any, args: Values, kwargs: Words) -> tuple[str, ...]:
    """The parameter that each value goes to."""
    names = list(inspect.signature(P).parameters)
    return (*names[: len(args)], *kwargs)


def in_reverse(P: type, args: Values, kwargs: Words, needs: tuple[bool, ...]) -> Callable[..., Any] | None:
    """How to call a class in reverse; None where it is not known how it makes its objects."""
    if P is functools.partial:
        return lambda *a, **k: partials.made_in_reverse(a, k)
    names = constructor_fields(P, args, kwargs)
    if names is not None:
        return lambda *a, **k: _fielded(P, names, a, k)
    init, post = initialiser(P), post_initialiser(P)
    if init is not None:
        return lambda *a, **k: _initialised(P, init, a, k, needs)
    if post is not None:
        return lambda *a, **k: _post_initialised(P, post, a, k)
    return None


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


def _post_initialised(P: Any, post: FunctionType, args: Values, kwargs: Words) -> Any:
    made, _, extra = fields_given(P, args, kwargs)
    count = 1 + len(extra)
    later = frozenset(range(count))
    y, back = lending.lent_in_reverse(post, (made, *extra), {}, (True,) * count, (0,), later=later)
    order = order_of(P, args, kwargs)
    own = {f.name for f in dataclasses.fields(P)}
    variables = [n for n in _every(P) if n not in own]

    def post_init_pullback(y_bar: Any) -> Values:
        owner, *others = back(tuple_tangent(ZERO, y_bar))
        by_name = dict(zip(variables, others, strict=False))
        return tuple(by_name[n] if n in by_name else field_parts(owner, P, (n,))[0] for n in order)

    return y[1], post_init_pullback


def _every(P: Any) -> dict[str, Any]:
    return dict(P.__dataclass_fields__)


def forward(P: Any, args: Values, kwargs: Words, tangents: Values) -> tuple[Any, Any] | None:
    """A call of a class forward; None where it is not known how it makes its objects."""
    if P is functools.partial:
        return partials.made_forward(args, kwargs, tangents)
    names = constructor_fields(P, args, kwargs)
    if names is not None:
        moving = {n: t for n, t in zip(names, tangents, strict=True) if not is_zero(t)}
        return P(*args, **kwargs), Composite[P](**moving)
    init, post = initialiser(P), post_initialiser(P)
    if init is not None:
        values, moved = (P.__new__(P), *args), (ZERO, *tangents)
        return _last(lending_forward.written_forward(init, values, kwargs, moved, (0,), None))
    if post is None:
        return None
    made, _, extra = fields_given(P, args, kwargs)
    given = dict(zip(order_of(P, args, kwargs), tangents, strict=True))
    own = {f.name for f in dataclasses.fields(P)}
    dmade = Composite[P](**{n: t for n, t in given.items() if n in own and not is_zero(t)})
    moved = tuple(given.get(n, ZERO) for n in _every(P) if n not in own)
    return _last(lending_forward.written_forward(post, (made, *extra), {}, (dmade, *moved), (0,), None))


def _last(answer: Any) -> tuple[Any, Any]:
    """The object that a method changed, with its tangent."""
    y, dy = answer
    return y[1], parts_of(dy, 2)[1]


resolution.construct_in_reverse, resolution.construct_lent = in_reverse, lent_in_reverse
forward_resolution.construct_forward, forward_resolution.construct_lent = forward, lent_forward
