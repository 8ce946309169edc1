"""Nesting: callables that hold values and vary with them, partials and bound methods, differentiated again.

Such a callable stands among the operands, and what it holds at a field of it (see inner.py).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinMethodType, MethodType
from typing import Any

from ....core.callables import Attribute, unbind
from ....core.registry import rules_of
from ....tangents import ZERO, is_zero
from ..calls.inner import Field, Inner, Path, Values
from ..reading.opaque import may_carry
from ..values.answers import BoundAnswers, Placed, without_first
from ..values.partials import PartialAnswers, made_forward, made_in_reverse, parts_of_partial
from ..values.protocols import is_opaque, kind_of_member
from ..values.structures import object_tangent
from .leaves import Paths, itself, python_function, unmoved


def is_held(f: Any) -> bool:
    """Whether f is a partial or bound method, which holds what has to be followed."""
    if isinstance(f, functools.partial):
        return rules_of(f) is None
    return isinstance(f, MethodType | BuiltinMethodType) and unbind(f) is not None


def held_reverse(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    varies: bool,
    callee: Path | None,
    paths: Paths,
    operands: Values,
    unsettled: bool,
    reverse_call: Callable[..., Inner],
) -> Inner:
    """The call of one; if it varies, its own cotangent is the first answer."""
    count = len(args)
    if bound := unbind(f):
        given, mask, at = (bound[1], *args), (varies, *needs), (_field(callee, "__self__"), *paths)
        inner = reverse_call(bound[0], given, kwargs, mask, False, None, at, operands, unsettled=unsettled)
        return inner.then(BoundAnswers if varies else lambda back: without_first(back, len(needs)))
    words = {**f.keywords, **kwargs}
    needed = dict(zip(kwargs, needs[count:], strict=True))
    mask = (
        *(varies and may_carry((held,)) for held in f.args),
        *needs[:count],
        *(needed.get(name, varies and may_carry((value,))) for name, value in words.items()),
    )
    func, values, at = _field(callee, "func"), (*f.args, *args), _places(f, callee, args, kwargs, paths)
    inner = reverse_call(f.func, values, words, mask, varies, func, at, operands, unsettled=unsettled)
    names, own, held = tuple(words), tuple(kwargs), len(f.args)
    if varies:
        return inner.then(lambda back: PartialAnswers(back, f, count, names, own))
    slots = (*range(held, held + count), *(held + count + names.index(name) for name in own))
    return inner.then(lambda back: Placed(back, tuple((slot, None) for slot in slots)))


def held_forward(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    own: Any,
    callee: Path | None,
    paths: Paths,
    dots: Paths,
    own_path: Path | None,
    operands: Values,
    forward_call: Callable[..., Inner],
) -> Inner:
    """The same, forward."""
    if bound := unbind(f):
        at, at_dots = (_field(p, "__self__") for p in (callee, own_path))
        given, moved = (bound[1], *args), (own if is_zero(own) else own.__self__, *moving)
        every, every_dots = (at, *paths), (at_dots, *dots)
        return forward_call(bound[0], given, kwargs, moved, None, None, every, every_dots, None, operands)
    func, held, keywords = parts_of_partial(own, len(f.args))
    words = {**f.keywords, **kwargs}
    by_name = keywords | dict(zip(kwargs, moving[len(args) :], strict=True))
    moved = (*held, *moving[: len(args)], *(by_name.get(name, ZERO) for name in words))
    every, every_dots = (_places(f, p, args, kwargs, q) for p, q in ((callee, paths), (own_path, dots)))
    at, at_dots = (_field(p, "func") for p in (callee, own_path))
    values = (*f.args, *args)
    return forward_call(f.func, values, words, moved, func, at, every, every_dots, at_dots, operands)


def _places(f: Any, callee: Path | None, args: Values, kwargs: dict[str, Any], paths: Paths) -> Paths:
    """Where all that a partial calls its function with stands."""
    own = dict(zip(kwargs, paths[len(args) :], strict=True))
    words = {**f.keywords, **kwargs}
    return (
        *(_field(callee, "args", i) for i in range(len(f.args))),
        *paths[: len(args)],
        *(own[name] if name in own else _field(callee, "keywords", name) for name in words),
    )


def _field(callee: Path | None, name: str, *keys: Any) -> Path | None:
    return None if callee is None else (*callee, Field(name), *keys)


def partial_made(args: Values, kwargs: dict[str, Any], paths: Paths, operands: Values) -> Inner:
    """`functools.partial(…)` of values that vary."""
    return Inner(operands, python_function(_made), args, kwargs, paths, itself)


def partial_made_forward(
    args: Values, kwargs: dict[str, Any], moving: Values, paths: Paths, dots: Paths, operands: Values
) -> Inner:
    """The same, forward."""
    function = python_function(_made_forward)
    return Inner(operands, function, (moving, *args), kwargs, (list(dots), *paths), itself)


def _made(*args: Any, **kwargs: Any) -> Any:
    return made_in_reverse(args, kwargs)


def _made_forward(tangents: Values, *args: Any, **kwargs: Any) -> Any:
    return made_forward(args, kwargs, tangents)


def member_forward(f: Any, x: Any, moving: Values, paths: Paths, dots: Paths, operands: Values) -> Inner:
    """An attribute that is a method, which varies with its object, or stands in the class, and does not."""
    if kind_of_member(type(x), f.__name__) == "method":
        given, places = (moving, x, f.__name__), (list(dots), *paths, None)
        return Inner(operands, python_function(method_pushed), given, {}, places, itself)
    return Inner(operands, python_function(unmoved), (f, x), {}, (None, *paths), itself)


def has_member(f: Any, args: Values) -> bool:
    """Whether this reads what an object has from its class, and no Python function computes."""
    if not isinstance(f, Attribute) or is_opaque(args[0], f.__name__):
        return False
    return kind_of_member(type(args[0]), f.__name__) not in ("computed", "absent", "descriptor")


def method_pushed(tangents: Values, x: Any, name: str) -> Any:
    """`x.name`, a method, with its tangent."""
    return getattr(x, name), object_tangent(MethodType, ("__self__",), tangents[0])
