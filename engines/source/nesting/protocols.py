"""Nesting: operators and attributes that a class defines in Python, differentiated again.

Each is a call of the Python function behind it. Which of two methods of a binary operator answers is
known only when the first has run, so that one that declines is refused here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....core.forward import forward_rule
from ....core.reverse import reverse_rule
from ....tangents import ZERO
from ..calls import resolution
from ..calls.inner import Inner, Values
from ..values.answers import Placed
from ..values.protocols import called_by, is_computed, kind_of_member, method_behind
from ..values.structures import is_field
from .leaves import Paths, unsupported


def protocol_reverse(
    f: Any,
    args: Values,
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner | None:
    """An operator or attribute in reverse; None where it has a rule, or no Python function behind it."""
    found = method_behind(f, args)
    if found is None or reverse_rule(f, args, {}, needs, resolution.engine()) is not None:
        return None
    method, order, more = found
    values = (*(args[i] for i in order), *more)
    mask = (*(needs[i] for i in order), *(False for _ in more))
    at = (*(paths[i] for i in order), *(None for _ in more))
    inner = reverse_call(method, values, {}, mask, False, None, at, operands, unsettled=True)
    picks = tuple((order.index(i), None) for i in range(len(args)))
    return _answered(inner.then(lambda back: Placed(back, picks)))


def protocol_forward(
    f: Any,
    args: Values,
    moving: Values,
    paths: Paths,
    dots: Paths,
    operands: Values,
    forward_call: Callable[..., Inner],
) -> Inner | None:
    """The same, forward."""
    found = method_behind(f, args)
    if found is None or forward_rule(f, args, {}, resolution.engine()) is not None:
        return None
    method, order, more = found
    values = (*(args[i] for i in order), *more)
    moved = (*(moving[i] for i in order), *(ZERO for _ in more))
    places = [(*(p[i] for i in order), *(None for _ in more)) for p in (paths, dots)]
    inner = forward_call(method, values, {}, moved, None, None, *places, None, operands)
    return replace(_answered(inner), unsettled=True)


def _answered(inner: Inner) -> Inner:
    def finish(result: Any) -> Any:
        y, second = inner.finish(result)
        if y is NotImplemented:
            raise unsupported(
                "an operator that the class of its first operand declines",
                closest="a function that is given both operands",
                next="write the operation as a function of both, or differentiate once",
            )
        return y, second

    return replace(inner, finish=finish)


def method_of(owner: Any, name: str) -> Any:
    """The function behind `owner.name(…)`, called with the owner first."""
    method = getattr(type(owner), name, None)
    if is_field(owner, name) or is_computed(owner, name):
        return called_by(name)
    if method is None or isinstance(owner, type):
        raise unsupported(
            f"a call of `{name}`, which is no method of a {type(owner).__name__}",
            closest="a method of the class, or a plain function that is given the object",
            next=f"define `{name}` in the class, or differentiate once",
        )
    if name == "__class__" or kind_of_member(type(owner), name) in ("static", "class"):
        return _unowned(getattr(owner, name))
    return method


@functools.cache
def _unowned(f: Callable[..., Any]) -> Callable[..., Any]:
    """A static or class method, called with an owner that it does not get."""

    def unowned(owner: Any, *args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return unowned
