"""Functions written out: where a program of simpler functions says best what a function computes.

`@written_out(f)` above a program that computes the same as f registers both modes of f at once: whoever
calls the rule differentiates the program, through the rules of the functions in it, to any order. As in
a rule, positional parameters are data and keyword-only ones metadata, named as f names them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import frule, non_differentiable, rrule
from ..core.calls import forward_of, reverse_of
from ..core.handed import as_handed, origin_of, taken_back
from ..core.holdings import for_all
from ..core.registry import Mode, register
from ..core.signatures import SignatureOf
from ..tangents import ZERO
from .linearity import linear_in
from .taking import keywords, parameters_of, positional, taking

_ENGINE, _REVERSE = ("engine",), ("engine", "needs")


def own(f: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function itself says, for its types, shapes and errors; without a derivative.

    It calls the very functions that the program handed on, so that what they count is counted once. What they
    change in a list or dictionary is changed in that of the program. After it, copies stand for nothing.
    """
    handed, named = tuple(map(as_handed, arguments)), {k: as_handed(v) for k, v in options.items()}
    try:
        return f(*handed, **named)
    finally:
        given = (*arguments, *options.values())
        for v, changed in zip(given, (*handed, *named.values()), strict=True):
            bring_back(v, changed)
        taken_back(given)


def bring_back(v: Any, changed: Any) -> None:
    """Let a list or dictionary of the program's have what changed in the one that was handed on for it."""
    v = origin_of(v)
    if changed is v or type(v) not in (tuple, list, dict):
        return
    old, new = (dict(enumerate(x)) if type(x) is not dict else x for x in (v, changed))
    before = {k: as_handed(x) for k, x in old.items()}
    same = {k for k, x in new.items() if k in old and is_unchanged(before[k], x)}
    for k in same:
        bring_back(old[k], new[k])
    found = {k: old[k] if k in same else x for k, x in new.items()}
    if type(v) is list and (len(found) != len(v) or len(same) < len(v)):
        v[:] = found.values()
    elif type(v) is dict and (len(found) != len(v) or len(same) < len(v)):
        v.clear()
        v.update(found)


def is_unchanged(before: Any, now: Any) -> bool:
    """Whether this is what was handed on, or a list or dictionary in which something may have changed."""
    if type(before) is int or type(now) in (tuple, list, dict):
        return type(before) is type(now) and (type(now) is not int or before == now)
    return before is now


non_differentiable(own, why="has no part in the derivative")


def as_found(value: Any, formula: Any) -> Any:
    """What a function itself says, with the derivative of a formula for it."""
    return value


@frule(as_found)
def as_found_frule(tangents, value: object, formula: object):
    """ẏ is the formula's"""
    return as_found(value, formula), tangents[1]


@linear_in(1)
@rrule(as_found)
def as_found_rrule(value: object, formula: object):
    """The formula's cotangent is ȳ"""

    def as_found_pullback(y_bar):
        return ZERO, y_bar

    return as_found(value, formula), as_found_pullback


def written_out(
    *functions: Callable[..., Any], signature: str | SignatureOf | None = None
) -> Callable[[Any], Any]:
    """Register the derivatives of functions by a program that computes the same.

    Raises:  RegistrationError where the program's parameters do not fit the function's.
    Example: >>> def fast_norm(x):  # compiled, say
             ...     return np.linalg.norm(x)
             >>> @written_out(fast_norm)
             ... def norm(x: np.ndarray):
             ...     return np.sqrt(np.sum(x * x))
             >>> cr.grad(fast_norm)(np.array([3.0, 4.0]))
             array([0.6, 0.8])
    """

    def declare(program: Any) -> Any:
        return by_count(*functions, of=lambda count: program, signature=signature)(program)

    return declare


def by_count(
    *functions: Callable[..., Any],
    of: Callable[[int], Callable[..., Any]],
    signature: str | SignatureOf | None = None,
) -> Callable[[Any], Any]:
    """As `written_out`, where what is run depends on how many data there are: `of` that number."""

    def declare(program: Any) -> Any:
        for_all(program)
        for f in functions:
            forward, reverse = _forward(of), _reverse(of)
            forward.body_of = reverse.body_of = of
            like_program(f, forward, "forward", program, from_caller=_ENGINE, declared=signature)
            like_program(f, reverse, "reverse", program, from_caller=_REVERSE, declared=signature)
        return program

    return declare


def like_program(
    f: Callable[..., Any],
    rule: Any,
    mode: Mode,
    program: Any,
    *,
    from_caller: tuple[str, ...] = (),
    skip: int = 0,
    **flags: Any,
) -> None:
    """Register a rule that takes any arguments as one that takes what a program does, after `skip` others."""
    given = positional("tangents") if mode == "forward" else []
    taken = [*given, *parameters_of(program)[skip:], *keywords(from_caller)]
    taking(rule, taken, like=program, name=f"{program.__name__}_{mode[0]}rule")
    rule.__module__ = program.__module__
    rule.__doc__ = program.__doc__
    rule.written_at = f"{program.__code__.co_filename}:{program.__code__.co_firstlineno}"
    register(f, rule, mode, **flags)


def _forward(of: Callable[[int], Callable[..., Any]]) -> Any:
    def written_frule(tangents: Any, *data: Any, engine: Any, **metadata: Any) -> Any:
        return forward_of(of(len(data)), data, tangents[: len(data)], metadata, engine)

    return written_frule


def _reverse(of: Callable[[int], Callable[..., Any]]) -> Any:
    def written_rrule(*data: Any, engine: Any, needs: tuple[bool, ...], **metadata: Any) -> Any:
        needed = needs[: len(data)]
        y, pullback = reverse_of(of(len(data)), data, metadata, needed, engine)
        if all(needed):
            return y, pullback

        def written_pullback(y_bar: Any) -> Any:
            return tuple([t if n else ZERO for t, n in zip(pullback(y_bar), needed, strict=True)])

        return y, written_pullback

    return written_rrule
